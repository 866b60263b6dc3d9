import { formatTime, fromZone, inZone } from '../../format/time-format.ts'
import type { Regex } from '../../regex/regex.ts'
import { map, map2, mapAll, now, waitFor, type Code } from './code.ts'
import { AwkError } from './error.ts'
import { elementOrder, type ElementOrder } from './order.ts'
import { characterCount, formatted, hasWideCharacters } from './printf.ts'
import { special, splitByContent, type Runtime, type Splitter } from './runtime.ts'
import { generalReplacement, type Job, replacementFor, type Substituted, substituted, substitutedAtOnce } from './substitute.ts'
import type { ArrayName, Expression, Target } from './syntax.ts'
import { InputText, toNumber, type AwkArray, type Slot, type Value } from './values.ts'
import type { Place, Variables } from './variables.ts'

export interface ArgumentCompiler {
  expression(node: Expression): Code<Value>
  regexOf(node: Expression): Code<Regex>
  place(target: Target): Place
  array(name: ArrayName): Code<AwkArray>
  element(name: ArrayName, subscripts: readonly Expression[]): Code<Slot>
  readonly functions: { readonly orderOf: (name: string) => ElementOrder }
  readonly variables: Variables
}

type Numeric = (...values: readonly number[]) => number

const whole = (value: number): bigint => BigInt.asUintN(64, BigInt(Math.trunc(value)))

const numeric: Readonly<Record<string, Numeric>> = {
  sin: (value = 0) => Math.sin(value),
  cos: (value = 0) => Math.cos(value),
  atan2: (y = 0, x = 0) => Math.atan2(y, x),
  exp: (value = 0) => Math.exp(value),
  log: (value = 0) => Math.log(value),
  sqrt: (value = 0) => Math.sqrt(value),
  int: (value = 0) => Math.trunc(value),
  and: (...values) => Number(values.map(whole).reduce((one, other) => one & other)),
  or: (...values) => Number(values.map(whole).reduce((one, other) => one | other)),
  xor: (...values) => Number(values.map(whole).reduce((one, other) => one ^ other)),
  lshift: (value = 0, by = 0) => Number(BigInt.asUintN(64, whole(value) << whole(by))),
  rshift: (value = 0, by = 0) => Number(whole(value) >> whole(by)),
  compl: (value = 0) => Number(BigInt.asUintN(53, ~whole(value))),
}

const argumentCounts: Readonly<Record<string, readonly [number, number]>> = {
  atan2: [2, 2],
  and: [2, 99],
  or: [2, 99],
  xor: [2, 99],
  lshift: [2, 2],
  rshift: [2, 2],
  length: [0, 1],
  substr: [2, 3],
  index: [2, 2],
  split: [2, 4],
  patsplit: [2, 4],
  sub: [2, 3],
  gsub: [2, 3],
  gensub: [3, 4],
  match: [2, 3],
  sprintf: [1, 9999],
  rand: [0, 0],
  srand: [0, 1],
  close: [1, 2],
  fflush: [0, 1],
  strftime: [0, 3],
  systime: [0, 0],
  mktime: [1, 2],
  asort: [1, 3],
  asorti: [1, 3],
}

export class Builtins {
  private seed = 0
  private randomState = 0x2f6e2b1
  private readonly runtime: Runtime
  private readonly pause: (() => Promise<void>) | undefined

  /** `pause` lets others run during long work. */
  constructor(runtime: Runtime, pause: (() => Promise<void>) | undefined) {
    this.runtime = runtime
    this.pause = pause
  }

