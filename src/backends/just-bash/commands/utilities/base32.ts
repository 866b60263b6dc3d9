import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { parseArguments } from '../options.ts'
import { complain } from '../program.ts'
import { baseOptions, bases, convert } from './base-n.ts'

/** `base32 [-d] [-i] [-w COLUMNS] [FILE]`. */
export async function base32(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, baseOptions)
  if (typeof parsed === 'string') return complain(context, 'base32', parsed)
  return convert(context, 'base32', parsed, bases.base32)
}
