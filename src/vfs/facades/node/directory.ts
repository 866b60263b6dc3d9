// Listings: names, entries with kinds, whole trees, and a directory that is read entry by entry.

import type { Vfs } from '../../vfs.ts'
import { decoded, encoded } from './encodings.ts'
import { asNode, ownError } from './errors.ts'
import { NodeDirent } from './stats.ts'

/** Options of `readdir`. */
export interface ReaddirOptions {
  readonly encoding?: string | null
  readonly withFileTypes?: boolean
  readonly recursive?: boolean
}

/** The answer of `readdir`, by its options. */
export type ReaddirResult = string[] | NodeDirent[] | Uint8Array[]

/** `shown` is the path as it was given; names of a recursive listing begin below it. */
export async function readDirectory(vfs: Vfs, path: string, shown: string, options: ReaddirOptions): Promise<ReaddirResult> {
  const entries = options.recursive === true ? await listAll(vfs, path, shown) : await listOne(vfs, path, shown)
  if (options.withFileTypes === true) return entries
  const names = entries.map(({ name, parentPath }) =>
    parentPath === shown ? name : `${parentPath.slice(shown.length).replace(/^\/+/, '')}/${name}`,
  )
  if (options.encoding === 'buffer') return names.map(name => encoded(name, 'utf8'))
  const encoding = options.encoding ?? 'utf8'
  return encoding === 'utf8' ? names : names.map(name => String(decoded(encoded(name, 'utf8'), encoding)))
}

async function listOne(vfs: Vfs, path: string, shown: string): Promise<NodeDirent[]> {
  return (await vfs.readdir(path)).map(({ name, kind }) => new NodeDirent(kind, name, shown))
}

async function listAll(vfs: Vfs, path: string, shown: string): Promise<NodeDirent[]> {
  // A link to a directory is listed too where it is named, and is not entered further down.
  const top = await vfs.realpath(path)
  const found: NodeDirent[] = []
  for await (const entry of vfs.walk(top)) {
    const below = entry.path.slice(top === '/' ? 1 : top.length + 1)
    const parent = below.slice(0, Math.max(0, below.length - entry.name.length - 1))
    found.push(new NodeDirent(entry.kind, entry.name, parent === '' ? shown : `${shown.replace(/\/+$/, '')}/${parent}`))
  }
  return found
}

/** Node's `Dir`. The listing is that of the moment it was opened. */
export class NodeDir {
  readonly path: string
  readonly #entries: readonly NodeDirent[]
  #nextIndex = 0
  #isClosed = false

  private constructor(path: string, entries: readonly NodeDirent[]) {
    this.path = path
    this.#entries = entries
  }

  static async open(vfs: Vfs, path: string, shown: string, isRecursive: boolean): Promise<NodeDir> {
    const list = isRecursive ? listAll : listOne
    return new NodeDir(shown, await asNode({ syscall: 'opendir', path: shown }, () => list(vfs, path, shown)))
  }

  /** The next entry; null after the last. */
  async read(): Promise<NodeDirent | null> {
    this.#checkOpen()
    return this.#entries[this.#nextIndex++] ?? null
  }

  async close(): Promise<void> {
    this.#checkOpen()
    this.#isClosed = true
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<NodeDirent, void> {
    try {
      for (let entry = await this.read(); entry !== null; entry = await this.read()) yield entry
    } finally {
      if (!this.#isClosed) await this.close()
    }
  }

  #checkOpen(): void {
    if (this.#isClosed) throw ownError('ERR_DIR_CLOSED', 'Directory handle was closed')
  }
}
