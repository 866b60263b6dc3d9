// An archive as zip and unzip see it: its central directory, and contents that are returned only after their checksums are verified.

import { readerOf, type RangeReader } from '../../../../codec/bytes.ts'
import { readContent } from '../../../../codec/zip/content.ts'
import { letOthersRun } from '../stop.ts'
import { readDirectory, type ZipDirectory, type ZipEntry } from '../../../../codec/zip/directory.ts'

/** The limit on the total uncompressed size, because contents are held in memory. */
export const maxUnpackedBytes: number = 512 * 1024 * 1024

export class ZipArchive {
  readonly directory: ZipDirectory
  readonly #reader: RangeReader

  private constructor(directory: ZipDirectory, reader: RangeReader) {
    this.directory = directory
    this.#reader = reader
  }

  /** Throws an error with the reason if `bytes` is not a valid archive. */
  static async open(bytes: Uint8Array): Promise<ZipArchive> {
    const reader = readerOf(bytes)
    const directory = await readDirectory(reader)
    if (directory.entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > maxUnpackedBytes)
      throw new Error(`it unpacks to more than ${maxUnpackedBytes} bytes`)
    return new ZipArchive(directory, reader)
  }

  /** Throws if the content is damaged, encrypted or compressed by an unsupported method. */
  async contentOf(entry: ZipEntry, signal: AbortSignal): Promise<Uint8Array> {
    return await readContent(this.#reader, this.directory, entry, () => letOthersRun(signal))
  }
}
