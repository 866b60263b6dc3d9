// A session in a terminal. With a session that takes lines, the lines are edited here.

import type { Terminal } from '@xterm/xterm'
import type { ShellSession } from '../shell/session.ts'
import { applyCompletion, inColumns } from './completion-view.ts'
import type { KeyTarget } from './focus.ts'
import type { ShellTerminalOptions } from './index.ts'
import { readInput, type TerminalInput } from './keys.ts'
import { emptyLine, insertText, maxLineCharacters, pressKey, ranLine, type Line } from './line-editor.ts'
import { PaletteColours } from './palette-colours.ts'
import { PromptLine } from './prompt-line.ts'

const maxTypeAhead = 4_096
const [bold, muted, red, green, blue, reset] = ['\x1b[1m', '\x1b[90m', '\x1b[31m', '\x1b[32m', '\x1b[34m', '\x1b[0m']
const labels = { lines: 'Terminal. Tab leaves an empty line, Shift+Tab any line.', keys: 'Terminal. F6 leaves it.' }

export class SessionView implements KeyTarget {
  readonly #terminal: Terminal
  readonly #options: ShellTerminalOptions
  readonly #prompt: PromptLine
  readonly #listening: readonly { dispose(): void }[]
  #session: ShellSession
  #line: Line = emptyLine
  /** A line runs, or is looked at. */
  #isBusy = false
  /** Ctrl+C was pressed: what is typed from now on is for the next line. */
  #isInterrupting = false
  /** Typed while a command runs, and not a whole line yet. */
  #typedAhead = ''
  /** Keys that arrive while a line is looked at. */
  #waiting: TerminalInput[] | undefined
  #isDisposed = false
  #hasEnded = false

  constructor(terminal: Terminal, session: ShellSession, options: ShellTerminalOptions) {
    this.#terminal = terminal
    this.#options = options
    this.#session = session
    this.#prompt = new PromptLine(terminal)
    this.#listening = [
      terminal.onData(data => this.#type(data)),
      terminal.onBinary(data => void this.#send(Uint8Array.from(data, character => character.charCodeAt(0)))),
      terminal.onResize(({ cols, rows }) => {
        this.#session.resize(cols, rows).catch(ignoreEnd)
        this.#prompt.draw(this.#line)
      }),
    ]
    this.#begin()
  }

  get cwd(): string {
    return this.#session.cwd
  }

  get takesEveryKey(): boolean {
    return this.#session.input === 'keys'
  }

  get takesTab(): boolean {
    return !this.#isBusy && this.#line.before.trim() !== ''
  }

  /** Continues in another session; the previous one is left alone. */
  enter(session: ShellSession): void {
    if (session === this.#session) return
    this.#prompt.leave(this.#line)
    this.#session = session
    this.#line = { ...emptyLine, history: this.#line.history, historyIndex: this.#line.history.length }
    this.#isBusy = false
    this.#hasEnded = false
    this.#typedAhead = ''
    this.#waiting = undefined
    this.#prompt.beginLine()
    this.#say(`${muted}The session started over.${reset}\r\n`)
    this.#begin()
  }

  dispose(): void {
    this.#isDisposed = true
    for (const listening of this.#listening) listening.dispose()
  }

  #begin(): void {
    const session = this.#session
    const { greeting = `${session.name}: ${help[session.input]}`, label = labels[session.input] } = this.#options
    this.#terminal.textarea?.setAttribute('aria-label', label)
    if (greeting !== '') this.#say(`${muted}${greeting}${reset}\r\n`)
    session.resize(this.#terminal.cols, this.#terminal.rows).catch(ignoreEnd)
    void session.ended.then(() => {
      if (this.#isCurrent(session)) this.#hasEnded = true
    })
    void this.#show(session)
    if (session.input === 'lines') this.#showPrompt()
  }

  #isCurrent(session: ShellSession): boolean {
    return session === this.#session && !this.#isDisposed
  }

  async #show(session: ShellSession): Promise<void> {
    const decoders = { stdout: decoder(), stderr: decoder(), merged: decoder() }
    const colours = this.#options.paletteColours === true ? new PaletteColours() : undefined
    for await (const { channel, bytes } of session.output) {
      if (!this.#isCurrent(session)) return
      const text = decoders[channel].decode(bytes, { stream: true })
      this.#output(colours?.write(text) ?? text, session.input)
      // Not faster than it is drawn, so that Ctrl+C is heard.
      await this.#prompt.shown()
    }
    if (!this.#isCurrent(session)) return
    const exit = await session.ended
    this.#hasEnded = true
    // The host has closed it.
    if (exit.kind === 'killed') return
    this.#prompt.leave(this.#line)
    this.#prompt.beginLine()
    const why =
      exit.kind === 'lost' ? `: ${exit.why}` : exit.kind === 'exited' && exit.code !== 0 ? ` with code ${exit.code}` : ''
    this.#say(`${muted}The shell has ended${why}.${reset}\r\n`)
  }

  /** A background command may write while a line is edited: then the line is drawn again below. */
  #output(text: string, input: ShellSession['input']): void {
    if (input === 'keys') this.#prompt.raw(text)
    else if (this.#isBusy) this.#say(text)
    else {
      this.#prompt.erase()
      this.#say(text)
      this.#prompt.beginLine()
      this.#prompt.again(this.#line)
    }
  }

  #say(text: string): void {
    this.#prompt.say(text)
  }

  #showPrompt(): void {
    const { cwd, exitCode = 0 } = this.#session
    const { root } = this.#options
    const place = cwd === root ? '~' : root !== undefined && cwd.startsWith(`${root}/`) ? `~${cwd.slice(root.length)}` : cwd
    const sign = exitCode === 0 ? `${green}$` : `${red}$`
    this.#prompt.enter(`${bold}${blue}${place}${reset} ${bold}${sign}${reset} `)
    const typed = this.#typedAhead
    this.#typedAhead = ''
    if (typed === '') this.#prompt.draw(this.#line)
    else this.#type(typed)
  }

  async #send(data: string | Uint8Array): Promise<void> {
    await this.#session.write(data).catch(ignoreEnd)
  }

  #type(data: string): void {
    if (this.#session.input === 'keys') {
      void this.#send(data)
      return
    }
    for (const input of readInput(data)) this.#take(input)
  }

