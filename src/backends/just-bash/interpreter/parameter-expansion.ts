// Parameter expansion: `${…}` with all operators.

import type { ParameterOperation, ParameterPart, Subscript, Word } from '../syntax/tree.ts'
import { decodeAnsiQuotes } from '../syntax/ansi-quotes.ts'
import {
  elementOf,
  evaluateIn,
  expandParts,
  expandPattern,
  expandQuoted,
  expandText,
  fatalStatus,
  unboundProblem,
} from './expand.ts'
import { Fields } from './fields.ts'
import { ShellError } from './flow.ts'
import { addValue, eachPart, isLong, shellPace } from './pace.ts'
import { compilePattern, patternSource } from './pattern.ts'
import { expandPromptEscapes } from './prompt.ts'
import { quoteDeclared, quoteKey, quoteValue } from './quote.ts'
import type { Shell } from './shell.ts'
import { declarationFlags, showVariable } from './show-variables.ts'
import { joinInParts, unitsPerItem } from '../commands/pace.ts'
import { encodeText } from '../../../shell/byte-text.ts'

/** A parameter's value, or its values if it is a list. */
type Value =
  | { readonly kind: 'one'; readonly text: string | undefined }
  | { readonly kind: 'list'; readonly sign: '@' | '*'; readonly texts: readonly string[] }

export async function expandParameter(shell: Shell, part: ParameterPart, fields: Fields, isQuoted: boolean): Promise<void> {
  if (part.form === 'names') {
    const names = shell.variables
      .names()
      .filter(name => name.startsWith(part.name) && shell.variables.findOwn(name) !== undefined)
    await putList(shell, fields, isQuoted, names, part.subscript?.kind === 'list' ? part.subscript.sign : '@')
    return
  }
  if (part.form === 'keys') {
    const sign = part.subscript?.kind === 'list' ? part.subscript.sign : '@'
    await putList(shell, fields, isQuoted, shell.variables.find(part.name)?.keys() ?? [], sign)
    return
  }
  const reference = part.form === 'indirect' && part.subscript === undefined ? shell.variables.findOwn(part.name) : undefined
  if (reference?.isReference === true && part.operation === undefined) {
    if (shell.variables.target(part.name) === undefined) throw new ShellError(`${part.name}: invalid indirect expansion`)
    await addValue(shell, fields, reference.scalar ?? '', isQuoted)
    return
  }
  const target = part.form === 'indirect' ? await indirect(shell, part) : part
  const { operation } = part
  const value = await valueOf(shell, target)
  if (part.form === 'length') {
    await addValue(shell, fields, String(lengthOf(shell, target, value)), isQuoted)
    return
  }
  if (operation !== undefined && isChoice(operation)) {
    await choose(shell, target, operation, value, fields, isQuoted)
    return
  }
  if (value.kind === 'one') {
    if (value.text === undefined) {
      if (shell.has('nounset') && operation?.kind !== 'transform') throw unboundProblem(shell, shownName(target))
      if (operation?.kind === 'transform') {
        await addValue(shell, fields, transformUnset(shell, target, operation.letter), isQuoted)
        return
      }
    }
    await addValue(
      shell,
      fields,
      operation === undefined
        ? (value.text ?? '')
        : await change(shell, target, operation, value.text ?? '', value.text === undefined),
      isQuoted,
    )
    return
  }
  const texts = operation === undefined ? value.texts : await changeList(shell, target, operation, value.texts)
  await putList(shell, fields, isQuoted, texts, value.sign)
}

type Target = Pick<ParameterPart, 'name' | 'subscript'>

function shownName({ name, subscript }: Target): string {
  return subscript?.kind === 'index' ? `${name}[${subscript.word.source}]` : name
}

