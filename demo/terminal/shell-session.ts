// The terminal's session: edits lines and runs them one after the other with the session's `bash` tool.

import type { Toolset, Vfs } from 'anchorage'
import type { Terminal } from '@xterm/xterm'
import { messageOf } from '../format.ts'
import { bashArguments, OutputFollower } from './command.ts'
import { readInput } from './keys.ts'
import { emptyLine, insertText, maxLineCharacters, pressKey, ranLine, type Line } from './line-editor.ts'
import { PaletteColours } from './palette-colours.ts'
import { PromptLine } from './prompt-line.ts'

/** Where the lines run. Replaced when the session starts over. */
export interface TerminalPlace {
  readonly tools: Pick<Toolset, 'call'>
  readonly fs: Pick<Vfs, 'stat'>
  readonly root: string
  readonly shell: string
  /** Whether the shell reports its directory after a line. Otherwise only a line that is a `cd` changes the directory. */
  readonly tellsDirectory: boolean
  readonly signal: AbortSignal
}

const maxTypeAhead = 4_096
const [bold, muted, red, green, blue, reset] = ['\x1b[1m', '\x1b[90m', '\x1b[31m', '\x1b[32m', '\x1b[34m', '\x1b[0m']

export class ShellSession {
  readonly #prompt: PromptLine
  #place: TerminalPlace
  #line: Line = emptyLine
  #cwd: string
  #lastExitCode = 0
  #running: AbortController | undefined
  /** Typed while a command ran. */
  #typedAhead = ''
  #markCount = 0

  constructor(terminal: Terminal, place: TerminalPlace) {
    this.#place = place
    this.#cwd = place.root
    this.#prompt = new PromptLine(terminal)
    terminal.onData(data => this.#take(data))
    terminal.onResize(() => this.#prompt.draw(this.#line))
    this.#greet()
  }

  /** Continues in another session; a command of the previous one has ended. */
  enter(place: TerminalPlace): void {
    if (place === this.#place) return
    this.#running?.abort(new DOMException('The session started over.', 'AbortError'))
    this.#running = undefined
    this.#prompt.leave(this.#line)
    this.#place = place
    this.#cwd = place.root
    this.#lastExitCode = 0
    this.#line = { ...emptyLine, history: this.#line.history, historyIndex: this.#line.history.length }
    this.#prompt.beginLine()
    this.#say(`${muted}The session started over.${reset}\r\n`)
    this.#greet()
  }

  #greet(): void {
    this.#say(`${muted}${this.#place.shell}: Ctrl+C ends a command, Tab leaves${reset}\r\n`)
    this.#showPrompt()
  }

  #say(text: string): void {
    this.#prompt.say(text)
  }

  #showPrompt(): void {
    const { root } = this.#place
    const place = this.#cwd === root ? '~' : this.#cwd.startsWith(`${root}/`) ? `~${this.#cwd.slice(root.length)}` : this.#cwd
    const sign = this.#lastExitCode === 0 ? `${green}$` : `${red}$`
    this.#prompt.enter(`${bold}${blue}${place}${reset} ${bold}${sign}${reset} `)
    const typed = this.#typedAhead
    this.#typedAhead = ''
    if (typed === '') this.#prompt.draw(this.#line)
    else this.#take(typed)
  }

  #take(data: string): void {
    for (const input of readInput(data)) {
      if (this.#running !== undefined) {
        if (input.kind === 'key' && input.key === 'ctrl-c') {
          this.#typedAhead = ''
          this.#running.abort(new DOMException('Ctrl+C', 'AbortError'))
        } else if (input.kind === 'text') this.#typedAhead = (this.#typedAhead + input.text).slice(0, maxTypeAhead)
        continue
      }
      if (input.kind !== 'key') this.#insert(input.text.replace(/[\r\n]+$/, ''))
      else this.#press(input.key)
    }
  }

  #insert(text: string): void {
    const { line, isCut } = insertText(this.#line, text)
    this.#line = line
    this.#prompt.draw(line)
    if (isCut) {
      this.#prompt.leave(line)
      this.#say(
        `\r\n${red}A line holds at most ${maxLineCharacters.toLocaleString('en')} characters; the rest was left out.${reset}\r\n`,
      )
      this.#showPrompt()
    }
  }

  #press(key: string): void {
    const before = this.#line
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
      case 'run': {
        const text = line.before + line.after
        this.#prompt.leave(line)
        this.#say('\r\n')
        this.#line = ranLine(line, text)
        void this.#run(text)
      }
    }
  }

  async #run(text: string): Promise<void> {
    const place = this.#place
    const running = new AbortController()
    this.#running = running
    try {
      if (text.trim() === '') return
      if (/^\s*clear\s*$/.test(text)) return this.#prompt.clearScreen()
      const directory = place.tellsDirectory ? undefined : /^\s*cd(?:\s+(\S+))?\s*$/.exec(text)
      if (directory != null) await this.#changeDirectory(place, directory[1] ?? place.root)
      else await this.#runCommand(place, text, running)
    } catch (error) {
      if (place !== this.#place) return
      this.#lastExitCode = 130
      this.#say(running.signal.aborted ? '^C\r\n' : `${red}${messageOf(error)}${reset}\r\n`)
    } finally {
      if (place === this.#place) {
        this.#running = undefined
        this.#showPrompt()
      }
    }
  }

  async #runCommand(place: TerminalPlace, text: string, running: AbortController): Promise<void> {
    const mark = `\x1e${++this.#markCount}-${crypto.getRandomValues(new Uint32Array(1)).join('')}\x1e`
    const follower = new OutputFollower(mark)
    const colours = new PaletteColours()
    const args = bashArguments(text, { cwd: this.#cwd, root: place.root, mark, tellsDirectory: place.tellsDirectory })
    const result = await place.tools.call('bash', args, {
      signal: AbortSignal.any([running.signal, place.signal]),
      onUpdate: update => {
        if (this.#running === running && !running.signal.aborted) this.#say(colours.write(follower.take(update)))
      },
    })
    if (this.#running !== running) return
    const { rest, cwd, exitCode, notes, isDirectoryGone } = follower.end(result)
    // Resets a colour that the command has left on.
    this.#say(colours.write(rest) + reset)
    if (isDirectoryGone) this.#cwd = place.root
    else if (cwd !== undefined) this.#cwd = cwd
    this.#lastExitCode = exitCode
    this.#prompt.beginLine()
    if (notes !== '') this.#say(`${exitCode === 0 ? muted : red}${notes}${reset}\r\n`)
  }

  async #changeDirectory({ fs, root }: TerminalPlace, path: string): Promise<void> {
    const target = path.startsWith('/') ? path : `${this.#cwd}/${path}`
    const names: string[] = []
    for (const name of target.split('/')) {
      if (name === '..') names.pop()
      else if (name !== '' && name !== '.') names.push(name)
    }
    const directory = `/${names.join('/')}`
    if (directory !== root && !directory.startsWith(`${root}/`)) throw new Error(`cd: ${path}: outside ${root}`)
    if ((await fs.stat(directory)).kind !== 'directory') throw new Error(`cd: ${path}: not a directory`)
    this.#cwd = directory
    this.#lastExitCode = 0
  }
}
