// Keeps the line IDs of each file in the workspace, so that later sessions know them. If the policy or the filesystem does not allow that,
// the IDs last for the session only. A damaged index is not an error: it is made again.

import { fullHash } from '../../core/hash.ts'
import { ToolError } from '../../core/errors.ts'
import { SizedLru } from '../../core/lru.ts'
import { createPauser } from '../../core/pause.ts'
import { displayPath, joinPath, type VfsPath } from '../../core/path.ts'
import { commitWrites } from '../../session/commit.ts'
import { readFileIfThere } from '../../session/if-there.ts'
import { decide } from '../../session/policy/decide.ts'
import type { LoadedText } from '../../session/load-text.ts'
import type { ResolvedPath } from '../../session/resolve-path.ts'
import type { Session } from '../../session/session.ts'
import { formatLineIndex, parseLineIndex, type LineIndex } from '../../text/line-ids/index-file.ts'
import { indexSteps, maxIndexedLines, type IndexedLine } from '../../text/line-ids/line-index.ts'
import { lineIndexDirectory } from '../../session/tool-directories.ts'
import { isVfsError } from '../../vfs/error.ts'

/** A rough count of the characters of IDs and hashes. */
const memoryMaxSize = 32 * 1024 * 1024
const maxIndexFileBytes = 4 * 1024 * 1024
const charactersPerLine = 100

interface Remembered {
  readonly index: LineIndex
  /** The file that holds the index; `undefined` if none could be written. */
  readonly rev: number | undefined
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: false })

export class LineIndexStore {
  readonly #session: Session
  readonly #remembered: SizedLru<VfsPath, Remembered>
  /** Files whose index this session has written. */
  readonly #written = new Set<VfsPath>()
  #cleanup: Promise<() => void> | undefined

  constructor(session: Session) {
    this.#session = session
    this.#remembered = new SizedLru(memoryMaxSize)
  }

  /** The stored index, which may be of an older text. */
  async load(file: ResolvedPath): Promise<LineIndex | undefined> {
    const place = await this.#place(file.path)
    const remembered = this.#remembered.get(file.path)
    const rev = place?.stat?.rev
    // An index that could not be written is newer than any stored one.
    if (remembered !== undefined && (remembered.rev === undefined || remembered.rev === rev)) return remembered.index
    if (place?.stat?.kind !== 'file' || rev === undefined || place.stat.sizeBytes > maxIndexFileBytes) return undefined
    const bytes = await readFileIfThere(this.#session.vfs, place.path)
    const index = bytes === undefined ? undefined : parseLineIndex(decoder.decode(bytes), this.#relative(file.path))
    if (index !== undefined) this.#remember(file.path, { index, rev })
    return index
  }

  /**
   * The index of `text`, the content of `file`: the stored index, or one that is carried over from it. Throws `ToolError` `too-many-lines`.
   */
  async open(file: ResolvedPath, text: LoadedText, signal: AbortSignal): Promise<LineIndex> {
    const { lines } = text.document
    if (lines.length > maxIndexedLines) {
      throw new ToolError('too-many-lines', `${file.display} has ${lines.length} lines; line IDs go up to ${maxIndexedLines}.`, {
        nextStep: 'Look for what you need with grep.',
      })
    }
    return this.#session.locks.hold([joinPath(this.#session.root, this.#name(file.path))], signal, async () => {
      const before = await this.load(file)
      const contentHash = fullHash(text.text)
      this.#session.freshness.noteHash(file.path, text.stat.rev, contentHash)
      if (before?.contentHash === contentHash && before.lines.length === lines.length) return before
      const index: LineIndex = {
        filePath: this.#relative(file.path),
        contentHash,
        lines: await indexed(before?.lines ?? [], lines, signal),
      }
      const rev = await this.#save(file.path, index, signal)
      this.#remember(file.path, { index, rev })
      return index
    })
  }

  /** Forgets the IDs of a file whose content was replaced. If that fails, the hash in the index shows that it is out of date. */
  async clear(path: VfsPath): Promise<void> {
    this.#remembered.delete(path)
    this.#written.delete(path)
    const place = await this.#place(path)
    if (place?.stat?.kind !== 'file' || !this.#mayWrite(place.path)) return
    await unlessRefused(() => this.#session.vfs.rm(place.path, { force: true }))
  }

  /** Ends the watch for removed files. */
  async close(): Promise<void> {
    const stop = await this.#cleanup
    stop?.()
  }

  /** From the first written index on, an index is removed with its file. */
  async #startCleanup(): Promise<() => void> {
    const { removeLeftovers, removeWithFiles } = await import('./abandoned-indexes.ts')
    const indexes = { known: this.#written, clear: (file: VfsPath) => this.clear(file) }
    const stop = await removeWithFiles(this.#session, indexes)
    await unlessRefused(() => removeLeftovers(this.#session, indexes))
    return stop
  }

  /** Only if it is allowed without an approval: the user did not ask for an index. */
  #mayWrite(place: VfsPath): boolean {
    return decide(this.#session.policy, { name: 'read', required: 'write' }, place).permission === 'allowed'
  }

  #name(path: VfsPath): string {
    return `${lineIndexDirectory}/${fullHash(this.#relative(path)).slice(0, 16)}.json`
  }

  #relative(path: VfsPath): string {
    return displayPath(path, this.#session.root)
  }

  #remember(path: VfsPath, remembered: Remembered): void {
    this.#remembered.set(path, remembered, (remembered.index.lines.length + 1) * charactersPerLine)
  }

  /** Resolved like every path: a link must not lead the index out of the workspace. */
  async #place(path: VfsPath): Promise<ResolvedPath | undefined> {
    return unlessRefused(() => this.#session.paths.resolve(this.#name(path)))
  }

  async #save(path: VfsPath, index: LineIndex, signal: AbortSignal): Promise<number | undefined> {
    const place = await this.#place(path)
    if (place === undefined || !this.#mayWrite(place.path) || (place.stat !== undefined && place.stat.kind !== 'file'))
      return undefined
    const write = {
      path: place.path,
      display: place.display,
      bytes: encoder.encode(formatLineIndex(index)),
      baseRev: place.stat?.rev ?? 0,
    }
    const [stat] = (await unlessRefused(() => commitWrites(this.#session.vfs, [write], signal))) ?? []
    if (stat !== undefined) {
      this.#written.add(path)
      this.#cleanup ??= this.#startCleanup()
      await this.#cleanup
    }
    return stat?.rev
  }
}

async function indexed(
  before: readonly IndexedLine[],
  lines: readonly string[],
  signal: AbortSignal,
): Promise<readonly IndexedLine[]> {
  const pause = createPauser()
  const steps = indexSteps(before, lines)
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value
    await pause()
    signal.throwIfAborted()
  }
}

/** `undefined` if a filesystem or a policy refuses. */
async function unlessRefused<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ToolError || isVfsError(error)) return undefined
    throw error
  }
}
