import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { parseArguments } from '../options.ts'
import { inParts, paceOf, type Pace } from '../pace.ts'
import { complain, eachInput } from '../program.ts'

/** `sum [-r|-s] [FILE]...`: prints the 16-bit checksum of BSD or System V, and the number of blocks. */
export async function sum(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, { '-r': 'bsd', '-s': 'sysv', '--sysv': 'sysv' })
  if (typeof parsed === 'string') return complain(context, 'sum', parsed)
  const isSystemV = parsed.options.at(-1)?.name === 'sysv'
  const pace = paceOf(context.signal)
  return eachInput(context, 'sum', parsed.operands, async (bytes, name) => {
    const shown = isSystemV
      ? `${await systemVSum(bytes, pace)} ${Math.ceil(bytes.length / 512)}`
      : `${String(await bsdSum(bytes, pace)).padStart(5, '0')} ${String(Math.ceil(bytes.length / 1024)).padStart(5)}`
    await context.stdout.write(`${shown}${parsed.operands.length === 0 ? '' : ` ${name}`}\n`)
  })
}

async function bsdSum(bytes: Uint8Array, pace: Pace): Promise<number> {
  let total = 0
  await inParts(bytes.length, pace, (from, to) => {
    for (let at = from; at < to; at++) total = ((total >> 1) + ((total & 1) << 15) + (bytes[at] ?? 0)) & 0xffff
  })
  return total
}

async function systemVSum(bytes: Uint8Array, pace: Pace): Promise<number> {
  let total = 0
  await inParts(bytes.length, pace, (from, to) => {
    for (let at = from; at < to; at++) total = (total + (bytes[at] ?? 0)) >>> 0
  })
  const folded = (total & 0xffff) + (total >>> 16)
  return (folded & 0xffff) + (folded >>> 16)
}
