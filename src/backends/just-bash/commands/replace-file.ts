// Replaces a file as the programs do that write another file and rename it: its other names keep the old content.

import type { Awaitable } from '../../../shell/files.ts'

interface Files {
  writeFile(path: string, data: Uint8Array): Awaitable<unknown>
  chmod(path: string, mode: number): Awaitable<void>
  rename(from: string, to: string): Awaitable<void>
  rm(path: string, options: object): Awaitable<void>
}

export async function replaceFile(files: Files, path: string, bytes: Uint8Array, mode: number): Promise<void> {
  const written = `${path.slice(0, path.lastIndexOf('/') + 1)}.new-${crypto.randomUUID()}`
  try {
    await files.writeFile(written, bytes)
    await files.chmod(written, mode & 0o777)
    await files.rename(written, path)
  } catch (error) {
    await Promise.resolve(files.rm(written, { force: true })).catch(() => undefined)
    throw error
  }
}
