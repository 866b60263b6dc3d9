// Arguments from the wire are unknown until one of these functions has checked them. Each returns the value with its type or throws
// `wire-refused`. Option objects are copied, with known fields only.

import { actorProblem, type Actor } from '../core/actor.ts'
import { AnchorageError } from '../core/errors.ts'
import { isRecord } from '../core/record.ts'

function refuse(what: string, expected: string): never {
  throw new AnchorageError(
    'wire-refused',
    `The worker refused a call: ${what} must be ${expected}. Next: check the call's arguments.`,
  )
}

export function asText(value: unknown, what: string): string {
  return typeof value === 'string' ? value : refuse(what, 'a string')
}

export function asNumber(value: unknown, what: string): number {
  return typeof value === 'number' ? value : refuse(what, 'a number')
}

export function asRecord(value: unknown, what: string): Readonly<Record<string, unknown>> {
  return isRecord(value) && !ArrayBuffer.isView(value) ? value : refuse(what, 'an object')
}

export function asOptionalRecord(value: unknown, what: string): Readonly<Record<string, unknown>> | undefined {
  return value === undefined ? undefined : asRecord(value, what)
}

export function asOptionalText(value: unknown, what: string): string | undefined {
  return value === undefined ? undefined : asText(value, what)
}

export function asList(value: unknown, what: string): readonly unknown[] {
  return Array.isArray(value) ? value : refuse(what, 'a list')
}

export function asData(value: unknown, what: string): Uint8Array | string {
  return typeof value === 'string' || value instanceof Uint8Array ? value : refuse(what, 'a string or bytes')
}

export function asNumbersByName(value: unknown, what: string): Record<string, number> | undefined {
  if (value === undefined) return undefined
  // fromEntries defines its keys, so a file named __proto__ is an ordinary key.
  return Object.fromEntries(
    Object.entries(asRecord(value, what)).map(([name, number]) => [name, asNumber(number, `${what}.${name}`)]),
  )
}

export function asOneOf<const T extends string>(value: unknown, known: readonly T[], what: string): T {
  return known.find(name => name === value) ?? refuse(what, `one of ${known.join(', ')}`)
}

export function asActor(value: unknown, what: string): Actor {
  return actorProblem(value) === undefined ? (value as Actor) : refuse(what, 'an actor')
}

type Fields = Readonly<Record<string, 'number' | 'boolean' | 'string' | 'strings' | 'globs' | readonly string[]>>

type FieldValue<F> = F extends 'number'
  ? number
  : F extends 'boolean'
    ? boolean
    : F extends 'string'
      ? string
      : F extends 'strings'
        ? readonly string[]
        : F extends 'globs'
          ? string | readonly string[]
          : F extends readonly (infer S)[]
            ? S
            : never

/** An optional object of optional fields, such as `{ recursive: 'boolean' }`; a list of strings is an enumeration. */
export function asOptions<const F extends Fields>(
  value: unknown,
  fields: F,
  what: string,
): { [K in keyof F]?: FieldValue<F[K]> } | undefined {
  if (value === undefined) return undefined
  const record = asRecord(value, what)
  const checked: Record<string, unknown> = {}
  for (const [name, kind] of Object.entries(fields)) {
    const field = Object.hasOwn(record, name) ? record[name] : undefined
    if (field === undefined) continue
    if (!hasKind(field, kind)) refuse(`${what}.${name}`, Array.isArray(kind) ? `one of ${kind.join(', ')}` : `a ${String(kind)}`)
    checked[name] = field
  }
  // The loop above has checked every field.
  return checked as { [K in keyof F]?: FieldValue<F[K]> }
}

/** The same, and refuses every other field by its name. */
export function asOnlyOptions<const F extends Fields>(
  value: unknown,
  fields: F,
  what: string,
): { [K in keyof F]?: FieldValue<F[K]> } | undefined {
  for (const name in asOptionalRecord(value, what))
    if (!Object.hasOwn(fields, name))
      refuse(`${what}.${name}`, `left out: the options are ${Object.keys(fields).join(', ') || 'none'}`)
  return asOptions(value, fields, what)
}

function hasKind(value: unknown, kind: Fields[string]): boolean {
  if (kind === 'globs') return typeof value === 'string' || hasKind(value, 'strings')
  if (kind === 'strings') return Array.isArray(value) && value.every(item => typeof item === 'string')
  if (typeof kind === 'string') return typeof value === kind
  return typeof value === 'string' && kind.includes(value)
}
