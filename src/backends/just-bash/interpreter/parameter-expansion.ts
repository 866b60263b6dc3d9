// Parameter expansion: `${…}` with all operators.

import { assignElement } from './assign-element.ts'
import { subscriptWord } from './named-element.ts'
import type { ParameterOperation, ParameterPart, Subscript, Word } from '../syntax/tree.ts'
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
import { ArithmeticError, ShellError } from './flow.ts'
import { addValue, eachPart, isLong, shellPace } from './pace.ts'
import { quoteLong } from './quote.ts'
import { compilePattern } from './pattern.ts'
import type { Shell } from './shell.ts'
import { joinInParts, unitsPerItem } from '../commands/pace.ts'
import { inCharacters, joinCharacters } from './byte-locale.ts'
import { remove, replace, replacementOf } from './parameter-patterns.ts'
import { transform, transformList, transformUnset, upper } from './parameter-transform.ts'
import { shownName, type Target } from './parameter-target.ts'

/** A parameter's value, or its values if it is a list. */
type Value =
  | { readonly kind: 'one'; readonly text: string | undefined }
  | { readonly kind: 'list'; readonly sign: '@' | '*'; readonly texts: readonly string[] }

export async function expandParameter(shell: Shell, part: ParameterPart, fields: Fields, isQuoted: boolean): Promise<void> {
  if (part.form === 'names') {
    const names = shell.variables
      .names()
      .filter(name => name.startsWith(part.name) && shell.variables.findOwn(name)?.hasValue === true)
    await putList(shell, fields, isQuoted, names, part.subscript?.kind === 'list' ? part.subscript.sign : '@')
    return
  }
  if (part.form === 'keys') {
    const sign = part.subscript?.kind === 'list' ? part.subscript.sign : '@'
    await putList(shell, fields, isQuoted, shell.variables.find(part.name)?.keys() ?? [], sign)
    return
  }
  const reference = part.form === 'indirect' && part.subscript === undefined ? shell.variables.findOwn(part.name) : undefined
  const referred = reference?.isReference === true ? referredName(shell, part.name) : undefined
  const target = part.form === 'indirect' && referred === undefined ? await indirect(shell, part) : part
  const { operation } = part
  const warned = shell.warnings.length
  const value: Value =
    referred !== undefined
      ? { kind: 'one', text: referred }
      : ((part.form === 'plain' ? wholeArray(shell, part) : undefined) ?? (await valueOf(shell, target)))
  if (part.form === 'length') {
    if (shell.warnings.length > warned && shell.variables.find(target.name)?.isSet === true) {
      shell.warnings.length = warned
      throw new ShellError(`${target.subscript?.kind === 'index' ? target.subscript.word.source : ''}]: bad array subscript`)
    }
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

/** The name that `${!name}` gives for a reference: that of the last one in a chain. */
function referredName(shell: Shell, name: string): string {
  let held = shell.variables.target(name) && shell.variables.findOwn(name)?.scalar
  if (held === undefined) throw new ShellError(`${name}: invalid indirect expansion`)
  for (;;) {
    const next = shell.variables.findOwn(held)
    if (next?.isReference !== true || next.scalar === undefined) return held
    held = next.scalar
  }
}

/** Resolves `${!name}`: the parameter whose name is the value of `name`. */
async function indirect(shell: Shell, part: ParameterPart): Promise<Target> {
  const shown = `!${shownName(part)}`
  const held = await valueOf(shell, part)
  const text = held.kind === 'one' ? held.text : held.texts.join(' ')
  if (text === undefined) {
    const variable = shell.variables.findDeclared(part.name)
    // A variable without a value, and an array without element 0, is a parameter that is not set.
    const isDeclared = !/^[A-Za-z_]/.test(part.name) || (variable !== undefined && !variable.isReference)
    if (isDeclared && part.operation?.kind !== 'assign') return { ...part, shown }
    throw new ShellError(`${isDeclared ? shown : shownName(part)}: invalid indirect expansion`)
  }
  const [, name = '', list, index] = /^([A-Za-z_]\w*|\d+|[@*#?$!-])(?:\[(?:([@*])|([^]*))\])?$/.exec(text) ?? []
  if (name === '') throw new ShellError(`${text}: invalid variable name`)
  if (list === '@' || list === '*') return { name, shown, subscript: { kind: 'list', sign: list } }
  if (index === undefined) return { name, shown, subscript: undefined }
  return { name, shown, subscript: { kind: 'index', word: subscriptWord(index) } }
}

/** What a reference to `a[@]` or `a[*]` means: `$name` is a list, and `${name}` is one text. */
function wholeArray(shell: Shell, { name, subscript, isBare }: ParameterPart): Value | undefined {
  if (subscript !== undefined || shell.variables.findDeclared(name)?.isReference !== true) return undefined
  const { name: array = '', subscript: sign } = shell.variables.target(name) ?? {}
  if (sign !== '@' && sign !== '*') return undefined
  const texts = shell.variables.findOwn(array)?.values() ?? []
  if (isBare === true) return { kind: 'list', sign, texts }
  return texts.length === 0 ? undefined : { kind: 'one', text: texts.join(sign === '*' ? shell.ifsJoiner : ' ') }
}

async function valueOf(shell: Shell, { name, subscript }: Target): Promise<Value> {
  if (name === '@' || name === '*') return { kind: 'list', sign: name, texts: shell.parameters }
  if (subscript?.kind === 'list') {
    const variable = shell.variables.find(name)
    return { kind: 'list', sign: subscript.sign, texts: variable?.values() ?? [] }
  }
  if (subscript === undefined) return { kind: 'one', text: shell.get(name) }
  return { kind: 'one', text: elementOf(shell, name, await expandSubscript(shell, name, subscript)) }
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
    // The elements are separated as if they were joined with the separator and split again, so empty elements between others are kept.
    if (index > 0 && keepsEmpty) fields.split(separator)
    else if (index > 0) fields.breakField()
    if (isLong(text)) await addValue(shell, fields, text, isQuoted)
    else if (isQuoted) fields.quoted(text)
    else fields.split(text)
    if (pace.isDue(text.length + unitsPerItem)) await pace.rest()
  }
}

/** For `${#name[@]}`, where a variable that is not an array also counts as one without a value, as in bash. */
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
  const text = inCharacters(shell, value.text ?? '')
  return charactersOf(text)?.length ?? text.length
}

/** `undefined` if each code unit is a character. */
function charactersOf(text: string): readonly string[] | undefined {
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
    else if (isQuoted && !(value.kind === 'list' && value.sign === '@' && value.texts.length === 0)) fields.quoted('')
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
        assignElement(shell, target.name, await expandSubscript(shell, target.name, target.subscript), text)
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
  if (count !== undefined && count < 0) throw new ArithmeticError(`${length?.source ?? ''}: substring expression < 0`)
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
  const values = Object.values(list)
  // Most lists have no holes.
  if (values.length === list.length) return values.slice(from, count === undefined ? undefined : from + count)
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
  const characters = inCharacters(shell, text)
  const changed = await changeCharacters(shell, target, operation, characters, isUnset)
  return characters === text ? changed : joinCharacters(changed)
}

async function changeCharacters(
  shell: Shell,
  target: Target,
  operation: ParameterOperation,
  text: string,
  isUnset: boolean,
): Promise<string> {
  const isExtended = shell.hasShopt('extglob')
  const ignoresCase = shell.hasShopt('nocasematch')
  switch (operation.kind) {
    case 'remove':
      return remove(shell, text, await expandPattern(shell, operation.pattern), operation, isExtended)
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
      const characters = charactersOf(text)
      const size = characters?.length ?? text.length
      const start = Number(evaluateIn(shell, await expandQuoted(shell, operation.offset)))
      const from = start < 0 ? size + start : start
      if (from < 0 || from > size) return ''
      const count =
        operation.length === undefined ? undefined : Number(evaluateIn(shell, await expandQuoted(shell, operation.length)))
      const to = count === undefined ? size : count < 0 ? size + count : from + count
      if (to < from) throw new ArithmeticError(`${operation.length?.source ?? ''}: substring expression < 0`)
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
      if (isLong(text) && operation.letter === 'Q') return quoteLong(shell, text, 'value')
      // Few scripts expand prompts, and times take much code.
      if (operation.letter === 'P') return (await import('./prompt.ts')).expandPromptEscapes(shell, text)
      return transform(shell, target, operation.letter, text)
    default:
      throw new Error('unreachable: a choice is made before')
  }
}
