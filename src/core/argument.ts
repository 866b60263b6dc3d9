// Checks of arguments that a program passes: a wrong one is an error that names it, and not a `TypeError` somewhere inside.

import { isSignal } from './abort.ts'
import { wrongArgument } from './errors.ts'
import { isRecord } from './record.ts'

/** A list has the names of an optional object of options; `needs` those of an object that must be given. `?`: may be left out. */
export type ArgumentKind =
  | 'text'
  | 'text?'
  | 'texts'
  | 'list'
  | 'data'
  | 'number'
  | 'number?'
  | 'function'
  | readonly string[]
  | { readonly needs: readonly string[] }

/** A member for each option of `Options`, so that none is forgotten. */
export type OptionNames<Options> = { readonly [Name in keyof Required<Options>]: 1 }

type AsyncFunction = (...args: never[]) => Promise<unknown>

/** Throws `wrong-argument` for the first argument that is not of its kind, and for an unknown option. */
export function checkArguments(caller: string, args: readonly unknown[], kinds: readonly ArgumentKind[]): void {
  for (const [index, kind] of kinds.entries()) {
    const value = args[index]
    const what = `argument ${index + 1}`
    if (typeof kind !== 'string') {
      if (value !== undefined || 'needs' in kind) checkNames(caller, what, value, 'needs' in kind ? kind.needs : kind)
    } else if (!isOfKind(value, kind)) throw wrongArgument(`${caller}: ${what} must be ${names[kind]}.`)
  }
}

/** Throws `wrong-argument` unless the options are left out, or are an object with no other names than these. */
export function checkOptions<Options extends object>(
  caller: string,
  options: Options | undefined,
  known: OptionNames<Options>,
): void {
  if (options !== undefined) checkNames(caller, 'options', options, Object.keys(known))
}

/** Throws `wrong-argument` unless the value is an object with no other names than the known ones, and with usable signals and listeners. */
export function checkNames(caller: string, what: string, value: unknown, known: readonly string[]): void {
  const next = `It takes ${known.join(', ')}.`
  if (!isRecord(value)) throw wrongArgument(`${caller}: ${what} must be an object of options. ${next}`)
  // Inherited names too: those of an `AbortSignal` that was passed instead of an object with it.
  for (const name in value) {
    if (!known.includes(name)) throw wrongArgument(`${caller}: unknown option ${name}. ${next}`)
    const given = value[name]
    if (name === 'signal' && !isSignal(given)) throw wrongArgument(`${caller}: signal must be an AbortSignal.`)
    if (/^on(Progress|Result|Update)$/.test(name) && given !== undefined && typeof given !== 'function')
      throw wrongArgument(`${caller}: ${name} must be a function.`)
  }
}

const names = {
  text: 'a string',
  'text?': 'a string, or left out',
  texts: 'a list of strings',
  list: 'a list',
  data: 'a string or bytes',
  number: 'a number',
  'number?': 'a number, or left out',
  function: 'a function',
}

function isOfKind(value: unknown, kind: keyof typeof names): boolean {
  if (kind === 'texts') return Array.isArray(value) && value.every(item => typeof item === 'string')
  if (kind === 'list') return Array.isArray(value)
  if (kind === 'data') return typeof value === 'string' || value instanceof Uint8Array
  if (kind.endsWith('?') && value === undefined) return true
  return typeof value === { text: 'string', number: 'number', function: 'function' }[kind.replace('?', '')]
}

/** The named functions of an object, each of which rejects with `wrong-argument` before it begins. */
export function checkedFunctions<F extends { readonly [K in keyof F]: AsyncFunction }>(
  prefix: string,
  functions: F,
  kinds: { readonly [K in keyof F]: readonly ArgumentKind[] },
): F {
  const checked = Object.keys(kinds).map(name => {
    const method: AsyncFunction = Reflect.get(functions, name)
    const call = async (...args: readonly unknown[]): Promise<unknown> => {
      checkArguments(`${prefix}.${name}`, args, Reflect.get(kinds, name))
      return await Reflect.apply(method, functions, args)
    }
    return [name, call]
  })
  // The names are those of `F`, and each function takes and returns the same.
  return Object.fromEntries(checked) as F
}
