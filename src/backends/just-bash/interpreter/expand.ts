// Expands words to arguments: braces, tildes, parameters, substitutions and arithmetic, then word splitting and pathname expansion.

import { assignElement, heldIn } from './assign-element.ts'
import type { ParameterPart, Script, Word, WordPart } from '../syntax/tree.ts'
import { evaluate } from './arithmetic.ts'
import { inCharacters } from './byte-locale.ts'
import { expandBraces } from './braces.ts'
import { Fields } from './fields.ts'
import { ArithmeticError, SkippedAssignment, ShellError } from './flow.ts'
import { expandGlob } from './glob.ts'
import { expandParameter } from './calls.ts'
import { filesOf } from './command-files.ts'
import { addValue, shellPace } from './pace.ts'
import { compilePattern } from './pattern.ts'
import type { Shell } from './shell.ts'
import { unitsPerItem } from '../commands/pace.ts'

/** The functions of the interpreter that expansion needs. */
export interface Substitutions {
  /** Returns the output of `script` without trailing newlines. */
  output(shell: Shell, script: Script): Promise<string>
  /** Returns the path of a pipe that `script` writes to or reads from. */
  process(shell: Shell, script: Script, direction: 'read' | 'write'): Promise<string>
}

let substitutions: Substitutions

export function provideSubstitutions(provided: Substitutions): void {
  substitutions = provided
}

/** Others run after so many words of a range. */
const pauseWords = 1024

export async function expandWords(shell: Shell, words: readonly Word[]): Promise<string[]> {
  const result: string[] = []
  for (const word of words) {
    if (word.literal !== undefined) result.push(word.literal)
    else if (!shell.has('braceexpand')) await expandInto(shell, word, result)
    else {
      let untilPause = pauseWords
      for (const one of expandBraces(word)) {
        await expandInto(shell, one, result)
        untilPause -= 1
        if (untilPause > 0) continue
        untilPause = pauseWords
        await shell.letOthersRun()
      }
    }
  }
  return result
}

async function expandInto(shell: Shell, word: Word, result: string[]): Promise<void> {
  if (word.literal !== undefined) {
    result.push(word.literal)
    return
  }
  const simple = quickValue(shell, word)
  if (simple !== undefined) {
    result.push(simple)
    return
  }
  const isExtendedGlob = shell.hasShopt('extglob')
  const fields = new Fields({ ifs: shell.ifs, isExtendedGlob })
  await expandParts(shell, word.parts, fields, 'word')
  const pace = shellPace(shell)
  for (const { text, pattern } of fields.finish()) {
    if (pace.isDue(unitsPerItem)) await pace.rest()
    if (pattern === undefined || shell.has('noglob')) result.push(text)
    else await globInto(shell, text, pattern, result)
  }
}

/** A fast path for `"$name"`, the most common word. */
function quickValue(shell: Shell, { parts }: Word): string | undefined {
  const [part] = parts
  if (parts.length !== 1 || part?.type !== 'double' || part.parts.length !== 1) return undefined
  const [inner] = part.parts
  if (inner?.type !== 'parameter' || inner.form !== 'plain' || inner.operation !== undefined || inner.subscript !== undefined)
    return undefined
  return inner.name === '@' || inner.name === '*' ? undefined : shell.get(inner.name)
}

async function globInto(shell: Shell, text: string, pattern: string, result: string[]): Promise<void> {
  const ignored = shell.variables.get('GLOBIGNORE')
  const found = await expandGlob(pattern, {
    files: filesOf(shell),
    cwd: shell.directory,
    inCharacters: name => inCharacters(shell, name),
    isExtended: shell.hasShopt('extglob'),
    ignoresCase: shell.hasShopt('nocaseglob'),
    matchesHidden: shell.hasShopt('dotglob'),
    isDeep: shell.hasShopt('globstar'),
  })
  const kept = ignored === undefined || ignored === '' ? found : withoutIgnored(shell, found, ignored)
  if (kept.length > 0) for (const path of kept) result.push(path)
  else if (shell.hasShopt('failglob')) throw new ShellError(`no match: ${text}`)
  else if (!shell.hasShopt('nullglob')) result.push(text)
}

/** One of the patterns in GLOBIGNORE. A colon in brackets or parentheses does not end it. */
const ignoredPattern = /(?:\\[^]|\[[!^]?\]?(?:\[:\w+:\]|[^\]:]|:(?!\]))*\]|[@?*+!]\([^)]*\)|[^:])+/g

function withoutIgnored(shell: Shell, found: readonly string[], ignored: string): string[] {
  const patterns = (ignored.match(ignoredPattern) ?? []).map(pattern =>
    compilePattern(pattern, {
      isExtended: shell.hasShopt('extglob'),
      ignoresCase: shell.hasShopt('nocaseglob'),
      isPath: true,
    }),
  )
  return found.filter(path => !patterns.some(pattern => pattern.test(path)))
}

