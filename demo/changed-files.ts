// Which files differ from what was packed. Driven by the filesystem's own events, so it sees the agent, the shell and a
// person alike.

import type { ChangeBatch, Vfs } from 'anchorage'
import type { Project } from './project.ts'
import { textOf } from './text-of.ts'

export interface FileChange {
  readonly kind: 'added' | 'modified' | 'deleted'
  /** `undefined`: there was, or is, no such file. */
  readonly before: string | undefined
  /** Empty for a file that is not text. */
  readonly after: string | undefined
  /** The present content can be compared line by line. */
  readonly isText: boolean
}

interface Content {
  readonly text: string | undefined
  readonly isText: boolean
  /** Of a file that is not text. */
  readonly bytes?: Uint8Array
}

/** Files that a toolset stores in the workspace are in the tree, but are not changes of the user. */
const ownFolder = '.ai/cache/'
/** The repository is shown by source control. */
const repositoryFolder = '.git'

export class ChangedFiles {
  /** relative path → its change */
  changes: ReadonlyMap<string, FileChange> = new Map()
  /** Every existing file, and the removed ones. */
  paths: ReadonlySet<string>
  readonly #project: Project
  readonly #fs: Pick<Vfs, 'readFile' | 'lstat' | 'walk'>
  readonly #root: string
  readonly #onChange: (problem?: unknown) => void
  #queue: Promise<void> = Promise.resolve()

  constructor(project: Project, fs: Vfs, root: string, onChange: (problem?: unknown) => void) {
    this.#project = project
    this.#fs = fs
    this.#root = root
    this.#onChange = onChange
    this.paths = new Set(Object.keys(project))
  }

  /** Takes one batch of events. Batches are processed in order; `onChange` is called after each, with the error if there was one. */
  apply(batch: ChangeBatch): void {
    this.#queue = this.#queue
      .then(() => this.#take(batch))
      .then(
        () => this.#onChange(),
        (error: unknown) => this.#onChange(error),
      )
  }

  async #take(batch: ChangeBatch): Promise<void> {
    const touched = new Set<string>()
    const ofFiles = batch.changes.filter(({ path }) => !this.#isOfRepository(path))
    const isPartial = batch.overflow || ofFiles.some(change => change.kind === 'directory' && change.type !== 'attributes')
    for (const change of ofFiles) {
      for (const path of [change.path, change.oldPath]) {
        if (path?.startsWith(`${this.#root}/`)) touched.add(path.slice(this.#root.length + 1))
      }
    }
    // When a directory is moved or removed, the events do not name the files in it.
    if (isPartial) for (const path of await this.#everyPath()) touched.add(path)
    await this.#compare(touched)
  }

  #isOfRepository(path: string): boolean {
    const repository = `${this.#root}/${repositoryFolder}`
    return path === repository || path.startsWith(`${repository}/`)
  }

  async #everyPath(): Promise<Set<string>> {
    const found = new Set([...this.paths, ...Object.keys(this.#project)])
    for await (const entry of this.#fs.walk(this.#root, { maxEntries: 50_000 })) {
      if (entry.kind === 'file' && !this.#isOfRepository(entry.path)) found.add(entry.path.slice(this.#root.length + 1))
    }
    return found
  }

  async #compare(touched: ReadonlySet<string>): Promise<void> {
    const changes = new Map(this.changes)
    const paths = new Set(this.paths)
    for (const path of touched) {
      const packed = Object.hasOwn(this.#project, path) ? this.#project[path] : undefined
      const present = await this.#contentOf(path)
      const before = packed instanceof Uint8Array ? '' : packed
      const after = present.text
      const isText = present.isText && !(packed instanceof Uint8Array)
      if (isSame(packed, present) || path.startsWith(ownFolder)) changes.delete(path)
      else {
        const kind = before === undefined ? 'added' : after === undefined ? 'deleted' : 'modified'
        changes.set(path, { kind, before, after, isText })
      }
      if (before === undefined && after === undefined) paths.delete(path)
      else paths.add(path)
    }
    this.changes = changes
    this.paths = paths
  }

  /** The text is `undefined` if there is no file now. */
  async #contentOf(path: string): Promise<Content> {
    const absolute = `${this.#root}/${path}`
    try {
      const { kind } = await this.#fs.lstat(absolute)
      if (kind !== 'file') return noFile
      const bytes = await this.#fs.readFile(absolute)
      const text = textOf(bytes)
      return text === undefined ? { text: '', isText: false, bytes } : { text, isText: true }
    } catch (error) {
      if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return noFile
      throw error
    }
  }
}

function isSame(packed: string | Uint8Array | undefined, { text, isText, bytes }: Content): boolean {
  if (!(packed instanceof Uint8Array)) return isText && packed === text
  return bytes !== undefined && bytes.length === packed.length && bytes.every((byte, index) => byte === packed[index])
}

const noFile: Content = { text: undefined, isText: true }
