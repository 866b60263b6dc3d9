// Brace expansion, `{a,b}` and `{1..9}`, which precedes all other expansions. It works on the parts of a word because only
// unquoted braces count.

import type { Word, WordPart } from '../syntax/tree.ts'
import { wordOf } from '../syntax/words.ts'
import { ShellError } from './flow.ts'

/** One character of unquoted text, or a whole part. */
type Atom = string | Exclude<WordPart, { type: 'text' }>

const expanded = new WeakMap<Word, readonly Word[]>()
const one = /\{/
/** A limit on the number of words: more would exhaust memory, and bash takes minutes for them. */
const maxWords = 10_000_000

/** The words for `word`; `word` itself if it has no unquoted braces. The words of a long range are made one by one. */
export function expandBraces(word: Word): Iterable<Word> {
  const known = expanded.get(word)
  if (known !== undefined) return known
  const range = mayExpand(word) ? plainRange(word) : undefined
  if (range !== undefined && range.count > mostCached) return range.words()
  const result = range !== undefined ? [...range.words()] : mayExpand(word) ? expand(word) : [word]
  // A large result is not cached, to save memory.
  if (result.length <= mostCached) expanded.set(word, result)
  return result
}

const mostCached = 1000

function mayExpand(word: Word): boolean {
  return word.parts.some(part => part.type === 'text' && one.test(part.text))
}

function expand(word: Word): readonly Word[] {
  const atoms = word.parts.flatMap((part): Atom[] => (part.type === 'text' ? [...part.text] : [part]))
  const lists = expandAtoms(atoms)
  if (lists.length === 1 && lists[0]?.length === atoms.length) return [word]
  // `{a,}` gives one word: an empty unquoted word is dropped.
  return lists.filter(list => list.length > 0).map(toWord)
}

/** The words of `a{1..9}b`, the form that long ranges have. */
function plainRange({ parts }: Word): { readonly count: number; readonly words: () => Generator<Word> } | undefined {
  const [part] = parts
  if (parts.length !== 1 || part?.type !== 'text') return undefined
  const [, before = '', inner, after = ''] = /^([\w./-]*)\{([^{},]+)\}([\w./-]*)$/.exec(part.text) ?? []
  const range = inner === undefined ? undefined : rangeOf(inner)
  if (range === undefined) return undefined
  const { count, at } = range
  return {
    count,
    *words() {
      for (let index = 0; index < count; index++) {
        const value = at(index)
        const text = before + value + after
        if (value === '`' && after !== '') throw unclosed(after)
        // The backslash of a range of letters quotes nothing, so it stands for an empty text.
        yield wordOf([text === '' ? { type: 'quoted', text } : { type: 'text', text }], '')
      }
    },
  }
}

/** bash reads the words of a range again, and a backquote begins a substitution then. */
function unclosed(after: string): ShellError {
  return new ShellError(`bad substitution: no closing "\`" in \`${after}`)
}

function toWord(atoms: readonly Atom[]): Word {
  const backquote = atoms.indexOf('`')
  if (backquote >= 0 && backquote < atoms.length - 1)
    throw unclosed(
      atoms
        .slice(backquote + 1)
        .map(atom => (typeof atom === 'string' ? atom : '…'))
        .join(''),
    )
  const parts: WordPart[] = []
  let text = ''
  for (const atom of atoms) {
    const last = text === '' ? parts.at(-1) : undefined
    if (
      typeof atom === 'string' &&
      last?.type === 'parameter' &&
      last.isBare === true &&
      /^\w$/.test(atom) &&
      /^\D/.test(last.name)
    )
      parts[parts.length - 1] = { ...last, name: last.name + atom }
    else if (typeof atom === 'string') text += atom
    else {
      if (text !== '') parts.push({ type: 'text', text })
      text = ''
      parts.push(atom)
    }
  }
  if (text !== '') parts.push({ type: 'text', text })
  return wordOf(parts, '')
}

function expandAtoms(atoms: readonly Atom[]): Atom[][] {
  for (let start = 0; start < atoms.length; start++) {
    if (atoms[start] !== '{' || (start === 0 && atoms[1] === '}')) continue
    const inner = choicesAt(atoms, start)
    if (inner === undefined) continue
    const before = atoms.slice(0, start)
    const after = expandAtoms(atoms.slice(inner.end + 1))
    if (inner.choices.length * after.length > maxWords)
      throw new ShellError('brace expansion: cannot allocate memory for the words')
    return inner.choices.flatMap(choice => after.map(rest => [...before, ...choice, ...rest]))
  }
  return [[...atoms]]
}

interface Choices {
  readonly choices: readonly Atom[][]
  /** The index of the closing brace. */
  readonly end: number
}

function choicesAt(atoms: readonly Atom[], start: number): Choices | undefined {
  let depth = 0
  let itemStart = start + 1
  const items: Atom[][] = []
  for (let at = start; at < atoms.length; at++) {
    const atom = atoms[at]
    if (atom === '{') depth += 1
    else if (atom === ',' && depth === 1) {
      items.push(atoms.slice(itemStart, at))
      itemStart = at + 1
    } else if (atom === '}' && depth > 1) depth -= 1
    else if (atom === '}') {
      const last = atoms.slice(itemStart, at)
      if (items.length > 0) return { choices: [...items, last].flatMap(expandAtoms), end: at }
      const range = last.every(item => typeof item === 'string') ? rangeOf(last.join('')) : undefined
      // A brace before any comma is text.
      if (range !== undefined)
        return { choices: textsOf(range).map(text => (text === '' ? [{ type: 'quoted', text }] : [...text])), end: at }
    }
  }
  return undefined
}

interface Range {
  readonly count: number
  readonly at: (index: number) => string
}

function textsOf({ count, at }: Range): string[] {
  return Array.from({ length: count }, (_, index) => at(index))
}

function rangeOf(text: string): Range | undefined {
  const numbers = /^(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?$/.exec(text)
  if (numbers !== null) {
    const [, from = '', to = '', by = '1'] = numbers
    const isPadded = /^-?0\d/.test(from) || /^-?0\d/.test(to)
    const width = isPadded ? Math.max(from.length, to.length) : 0
    return steps(Number(from), Number(to), Number(by), value => padded(value, width))
  }
  const letters = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d+))?$/.exec(text)
  if (letters === null) return undefined
  const [, from = '', to = '', by = '1'] = letters
  return steps(from.charCodeAt(0), to.charCodeAt(0), Number(by), code => (code === backslash ? '' : String.fromCharCode(code)))
}

const backslash = 92

function steps(from: number, to: number, by: number, show: (value: number) => string): Range {
  const step = Math.max(1, Math.abs(by))
  const count = Math.floor(Math.abs(to - from) / step) + 1
  if (count > maxWords) throw new ShellError(`brace expansion: ${count} words are more than this shell makes; use a loop or seq`)
  return { count, at: index => show(to < from ? from - index * step : from + index * step) }
}

function padded(value: number, width: number): string {
  return value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0')
}