/** Expands to one text, for an assignment, a redirection or `case`: no word splitting and no pathname expansion. */
export async function expandText(shell: Shell, word: Word, place: Place = 'assignment'): Promise<string> {
  if (word.literal !== undefined) return word.literal
  return quickValue(shell, word) ?? (await expandSingle(shell, word, place)).text
}

/** Expands to a pattern, in which quoted parts are escaped. */
export async function expandPattern(shell: Shell, word: Word): Promise<string> {
  return inCharacters(shell, (await expandSingle(shell, word, 'pattern')).pattern)
}

/** Expands as in double quotes, for here-documents and arithmetic. */
export async function expandQuoted(shell: Shell, word: Word): Promise<string> {
  if (word.literal !== undefined) return word.literal
  const fields = new Fields({ ifs: undefined, isExtendedGlob: false })
  await expandQuotedParts(shell, word.parts, fields)
  return fields.single().text
}

async function expandSingle(
  shell: Shell,
  word: Word,
  place: Place,
): Promise<{ readonly text: string; readonly pattern: string }> {
  const fields = new Fields({ ifs: undefined, isExtendedGlob: shell.hasShopt('extglob') })
  await expandParts(shell, word.parts, fields, place)
  return fields.single()
}

/** The context of a word. It determines where a tilde is expanded: at the start, and in an assignment also after a colon. */
export type Place = 'word' | 'assignment' | 'pattern' | 'operand'

export async function expandParts(shell: Shell, parts: readonly WordPart[], fields: Fields, place: Place): Promise<void> {
  for (const [index, part] of parts.entries()) {
    switch (part.type) {
      case 'text': {
        const isLast = parts.length === index + 1
        const text = part.text.includes('~') ? withHome(shell, part.text, index === 0, isLast, place) : part.text
        // The word of `${x:-a b}` is split like the value that it replaces.
        if (place === 'operand') fields.split(text)
        else fields.literal(text)
        break
      }
      case 'quoted':
        fields.quoted(part.text)
        break
      case 'double':
        if (part.parts.length === 0) fields.quoted('')
        else await expandQuotedParts(shell, part.parts, fields)
        break
      case 'parameter':
        if (part.form === 'plain' && part.operation === undefined && part.subscript === undefined && isPlainName(part.name))
          await putPlain(shell, part, fields, false)
        else await expandParameter(shell, part, fields, false)
        break
      case 'command':
        await addValue(shell, fields, await substitutions.output(shell, part.script), false)
        break
      case 'arithmetic':
        fields.split(String(evaluateIn(shell, await expandQuoted(shell, part.expression))))
        break
      case 'process':
        fields.quoted(await substitutions.process(shell, part.script, part.direction))
        break
      case 'bad-substitution':
        throw new ShellError(`${part.source}: bad substitution`)
      default:
        throw new Error(`unreachable: ${JSON.stringify(part satisfies never)}`)
    }
  }
}

/** `$name`. A reference to a whole array has no value of its own. */
async function putPlain(shell: Shell, part: ParameterPart, fields: Fields, isQuoted: boolean): Promise<void> {
  const text = shell.get(part.name)
  if (text === undefined && shell.variables.findDeclared(part.name)?.isReference === true)
    await expandParameter(shell, part, fields, isQuoted)
  else await addValue(shell, fields, text ?? unset(shell, part), isQuoted)
}

async function expandQuotedParts(shell: Shell, parts: readonly WordPart[], fields: Fields): Promise<void> {
  for (const part of parts) {
    switch (part.type) {
      case 'text':
      case 'quoted':
        fields.quoted(part.text)
        break
      case 'parameter':
        if (part.form === 'plain' && part.operation === undefined && part.subscript === undefined && isPlainName(part.name))
          await putPlain(shell, part, fields, true)
        else await expandParameter(shell, part, fields, true)
        break
      case 'command':
        await addValue(shell, fields, await substitutions.output(shell, part.script), true)
        break
      case 'arithmetic':
        fields.quoted(String(evaluateIn(shell, await expandQuoted(shell, part.expression))))
        break
      case 'double':
        if (part.parts.length === 0) fields.quoted('')
        else await expandQuotedParts(shell, part.parts, fields)
        break
      case 'process':
        fields.quoted('')
        break
      case 'bad-substitution':
        throw new ShellError(`${part.source}: bad substitution`)
      default:
        throw new Error(`unreachable: ${JSON.stringify(part satisfies never)}`)
    }
  }
}

function isPlainName(name: string): boolean {
  return name !== '@' && name !== '*'
}

