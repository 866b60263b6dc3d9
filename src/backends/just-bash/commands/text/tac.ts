// tac: prints records in reverse order, by default lines.

import { failed, type CommandContext, type CommandResult } from '../command.ts'
import { bytesOfArgument, bytesResult, readInputs } from '../inputs.ts'
import { posixRegex, type Regex } from '../../regex/regex.ts'
import { PatternError } from '../../regex/syntax.ts'
import { joinInParts, paceOf, unitsPerItem, type Pace } from '../pace.ts'
import { has, parseArguments, valueOf, optionTable } from '../options.ts'

/** `tac [-br] [-s SEPARATOR] [FILE]...` */
export async function tac(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const parsed = parseArguments(args, optionTable('-s --separator: separator=, -b --before: before, -r --regex: regex'))
  if (typeof parsed === 'string') return failed('tac', parsed)
  const separator = bytesOfArgument(valueOf(parsed, 'separator') ?? '\n') || '\0'
  if (has(parsed, 'regex') && valueOf(parsed, 'separator') === '') return failed('tac', 'separator cannot be empty')
  const pace = paceOf(context.signal)
  const isBefore = has(parsed, 'before')
  let recordsOf = (bytes: string): Promise<string[]> => recordsAt(bytes, separator, isBefore, pace)
  if (has(parsed, 'regex')) {
    // GNU tac uses Emacs syntax, where `+` is an operator and `\+` is a literal plus.
    if (/[+?*^$]|\\[{}]/.test(separator.replace(/\[\]?[^\]]*\]|\\[.*^$\\]/g, '')))
      return failed('tac', `with -r the pattern '${separator}' is not available here: no + ? * ^ $ outside of brackets`)
    let regex: Regex
    try {
      regex = posixRegex(separator, { syntax: 'basic', escapes: 'none' })
    } catch (error) {
      if (error instanceof PatternError) return failed('tac', error.message)
      throw error
    }
    recordsOf = async bytes => attached(await splitFromBehind(bytes, regex, pace), isBefore)
  }
  const { inOrder, problems } = await readInputs('tac', parsed.operands, context)
  const turned: string[] = []
  for (const input of inOrder) {
    if (typeof input === 'string') await context.complain(input)
    else turned.push(await joinInParts((await recordsOf(input.bytes)).reverse(), '', pace))
  }
  return bytesResult(turned.join(''), '', problems === '' ? 0 : 1)
}

/** Cuts after each separator, or with -b before it. */
async function recordsAt(bytes: string, separator: string, isBefore: boolean, pace: Pace): Promise<string[]> {
  const records: string[] = []
  let start = 0
  for (let at = bytes.indexOf(separator); at >= 0; at = bytes.indexOf(separator, at + separator.length)) {
    const cut = isBefore ? at : at + separator.length
    records.push(bytes.slice(start, cut))
    if (pace.isDue(cut - start + unitsPerItem)) await pace.rest()
    start = cut
  }
  records.push(bytes.slice(start))
  return records
}

/** As in GNU tac, separators are searched for from the end, so each one begins as late as possible. */
async function splitFromBehind(bytes: string, separator: Regex, pace: Pace): Promise<string[]> {
  const parts: string[] = []
  let rest = bytes
  for (let at = bytes.length - 1; at >= 0; at--) {
    if (pace.isDue(unitsPerItem)) await pace.rest()
    const [start, end] = separator.find(rest, at) ?? []
    if (start !== at || end === undefined || end === at) continue
    parts.push(rest.slice(end), rest.slice(at, end))
    rest = bytes.slice(0, at)
  }
  return [...parts, rest].reverse()
}

/** Attaches each separator to the record before it, or with -b to the record after it. */
function attached(parts: readonly string[], isBefore: boolean): string[] {
  const records: string[] = []
  for (let at = 0; at < parts.length; at += 2)
    records.push(isBefore ? (parts[at - 1] ?? '') + (parts[at] ?? '') : (parts[at] ?? '') + (parts[at + 1] ?? ''))
  return records
}
