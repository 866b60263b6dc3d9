// The options of a command as a table, used for parsing, refusals and usage.

import { failure, fatal, GitFailure } from './errors.ts'

export interface OptionRow {
  /** Without dashes: one letter is `-x`, more is `--name`. The first long name, or else the letter, is the key in `Options`. */
  readonly names: readonly string[]
  /** The name of its argument in the usage. Optional: only after `=` or the letter itself; `at the end`: only the last word may lack it. */
  readonly argument?: { readonly name: string; readonly isOptional?: boolean; readonly isOptionalAtEnd?: boolean }
  /** The key, where it is not the name: `--staged` is `cached`. */
  readonly key?: string
  /** A value that the option stands for: `--name-only` is `format` with `name-only`. */
  readonly value?: string
  /** False: `--no-…` does not exist. */
  readonly isNegatable?: boolean
  /** Git has this option, but it is not built here; the text gives the reason. */
  readonly refuses?: string
  /** The same for `--no-…`. */
  readonly refusesNegated?: string
  /** Values with the same effect as what is built here; all others are refused. */
  readonly accepts?: readonly string[]
  /** All values that git knows. */
  readonly values?: readonly string[]
  /** Kept among the words, because its position between them matters. */
  readonly isWord?: boolean
  /** Accepted because it has no effect here. */
  readonly isIgnored?: boolean
}

/** How a command reports an unknown option. */
export type UnknownOption = 'usage' | 'revision' | 'diff'

export interface OptionTable {
  readonly rows: readonly OptionRow[]
  /** The key of the number in `-5`. */
  readonly numberKey?: string
  /** The first word that is not an option ends the options. */
  readonly stopsAtWord?: boolean
  readonly onUnknown?: UnknownOption
  readonly usage: string
}

interface Given {
  readonly key: string
  readonly value: string | undefined
  readonly isNegated: boolean
  readonly wordsBefore?: number
}

export class Options {
  readonly given: readonly Given[]
  /** The words that are not options, except those after `--`. */
  readonly words: readonly string[]
  /** The words after `--`; `undefined` without `--`. */
  readonly paths: readonly string[] | undefined

  constructor(given: readonly Given[], words: readonly string[], paths: readonly string[] | undefined) {
    this.given = given
    this.words = words
    this.paths = paths
  }

  /** With these options, where they are not given or negated. A flag has no value. */
  withUsual(usual: readonly (readonly [key: string, value: string | true])[]): Options {
    const added = usual
      .filter(([key]) => !this.given.some(option => option.key === key))
      .map(([key, value]) => ({ key, value: value === true ? undefined : value, isNegated: false }))
    return added.length === 0 ? this : new Options([...added, ...this.given], this.words, this.paths)
  }

  /** All words, including those after `--`. */
  get all(): readonly string[] {
    return this.paths === undefined ? this.words : [...this.words, ...this.paths]
  }

  /** Whether the option was given and not negated later. */
  has(key: string): boolean {
    const last = this.given.findLast(option => option.key === key)
    return last !== undefined && !last.isNegated
  }

  isNegated(key: string): boolean {
    return this.given.findLast(option => option.key === key)?.isNegated ?? false
  }

  /** The last value; also `undefined` for an option without a value. */
  value(key: string): string | undefined {
    const last = this.given.findLast(option => option.key === key)
    return last?.isNegated ? undefined : last?.value
  }

  /** All values; `--no-…` removes those before it. */
  values(key: string): readonly string[] {
    const start = this.given.findLastIndex(option => option.key === key && option.isNegated)
    return this.given.slice(start + 1).flatMap(option => (option.key === key && option.value !== undefined ? [option.value] : []))
  }

  count(key: string): number {
    const start = this.given.findLastIndex(option => option.key === key && option.isNegated)
    return this.given.slice(start + 1).filter(option => option.key === key).length
  }

  number(key: string): number | undefined {
    const value = this.value(key)
    if (value === undefined) return undefined
    if (!/^-?\d+$/.test(value)) throw new GitFailure(`error: option \`${key}' expects a numerical value`, 129)
    return Number(value)
  }
}

export function parseOptions(table: OptionTable, args: readonly string[]): Options {
  return new Parser(table, args).run()
}

class Parser {
  readonly #table: OptionTable
  readonly #args: readonly string[]
  readonly #given: Given[] = []
  readonly #words: string[] = []
  #at = 0

  constructor(table: OptionTable, args: readonly string[]) {
    this.#table = table
    this.#args = args
  }

