// The files of a session: each command sees them under its own origin, and what still runs from an earlier one counts as part of the
// newest.

import type { Awaitable, ShellFiles } from '../../shell/files.ts'
import type { OrderPaths } from '../../shell/factory.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { filesByVerb } from './remote-files.ts'
import { openRunFiles, type RunFiles } from './run-files.ts'

export class SessionFiles {
  readonly #order: OrderPaths
  #open: RunFiles[] = []

  constructor(order: OrderPaths) {
    this.#order = order
  }

  /** The files for the command that starts now. */
  begin(vfs: Vfs): void {
    this.#open.push(openRunFiles(vfs, this.#order))
  }

  get current(): RunFiles {
    const last = this.#open.at(-1)
    if (last === undefined) throw new Error('unreachable: a command has begun')
    return last
  }

  /** The same object for all commands. */
  readonly forwarding: ShellFiles = filesByVerb((verb, args) => {
    // The types of a verb and its arguments come from the same table.
    const operation = this.current.fs[verb] as (...operands: readonly unknown[]) => Awaitable<never>
    return operation(...args)
  })

  async close(): Promise<void> {
    const closing = this.#open
    this.#open = []
    await Promise.all(closing.map(files => files.close()))
  }
}
