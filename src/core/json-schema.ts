// Converts the valibot schema of a tool's arguments to JSON Schema. It supports only the features that arguments use: the general
// converter is as large as three tools, and every page would load it before its first read.

import type { GenericSchema } from 'valibot'

/** Maps keywords to values. */
type Keywords = Record<string, unknown>

/** The fields of all kinds of valibot schemas. Each kind has some of them. */
interface Part {
  readonly kind: string
  readonly type: string
  readonly pipe?: readonly Part[]
  readonly entries?: Readonly<Record<string, Part>>
  readonly item?: Part
  readonly key?: Part
  readonly value?: Part
  readonly wrapped?: Part
  readonly default?: unknown
  readonly options?: readonly unknown[]
  readonly requirement?: unknown
  readonly description?: string
}

const kinds: Readonly<Record<string, (part: Part) => Keywords>> = {
  string: () => ({ type: 'string' }),
  number: () => ({ type: 'number' }),
  boolean: () => ({ type: 'boolean' }),
  unknown: () => ({}),
  picklist: ({ options }) => ({ type: 'string', enum: options }),
  array: ({ item }) => ({ type: 'array', items: keywordsOf(item) }),
  object: objectKeywords,
  strict_object: part => ({ ...objectKeywords(part), additionalProperties: false }),
  record: ({ key, value }) => ({ type: 'object', propertyNames: keywordsOf(key), additionalProperties: keywordsOf(value) }),
  optional: ({ wrapped, default: preset }) => ({ ...keywordsOf(wrapped), ...(preset === undefined ? {} : { default: preset }) }),
  nullable: ({ wrapped }) => ({ anyOf: [keywordsOf(wrapped), { type: 'null' }] }),
  union: ({ options }) => ({ anyOf: options?.map(option => keywordsOf(option as Part)) }),
}

const actions: Readonly<Record<string, (action: Part, type: unknown) => Keywords>> = {
  description: ({ description }) => ({ description }),
  integer: () => ({ type: 'integer' }),
  min_value: ({ requirement }) => ({ minimum: requirement }),
  min_length: ({ requirement }, type) => (type === 'array' ? { minItems: requirement } : { minLength: requirement }),
}

/** Throws for a schema without an entry in the tables above, since a model must be told everything that is validated. */
export function jsonSchemaOf(schema: GenericSchema): Keywords {
  return keywordsOf(schema as unknown as Part)
}

function keywordsOf(part: Part | undefined): Keywords {
  if (part?.pipe === undefined) return known(kinds, part)(part as Part)
  const [first, ...rest] = part.pipe
  return rest.reduce(
    (keywords, action) => ({ ...keywords, ...known(actions, action)(action, keywords['type']) }),
    keywordsOf(first),
  )
}

function objectKeywords({ entries = {} }: Part): Keywords {
  const names = Object.keys(entries)
  return {
    type: 'object',
    properties: Object.fromEntries(names.map(name => [name, keywordsOf(entries[name])])),
    required: names.filter(name => entries[name]?.type !== 'optional'),
  }
}

function known<T>(table: Readonly<Record<string, T>>, part: Part | undefined): T {
  const entry = table[part?.type ?? 'nothing']
  if (entry === undefined)
    throw new Error(`An argument has a part "${part?.type}", which has no JSON Schema here. Add it to the tables.`)
  return entry
}