/** Resolves `${!name}`: the parameter whose name is the value of `name`. */
async function indirect(shell: Shell, part: ParameterPart): Promise<Target> {
  const variable = shell.variables.findOwn(part.name)
  if (variable?.isReference === true) return part
  const held = await valueOf(shell, part)
  const text = held.kind === 'one' ? held.text : held.texts.join(' ')
  if (text === undefined || text === '') {
    if (text === undefined && part.operation?.kind === 'default') return { name: part.name, subscript: part.subscript }
    throw new ShellError(`${part.name}: invalid indirect expansion`)
  }
  const [, name = '', list, index] = /^([A-Za-z_]\w*|\d+|[@*#?$!-])(?:\[(?:([@*])|([^]*))\])?$/.exec(text) ?? []
  if (name === '') throw new ShellError(`${text}: invalid variable name`)
  if (list === '@' || list === '*') return { name, subscript: { kind: 'list', sign: list } }
  if (index === undefined) return { name, subscript: undefined }
  return { name, subscript: { kind: 'index', word: { parts: [{ type: 'quoted', text: index }], source: index, literal: index } } }
}

async function valueOf(shell: Shell, { name, subscript }: Target): Promise<Value> {
  if (name === '@' || name === '*') return { kind: 'list', sign: name, texts: shell.parameters }
  if (subscript?.kind === 'list') {
    const variable = shell.variables.find(name)
    return { kind: 'list', sign: subscript.sign, texts: variable?.values() ?? [] }
  }
  if (subscript === undefined) return { kind: 'one', text: shell.get(name) }
  const key = await expandSubscript(shell, name, subscript)
  try {
    return { kind: 'one', text: elementOf(shell, name, key) }
  } catch (error) {
    // For an index before the first element, bash prints an error and expands to nothing.
    if (!(error instanceof ShellError) || error.reach !== 'command') throw error
    await shell.complain(error.message)
    return { kind: 'one', text: '' }
  }
}

async function expandSubscript(shell: Shell, name: string, subscript: Extract<Subscript, { kind: 'index' }>): Promise<string> {
  const isMap = shell.variables.find(name)?.map !== undefined
  return isMap ? expandText(shell, subscript.word) : expandQuotedIndex(shell, subscript.word)
}

/** Expands the subscript of an indexed array, which is an arithmetic expression. */
export async function expandQuotedIndex(shell: Shell, word: Word): Promise<string> {
  return word.literal ?? (await expandText(shell, word))
}

async function putList(
  shell: Shell,
  fields: Fields,
  isQuoted: boolean,
  texts: readonly string[],
  sign: '@' | '*',
): Promise<void> {
  if (isQuoted && sign === '*') {
    await addValue(shell, fields, await joinInParts(texts, shell.ifsJoiner, shellPace(shell)), true)
    return
  }
  if (!fields.splits) {
    const joined = await joinInParts(texts, sign === '*' ? shell.ifsJoiner : ' ', shellPace(shell))
    if (isQuoted) await addValue(shell, fields, joined, true)
    else fields.literal(joined)
    return
  }
  const pace = shellPace(shell)
  const separator = shell.ifs.charAt(0)
  const keepsEmpty = !isQuoted && separator !== '' && !/\s/.test(separator)
  for (const [index, text] of texts.entries()) {
    // The elements are separated as if they were joined with the separator and split again, so empty elements between others are
    // kept.
    if (index > 0 && keepsEmpty) fields.split(separator)
    else if (index > 0) fields.breakField()
    if (isLong(text)) await addValue(shell, fields, text, isQuoted)
    else if (isQuoted) fields.quoted(text)
    else fields.split(text)
    if (pace.isDue(text.length + unitsPerItem)) await pace.rest()
  }
}

/** For `${#name[@]}`, where also a variable that is no array counts as one without a value, as in bash. */
function isUnsetArray(shell: Shell, { name, subscript }: Target): boolean {
  if (subscript === undefined || subscript.kind === 'index' || shell.variables.dynamic.has(name)) return false
  const variable = shell.variables.find(name)
  return variable?.isArray !== true || !variable.isSet
}

function lengthOf(shell: Shell, target: Target, value: Value): number {
  const isUnset = (): boolean => value.kind === 'one' && value.text === undefined && target.subscript === undefined
  if (shell.has('nounset') && isUnset()) throw unboundProblem(shell, target.name)
  if (shell.has('nounset') && isUnsetArray(shell, target)) throw new ShellError(`${target.name}: unbound variable`, 1, 'shell')
  if (value.kind === 'list') return value.texts.length
  const text = value.text ?? ''
  return charactersOf(shell, text)?.length ?? text.length
}

/** `undefined` if each code unit is a character. With `LC_ALL=C` a character is a byte. */
function charactersOf(shell: Shell, text: string): readonly string[] | undefined {
  if (/[^\0-\x7f]/.test(text) && shell.hasByteLocale)
    return Array.from(encodeText(text), byte => String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte))
  return /[\ud800-\udbff]/.test(text) ? Array.from(text) : undefined
}

type Choice = Extract<ParameterOperation, { kind: 'default' | 'assign' | 'error' | 'alternative' }>

function isChoice(operation: ParameterOperation): operation is Choice {
  return ['default', 'assign', 'error', 'alternative'].includes(operation.kind)
}

async function choose(
  shell: Shell,
  target: Target,
  { kind, coversEmpty, word }: Choice,
  value: Value,
  fields: Fields,
  isQuoted: boolean,
): Promise<void> {
  const joined = value.kind === 'one' ? value.text : value.texts.length === 0 ? undefined : value.texts.join(' ')
  const isThere = joined !== undefined && !(coversEmpty && joined === '')
  if (kind === 'alternative') {
    if (isThere) await putOperand(shell, word, fields, isQuoted)
    else if (isQuoted && value.kind === 'one') fields.quoted('')
    return
  }
  if (isThere) {
    if (value.kind === 'one') await addValue(shell, fields, joined, isQuoted)
    else await putList(shell, fields, isQuoted, value.texts, value.sign)
    return
  }
  switch (kind) {
    case 'default':
      await putOperand(shell, word, fields, isQuoted)
      return
    case 'assign': {
      const text = await expandText(shell, word, 'operand')
      if (!/^[A-Za-z_]/.test(target.name)) throw new ShellError(`$${target.name}: cannot assign in this way`)
      if (target.subscript?.kind === 'index')
        shell.assignElement(target.name, await expandSubscript(shell, target.name, target.subscript), text)
      else shell.assign(target.name, text)
      await addValue(shell, fields, shell.get(target.name) ?? text, isQuoted)
      return
    }
    default: {
      const message =
        word.source === '' ? `parameter ${coversEmpty ? 'null or ' : ''}not set` : await expandText(shell, word, 'operand')
      throw new ShellError(`${shownName(target)}: ${message}`, fatalStatus(shell), 'shell')
    }
  }
}

async function putOperand(shell: Shell, word: Word, fields: Fields, isQuoted: boolean): Promise<void> {
  if (!isQuoted) {
    await expandParts(shell, word.parts, fields, 'operand')
    return
  }
  fields.quoted('')
  if (word.parts.length > 0) await expandParts(shell, [{ type: 'double', parts: word.parts }], fields, 'word')
}

async function changeList(
  shell: Shell,
  target: Target,
  operation: ParameterOperation,
  texts: readonly string[],
): Promise<readonly string[]> {
  if (operation.kind === 'substring') return slice(shell, target, operation, texts)
  if (operation.kind === 'transform' && /[AaKk]/.test(operation.letter))
    return transformList(shell, target, operation.letter, texts)
  const changed: string[] = []
  const pace = shellPace(shell)
  for (const text of texts) {
    changed.push(await change(shell, target, operation, text))
    if (pace.isDue(text.length + unitsPerItem)) await pace.rest()
  }
  return changed
}

type Substring = Extract<ParameterOperation, { kind: 'substring' }>

async function slice(
  shell: Shell,
  { name }: Target,
  { offset, length }: Substring,
  texts: readonly string[],
): Promise<readonly string[]> {
  const start = Number(evaluateIn(shell, await expandQuoted(shell, offset)))
  const count = length === undefined ? undefined : Number(evaluateIn(shell, await expandQuoted(shell, length)))
  if (count !== undefined && count < 0) throw new ShellError(`${length?.source ?? ''}: substring expression < 0`)
  if (name === '@' || name === '*') {
    // `${@:0}` begins with `$0`.
    const all = [shell.name, ...texts]
    const from = start < 0 ? all.length + start : start
    return from < 0 ? [] : all.slice(from, count === undefined ? undefined : from + count)
  }
  const list = shell.variables.find(name)?.list
  if (list === undefined) {
    const from = start < 0 ? texts.length + start : start
    return from < 0 ? [] : texts.slice(from, count === undefined ? undefined : from + count)
  }
  // The offset is an index, and holes do not count as elements.
  const from = start < 0 ? list.length + start : start
  if (from < 0) return []
  const kept = Object.entries(list).filter(([index]) => Number(index) >= from)
  return kept.slice(0, count).map(([, text]) => text)
}

async function change(
  shell: Shell,
  target: Target,
  operation: ParameterOperation,
  text: string,
  isUnset = false,
): Promise<string> {
  const isExtended = shell.hasShopt('extglob')
  const ignoresCase = shell.hasShopt('nocasematch')
  switch (operation.kind) {
    case 'remove':
      return remove(text, await expandPattern(shell, operation.pattern), operation, isExtended)
    case 'replace': {
      if (isUnset) return ''
      const pattern = await expandPattern(shell, operation.pattern)
      const { replacement, where } = operation
      const replaced = replacement === undefined ? '' : await replacementOf(shell, replacement)
      return replace(shell, text, pattern, where, replaced, { isExtended, ignoresCase })
    }
    case 'substring': {
      // bash does not evaluate the offset or the length in this case.
      if (isUnset) return ''
      const characters = charactersOf(shell, text)
      const size = characters?.length ?? text.length
      const start = Number(evaluateIn(shell, await expandQuoted(shell, operation.offset)))
      const from = start < 0 ? size + start : start
      if (from < 0 || from > size) return ''
      const count =
        operation.length === undefined ? undefined : Number(evaluateIn(shell, await expandQuoted(shell, operation.length)))
      const to = count === undefined ? size : count < 0 ? size + count : from + count
      if (to < from) throw new ShellError(`${operation.length?.source ?? ''}: substring expression < 0`)
      return characters === undefined ? text.slice(from, to) : characters.slice(from, to).join('')
    }
    case 'case': {
      const pattern = operation.pattern === undefined ? '?' : await expandPattern(shell, operation.pattern)
      const expression = compilePattern(pattern, { isExtended })
      const turned = (character: string): string => {
        if (!expression.test(character)) return character
        if (operation.change === 'upper') return upper(character)
        if (operation.change === 'lower') return character.toLowerCase()
        return character === character.toLowerCase() ? upper(character) : character.toLowerCase()
      }
      if (!operation.isAll) {
        const [first = ''] = text
        return first === '' ? '' : turned(first) + text.slice(first.length)
      }
      const changed: string[] = []
      await eachPart(shell, text, part => changed.push(Array.from(part, turned).join('')))
      return changed.join('')
    }
    case 'transform':
      return transform(shell, target, operation.letter, text)
    default:
      throw new Error('unreachable: a choice is made before')
  }
}

/** Converts a character only if the result is one character: `ß` does not change. */
function upper(character: string): string {
  const turned = character.toUpperCase()
  return Array.from(turned).length === 1 ? turned : character
}

/** A replacement text. `undefined` marks an unquoted `&`, which is the matched text (`patsub_replacement`). */
type Replacement = string | readonly (string | undefined)[]

async function replacementOf(shell: Shell, word: Word): Promise<Replacement> {
  if (word.literal !== undefined && !word.literal.includes('&')) return word.literal
  const fields = new Fields({ ifs: undefined, isExtendedGlob: false })
  await expandParts(shell, word.parts, fields, 'assignment')
  const { text, pattern } = fields.single()
  if (!shell.hasShopt('patsub_replacement') || !text.includes('&')) return text
  const pieces: (string | undefined)[] = []
  let piece = ''
  // `pattern` does not distinguish quoted from unquoted `&`, so quoted parts are handled here.
  for (const unit of await replacementUnits(shell, word, pattern)) {
    if (unit === undefined) {
      pieces.push(piece, undefined)
      piece = ''
    } else piece += unit
  }
  pieces.push(piece)
  return pieces
}

async function replacementUnits(shell: Shell, word: Word, _pattern: string): Promise<(string | undefined)[]> {
  const units: (string | undefined)[] = []
  for (const part of word.parts) {
    const fields = new Fields({ ifs: undefined, isExtendedGlob: false })
    await expandParts(shell, [part], fields, 'assignment')
    const { text } = fields.single()
    if (part.type === 'quoted' || part.type === 'double') units.push(text)
    else for (const piece of text.split(/(\\&|&)/)) units.push(piece === '&' ? undefined : piece === '\\&' ? '&' : piece)
  }
  return units
}

/** Which matches `${v/…/…}` replaces. */
type Where = 'first' | 'all' | 'prefix' | 'suffix'

function replaced(replacement: Replacement, match: string): string {
  return typeof replacement === 'string' ? replacement : replacement.map(piece => piece ?? match).join('')
}

async function replace(
  shell: Shell,
  text: string,
  pattern: string,
  where: Where,
  replacement: Replacement,
  options: { readonly isExtended: boolean; readonly ignoresCase: boolean },
): Promise<string> {
  if (pattern === '')
    return where === 'prefix' ? replaced(replacement, '') + text : where === 'suffix' ? text + replaced(replacement, '') : text
  // In an empty text, bash matches only a pattern that begins with a star.
  if (text === '' && where !== 'suffix' && !pattern.startsWith('*')) return text
  if (options.isExtended && /!\(|[?*+@]\([^]*\|/.test(pattern)) return replaceByTrying(text, pattern, where, replacement, options)
  const source = patternSource(pattern, options)
  const anchored = where === 'prefix' ? `^(?:${source})` : where === 'suffix' ? `(?:${source})$` : source
  const expression = compilePattern(pattern, options, () => anchored)
  if (where !== 'all') return text.replace(expression, match => replaced(replacement, match))
  const everywhere = new RegExp(expression.source, `${expression.flags}g`)
  const pieces: string[] = []
  let at = 0
  const pace = shellPace(shell)
  for (let match = everywhere.exec(text); match !== null; match = everywhere.exec(text)) {
    const [found] = match
    // An empty match is replaced, except at the end of a text that is not empty.
    const isDropped = found === '' && text !== '' && match.index === text.length
    pieces.push(text.slice(at, match.index), isDropped ? '' : replaced(replacement, found))
    if (pace.isDue(match.index + found.length - at + unitsPerItem)) await pace.rest()
    at = match.index + found.length
    if (found === '') everywhere.lastIndex += String.fromCodePoint(text.codePointAt(at) ?? 0).length
  }
  pieces.push(text.slice(at))
  return joinInParts(pieces, '', pace)
}

/**
 * Tries each end, the longest first. Alternatives and negations can match texts of different lengths, for which one regular
 * expression is not sufficient.
 */
function replaceByTrying(
  text: string,
  pattern: string,
  where: Where,
  replacement: Replacement,
  options: { readonly isExtended: boolean; readonly ignoresCase: boolean },
): string {
  const expression = compilePattern(pattern, options)
  const matches = (from: number, to: number): boolean => expression.test(text.slice(from, to))
  if (where === 'suffix') {
    for (let from = 0; from <= text.length; from++)
      if (matches(from, text.length)) return text.slice(0, from) + replaced(replacement, text.slice(from))
    return text
  }
  let result = ''
  let from = 0
  do {
    const end = longestEnd(text, from, matches)
    if (end === undefined) {
      if (where === 'prefix') break
      result += text.charAt(from)
      from += 1
      continue
    }
    result += replaced(replacement, text.slice(from, end))
    const isEmpty = end === from
    from = end
    if (where !== 'all') break
    if (isEmpty) {
      result += text.charAt(from)
      from += 1
    }
  } while (from < text.length)
  return result + text.slice(from)
}

function longestEnd(text: string, from: number, matches: (from: number, to: number) => boolean): number | undefined {
  for (let end = text.length; end >= from; end--) if (matches(from, end)) return end
  return undefined
}

function remove(
  text: string,
  pattern: string,
  { side, isLongest }: { readonly side: 'prefix' | 'suffix'; readonly isLongest: boolean },
  isExtended: boolean,
): string {
  if (pattern === '') return text
  const options = { isExtended }
  if (isExtended && /[?*+@!]\(/.test(pattern)) return removeByTrying(text, pattern, side, isLongest)
  const source = patternSource(pattern, options, !isLongest)
  if (side === 'prefix')
    return text.replace(
      compilePattern(pattern, options, () => `^(?:${source})`),
      '',
    )
  if (isLongest)
    return text.replace(
      compilePattern(pattern, options, () => `(?:${source})$`),
      '',
    )
  return text.replace(
    compilePattern(pattern, options, () => `^(.*)(?:${source})$`),
    '$1',
  )
}

/** Tries each end, because alternatives can match texts of different lengths. */
function removeByTrying(text: string, pattern: string, side: 'prefix' | 'suffix', isLongest: boolean): string {
  const expression = compilePattern(pattern, { isExtended: true })
  const lengths = Array.from({ length: text.length + 1 }, (_, length) => length)
  for (const length of isLongest ? lengths.reverse() : lengths) {
    const candidate = side === 'prefix' ? text.slice(0, length) : text.slice(text.length - length)
    if (expression.test(candidate)) return side === 'prefix' ? text.slice(length) : text.slice(0, text.length - length)
  }
  return text
}

function transform(shell: Shell, target: Target, letter: string, text: string): string {
  switch (letter) {
    case 'U':
      return text.toUpperCase()
    case 'u':
      return upper(text.charAt(0)) + text.slice(1)
    case 'L':
      return text.toLowerCase()
    case 'Q':
    case 'K':
    case 'k':
      return quoteValue(text)
    case 'E':
      return decodeAnsiQuotes(text)
    case 'P':
      return expandPromptEscapes(shell, text)
    case 'A':
      return assignmentText(shell, target, text)
    default:
      return declarationFlags(shell.variables.find(target.name))
  }
}

function transformUnset(shell: Shell, target: Target, letter: string): string {
  if (letter === 'a') return declarationFlags(shell.variables.find(target.name))
  const variable = letter === 'A' ? shell.variables.find(target.name) : undefined
  if (variable?.isArray === true) return `declare -${declarationFlags(variable)} ${shell.variables.resolve(target.name).name}`
  if (shell.has('nounset')) throw unboundProblem(shell, shownName(target))
  return ''
}

/** The assignment of one value, also for an element of an array. */
function assignmentText(shell: Shell, target: Target, text: string): string {
  if (!/^[A-Za-z_]/.test(target.name)) return ''
  const variable = shell.variables.find(target.name)
  const { name } = shell.variables.resolve(target.name)
  const flags = declarationFlags(variable)
  return `${flags === '' ? '' : `declare -${flags} `}${name}=${quoteValue(text)}`
}

/** As the words that bash makes of it: only the assignment itself holds together. */
function assignmentWords(shell: Shell, target: Target, texts: readonly string[]): readonly string[] {
  if (target.name === '@' || target.name === '*') return texts.length === 0 ? [] : ['set', '--', ...texts.map(quoteValue)]
  const variable = shell.variables.find(target.name)
  if (variable === undefined) return []
  if (!variable.isArray) return [assignmentText(shell, target, texts[0] ?? '')]
  const shown = showVariable(shell.variables.resolve(target.name).name, variable)
  const [, flags, assignment] = /^declare (-\w+) ([^]*)$/.exec(shown) ?? []
  return flags === undefined || assignment === undefined ? [shown] : ['declare', flags, assignment]
}

function transformList(shell: Shell, target: Target, letter: string, texts: readonly string[]): readonly string[] {
  const variable = shell.variables.find(target.name)
  if (letter === 'a') return texts.map(() => declarationFlags(variable))
  if (letter === 'A') {
    const words = assignmentWords(shell, target, texts)
    if (target.name === '*' && words.length > 0) return [`set -- ${words.slice(2).join(shell.ifsJoiner)}`]
    const isTogether = target.subscript?.kind === 'list' && target.subscript.sign === '*'
    return isTogether || !(shell.get('IFS') ?? ' ').includes(' ') ? [words.join(' ')] : words
  }
  const keys = variable?.keys() ?? []
  if (letter === 'k') return texts.flatMap((text, index) => [keys[index] ?? '', text])
  const isMap = variable?.map !== undefined
  const shown = texts.map((text, index) => `${isMap ? quoteKey(keys[index] ?? '') : (keys[index] ?? '')} ${quoteDeclared(text)}`)
  return [shown.join(' ') + (isMap && shown.length > 0 ? ' ' : '')]
}
