// What a shell has started and not ended, so that it ends with the shell.

import type { ShellSession } from './session.ts'
import type { ShellProcess } from './shell.ts'

export class OpenInShell {
  readonly #processes = new Set<ShellProcess>()
  readonly #sessions = new Set<ShellSession>()

  keepProcess<P extends ShellProcess>(process: P): P {
    this.#processes.add(process)
    void process.exit.then(() => this.#processes.delete(process))
    return process
  }

  keepSession<S extends ShellSession>(session: S): S {
    this.#sessions.add(session)
    void session.ended.then(() => this.#sessions.delete(session))
    return session
  }

  async closeSessions(): Promise<void> {
    await Promise.allSettled([...this.#sessions].map(session => session.close()))
  }

  /** Resolves when all have ended. */
  async killProcesses(): Promise<void> {
    const ending = [...this.#processes]
    await Promise.allSettled(ending.map(process => process.kill('kill')))
    await Promise.all(ending.map(process => process.exit))
  }
}
