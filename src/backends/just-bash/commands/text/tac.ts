// tac: prints records in reverse order, by default lines.

import { failed, type CommandContext, type CommandResult } from '../command.ts'
import { bytesOfArgument, bytesResult, readInputs } from '../inputs.ts'
import { posixRegex, type Regex } from '../../regex/regex.ts'
import { PatternError } from '../../regex/syntax.ts'
import { has, parseArguments, valueOf } from '../options.ts'

/** `tac [-br] [-s SEPARATOR] [FILE]...` */
export async function tac(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const parsed = parseArguments(args, {
    '-s': 'separator=',
    '--separator': 'separator=',
    '-b': 'before',
    '--before': 'before',
    '-r': 'regex',
    '--regex': 'regex',
  })
  if (typeof parsed === 'string') return failed('tac', parsed)
  const separator = bytesOfArgument(valueOf(parsed, 'separator') ?? '\n') || '\0'
  let split: (bytes: string) => readonly string[] = bytes =>
    bytes.split(separator).flatMap((part, index) => (index === 0 ? [part] : [separator, part]))
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
    split = bytes => splitFromBehind(bytes, regex)
  }
  const { found, problems } = await readInputs('tac', parsed.operands, context)
  const turned = found.map(({ bytes }) => recordsOf(split(bytes), has(parsed, 'before')).toReversed().join(''))
  return bytesResult(turned.join(''), problems)
}

/** As in GNU tac, separators are searched for from the end, so each one begins as late as possible. */
function splitFromBehind(bytes: string, separator: Regex): string[] {
  const parts: string[] = []
  let rest = bytes
  for (let at = bytes.length - 1; at >= 0; at--) {
    const [start, end] = separator.find(rest, at) ?? []
    if (start !== at || end === undefined || end === at) continue
    parts.push(rest.slice(end), rest.slice(at, end))
    rest = bytes.slice(0, at)
  }
  return [...parts, rest].reverse()
}

/** Attaches each separator to the record before it, or with -b to the record after it. */
function recordsOf(parts: readonly string[], isBefore: boolean): string[] {
  const records: string[] = []
  for (let at = 0; at < parts.length; at += 2)
    records.push(isBefore ? (parts[at - 1] ?? '') + (parts[at] ?? '') : (parts[at] ?? '') + (parts[at + 1] ?? ''))
  return records
}
