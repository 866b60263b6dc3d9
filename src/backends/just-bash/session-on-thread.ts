// A session on the thread of the workspace, for platforms without workers.

import { createPauser } from '../../core/pause.ts'
import { deferred } from '../../core/deferred.ts'
import type { LineEnd, LineOutput, LineRunner, RunningLine } from '../../shell/line-session.ts'
import type { TerminalSize } from '../../shell/session.ts'
import { tableOf } from './commands/own-commands.ts'
import { InteractiveShell } from './interpreter/interactive.ts'
import { SessionFiles } from './session-files.ts'
import { SessionNames } from './session-names.ts'
import type { ScriptHost, SessionStart } from './script.ts'

export class SessionOnThread implements LineRunner {
  readonly completion: SessionNames
  readonly #host: ScriptHost
  readonly #files: SessionFiles
  readonly #shell: InteractiveShell
  readonly #ending = new AbortController()
  #cwd: string

  constructor(host: ScriptHost, start: SessionStart, onOutput: LineOutput) {
    this.#host = host
    this.#cwd = start.cwd
    const pause = createPauser()
    this.#files = new SessionFiles(host.order, pause)
    this.completion = new SessionNames(host)
    this.#shell = new InteractiveShell({
      ...start,
      files: this.#files.forwarding,
      commands: tableOf(host.commands),
      signal: this.#ending.signal,
      isStopped: () => this.#ending.signal.aborted,
      pause,
      onWait: () => undefined,
      state: undefined,
      onOutput: (channel, bytes) => onOutput({ channel, bytes: bytes.slice() }),
    })
  }

  get cwd(): string {
    return this.#cwd
  }

  start(line: string, size: TerminalSize, origin: string | undefined): RunningLine {
    this.#files.begin(this.#host.filesFor(origin))
    const ended = deferred<LineEnd>()
    const run = async (): Promise<void> => {
      const { code, isOver, state, unread } = await this.#shell.runLine(line, size)
      this.#cwd = state.cwd
      this.completion.take(state)
      ended.resolve({ exit: { kind: 'exited', code }, code, cwd: this.#cwd, isOver, unread })
    }
    run().catch((error: unknown) =>
      ended.resolve({
        exit: { kind: 'lost', why: String(error) },
        code: 1,
        cwd: this.#cwd,
        isOver: false,
        unread: new Uint8Array(),
      }),
    )
    return {
      ended: ended.promise,
      input: bytes => this.#shell.input(bytes),
      interrupt: () => this.#shell.interrupt(),
      // This thread has no stronger signal than an interrupt.
      kill: () => this.#shell.interrupt(),
    }
  }

  isIncomplete(line: string): Promise<boolean> {
    return this.completion.isIncomplete(line)
  }

  async close(): Promise<void> {
    this.#ending.abort()
    await this.#files.close()
  }
}
