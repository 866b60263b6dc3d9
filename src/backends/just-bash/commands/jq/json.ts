// JSON values of jq. Objects are maps, because they keep their keys in order of insertion, even keys that look like numbers.

import { partsOf } from '../pace.ts'
import { compareCodePoints } from './code-points.ts'

export type JsonObject = ReadonlyMap<string, Json>
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

export class JsonError extends Error {
  override readonly name = 'JsonError'
}

const mostDepth = 10_000

interface OpenObject {
  readonly made: Map<string, Json>
  key: string
}

/** Reads a sequence of JSON values from a text. */
export class JsonReader {
  private at = 0
  private text: string
  /** Number of lines that were read and discarded, and the length of the discarded part of the last line. */
  private linesBefore = 0
  private columnsBefore = 0
  private isAtBegin = true

  private readonly isDue: () => boolean

  /** `isDue` is called for each value. If it is true, `read` pauses. It throws to stop the reading of a large one. */
  constructor(text: string, isDue: () => boolean = () => false) {
    this.text = text
    this.isDue = isDue
  }

  /** Appends more text; called only between values. */
  add(text: string): void {
    if (text === '') return
    const before = this.text.slice(0, this.at)
    const lineEnd = before.lastIndexOf('\n')
    this.linesBefore += before.split('\n').length - 1
    this.columnsBefore = lineEnd < 0 ? this.columnsBefore + before.length : before.length - lineEnd - 1
    this.text = this.text.slice(this.at) + text
    this.at = 0
  }

  /** The number of newlines read so far. */
  get lineCount(): number {
    let lines = this.linesBefore
    const end = this.text.charCodeAt(this.at) === 10 ? this.at + 1 : this.at
    for (let at = this.text.indexOf('\n'); at >= 0 && at < end; at = this.text.indexOf('\n', at + 1)) lines += 1
    return lines
  }

  /** The next value; `undefined` at the end of the text. Throws `JsonError`. */
  next(): Json | undefined {
    const reading = this.read()
    for (;;) {
      const { done, value } = reading.next()
      if (done === true) return value
    }
  }

  /** As `next`, with pauses. */
  *read(): Generator<undefined, Json | undefined> {
    if (this.isAtBegin && this.text !== '') {
      this.isAtBegin = false
      if (this.text.startsWith('\ufeff')) this.text = this.text.slice(1)
    }
    this.skipBlanks()
    if (this.at >= this.text.length) return undefined
    // The open arrays and objects are kept here, so that it can pause within a large value and read a deep one.
    const open: (Json[] | OpenObject)[] = []
    for (;;) {
      if (this.isDue()) yield
      this.skipBlanks()
      const character = this.text.charAt(this.at)
      let value: Json
      if (character === '{' || character === '[') {
        if (open.length >= mostDepth) this.fail('Exceeds depth limit for parsing')
        this.at += 1
        this.skipBlanks()
        const isEmpty = this.text.charAt(this.at) === (character === '{' ? '}' : ']')
        if (!isEmpty) {
          open.push(character === '[' ? [] : { made: new Map(), key: this.key() })
          continue
        }
        this.at += 1
        value = character === '[' ? [] : new Map<string, Json>()
      } else if (character === '"') value = this.string()
      else if (character === '') return this.fail('Unfinished JSON term')
      else value = this.plain()
      // The value may be the last one of several lists.
      for (;;) {
        const list = open.at(-1)
        if (list === undefined) return value
        if (Array.isArray(list)) list.push(value)
        else list.made.set(list.key, value)
        if (!this.endsList(Array.isArray(list) ? ']' : '}')) {
          if (!Array.isArray(list)) list.key = this.key()
          break
        }
        open.pop()
        value = Array.isArray(list) ? list : list.made
      }
    }
  }

  private skipBlanks(): void {
    for (;;) {
      const unit = this.text.charCodeAt(this.at)
      if (unit !== 32 && unit !== 10 && unit !== 13 && unit !== 9) return
      this.at += 1
    }
  }

  private fail(problem: string): never {
    const before = this.text.slice(0, this.at)
    const line = before.split('\n').length
    const column = this.at - before.lastIndexOf('\n') + (line === 1 ? this.columnsBefore : 0)
    // At its end the text has no character more.
    const place = problem.startsWith('Unfinished')
      ? `EOF at line ${this.linesBefore + line}, column ${column - 1}`
      : `line ${this.linesBefore + line}, column ${column}`
    throw new JsonError(`${problem} at ${place}`)
  }

