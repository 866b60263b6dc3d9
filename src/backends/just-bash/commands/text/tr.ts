// tr as a stream. As in GNU tr, it works on bytes: a multibyte character in a set stands for each of its bytes.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { latin1Bytes, latin1Text } from '../../encoding.ts'
import { has, type OptionTable, optionTable, parseArguments } from '../options.ts'
import { complain } from '../program.ts'
import { readSets } from './tr-sets.ts'

const table: OptionTable = optionTable(`
  -d --delete: delete, -s --squeeze-repeats: squeeze, -c -C --complement: complement, -t --truncate-set1: truncate
`)

/** `tr [-cdst] SET1 [SET2]` */
export async function tr(context: ShellCommandContext): Promise<number> {
  const take = readTranslation(context.args)
  if (typeof take === 'string') return complain(context, 'tr', take)
  const { stdin, stdout } = context
  for (let piece = await stdin.read(); piece !== undefined; piece = await stdin.read())
    await stdout.write(latin1Bytes(take(latin1Text(piece))))
  return 0
}

/** Translates one piece of input after the other. */
type Translation = (text: string) => string

/** Parses the arguments; a string is an error message. */
function readTranslation(args: readonly string[]): Translation | string {
  const parsed = parseArguments(args, table, true)
  if (typeof parsed === 'string') return parsed
  const [first, second, ...rest] = parsed.operands
  const deletes = has(parsed, 'delete')
  const squeezes = has(parsed, 'squeeze')
  if (first === undefined) return 'missing operand'
  if (rest.length > 0 || (deletes && !squeezes && second !== undefined)) return 'extra operand'
  if (second === undefined && !deletes && !squeezes)
    return `missing operand after '${first}'\nTwo strings must be given when translating.`
  if (second === undefined && deletes && squeezes) return 'two sets are needed to delete and squeeze'
  const translates = second !== undefined && !deletes
  const truncates = has(parsed, 'truncate')
  const sets = readSets(first, second, { translates, isComplement: has(parsed, 'complement'), truncates })
  if (typeof sets === 'string') return sets
  const { from, to } = sets
  const set = new Set(from)
  const isFrom = (character: string): boolean => set.has(character)
  const targets = new Map<string, string>()
  // If a character occurs repeatedly in the set, its last occurrence applies.
  if (translates)
    for (const [index, character] of from.entries())
      targets.set(character, to?.[index] ?? (truncates ? character : (to?.at(-1) ?? character)))
  const squeezed = squeezes ? (to === undefined ? isFrom : (character: string) => to.includes(character)) : () => false
  let previous: string | undefined
  return text => {
    let output = ''
    for (const character of text) {
      if (deletes && isFrom(character)) continue
      const written = translates && isFrom(character) ? (targets.get(character) ?? character) : character
      if (written === previous && squeezed(written)) continue
      output += written
      previous = written
    }
    return output
  }
}
