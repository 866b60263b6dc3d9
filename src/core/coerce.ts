// Corrects known mistakes of models in tool arguments, if only one meaning is possible. Each correction is a warning.

import { isRecord, ownValue } from './record.ts'
import { shortened } from './shortened.ts'

export type Coerced =
  | { readonly kind: 'ok'; readonly value: Readonly<Record<string, unknown>>; readonly warnings: readonly string[] }
  | { readonly kind: 'invalid'; readonly issues: readonly string[] }

/** The arguments of the tool that several given arguments mean together. */
export interface CombinedArguments {
  readonly input: Readonly<Record<string, unknown>>
  readonly warnings: readonly string[]
}

/** Returns `undefined` to leave the arguments unchanged. */
export type CombineArguments = (input: Readonly<Record<string, unknown>>) => CombinedArguments | undefined

type Warn = (warning: string) => void

/** Converts `input` to the JSON Schema `schema` of an object as far as possible. Validation rejects the rest. */
export function coerceArguments(
  input: unknown,
  schema: Readonly<Record<string, unknown>>,
  aliases: Readonly<Record<string, string>>,
  combine?: CombineArguments,
): Coerced {
  const warnings: string[] = []
  const parsed = typeof input === 'string' ? parsedJson(input) : (input ?? {})
  const combined = isRecord(parsed) ? combine?.(parsed) : undefined
  warnings.push(...(combined?.warnings ?? []))
  const object = combined?.input ?? parsed
  if (!isRecord(object)) return { kind: 'invalid', issues: [`the arguments must be a JSON object, not ${kindOf(input)}`] }
  if (typeof input === 'string') warnings.push('The arguments came as a JSON string; they were read as an object.')

  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  const value: [string, unknown][] = []
  for (const [name, given] of Object.entries(object)) {
    const ownName = Object.hasOwn(properties, name) ? name : aliasOf(name, aliases)
    if (ownName === undefined || !Object.hasOwn(properties, ownName)) {
      warnings.push(`The argument "${shortened(name)}" is unknown and was ignored. Known: ${Object.keys(properties).join(', ')}.`)
      continue
    }
    if (ownName !== name) {
      if (Object.hasOwn(object, ownName)) {
        warnings.push(`The argument "${name}" was ignored because "${ownName}" was given too.`)
        continue
      }
      warnings.push(`The argument "${name}" was read as "${ownName}".`)
    }
    // Models write null for "not given".
    if (given === null && !required.has(ownName)) continue
    const expected = properties[ownName]
    value.push([ownName, isRecord(expected) ? coerceValue(ownName, given, expected, warning => warnings.push(warning)) : given])
  }
  return { kind: 'ok', value: Object.fromEntries(value), warnings }
}

function aliasOf(name: string, aliases: Readonly<Record<string, string>>): string | undefined {
  return ownValue(aliases, name)
}

function coerceValue(name: string, given: unknown, expected: Readonly<Record<string, unknown>>, warn: Warn): unknown {
  const types = typesOf(expected)
  if (types.has(kindOf(given)) || (types.has('integer') && Number.isInteger(given)) || types.size === 0) return given
  if (typeof given === 'string') {
    const text = given.trim()
    if ((types.has('number') || types.has('integer')) && /^[-+]?\d+(\.\d+)?$/.test(text)) {
      warn(`"${name}" came as the text "${text}"; it was read as a number.`)
      return Number(text)
    }
    if (types.has('boolean') && /^(true|false)$/i.test(text)) {
      warn(`"${name}" came as the text "${text}"; it was read as a boolean.`)
      return text.toLowerCase() === 'true'
    }
    if (types.has('array') || types.has('object')) {
      const parsed = parsedJson(text)
      if (parsed !== undefined && types.has(kindOf(parsed))) {
        warn(`"${name}" came as a JSON string; it was read as ${kindOf(parsed) === 'array' ? 'an array' : 'an object'}.`)
        return parsed
      }
      if (types.has('array')) {
        warn(`"${name}" came as one text; it was read as an array of one.`)
        return [given]
      }
    }
  }
  if (types.has('array') && isRecord(given)) {
    warn(`"${name}" came as one object; it was read as an array of one.`)
    return [given]
  }
  if (types.has('string') && (typeof given === 'number' || typeof given === 'boolean')) {
    warn(`"${name}" came as a ${kindOf(given)}; it was read as text.`)
    return String(given)
  }
  return given
}

/** The JSON types that a schema allows, including unions; empty if it allows any. */
function typesOf(schema: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const own = schema['type']
  const types = new Set(typeof own === 'string' ? [own] : Array.isArray(own) ? own.map(String) : [])
  for (const union of [schema['anyOf'], schema['oneOf']]) {
    if (!Array.isArray(union)) continue
    for (const member of union) if (isRecord(member)) for (const type of typesOf(member)) types.add(type)
  }
  return types
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

function parsedJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    // The text is not JSON. Validation rejects it and describes the expected type.
    return undefined
  }
}