  /** A key of an object, with its colon. */
  private key(): string {
    this.skipBlanks()
    if (this.at >= this.text.length) this.fail('Unfinished JSON term')
    if (this.text.charAt(this.at) !== '"') this.fail('Object keys must be strings')
    const key = this.string()
    this.skipBlanks()
    if (this.text.charAt(this.at) !== ':')
      this.fail(this.at >= this.text.length ? 'Unfinished JSON term' : 'Objects must consist of key:value pairs')
    this.at += 1
    return key
  }

  private endsList(close: string): boolean {
    this.skipBlanks()
    const character = this.text.charAt(this.at)
    if (character === '') this.fail('Unfinished JSON term')
    if (character !== ',' && character !== close) this.fail('Expected separator between values')
    this.at += 1
    return character === close
  }

  private string(): string {
    const start = this.at + 1
    let hasEscape = false
    for (let at = start; at < this.text.length; at++) {
      const unit = this.text.charCodeAt(at)
      if (unit === 92) {
        hasEscape = true
        at += 1
      } else if (unit === 34) {
        this.at = at + 1
        const raw = this.text.slice(start, at)
        return hasEscape ? this.unescaped(raw) : raw
      }
    }
    this.at = this.text.length
    return this.fail('Unfinished string')
  }

  private unescaped(raw: string): string {
    const text = raw.replace(/\\(?:u([\da-fA-F]{4})|([^]))/g, (_, hex?: string, letter: string = '') => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
      return escapes[letter] ?? this.fail('Invalid escape')
    })
    return text.isWellFormed() ? text : text.toWellFormed()
  }

  private plain(): Json {
    number.lastIndex = this.at
    const [found] = number.exec(this.text) ?? []
    const [word = ''] = found === undefined ? (/^[A-Za-z]+/.exec(this.text.slice(this.at, this.at + 20)) ?? []) : [found]
    if (word === '' || /[A-Za-z0-9_.+-]/.test(this.text.charAt(this.at + word.length)))
      this.fail(word === '' ? 'Invalid literal' : 'Invalid numeric literal')
    this.at += word.length
    if (found !== undefined) return Number(found)
    if (word === 'true') return true
    if (word === 'false') return false
    if (word === 'null') return null
    if (word === 'nan' || word === 'NaN') return Number.NaN
    this.at -= word.length
    return this.fail('Invalid numeric literal')
  }
}

const number = /-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y
const escapes: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

export interface PrintOptions {
  /** One level of indentation; if empty, a value is printed on one line. */
  readonly indent: string
  readonly sortsKeys: boolean
  readonly isAscii: boolean
}

export const compact: PrintOptions = { indent: '', sortsKeys: false, isAscii: false }

export function printJson(value: Json, options: PrintOptions = compact): string {
  return print(value, options, '\n')
}

function print(value: Json, options: PrintOptions, lineEnd: string): string {
  if (typeof value !== 'object' || value === null) return scalarText(value, options)
  const isIndented = options.indent !== ''
  const inner = isIndented ? lineEnd + options.indent : ''
  const outer = isIndented ? lineEnd : ''
  if (isObject(value)) {
    if (value.size === 0) return '{}'
    const colon = isIndented ? ': ' : ':'
    const keys = options.sortsKeys ? [...value.keys()].sort(compareCodePoints) : value.keys()
    const parts: string[] = []
    for (const key of keys)
      parts.push(inner + quoted(key, options.isAscii) + colon + print(value.get(key) ?? null, options, inner))
    return `{${parts.join(',')}${outer}}`
  }
  if (value.length === 0) return '[]'
  return `[${value.map(item => inner + print(item, options, inner)).join(',')}${outer}]`
}

interface OpenList {
  readonly entries: Iterator<readonly [key: string | number, value: Json]>
  readonly close: string
  /** Before each entry. */
  readonly lineEnd: string
  isFirst: boolean
}

/** About the length of a part that is written. */
const partLength = 16 * 1024

/** As much of a long text counts as a value. */
const lengthPerStep = 256

