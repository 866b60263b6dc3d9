// Implements `terminal/*`: an agent's commands, each with the newest part of its output.

import { untilAborted } from '../../core/abort.ts'
import type { Actor } from '../../core/actor.ts'
import { AnchorageError } from '../../core/errors.ts'
import { isRecord } from '../../core/record.ts'
import { openCommands, type SandboxCommands, type SandboxProcess } from '../../workspace/sandbox-commands.ts'
import type { Workspace } from '../../workspace/workspace.ts'

const defaultOutputBytes = 1024 * 1024
/** More terminals than this, running or not, indicate a leak in the agent. */
const maxTerminals = 100

/** What the protocol calls an exit status. */
interface ExitStatus {
  readonly exitCode: number | null
  readonly signal: string | null
}

interface Terminal {
  readonly sessionId: string
  readonly process: SandboxProcess
  readonly output: LimitedOutput
  exited: Promise<ExitStatus>
  status: ExitStatus | undefined
  isKilled: boolean
}

export class Terminals {
  readonly #commands: SandboxCommands
  readonly #open = new Map<string, Terminal>()
  #lastId = 0

  constructor(workspace: Workspace, actor: Actor) {
    this.#commands = openCommands(workspace, actor)
  }

  async create(params: Readonly<Record<string, unknown>>): Promise<{ terminalId: string }> {
    if (this.#open.size >= maxTerminals) {
      throw new AnchorageError(
        'acp-terminals',
        `There are ${maxTerminals} terminals. Next: release those that are no longer needed.`,
      )
    }
    const { sessionId, command, args, env, cwd, outputByteLimit } = params
    if (typeof command !== 'string' || command === '')
      throw new AnchorageError('acp-params', 'command must be a text. Next: correct the request.')
    const words = Array.isArray(args) ? args.map(String) : []
    const process = await this.#commands.spawn({
      // Without arguments, the command may be a whole command line.
      command: words.length === 0 ? command : [command, ...words].map(quoted).join(' '),
      env: Object.fromEntries(variablesOf(env)),
      ...(typeof cwd === 'string' ? { workingDirectory: cwd } : {}),
    })
    const output = new LimitedOutput(typeof outputByteLimit === 'number' ? outputByteLimit : defaultOutputBytes)
    const terminal: Terminal = {
      sessionId: String(sessionId),
      process,
      output,
      status: undefined,
      isKilled: false,
      exited: Promise.resolve({ exitCode: null, signal: null }),
    }
    terminal.exited = statusOf(terminal)
    // A caller that waits for the exit receives the error; without one, the error is ignored.
    terminal.exited.catch(() => {})
    const terminalId = `terminal-${++this.#lastId}`
    this.#open.set(terminalId, terminal)
    return { terminalId }
  }

  async output(sessionId: string, terminalId: string): Promise<object> {
    const { output, status } = this.#get(sessionId, terminalId)
    return { output: output.text(), truncated: output.isCut, ...(status !== undefined && { exitStatus: status }) }
  }

  async waitForExit(sessionId: string, terminalId: string, signal: AbortSignal): Promise<ExitStatus> {
    return await untilAborted(this.#get(sessionId, terminalId).exited, signal)
  }

  /** Ends the command; the terminal remains, with its output. */
  async kill(sessionId: string, terminalId: string): Promise<void> {
    await this.#kill(this.#get(sessionId, terminalId))
  }

  async release(sessionId: string, terminalId: string): Promise<void> {
    const terminal = this.#get(sessionId, terminalId)
    this.#open.delete(terminalId)
    await this.#kill(terminal)
  }

  async dispose(): Promise<void> {
    const all = [...this.#open.values()]
    this.#open.clear()
    await Promise.all(all.map(terminal => this.#kill(terminal)))
  }

  async #kill(terminal: Terminal): Promise<void> {
    if (terminal.status !== undefined) return
    terminal.isKilled = true
    await terminal.process.kill()
  }

  #get(sessionId: string, terminalId: string): Terminal {
    const terminal = this.#open.get(terminalId)
    if (terminal !== undefined && terminal.sessionId === sessionId) return terminal
    throw new AnchorageError('acp-terminals', `There is no terminal ${terminalId}. Next: create one with terminal/create.`)
  }
}

async function statusOf(terminal: Terminal): Promise<ExitStatus> {
  await terminal.output.readAll(terminal.process.stdout)
  const { exitCode } = await terminal.process.wait()
  terminal.status = terminal.isKilled ? { exitCode: null, signal: 'SIGKILL' } : { exitCode, signal: null }
  return terminal.status
}

function variablesOf(env: unknown): [name: string, value: string][] {
  if (!Array.isArray(env)) return []
  return env.flatMap((variable: unknown): [string, string][] =>
    isRecord(variable) ? [[String(variable['name']), String(variable['value'])]] : [],
  )
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** Keeps the newest bytes of an output. Old bytes are dropped at a character boundary. */
class LimitedOutput {
  isCut = false
  readonly #maxBytes: number
  #pieces: Uint8Array[] = []
  #size = 0

  constructor(maxBytes: number) {
    this.#maxBytes = Math.max(0, maxBytes)
  }

  async readAll(stream: ReadableStream<Uint8Array>): Promise<void> {
    const reader = stream.getReader()
    for (let next = await reader.read(); !next.done; next = await reader.read()) this.#add(next.value)
  }

  text(): string {
    return new TextDecoder().decode(this.#bytes())
  }

  #add(piece: Uint8Array): void {
    this.#pieces.push(piece)
    this.#size += piece.length
    if (this.#size <= this.#maxBytes) return
    this.isCut = true
    // The pieces are joined only when they exceed twice the limit, to keep copying rare.
    if (this.#size > 2 * this.#maxBytes) this.#keep(this.#bytes())
  }

  #keep(bytes: Uint8Array): void {
    this.#pieces = [bytes]
    this.#size = bytes.length
  }

  #bytes(): Uint8Array {
    const whole = new Uint8Array(this.#size)
    let at = 0
    for (const piece of this.#pieces) {
      whole.set(piece, at)
      at += piece.length
    }
    let start = Math.max(0, whole.length - this.#maxBytes)
    while (start < whole.length && start > 0 && ((whole[start] ?? 0) & 0xc0) === 0x80) start++
    return whole.subarray(start)
  }
}
