// Opens the inputs of a filter by name.

import { inputOf, type ShellCommandContext, type ShellInput } from '../../../../shell/commands.ts'
import { pathFrom } from '../../physical-files.ts'
import { checkFileName } from '../../errno.ts'
import { checkEnded, letOthersRun } from '../stop.ts'

/** `-` is standard input. Rejects with the errors of the filesystem. */
export async function openInput(name: string, context: ShellCommandContext): Promise<ShellInput> {
  const { stdin, files, cwd } = context
  if (name === '-' || name === '/dev/stdin') return stdin
  const path = pathFrom(cwd, name)
  if (endlessDevice.test(path))
    return {
      isGiven: true,
      read: async () => {
        const piece = await files.readFile(path, { end: devicePieceBytes })
        return piece.length === 0 ? undefined : piece
      },
    }
  const bytes = await files.readFile(path)
  checkFileName(name)
  return bytes.length <= pieceBytes ? inputOf(bytes) : inPieces(bytes, context.signal)
}

/** Reads a large file in pieces, so that an abort takes effect between them. */
function inPieces(bytes: Uint8Array, signal: AbortSignal): ShellInput {
  let at = 0
  return {
    isGiven: true,
    read: async () => {
      if (at > 0) await letOthersRun(signal)
      const piece = bytes.subarray(at, at + pieceBytes)
      at += piece.length
      return piece.length === 0 ? undefined : piece
    },
  }
}

const pieceBytes = 64 * 1024

const endlessDevice = /^\/dev\/(?:zero|full|u?random|fd\/\d+)$/
const devicePieceBytes = 4096

export async function isDirectory(name: string, { files, cwd }: ShellCommandContext): Promise<boolean> {
  try {
    return (await files.stat(pathFrom(cwd, name))).kind === 'directory'
  } catch {
    // Opening the file reports the error.
    return false
  }
}

/** Checks for an abort at every 256th call, so that it is cheap enough to call for each record. */
export class StopCheck {
  private count = 0
  private readonly signal: AbortSignal

  constructor(signal: AbortSignal) {
    this.signal = signal
  }

  check(): void {
    this.count += 1
    if ((this.count & 255) === 0) checkEnded(this.signal)
  }
}