  compile(name: string, args: readonly Expression[], compiler: ArgumentCompiler): Code<Value> {
    const [least, most] = argumentCounts[name] ?? [1, 1]
    if (args.length < least || args.length > most)
      throw new AwkError(`${args.length} is an invalid number of arguments for ${name}`)
    const { runtime } = this
    const { textOf } = runtime
    const codes = (): readonly Code<Value>[] => args.map(arg => compiler.expression(arg))
    const calculate = numeric[name]
    if (calculate !== undefined) return mapAll(codes(), values => calculate(...values.map(toNumber)))
    const [first, second, third, fourth] = args
    switch (name) {
      case 'length':
        return this.length(first, compiler)
      case 'substr':
        return mapAll(codes(), ([text, start, length]) =>
          substring(textOf(text), toNumber(start), args.length < 3 ? Number.POSITIVE_INFINITY : toNumber(length)),
        )
      case 'index':
        return mapAll(codes(), ([text, word]) => {
          const [whole_, part] = [runtime.comparedText(text), runtime.comparedText(word)]
          const at = whole_.indexOf(part)
          return at < 0 ? 0 : characterCount(whole_.slice(0, at)) + 1
        })
      case 'tolower':
        return mapAll(codes(), ([text]) => textOf(text).toLowerCase())
      case 'toupper':
        return mapAll(codes(), ([text]) => Array.from(textOf(text), upper).join(''))
      case 'sprintf':
        return mapAll(codes(), ([format, ...values]) => formatted(textOf(format), values, textOf))
      case 'strtonum':
        return mapAll(codes(), ([value]) => numberInAnyBase(value))
      case 'split':
      case 'patsplit':
        return this.split(name, args, compiler)
      case 'match':
        return this.match(args, compiler)
      case 'sub':
      case 'gsub':
        return this.substitute(name, args, compiler)
      case 'gensub': {
        const subject = fourth === undefined ? now<Value>(() => runtime.recordText) : compiler.expression(fourth)
        const parts = mapAll(
          [second, third].map(arg => compiler.expression(required(arg))),
          values => values,
        )
        const given = map2(parts, subject, (values, text) => [...values, text])
        const job = map2(compiler.regexOf(required(first)), given, (regex, [replacement, how, text]): Job => {
          const isGlobal = /^[gG]/.test(textOf(how))
          const from = isGlobal ? 1 : Math.max(1, Math.trunc(toNumber(how)))
          return { text: textOf(text), regex, replace: generalReplacement(textOf(replacement)), isGlobal, from }
        })
        return this.substitution(job, ({ text }) => text)
      }
      case 'rand':
        return now(() => this.random())
      case 'srand':
        return mapAll(codes(), ([value]) => {
          const before = this.seed
          this.seed = args.length === 0 ? Math.floor(Date.now() / 1000) : toNumber(value)
          this.randomState = (Math.trunc(this.seed) ^ 0x2f6e2b1) >>> 0
          return before
        })
      case 'systime':
        return now(() => Math.floor(Date.now() / 1000))
      case 'strftime':
        return mapAll(codes(), ([format, time, isUtc]) =>
          this.time(
            args.length === 0 ? undefined : textOf(format),
            args.length < 2 ? undefined : toNumber(time),
            toNumber(isUtc) !== 0,
          ),
        )
      case 'mktime':
        return mapAll(codes(), ([text, isUtc]) => this.makeTime(textOf(text), toNumber(isUtc) !== 0))
      case 'system':
        return waitFor(compiler.expression(required(first)), command => runtime.streams.system(textOf(command)))
      case 'close':
        return waitFor(compiler.expression(required(first)), value => runtime.streams.close(textOf(value)))
      case 'fflush':
        return waitFor(
          mapAll(codes(), ([value]) => (value === undefined ? undefined : textOf(value))),
          file => runtime.streams.flush(file),
        )
      case 'asort':
      case 'asorti':
        return this.sort(name, args, compiler)
      case 'isarray':
        return map(this.raw(required(first), compiler), value => (value instanceof Map ? 1 : 0))
      case 'typeof':
        return map(this.raw(required(first), compiler), value =>
          value === undefined && first?.kind !== 'variable' ? 'unassigned' : typeName(value),
        )
      default:
        throw new AwkError(`the function ${name} is not available here`)
    }
  }

  private raw(node: Expression, compiler: ArgumentCompiler): Code<Slot> {
    if (node.kind === 'element') return compiler.element(node.array, node.subscripts)
    return node.kind === 'variable' ? compiler.variables.raw(node.name) : compiler.expression(node)
  }

  private length(node: Expression | undefined, compiler: ArgumentCompiler): Code<Value> {
    const { runtime } = this
    if (node === undefined) return now(() => characterCount(runtime.recordText))
    return map(this.raw(node, compiler), value => {
      if (!(value instanceof Map)) return characterCount(runtime.textOf(value))
      if (runtime.dialect.language === 'posix') throw new AwkError('length: received array argument')
      return value.size
    })
  }