  run(): Options {
    while (this.#at < this.#args.length) {
      const word = this.#args[this.#at++] ?? ''
      if (word === '--') return new Options(this.#given, this.#words, this.#args.slice(this.#at))
      if (word === '--end-of-options') {
        for (const word of this.#args.slice(this.#at)) this.#words.push(word)
        break
      }
      if (word.startsWith('--')) this.#long(word)
      else if (word.startsWith('-') && word !== '-') this.#short(word)
      else {
        this.#words.push(word)
        if (!this.#table.stopsAtWord) continue
        for (const word of this.#args.slice(this.#at)) this.#words.push(word)
        break
      }
    }
    return new Options(this.#given, this.#words, undefined)
  }

  #long(word: string): void {
    const equals = word.indexOf('=')
    const name = word.slice(2, equals === -1 ? undefined : equals)
    const value = equals === -1 ? undefined : word.slice(equals + 1)
    const found = this.#find(name)
    if (found === undefined) throw this.#unknown(word, name)
    if (found.row.isWord) this.#words.push(word)
    else this.#take(found.row, name, found.isNegated, value, 'long')
  }

  #find(name: string): { readonly row: OptionRow; readonly isNegated: boolean } | undefined {
    const { rows } = this.#table
    const exact = rows.find(row => row.names.some(own => own.length > 1 && own === name))
    if (exact !== undefined) return { row: exact, isNegated: false }
    const positive = name.startsWith('no-') ? name.slice(3) : undefined
    const negated =
      positive === undefined
        ? undefined
        : rows.find(row => row.isNegatable !== false && row.names.some(own => own.length > 1 && own === positive))
    if (negated !== undefined) return { row: negated, isNegated: true }
    const doubled = rows.find(row => row.isNegatable !== false && row.names.includes(`no-${name}`))
    if (doubled !== undefined) return { row: doubled, isNegated: true }
    // A name may be shortened to a unique beginning.
    if (this.#table.onUnknown === 'revision') return undefined
    const begun = rows.filter(row => row.names.some(own => own.length > 1 && own.startsWith(name)))
    const [only, second] = begun
    if (second !== undefined && begun.some(row => keyOf(row) !== keyOf(second))) {
      const names = begun.map(row => `--${row.names.find(own => own.length > 1 && own.startsWith(name)) ?? ''}`)
      throw this.#withUsage(`error: ambiguous option: ${name} (could be ${names[0]} or ${names[1]})`)
    }
    return only === undefined ? undefined : { row: only, isNegated: false }
  }

  #short(word: string): void {
    if (this.#table.numberKey !== undefined && /^-\d+$/.test(word)) {
      this.#given.push({ key: this.#table.numberKey, value: word.slice(1), isNegated: false })
      return
    }
    for (let at = 1; at < word.length; at++) {
      const letter = word[at] ?? ''
      const row = this.#table.rows.find(candidate => candidate.names.includes(letter))
      if (row === undefined) throw this.#unknown(word, letter)
      const rest = word.slice(at + 1)
      if (row.argument === undefined) {
        this.#take(row, letter, false, undefined, 'short')
        continue
      }
      this.#take(row, letter, false, rest === '' ? undefined : rest, 'short')
      return
    }
  }

  #take(row: OptionRow, name: string, isNegated: boolean, given: string | undefined, form: 'long' | 'short'): void {
    if (row.refuses !== undefined && !isNegated)
      throw new GitFailure(`error: ${form === 'long' ? '--' : '-'}${name}: ${row.refuses}`, 129)
    if (row.refusesNegated !== undefined && isNegated) throw new GitFailure(`error: --${name}: ${row.refusesNegated}`, 129)
    let value = given
    if (!isNegated && row.argument !== undefined && !row.argument.isOptional && value === undefined) {
      value = this.#args[this.#at++]
      if (value === undefined && row.argument.isOptionalAtEnd !== true) {
        if (this.#table.onUnknown === 'revision') throw fatal(`Option '${name}' requires a value`)
        throw this.#withUsage(
          form === 'long' ? `error: option \`${name}' requires a value` : `error: switch \`${name}' requires a value`,
        )
      }
    }
    if ((row.argument === undefined || isNegated) && given !== undefined) {
      throw this.#withUsage(`error: option \`${name}' takes no value`)
    }
    if (!isNegated && value !== undefined && row.accepts?.includes(value) === false)
      throw new GitFailure(`error: --${name}: '${value}' is not built into this git`, 129)
    if (value !== undefined && row.values?.includes(value) === false) throw failure(`invalid argument to --${name}`, 128)
    if (row.isIgnored) return
    this.#given.push({ key: keyOf(row), value: row.value ?? value, isNegated, wordsBefore: this.#words.length })
  }

  #unknown(word: string, name: string): GitFailure {
    switch (this.#table.onUnknown ?? 'usage') {
      case 'revision':
        return fatal(`unrecognized argument: ${word}`)
      case 'diff':
        return new GitFailure(`error: invalid option: ${word}`, 255)
      case 'usage':
        return this.#withUsage(word.startsWith('--') ? `error: unknown option \`${name}'` : `error: unknown switch \`${name}'`)
    }
  }

  #withUsage(message: string): GitFailure {
    return new GitFailure(`${message}\nusage: ${this.#table.usage}\n`, 129)
  }
}

function keyOf(row: OptionRow): string {
  return row.key ?? row.names.find(name => name.length > 1) ?? row.names[0] ?? ''
}
