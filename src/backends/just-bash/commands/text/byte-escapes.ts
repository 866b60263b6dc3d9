// just-bash's printf and echo make characters of `\xff` and `\377`, as UTF-8, where bash writes the byte. A character that nobody writes
// takes each such byte through them and becomes the byte afterwards.

import type { CommandContext, CommandResult } from '../command.ts'
import { bytesOfArgument } from '../inputs.ts'

// In a private plane; one character for each byte from 80 to ff.
const firstStandIn = 0x10f700

/** Its own, for arguments that name bytes beyond ASCII; anything else is left entirely to it. */
export async function withByteEscapes(
  command: 'echo' | 'printf',
  args: readonly string[],
  context: CommandContext,
): Promise<CommandResult> {
  const written = command === 'echo' ? echoed(args) : printed(args)
  if (written.every((arg, index) => arg === args[index]) || args[0] === '-v') return context.original(args)
  const result = await context.original(written)
  const stdout = bytesOfArgument(result.stdout).replace(/\xf4\x8f[\x9e\x9f][\x80-\xbf]/g, sequence =>
    String.fromCharCode((((sequence.charCodeAt(2) - 0x9c) << 6) | (sequence.charCodeAt(3) & 0x3f)) & 0xff),
  )
  return { ...result, stdout, stdoutKind: 'bytes' }
}

function echoed(args: readonly string[]): readonly string[] {
  const first = args.findIndex(arg => !/^-[neE]+$/.test(arg))
  const options = args.slice(0, first < 0 ? args.length : first).join('')
  return options.lastIndexOf('e') > options.lastIndexOf('E') ? args.map(standIns) : args
}

/** Escapes of the format count always; those of an argument for %b only, so where %s takes others they are left. */
function printed(args: readonly string[]): readonly string[] {
  const at = args[0] === '--' ? 1 : 0
  const format = args[at] ?? ''
  const takesOthers = !format.includes('%b') || /%[-+ 0#\d.]*[^b%]/.test(format.replaceAll('%%', ''))
  return args.map((arg, index) => (index === at || (index > at && !takesOthers) ? standIns(arg) : arg))
}

function standIns(argument: string): string {
  return argument.replace(/\\(?:x([89a-fA-F][\da-fA-F])|(0?[23][0-7]{2})|\\)/g, (all, hex?: string, octal?: string) => {
    if (hex === undefined && octal === undefined) return all
    return String.fromCodePoint(firstStandIn + (hex === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(hex, 16)))
  })
}
