// Parses the words of a call of rg with the table of flags.

import { type Flag, flags } from './flags.ts'
import { defaultOptions, type RgOptions } from './options.ts'
import { pushAll } from '../../core/many.ts'

interface Named {
  readonly flag: Flag
  readonly isOn: boolean
}

const byLong = new Map<string, Named>()
const byShort = new Map<string, Flag>()
for (const flag of flags) {
  for (const name of [flag.name, ...(flag.aliases ?? [])]) byLong.set(name, { flag, isOn: true })
  if (flag.negated !== undefined) byLong.set(flag.negated, { flag, isOn: false })
  if (flag.short !== undefined) byShort.set(flag.short, flag)
}

/** Returns what is wrong as a sentence, if anything is. */
export function parseArguments(words: readonly string[]): RgOptions | string {
  const options = defaultOptions()
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    if (word === '--') {
      pushAll(options.positionals, words.slice(index + 1))
      break
    }
    const next = (): string | undefined => words[(index += 1)]
    const problem = word.startsWith('--')
      ? applyLong(options, word, next)
      : word.startsWith('-') && word !== '-'
        ? applyShort(options, word, next)
        : void options.positionals.push(word)
    if (problem !== undefined) return problem
  }
  return options
}

function applyLong(options: RgOptions, word: string, next: () => string | undefined): string | undefined {
  const equals = word.indexOf('=')
  const shown = equals === -1 ? word : word.slice(0, equals)
  const named = byLong.get(shown.slice(2))
  if (named === undefined) return `unrecognized flag ${shown}${similar(shown.slice(2))}`
  const attached = equals === -1 ? undefined : word.slice(equals + 1)
  const takesValue = named.flag.value !== undefined && named.isOn
  if (attached !== undefined && !takesValue)
    return `invalid CLI arguments: unexpected argument for option '${shown}': ${JSON.stringify(attached)}`
  return apply(options, shown, named, attached === undefined ? next : () => attached)
}

/** Several letters may be combined; the value of the last one may follow directly. */
function applyShort(options: RgOptions, word: string, next: () => string | undefined): string | undefined {
  const letters = Array.from(word.slice(1))
  for (const [index, letter] of letters.entries()) {
    const flag = byShort.get(letter)
    if (flag === undefined) return `unrecognized flag -${letter}`
    if (letter === 'h' || letter === 'V') {
      options.mode = letter === 'h' ? 'short-help' : 'short-version'
      continue
    }
    const rest = letters.slice(index + 1).join('')
    const problem = apply(options, `-${letter}`, { flag, isOn: true }, rest === '' ? next : () => rest.replace(/^=/, ''))
    if (problem !== undefined || flag.value !== undefined) return problem
  }
  return undefined
}

function apply(options: RgOptions, shown: string, { flag, isOn }: Named, value: () => string | undefined): string | undefined {
  if (flag.value === undefined || !isOn) return told(shown, flag.set(options, '', isOn))
  const given = value()
  if (given === undefined) return `missing value for flag ${shown}: missing argument for option '${shown}'`
  return told(shown, flag.set(options, given, true))
}

function told(shown: string, problem: string | undefined | void): string | undefined {
  if (typeof problem !== 'string') return undefined
  return `error parsing flag ${shown}: ${problem}`
}

/** Known names that are similar to the given one. */
function similar(name: string): string {
  const grams = (text: string): Set<string> =>
    new Set(Array.from({ length: Math.max(1, text.length - 2) }, (_, index) => text.slice(index, index + 3)))
  const wanted = grams(name)
  const close = [...byLong.keys()].filter(known => {
    const others = grams(known)
    const shared = [...wanted].filter(gram => others.has(gram)).length
    return shared / (wanted.size + others.size - shared) >= 0.4
  })
  return close.length === 0 ? '' : `\n\nsimilar flags that are available: ${close.map(known => `--${known}`).join(', ')}`
}
