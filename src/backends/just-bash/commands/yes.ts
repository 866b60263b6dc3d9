import { encodeText } from '../../../shell/byte-text.ts'
import type { ShellCommandContext } from '../../../shell/commands.ts'
import { parseArguments } from './options.ts'
import { complain } from './program.ts'

const pieceBytes = 16 * 1024
const piecesPerTurn = 16

/** Ends when its output is closed. */
export async function yes(context: ShellCommandContext): Promise<number> {
  const { stdout, signal } = context
  const parsed = parseArguments(context.args, {})
  if (typeof parsed === 'string') return complain(context, 'yes', parsed)
  const args = parsed.operands
  const line = `${args.length === 0 ? 'y' : args.join(' ')}\n`
  const part = encodeText(line.repeat(Math.max(1, Math.floor(pieceBytes / line.length))))
  for (let count = 1; !signal.aborted; count++) {
    await stdout.write(part)
    // A file or a terminal accepts all output at once, so the command yields to others on its thread.
    if (count % piecesPerTurn === 0) await new Promise<void>(resolve => setTimeout(resolve, 0))
  }
  return 143
}
