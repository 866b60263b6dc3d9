// The commits of a history one after the other, read while the command that lists them still runs.

import { joinBytes } from '../core/bytes.ts'
import { decodeText } from '../shell/byte-text.ts'
import { BrokenPipeError, type ShellOutput } from '../shell/commands.ts'
import { type GitCommitRow, readLog } from './api-rows.ts'

/**
 * Commits, the newest first. `for await` reads them one by one, and ends the command when it is left; `await` gives all of them.
 *
 * @example
 * for await (const { id, message } of git.log()) if (message.startsWith('fix')) console.log(id)
 * const newest = await git.log({ count: 10 })
 */
export interface GitLog extends AsyncIterable<GitCommitRow>, PromiseLike<readonly GitCommitRow[]> {}

/** Each call of `read` starts the command again. */
export function gitLog(read: () => AsyncIterable<Uint8Array>): GitLog {
  const commits = (): AsyncIterable<GitCommitRow> => readCommits(read())
  return {
    [Symbol.asyncIterator]: () => commits()[Symbol.asyncIterator](),
    // oxlint-disable-next-line unicorn/no-thenable -- a panel wants the whole list, a search only as much as it needs
    then: async (onFulfilled, onRejected) => all(commits()).then(onFulfilled, onRejected),
  }
}

async function all<T>(rows: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = []
  for await (const row of rows) found.push(row)
  return found
}

/** Seven fields for each commit, each ended by a NUL. */
const fieldCount = 7

async function* readCommits(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<GitCommitRow> {
  let rest: Uint8Array = new Uint8Array()
  for await (const piece of pieces) {
    const bytes = joinBytes([rest, piece])
    const end = endOfRecords(bytes)
    yield* readLog(decodeText(bytes.subarray(0, end)))
    rest = bytes.subarray(end)
  }
}

/** The position after the last NUL that ends a commit. */
function endOfRecords(bytes: Uint8Array): number {
  let end = 0
  let fields = 0
  for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, at + 1)) {
    if (++fields % fieldCount === 0) end = at + 1
  }
  return end
}

/** The output of a command, piece by piece. A write waits until its piece was taken, and fails when the reader has gone. */
export class OutputPieces implements ShellOutput {
  readonly #waiting: { readonly piece: Uint8Array; readonly taken: () => void }[] = []
  #wake: (() => void) | undefined
  #state: 'open' | 'ended' | 'abandoned' = 'open'

  write(data: Uint8Array | string): Promise<void> {
    if (this.#state === 'abandoned') throw new BrokenPipeError()
    const piece = typeof data === 'string' ? new TextEncoder().encode(data) : data
    const taken = new Promise<void>(resolve => this.#waiting.push({ piece, taken: resolve }))
    this.#wake?.()
    return taken
  }

  /** The command has ended. */
  end(): void {
    this.#state = 'ended'
    this.#wake?.()
  }

  /** The reader has gone. */
  abandon(): void {
    this.#state = 'abandoned'
    for (const { taken } of this.#waiting.splice(0)) taken()
  }

  async *read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const next = this.#waiting.shift()
      if (next !== undefined) {
        next.taken()
        yield next.piece
      } else if (this.#state === 'open') await new Promise<void>(resolve => (this.#wake = resolve))
      else return
    }
  }
}
