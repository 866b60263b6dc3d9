// A file that a command writes in pieces. Pieces written together are one change of the filesystem; the first write truncates the file.

import { joinBytes } from '../../../../core/bytes.ts'
import type { ShellFiles } from '../../../../shell/files.ts'
import { errno } from '../../errno.ts'

const mostKeptBytes = 8 * 1024 * 1024

export class FileOutput {
  private parts: Uint8Array[] = []
  private sizeBytes = 0
  private isDirty = true
  private readonly files: ShellFiles
  private readonly path: string
  private isAppended: boolean

  private constructor(files: ShellFiles, path: string, isAppended: boolean) {
    this.files = files
    this.path = path
    this.isAppended = isAppended
  }

  /** Rejects with the error of opening the file, but does not change the file yet. */
  static async open(files: ShellFiles, path: string, { isAppended }: { readonly isAppended: boolean }): Promise<FileOutput> {
    if (await files.exists(path)) {
      const { kind } = await files.stat(path)
      if (kind === 'directory') throw errno('EISDIR', 'illegal operation on a directory', path)
    } else {
      const { kind } = await files.stat(path.slice(0, path.lastIndexOf('/')) || '/')
      if (kind !== 'directory') throw errno('ENOTDIR', 'not a directory', path)
    }
    return new FileOutput(files, path, isAppended)
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.parts.push(bytes)
    this.sizeBytes += bytes.length
    this.isDirty = true
    if (this.sizeBytes >= mostKeptBytes) await this.save()
  }

  /** Writes the buffered data to the file. */
  async save(): Promise<void> {
    if (!this.isDirty) return
    const bytes = joinBytes(this.parts, this.sizeBytes)
    this.parts = []
    this.sizeBytes = 0
    this.isDirty = false
    await this.files.writeFile(this.path, bytes, { append: this.isAppended })
    this.isAppended = true
  }
}
