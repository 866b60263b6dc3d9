// The list of what the mirror has written, so that it continues after a crash instead of starting again. It is an append-only text file
// beside the mirrored ones. A line is a revision and a path; the last line for a path counts, and an incomplete last line is ignored. When
// most lines no longer count, a second file takes over, once it is complete.

import type { DirectoryHandle, SyncHandle } from '../platform.ts'
import { openWithRetries } from '../sync-handles.ts'

/** The names of the list's files begin with this. Files with such names are not mirrored. */
export const manifestName = '.anchorage-mirror'

/** A write or removal of the real file was begun, so its content is unknown. */
export const inDoubt = -1
/** There is no real file. */
export const gone = 0

/** The number of outdated lines after which the other file takes over. */
const worthCompacting = 2_000
const headPattern = /^anchorage-mirror 1 (\d+) (\d+)$/
const linePattern = /^(-?\d+) (.*)$/

interface Found {
  readonly handle: SyncHandle
  readonly generation: number
  readonly mirrored: Map<string, number>
  readonly lineCount: number
  readonly sizeBytes: number
}

export class Manifest {
  /** The revision that each real file holds, or {@link inDoubt}. */
  readonly mirrored: Map<string, number>
  #active: SyncHandle
  #spare: SyncHandle
  #generation: number
  #lineCount: number
  #sizeBytes: number

  private constructor(active: Found, spare: SyncHandle) {
    this.#active = active.handle
    this.#spare = spare
    this.#generation = active.generation
    this.#lineCount = active.lineCount
    this.#sizeBytes = active.sizeBytes
    this.mirrored = active.mirrored
    this.#active.truncate(this.#sizeBytes)
    if (this.#generation === 0) this.#takeOver()
  }

  /** Throws `VfsError` EBUSY if another worker mirrors into `directory`, and what the browser throws. */
  static async open(directory: DirectoryHandle): Promise<Manifest> {
    const first = readManifest(await openList(directory, `${manifestName}-0`))
    let second: Found
    try {
      second = readManifest(await openList(directory, `${manifestName}-1`))
    } catch (error) {
      first.handle.close()
      throw error
    }
    return first.generation >= second.generation ? new Manifest(first, second.handle) : new Manifest(second, first.handle)
  }

  /** The entries are on the disk when this returns. */
  note(entries: readonly (readonly [path: string, rev: number])[]): void {
    this.#sizeBytes += write(this.#active, entries.map(lineOf).join(''), this.#sizeBytes)
    this.#active.flush()
    for (const [path, rev] of entries) {
      if (rev === gone) this.mirrored.delete(path)
      else this.mirrored.set(path, rev)
    }
    this.#lineCount += entries.length
    if (this.#lineCount > 2 * this.mirrored.size + worthCompacting) this.#takeOver()
  }

  close(): void {
    this.#active.close()
    this.#spare.close()
  }

  #takeOver(): void {
    const generation = this.#generation + 1
    const head = `anchorage-mirror 1 ${generation} ${this.mirrored.size}\n`
    this.#spare.truncate(0)
    this.#sizeBytes = write(this.#spare, head + [...this.mirrored].map(lineOf).join(''), 0)
    this.#spare.flush()
    ;[this.#active, this.#spare] = [this.#spare, this.#active]
    this.#generation = generation
    this.#lineCount = this.mirrored.size
  }
}

async function openList(directory: DirectoryHandle, name: string): Promise<SyncHandle> {
  return await openWithRetries(await directory.getFileHandle(name, { create: true }), directory.name)
}

function readManifest(handle: SyncHandle): Found {
  const bytes = new Uint8Array(handle.getSize())
  const text = new TextDecoder().decode(bytes.subarray(0, handle.read(bytes, { at: 0 })))
  const lines = text.split('\n')
  // Text after the last line end is an incomplete line.
  lines.pop()
  const [, generation = 0, count = Infinity] = headPattern.exec(lines[0] ?? '')?.map(Number) ?? []
  const mirrored = new Map<string, number>()
  // An incomplete file has not taken over yet.
  if (lines.length - 1 < count) return { handle, generation: 0, mirrored, lineCount: 0, sizeBytes: 0 }
  for (const line of lines.slice(1)) {
    const [, rev = '', path = ''] = linePattern.exec(line) ?? []
    if (Number(rev) === gone) mirrored.delete(decodeURIComponent(path))
    else mirrored.set(decodeURIComponent(path), Number(rev))
  }
  const sizeBytes = new TextEncoder().encode(lines.join('\n')).length + 1
  return { handle, generation, mirrored, lineCount: lines.length - 1, sizeBytes }
}

/** One line, even if the path contains line breaks. */
function lineOf([path, rev]: readonly [path: string, rev: number]): string {
  return `${rev} ${encodeURIComponent(path)}\n`
}

function write(handle: SyncHandle, text: string, at: number): number {
  const bytes = new TextEncoder().encode(text)
  if (handle.write(bytes, { at }) !== bytes.length)
    throw new DOMException('the list of mirrored files could not be extended', 'QuotaExceededError')
  return bytes.length
}
