// An archive as zip and unzip see it: its directory, and the contents that are believed only after they were checked.

import { readerOf, type RangeReader } from '../../../../codec/bytes.ts'
import { readContent } from '../../../../codec/zip/content.ts'
import { readDirectory, type ZipDirectory, type ZipEntry } from '../../../../codec/zip/directory.ts'

/** What an archive may unpack to: its contents lie in memory. */
export const maxUnpackedBytes: number = 512 * 1024 * 1024

export class ZipArchive {
  readonly directory: ZipDirectory
  readonly #reader: RangeReader

  private constructor(directory: ZipDirectory, reader: RangeReader) {
    this.directory = directory
    this.#reader = reader
  }

  /** Throws what is wrong with it. */
  static async open(bytes: Uint8Array): Promise<ZipArchive> {
    const reader = readerOf(bytes)
    const directory = await readDirectory(reader)
    if (directory.entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > maxUnpackedBytes)
      throw new Error(`it unpacks to more than ${maxUnpackedBytes} bytes`)
    return new ZipArchive(directory, reader)
  }

  /** Throws for what is damaged, encrypted or packed in an unknown way. */
  async contentOf(entry: ZipEntry): Promise<Uint8Array> {
    return await readContent(this.#reader, this.directory, entry)
  }
}
