// The files of a session. The changes of each command have a separate origin. Programs that still run from an earlier command
// count as part of the latest command.

import type { Awaitable, ShellFiles } from '../../shell/files.ts'
import type { OrderPaths } from '../../shell/factory.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { filesBehind } from './files-by-verb.ts'
import { openRunFiles, type RunFiles } from './run-files.ts'

export class SessionFiles {
  readonly #order: OrderPaths
  #open: RunFiles[] = []

  /** `pause` is awaited before each operation. */
  constructor(order: OrderPaths, pause: () => Awaitable<void> = () => undefined) {
    this.#order = order
    this.forwarding = filesBehind(() => this.current.fs, pause)
  }

  /** Opens the files for the next command. */
  begin(vfs: Vfs): void {
    this.#open.push(openRunFiles(vfs, this.#order))
  }

  get current(): RunFiles {
    const last = this.#open.at(-1)
    if (last === undefined) throw new Error('unreachable: a command has begun')
    return last
  }

  /** Forwards to the files of the current command, so that all commands share one object. */
  readonly forwarding: ShellFiles

  async close(): Promise<void> {
    const closing = this.#open
    this.#open = []
    await Promise.all(closing.map(files => files.close()))
  }
}