/** Passes the text of `value` to `write` in parts. It pauses where `isDue`, which is called for each value, is true. */
export function* printInSteps(
  value: Json,
  options: PrintOptions,
  isDue: () => boolean,
  write: (part: string) => void,
): Generator<undefined, void> {
  const isIndented = options.indent !== ''
  const colon = isIndented ? ': ' : ':'
  const lineEnds = isIndented ? ['\n'] : ['']
  const open: OpenList[] = []
  let text = ''
  let next: Json = value
  for (;;) {
    if (typeof next === 'string' && next.length > partLength) {
      text += '"'
      for (const part of partsOf(next, partLength)) {
        write(text + quoted(part, options.isAscii).slice(1, -1))
        text = ''
        for (let at = 0; at < part.length; at += lengthPerStep) if (isDue()) yield
      }
      text = '"'
    } else if (typeof next !== 'object' || next === null) text += scalarText(next, options)
    else if (!isLong(next)) text += print(next, options, lineEnds[open.length] ?? '')
    else {
      text += isArray(next) ? '[' : '{'
      const depth = open.length + 1
      const lineEnd = (lineEnds[depth] ??= isIndented ? `${lineEnds[depth - 1] ?? ''}${options.indent}` : '')
      const entries = isArray(next) ? next.entries() : entriesOf(next, options.sortsKeys)
      open.push({ entries, close: isArray(next) ? ']' : '}', lineEnd, isFirst: true })
    }
    if (isDue()) yield
    if (text.length >= partLength) {
      write(text)
      text = ''
    }
    // The value may be the last one of several lists.
    for (;;) {
      const list = open.at(-1)
      if (list === undefined) {
        write(text)
        return
      }
      const entry = list.entries.next()
      if (entry.done !== true) {
        const [key, item] = entry.value
        text += list.isFirst ? list.lineEnd : `,${list.lineEnd}`
        if (typeof key === 'string') text += quoted(key, options.isAscii) + colon
        list.isFirst = false
        next = item
        break
      }
      open.pop()
      text += (lineEnds[open.length] ?? '') + list.close
    }
  }
}

/** As `printJson`, with pauses. */
export function* jsonInSteps(value: Json, isDue: () => boolean): Generator<undefined, string> {
  if (!isLong(value)) return printJson(value)
  const parts: string[] = []
  yield* printInSteps(value, compact, isDue, part => parts.push(part))
  return parts.join('')
}

/** Whether `value` is long enough to be printed in steps. */
export function isLong(value: Json): boolean {
  return lengthUpTo(value, mostAtOnce) >= mostAtOnce
}

const mostAtOnce = 64

/** The number of values within `value`, or more than `most`. A long text counts as many. */
function lengthUpTo(value: Json, most: number): number {
  if (typeof value === 'string') return 1 + Math.floor(value.length / lengthPerStep)
  if (typeof value !== 'object' || value === null) return 1
  let length = 1 + (isArray(value) ? value.length : value.size)
  for (const item of value.values()) {
    if (length >= most) break
    if (typeof item === 'string' || typeof item === 'object') length += lengthUpTo(item, most - length)
  }
  return length
}

function entriesOf(object: JsonObject, isSorted: boolean): Iterator<readonly [string, Json]> {
  return isSorted ? [...object].sort(([one], [other]) => compareCodePoints(one, other)).values() : object.entries()
}

function scalarText(value: null | boolean | number | string, options: PrintOptions): string {
  if (typeof value === 'string') return quoted(value, options.isAscii)
  return typeof value === 'number' ? printNumber(value) : String(value)
}

export function isContainer(value: Json): value is JsonObject | readonly Json[] {
  return isArray(value) || isObject(value)
}

export function isObject(value: Json): value is JsonObject {
  return value instanceof Map
}

export function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

/** Prints at most 17 significant digits. */
function printNumber(value: number): string {
  if (Number.isNaN(value)) return 'null'
  if (!Number.isFinite(value)) return value > 0 ? '1.7976931348623157e+308' : '-1.7976931348623157e+308'
  if (Object.is(value, -0)) return '-0'
  const text = String(value)
  const [digits = '', power = '0'] = value.toExponential().split('e')
  const exponent = Number(power)
  const count = digits.replace(/[-.]/g, '').length
  // Uses exponent notation below 0.0001, and where at least 15 zeros would have to be appended.
  if (value === 0 || (exponent >= -5 + 1 && exponent < count + 15)) return exponent >= 21 ? BigInt(value).toString() : text
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}

const special = /["\\\x00-\x1f\x7f\ud800-\udfff]/
const specials = /["\\\x00-\x1f\x7f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

function quoted(text: string, isAscii: boolean): string {
  let inside = special.test(text)
    ? text.replace(specials, character =>
        character >= '\ud800' ? '\ufffd' : (shortEscapes[character] ?? unicodeEscape(character.charCodeAt(0))),
      )
    : text
  if (isAscii) inside = inside.replace(/[^\x00-\x7f]/g, unit => unicodeEscape(unit.charCodeAt(0)))
  return `"${inside}"`
}

function unicodeEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`
}
