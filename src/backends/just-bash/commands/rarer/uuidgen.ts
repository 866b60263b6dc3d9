import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { has, parseArguments } from '../options.ts'
import { complain } from '../program.ts'

/** `uuidgen [-r]`: a random identifier. */
export async function uuidgen(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, { '-r': 'r', '--random': 'r', '-t': 't', '--time': 't' })
  if (typeof parsed === 'string') return complain(context, 'uuidgen', parsed)
  if (has(parsed, 't')) return complain(context, 'uuidgen', "'-t' is not available here; leave it out for a random identifier")
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  // Version 4, and the variant of RFC 9562.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const digits = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
  await context.stdout.write(`${digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}\n`)
  return 0
}
