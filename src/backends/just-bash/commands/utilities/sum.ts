import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { parseArguments } from '../options.ts'
import { complain, eachInput } from '../program.ts'

/** `sum [-r|-s] [FILE]...`: prints the 16-bit checksum of BSD or System V, and the number of blocks. */
export async function sum(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, { '-r': 'bsd', '-s': 'sysv', '--sysv': 'sysv' })
  if (typeof parsed === 'string') return complain(context, 'sum', parsed)
  const isSystemV = parsed.options.at(-1)?.name === 'sysv'
  return eachInput(context, 'sum', parsed.operands, async (bytes, name) => {
    const shown = isSystemV
      ? `${systemVSum(bytes)} ${Math.ceil(bytes.length / 512)}`
      : `${String(bsdSum(bytes)).padStart(5, '0')} ${String(Math.ceil(bytes.length / 1024)).padStart(5)}`
    await context.stdout.write(`${shown}${parsed.operands.length === 0 ? '' : ` ${name}`}\n`)
  })
}

function bsdSum(bytes: Uint8Array): number {
  return bytes.reduce((total, byte) => ((total >> 1) + ((total & 1) << 15) + byte) & 0xffff, 0)
}

function systemVSum(bytes: Uint8Array): number {
  const total = bytes.reduce((before, byte) => (before + byte) >>> 0, 0)
  const folded = (total & 0xffff) + (total >>> 16)
  return (folded & 0xffff) + (folded >>> 16)
}