  private split(name: 'split' | 'patsplit', args: readonly Expression[], compiler: ArgumentCompiler): Code<Value> {
    const { runtime } = this
    const [text, arrayNode, separator, separatorsNode] = args
    const arrays = map2(
      arrayOf(arrayNode, name, compiler),
      separatorsNode === undefined ? now(() => undefined) : arrayOf(separatorsNode, name, compiler),
      (target, found) => ({ target, found }),
    )
    let splitter: Code<Splitter>
    if (name === 'patsplit') {
      const regex = separator === undefined ? now(() => runtime.regex(runtime.text('FPAT'))) : compiler.regexOf(separator)
      splitter = map(regex, pattern => (value: string, separators?: string[]) => splitByContent(value, pattern, separators))
    } else if (separator?.kind === 'regex') {
      const { source } = separator
      splitter = now(() => runtime.splitterFor(source === ' ' ? '[ ]' : source.length === 1 ? `(${source})` : source))
    } else if (separator === undefined) splitter = now(() => runtime.splitterFor(runtime.text('FS')))
    else splitter = map(compiler.expression(separator), value => runtime.splitterFor(runtime.textOf(value)))
    const splitting = map2(compiler.expression(required(text)), splitter, (value, split) => ({ value, split }))
    return map2(splitting, arrays, ({ value, split }, { target, found }) => {
      const separators: string[] = []
      const parts = split(runtime.textOf(value), found === undefined ? undefined : separators)
      target.clear()
      for (const [index, part] of parts.entries()) target.set(String(index + 1), new InputText(part))
      if (found !== undefined) {
        found.clear()
        for (const [index, part] of separators.entries()) {
          // Leading and trailing separators are stored only if they are not empty.
          if (index > 0 && index < parts.length) found.set(String(index), part)
          else if (part !== '') found.set(String(index), part)
        }
      }
      return parts.length
    })
  }

  private match(args: readonly Expression[], compiler: ArgumentCompiler): Code<Value> {
    const { runtime } = this
    const [text, pattern, arrayNode] = args
    const array = arrayNode === undefined ? now(() => undefined) : arrayOf(arrayNode, 'match', compiler)
    const matching = map2(compiler.expression(required(text)), compiler.regexOf(required(pattern)), (value, regex) => ({
      subject: runtime.textOf(value),
      regex,
    }))
    return map2(matching, array, ({ subject, regex }, groups) => {
      const found = groups === undefined ? regex.find(subject) : regex.exec(subject)
      groups?.clear()
      const [start = -1, end = -1] = found ?? []
      const position = (at: number): number => (start < 0 ? 0 : characterCount(subject.slice(0, at)) + 1)
      const [first, length] = start < 0 ? [0, -1] : [position(start), characterCount(subject.slice(start, end))]
      runtime.slots[special.RSTART] = first
      runtime.slots[special.RLENGTH] = length
      for (
        let group = 0;
        groups !== undefined && found !== undefined && group * 2 < Math.min(found.length, (regex.groupCount + 1) * 2);
        group++
      ) {
        const [from = -1, to = -1] = [found[group * 2], found[group * 2 + 1]]
        if (from < 0) continue
        groups.set(String(group), new InputText(subject.slice(from, to)))
        groups.set(`${group}${runtime.subsep}start`, position(from))
        groups.set(`${group}${runtime.subsep}length`, characterCount(subject.slice(from, to)))
      }
      return first
    })
  }

  private substitute(name: 'sub' | 'gsub', args: readonly Expression[], compiler: ArgumentCompiler): Code<Value> {
    const { runtime } = this
    const { textOf } = runtime
    const [pattern, replacement, targetNode] = args
    const target: Target | undefined =
      targetNode === undefined
        ? { kind: 'field', index: { kind: 'number', value: 0 } }
        : targetNode.kind === 'variable' || targetNode.kind === 'field' || targetNode.kind === 'element'
          ? targetNode
          : undefined
    const given = map2(compiler.regexOf(required(pattern)), compiler.expression(required(replacement)), (regex, text) => ({
      regex,
      replace: replacementFor(textOf(text)),
    }))
    const isGlobal = name === 'gsub'
    // An expression that cannot be assigned to is left unchanged; only the number of matches is returned.
    const place = target && compiler.place(target)
    const subject = place?.get ?? compiler.expression(required(targetNode))
    const job = map2(given, subject, ({ regex, replace }, value): Job => ({
      text: textOf(value),
      regex,
      replace,
      isGlobal,
      from: 1,
    }))
    if (place === undefined) return this.substitution(job, ({ count }) => count)
    let replaced = ''
    const assign = place.update(
      now(() => replaced),
      (_, value) => value,
      false,
    )
    if (assign.waits) {
      return waitFor(job, async how => {
        const { text, count } = await substituted(how, this.pause)
        replaced = text
        if (count > 0) await assign.run()
        return count
      })
    }
    const { run: write } = assign
    return this.substitution(job, ({ text, count }) => {
      replaced = text
      // A value without a match is not assigned, so that a number remains a number.
      if (count > 0) write()
      return count
    })
  }