  #take(input: TerminalInput): void {
    if (this.#hasEnded) return
    if (this.#waiting !== undefined) this.#waiting.push(input)
    else if (this.#isBusy) this.#takeWhileBusy(input)
    else if (input.kind !== 'key') this.#insert(input.kind === 'paste' ? input.text.replace(/[\r\n]+$/, '') : input.text)
    else if (input.key === 'tab') void this.#complete()
    else this.#press(input.key)
  }

  /** As a terminal does in its line mode: what is typed is shown, and sent as whole lines. */
  #takeWhileBusy(input: TerminalInput): void {
    if (this.#isInterrupting && (input.kind !== 'key' || input.key === 'enter')) {
      this.#typedAhead = `${this.#typedAhead}${input.kind === 'key' ? '\r' : input.text}`.slice(0, maxTypeAhead)
      return
    }
    if (input.kind !== 'key') {
      const text = input.text.replace(/\r\n?/g, '\n').slice(0, maxTypeAhead - this.#typedAhead.length)
      this.#say(text)
      const lines = `${this.#typedAhead}${text}`.split('\n')
      this.#typedAhead = lines.pop() ?? ''
      for (const line of lines) void this.#send(`${line}\n`)
      return
    }
    switch (input.key) {
      case 'ctrl-c':
        this.#typedAhead = ''
        if (!this.#isInterrupting) this.#say('^C\r\n')
        this.#isInterrupting = true
        void this.#send('\x03')
        return
      case 'ctrl-d':
        if (this.#typedAhead !== '') void this.#send(this.#typedAhead)
        this.#typedAhead = ''
        void this.#send('\x04')
        return
      case 'enter':
        this.#say('\r\n')
        void this.#send(`${this.#typedAhead}\n`)
        this.#typedAhead = ''
        return
      case 'backspace': {
        const before = this.#typedAhead
        this.#typedAhead = pressKey({ ...emptyLine, before }, 'backspace').line.before
        if (before !== '') this.#say('\b \b')
      }
    }
  }

  #insert(text: string): void {
    const { line, isCut } = insertText(this.#line, text)
    this.#line = line
    this.#prompt.draw(line)
    if (!isCut) return
    this.#prompt.leave(line)
    const most = maxLineCharacters.toLocaleString('en')
    this.#say(`\r\n${red}A line holds at most ${most} characters; the rest was left out.${reset}\r\n`)
    this.#showPrompt()
  }

  #press(key: string): void {
    const before = this.#line
    if (key === 'ctrl-d' && before.before === '' && before.after === '') {
      this.#runLine('exit')
      return
    }
    const { line, request } = pressKey(before, key)
    this.#line = line
    switch (request) {
      case 'none':
        this.#prompt.draw(line)
        return
      case 'clear-screen':
        this.#prompt.clearScreen()
        this.#showPrompt()
        return
      case 'interrupt':
        this.#prompt.leave(before)
        this.#say('^C\r\n')
        this.#showPrompt()
        return
      case 'run':
        void this.#runOrContinue(line)
        return
      default:
        throw new Error(`unreachable: ${String(request satisfies never)}`)
    }
  }

  /** An unfinished command goes on in the next line. */
  async #runOrContinue(line: Line): Promise<void> {
    const text = line.before + line.after
    const session = this.#session
    const isIncomplete = text.trim() !== '' && (await this.#meanwhile(() => session.isIncomplete(text), false))
    if (!this.#isCurrent(session)) return
    if (isIncomplete) {
      this.#line = { ...line, before: `${text}\n`, after: '' }
      this.#prompt.draw(this.#line)
    } else this.#runLine(text)
    this.#takeWaiting()
  }

  async #complete(): Promise<void> {
    const session = this.#session
    const { before, after } = this.#line
    const none = { start: before.length, words: [], isCut: false }
    const found = await this.#meanwhile(() => session.complete(before + after, before.length), none)
    if (!this.#isCurrent(session)) return
    const { before: completed, choices, isCut } = applyCompletion(before, found)
    this.#line = { ...this.#line, before: completed }
    if (choices.length > 0) {
      this.#prompt.leave(this.#line)
      this.#say(`\r\n${inColumns(choices, this.#terminal.cols, isCut)}\r\n`)
      this.#showPrompt()
    } else this.#prompt.draw(this.#line)
    this.#takeWaiting()
  }

  /** Keys that are pressed meanwhile wait. */
  async #meanwhile<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    this.#waiting = []
    try {
      return await work()
    } catch {
      // The session has ended, and says so itself.
      return otherwise
    }
  }

  #takeWaiting(): void {
    const waiting = this.#waiting ?? []
    this.#waiting = undefined
    for (const input of waiting) this.#take(input)
  }

  #runLine(text: string): void {
    this.#prompt.leave(this.#line)
    this.#say('\r\n')
    this.#line = ranLine(this.#line, text)
    if (/^\s*clear\s*$/.test(text)) {
      this.#prompt.clearScreen()
      this.#showPrompt()
    } else if (text.trim() === '') this.#showPrompt()
    else void this.#run(text)
  }

  async #run(text: string): Promise<void> {
    const session = this.#session
    this.#isBusy = true
    this.#isInterrupting = false
    let unread = ''
    try {
      unread = (await session.run(text)).unread
      await session.drained()
    } catch (error) {
      if (!this.#isCurrent(session)) return
      this.#say(`${red}${error instanceof Error ? error.message : String(error)}${reset}\r\n`)
    }
    if (!this.#isCurrent(session)) return
    this.#isBusy = false
    if (this.#hasEnded) return
    this.#say(reset)
    this.#prompt.beginLine()
    this.#typedAhead = unread + this.#typedAhead
    this.#showPrompt()
  }
}

const help = { lines: 'Ctrl+C ends a command, Tab completes', keys: 'every key goes to the shell, F6 leaves' }

/** A session that has ended says so itself. */
function ignoreEnd(): void {}

function decoder(): TextDecoder {
  return new TextDecoder('utf-8', { ignoreBOM: true })
}
