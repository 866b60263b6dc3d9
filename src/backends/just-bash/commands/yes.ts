import { encodeText } from '../../../shell/byte-text.ts'
import type { ShellCommandContext } from '../../../shell/commands.ts'

const pieceBytes = 16 * 1024
const piecesPerTurn = 16

/** Ends when its output is closed. */
export async function yes({ args, stdout, signal }: ShellCommandContext): Promise<number> {
  const line = `${args.length === 0 ? 'y' : args.join(' ')}\n`
  const part = encodeText(line.repeat(Math.max(1, Math.floor(pieceBytes / line.length))))
  for (let count = 1; !signal.aborted; count++) {
    await stdout.write(part)
    // A file or a terminal accepts all output at once, so the command yields to others on its thread.
    if (count % piecesPerTurn === 0) await new Promise<void>(resolve => setTimeout(resolve, 0))
  }
  return 143
}