/** Returns the empty text for an unset parameter. Throws under `set -u`. */
export function unset(shell: Shell, part: Pick<ParameterPart, 'name' | 'isBare'>, shown: string = part.name): string {
  if (!shell.has('nounset') || part.name === '@' || part.name === '*') return ''
  throw unboundProblem(shell, part.isBare && /^[\d!]/.test(shown) ? `$${shown}` : shown)
}

export function unboundProblem(shell: Shell, shown: string): ShellError {
  return new ShellError(`${shown}: unbound variable`, fatalStatus(shell), 'shell')
}

export function fatalStatus(shell: Shell): number {
  return shell.isCommandString && shell.subshellDepth === 0 && !shell.has('errexit') ? 127 : 1
}

function withHome(shell: Shell, text: string, isFirst: boolean, isLast: boolean, place: Place): string {
  const replace = (piece: string): string => {
    const [, user = '', rest = ''] = /^~([^/]*)([^]*)$/.exec(piece) ?? []
    // A user name must not contain quotes: `~"x"` is not a home directory.
    if (rest === '' && !isLast) return piece
    const home =
      user === ''
        ? (shell.variables.get('HOME') ?? shell.run.home)
        : user === '+'
          ? shell.cwd
          : user === '-'
            ? shell.variables.get('OLDPWD')
            : user === 'root'
              ? '/root'
              : user === shell.variables.get('USER')
                ? shell.variables.get('HOME')
                : stackEntry(shell, user)
    return home === undefined ? piece : home + rest
  }
  if (place === 'assignment')
    return text
      .split(':')
      .map((piece, index) => (piece.startsWith('~') && (isFirst || index > 0) ? replace(piece) : piece))
      .join(':')
  if (isFirst && text.startsWith('~')) return replace(text)
  // An argument that looks like an assignment gets the tilde expansion of assignments.
  const [assigned] = isFirst && place === 'word' ? (/^[A-Za-z_]\w*\+?=/.exec(text) ?? []) : []
  return assigned === undefined ? text : assigned + withHome(shell, text.slice(assigned.length), true, isLast, 'assignment')
}

/** The directory of `~N`, `~+N` or `~-N`. */
function stackEntry(shell: Shell, place: string): string | undefined {
  if (!/^[-+]?\d+$/.test(place)) return undefined
  const all = [shell.cwd, ...shell.directoryStack]
  return all.at(place.startsWith('-') ? Number(place) - 1 : Number(place))
}

/** Evaluates 64-bit arithmetic with the variables of the shell. Throws a `ShellError`. */
export function evaluateIn(shell: Shell, expression: string): bigint {
  return evaluate(expression, {
    get: (name, subscript) => {
      const value = subscript === undefined ? shell.get(name) : elementOf(shell, name, heldIn(shell, subscript))
      // A missing element of a set array is 0, even under `set -u`.
      const isUnbound = value === undefined && shell.has('nounset')
      if (isUnbound && (subscript === undefined || shell.variables.find(name)?.isSet !== true)) throw unboundProblem(shell, name)
      return value
    },
    set: (name, subscript, value) => {
      const isMap = subscript !== undefined && shell.variables.find(name)?.map !== undefined
      try {
        const key = subscript === undefined ? undefined : heldIn(shell, subscript)
        assignElement(shell, name, isMap ? unquoteKey(key ?? '') : key, String(value))
      } catch (error) {
        // The expression has its value nevertheless.
        if (!(error instanceof SkippedAssignment)) throw error
        shell.warnings.push(error.message)
      }
    },
  })
}

/** Like `evaluateIn`, for a number that is assigned and for the index of an array: an error ends the whole text. */
export function evaluateValue(shell: Shell, expression: string): bigint {
  try {
    return evaluateIn(shell, expression)
  } catch (error) {
    throw error instanceof ArithmeticError ? new ArithmeticError(error.message, error.status, 'text') : error
  }
}

/** The value of `name[subscript]`, for a subscript that is already expanded. */
export function elementOf(shell: Shell, name: string, subscript: string): string | undefined {
  const variable = shell.variables.find(name)
  if (variable?.map !== undefined) return variable.map.get(unquoteKey(subscript))
  const list = variable?.list ?? (variable?.scalar === undefined ? [] : [variable.scalar])
  const index = Number(evaluateValue(shell, subscript))
  if (index >= 0) return list[index]
  // Only an array has a last element. bash prints an error, and the element is unset.
  const place = variable?.list === undefined ? -1 : list.length + index
  if (place >= 0) return list[place]
  const problem = `${name}: bad array subscript`
  if (shell.has('errexit')) throw new ShellError(problem, 1, 'shell')
  shell.warnings.push(problem)
  return undefined
}

function unquoteKey(subscript: string): string {
  return subscript.replace(/^(['"])([^]*)\1$/, '$2')
}
