// Checks of arguments that a program passes: a wrong one is an error that names it, and not a `TypeError` somewhere inside.

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

type AsyncFunction = (...args: never[]) => Promise<unknown>

/** Throws `wrong-argument` for the first argument that is not of its kind, and for an unknown option. */
export function checkArguments(caller: string, args: readonly unknown[], kinds: readonly ArgumentKind[]): void {
  for (const [index, kind] of kinds.entries()) {
    const value = args[index]
    const what = `${caller}: argument ${index + 1} must be`
    if (typeof kind === 'string') {
      if (!isOfKind(value, kind)) throw wrongArgument(`${what} ${names[kind]}.`)
      continue
    }
    const known = 'needs' in kind ? kind.needs : kind
    if (value === undefined && !('needs' in kind)) continue
    if (!isRecord(value)) throw wrongArgument(`${what} an object of options. It takes ${known.join(', ')}.`)
    const unknown = Object.keys(value).find(name => !known.includes(name))
    if (unknown !== undefined) throw wrongArgument(`${caller}: unknown option ${unknown}. It takes ${known.join(', ')}.`)
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