  private substitution(job: Code<Job>, use: (result: Substituted) => Value): Code<Value> {
    const { pause } = this
    if (pause === undefined) return map(job, how => use(substitutedAtOnce(how)))
    return waitFor(job, how => {
      const result = substituted(how, pause)
      return result instanceof Promise ? result.then(use) : use(result)
    })
  }

  private sort(name: 'asort' | 'asorti', args: readonly Expression[], compiler: ArgumentCompiler): Code<Value> {
    const { comparedText: textOf } = this.runtime
    const [source, target, how] = args
    const from = arrayOf(source, name, compiler)
    const arrays = map2(from, target === undefined ? from : arrayOf(target, name, compiler), (elements, result) => ({
      elements,
      result,
    }))
    const standard = name === 'asort' ? '@val_type_asc' : '@ind_str_asc'
    const order = how === undefined ? now<Value>(() => standard) : compiler.expression(how)
    return map2(arrays, order, ({ elements, result }, given) => {
      const entries = [...elements].toSorted(
        elementOrder(textOf(given) || standard, { textOf, byFunction: compiler.functions.orderOf }),
      )
      result.clear()
      for (const [index, [key, value]] of entries.entries())
        result.set(String(index + 1), name === 'asort' ? copyOf(value) : new InputText(key))
      return entries.length
    })
  }
  private time(format: string | undefined, seconds: number | undefined, isUtc: boolean): string {
    const zone = isUtc ? '' : (this.runtime.context.env['TZ'] ?? '')
    const timeMs = seconds === undefined ? Date.now() : Math.trunc(seconds) * 1000
    const time = inZone(timeMs, zone) ?? inZone(timeMs, '')
    if (time === undefined) throw new Error('unreachable: UTC is known')
    return formatTime(format ?? '%a %b %e %H:%M:%S %Z %Y', time)
  }

  private makeTime(text: string, isUtc: boolean): number {
    const parts = text.trim().split(/\s+/).map(Number)
    const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = parts
    if (parts.length < 6 || parts.some(Number.isNaN)) return -1
    const local = Date.UTC(year, month - 1, day, hours, minutes, seconds)
    const zone = isUtc ? '' : (this.runtime.context.env['TZ'] ?? '')
    return Math.floor(fromZone(local, zone) / 1000)
  }

  /** Returns a number in [0, 1). The sequence is the same in each run until `srand` is called. */
  private random(): number {
    this.randomState = (this.randomState + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.randomState ^ (this.randomState >>> 15), this.randomState | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function required(node: Expression | undefined): Expression {
  if (node === undefined) throw new Error('unreachable: arguments are counted')
  return node
}

function arrayOf(node: Expression | undefined, name: string, compiler: ArgumentCompiler): Code<AwkArray> {
  if (node?.kind === 'element') return compiler.array({ ...node, kind: 'subarray' })
  if (node?.kind !== 'variable') throw new AwkError(`${name}: an argument is not an array`)
  return compiler.array(node.name)
}

/** An element that is an array is copied with all that it holds. */
function copyOf(slot: Slot): Slot {
  return slot instanceof Map ? new Map(Array.from(slot, ([key, value]) => [key, copyOf(value)])) : slot
}

function upper(character: string): string {
  const changed = character.toUpperCase()
  return changed.length === character.length ? changed : character
}

/** As in gawk, fractions are truncated, and a start before the first character is moved to it. */
function substring(text: string, start: number, length: number): string {
  if (Number.isNaN(start) || Number.isNaN(length)) return ''
  const from = Math.max(1, Math.trunc(start)) - 1
  const end = from + Math.trunc(length)
  if (end <= from) return ''
  return hasWideCharacters(text) ? Array.from(text).slice(from, end).join('') : text.slice(from, end)
}

function numberInAnyBase(value: Value): number {
  if (typeof value === 'number' || value === undefined) return toNumber(value)
  const text = (typeof value === 'string' ? value : value.text).trim()
  const [, sign = '', hex] = /^([+-]?)0[xX]([\da-fA-F]+)/.exec(text) ?? []
  if (hex !== undefined) return (sign === '-' ? -1 : 1) * Number.parseInt(hex, 16)
  const [, octalSign = '', octal] = /^([+-]?)0([0-7]+)(?![\d.eE])/.exec(text) ?? []
  return octal === undefined ? toNumber(value) : (octalSign === '-' ? -1 : 1) * Number.parseInt(octal, 8)
}

function typeName(value: Slot): string {
  if (value instanceof Map) return 'array'
  if (value === undefined) return 'untyped'
  if (typeof value === 'number') return 'number'
  return value instanceof InputText && value.number !== undefined ? 'strnum' : 'string'
}
