// Temporary files for texts that a command names by address. They exist while the command runs.

import { ToolError } from '../core/errors.ts'
import { parsePath, type VfsPath } from '../core/path.ts'
import { formatSize } from '../core/size.ts'
import type { Vfs } from '../vfs/vfs.ts'

const maxBytes = 64 * 1024 * 1024

export class TemporaryTexts {
  readonly #files: Vfs
  readonly #directory: VfsPath | undefined
  readonly #paths = new Map<string, VfsPath>()
  #hasMadeDirectory = false

  /** `directory` is that of the shell, if it has one. */
  constructor(files: Vfs, directory: VfsPath | undefined) {
    this.#files = files
    this.#directory = directory
  }

  /** Returns the path of a file with this content. Throws `ToolError` `address-not-a-file` if none can be created. */
  async pathOf(url: string, content: { readonly sizeBytes: number; read(): Promise<Uint8Array> }): Promise<VfsPath> {
    const known = this.#paths.get(url)
    if (known !== undefined) return known
    if (this.#directory === undefined) throw notAFile(url, 'is a text and no file, and this shell has no place for one')
    if (content.sizeBytes > maxBytes)
      throw notAFile(url, `has ${formatSize(content.sizeBytes)}, and the most that a command is given as a file is 64 MB`)
    const bytes = await content.read()
    try {
      await this.#makeDirectory(this.#directory)
      const path = parsePath(`${this.#directory}/${fileName(url)}`)
      await this.#files.writeFile(path, bytes)
      this.#paths.set(url, path)
      return path
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw notAFile(url, `is a text, and no file could be made of it (${why})`)
    }
  }

  /** Removes the files after the command. Never rejects: a missing file is not an error. */
  async remove(): Promise<void> {
    for (const path of this.#paths.values()) await this.#files.rm(path, { force: true }).catch(() => undefined)
    this.#paths.clear()
    if (!this.#hasMadeDirectory || this.#directory === undefined) return
    this.#hasMadeDirectory = false
    const left = await this.#files.readdir(this.#directory).catch(() => undefined)
    if (left?.length === 0) await this.#files.rm(this.#directory, { recursive: true, force: true }).catch(() => undefined)
  }

  async #makeDirectory(directory: VfsPath): Promise<void> {
    if (this.#hasMadeDirectory || (await this.#files.exists(directory))) return
    await this.#files.mkdir(directory, { recursive: true })
    this.#hasMadeDirectory = true
  }
}

/** A name such as `artifact-1.5f3a09c2`, which is readable and unique to a call. */
function fileName(url: string): string {
  const readable = url.replace(/[^A-Za-z0-9.]+/g, '-').slice(0, 60)
  const random = Array.from({ length: 8 }, () => Math.floor(Math.random() * 16).toString(16)).join('')
  return `${readable}.${random}`
}

export function notAFile(url: string, why: string): ToolError {
  return new ToolError('address-not-a-file', `${url} ${why}. Nothing was run.`, {
    nextStep: `Open it with read or search, which take ${url} itself.`,
    details: { path: url },
  })
}
