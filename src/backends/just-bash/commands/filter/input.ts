// The inputs of a filter, by the names that it was given.

import { inputOf, type ShellCommandContext, type ShellInput } from '../../../../shell/commands.ts'
import { resolveFrom } from '../../../../shell/files.ts'

/** `-` is standard input. Rejects as the files do. */
export async function openInput(name: string, { stdin, files, cwd }: ShellCommandContext): Promise<ShellInput> {
  if (name === '-' || name === '/dev/stdin') return stdin
  const path = resolveFrom(cwd, name)
  if (endlessDevice.test(path))
    return {
      isGiven: true,
      read: async () => {
        const piece = await files.readFile(path, { end: devicePieceBytes })
        return piece.length === 0 ? undefined : piece
      },
    }
  return inputOf(await files.readFile(path))
}

const endlessDevice = /^\/dev\/(?:zero|full|u?random|fd\/\d+)$/
const devicePieceBytes = 4096

export async function isDirectory(name: string, { files, cwd }: ShellCommandContext): Promise<boolean> {
  try {
    return (await files.stat(resolveFrom(cwd, name))).kind === 'directory'
  } catch {
    // Not there, or not to be looked at: whoever opens it says so.
    return false
  }
}

/** Ends a loop whose script was ended. Cheap enough to be asked at every record. */
export class StopCheck {
  private count = 0
  private readonly signal: AbortSignal

  constructor(signal: AbortSignal) {
    this.signal = signal
  }

  check(): void {
    this.count += 1
    if ((this.count & 255) === 0) this.signal.throwIfAborted()
    if ((this.count & 255) === 0 && this.signal.aborted) throw new Error('the script was ended')
  }
}
