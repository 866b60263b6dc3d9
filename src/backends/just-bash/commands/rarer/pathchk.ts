import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { encodeText } from '../../../../shell/byte-text.ts'
import { has, parseArguments } from '../options.ts'
import { complain } from '../program.ts'
import { quotedName } from '../quoted-name.ts'

/** `pathchk [-pP] NAME...`: whether names may be used for files. */
export async function pathchk(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, { '-p': 'p', '-P': 'P', '--portability': 'both' })
  if (typeof parsed === 'string') return complain(context, 'pathchk', parsed)
  if (parsed.operands.length === 0) return complain(context, 'pathchk', 'missing operand')
  const isPortable = has(parsed, 'p') || has(parsed, 'both')
  const isStrict = has(parsed, 'P') || has(parsed, 'both')
  let code = 0
  for (const name of parsed.operands) {
    const problem = problemOf(name, isPortable, isStrict)
    if (problem !== undefined) code = await complain(context, 'pathchk', problem)
  }
  return code
}

function problemOf(name: string, isPortable: boolean, isStrict: boolean): string | undefined {
  const parts = name.split('/').filter(part => part !== '')
  if (isStrict && parts.some(part => part.startsWith('-'))) return `leading '-' in a component of file name ${quotedName(name)}`
  if ((isStrict || isPortable) && name === '') return 'empty file name'
  if (name === '') return "'': No such file or directory"
  if (isPortable) {
    const wrong = Array.from(name).find(letter => !/[A-Za-z0-9._/-]/.test(letter))
    if (wrong !== undefined) return `nonportable character ${quotedName(wrong)} in file name ${quotedName(name)}`
  }
  const [mostPath, mostName] = isPortable ? [255, 14] : [4095, 255]
  const length = encodeText(name).length
  if (length > mostPath) return `limit ${mostPath} exceeded by length ${length} of file name ${quotedName(name)}`
  const long = parts.find(part => encodeText(part).length > mostName)
  return long === undefined
    ? undefined
    : `limit ${mostName} exceeded by length ${encodeText(long).length} of file name component ${quotedName(long)}`
}
