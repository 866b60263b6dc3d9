// The form for calls by hand starts from something that can be sent: the schema's own example when it has one, else its
// required fields with values of the right type.

import type { JsonSchema } from 'anchorage'

/** Arguments to start from. `path` is put where the schema wants one and names no example itself. */
export function exampleArgs(schema: JsonSchema, path?: string): Record<string, unknown> {
  const [example] = arrayOf(schema['examples'])
  if (isRecord(example)) return example
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  const args: Record<string, unknown> = {}
  for (const name of arrayOf(schema['required'])) {
    if (typeof name !== 'string') continue
    const property = properties[name]
    args[name] = exampleValue(isRecord(property) ? property : {}, name === 'path' || name === 'file_path' ? path : undefined)
  }
  return args
}

function exampleValue(schema: Record<string, unknown>, preferred: string | undefined): unknown {
  const [example] = arrayOf(schema['examples'])
  if (example !== undefined) return example
  if (preferred !== undefined) return preferred
  if (schema['default'] !== undefined) return schema['default']
  if (schema['const'] !== undefined) return schema['const']
  const [choice] = arrayOf(schema['enum'])
  if (choice !== undefined) return choice
  const alternatives = [...arrayOf(schema['anyOf']), ...arrayOf(schema['oneOf'])].filter(isRecord)
  const [first] = alternatives
  if (first !== undefined) return exampleValue(first, preferred)
  const type = arrayOf(schema['type'])[0] ?? schema['type']
  switch (type) {
    case 'number':
    case 'integer':
      return 0
    case 'boolean':
      return false
    case 'array':
      return isRecord(schema['items']) ? [exampleValue(schema['items'], preferred)] : []
    case 'object':
      return {}
    case 'null':
      return null
    default:
      return ''
  }
}

const arrayOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
