import { array, boolean, nullable, number, object, optional, string, union } from 'valibot'
import { describe, expect, it } from 'vitest'

import { argumentSchema } from './schema.ts'

const schema = argumentSchema(
  object({
    path: string(),
    paths: optional(array(string())),
    either: optional(union([string(), array(string())])),
    limit: optional(number()),
    skip: optional(nullable(number())),
    hidden: optional(boolean()),
  }),
  { aliases: { file_path: 'path' } },
)

describe('what is read, and with how many warnings', () => {
  const rows: readonly (readonly [name: string, input: unknown, value: unknown, warningCount: number])[] = [
    ['as declared', { path: 'a', limit: 3 }, { path: 'a', limit: 3 }, 0],
    ['a number as text', { path: 'a', limit: '10' }, { path: 'a', limit: 10 }, 1],
    ['a boolean as text', { path: 'a', hidden: 'False' }, { path: 'a', hidden: false }, 1],
    ['an array as JSON', { path: 'a', paths: '["x","y"]' }, { path: 'a', paths: ['x', 'y'] }, 1],
    ['a lone text for an array', { path: 'a', paths: 'src' }, { path: 'a', paths: ['src'] }, 1],
    ['text where text is allowed too', { path: 'a', either: '["x"]' }, { path: 'a', either: '["x"]' }, 0],
    ['an alias', { file_path: 'a' }, { path: 'a' }, 1],
    ['an alias beside the name', { path: 'a', file_path: 'b' }, { path: 'a' }, 1],
    ['an unknown argument', { path: 'a', colour: 1 }, { path: 'a' }, 1],
    ['null for not given', { path: 'a', limit: null, skip: null }, { path: 'a' }, 0],
    ['a number for text', { path: 7 }, { path: '7' }, 1],
    ['all of it as JSON', '{"path":"a"}', { path: 'a' }, 1],
    ['a name every object has', JSON.parse('{"path":"a","__proto__":{"x":1},"constructor":1}'), { path: 'a' }, 2],
  ]
  it.each(rows)('%s', (_name, input, value, warningCount) => {
    const parsed = schema.parse(input)
    expect(parsed).toMatchObject({ kind: 'ok', value })
    expect(parsed.kind === 'ok' && Object.keys(parsed.value).sort()).toEqual(Object.keys(value as object).sort())
    expect(parsed.kind === 'ok' && parsed.warnings).toHaveLength(warningCount)
  })
})

describe('what is refused, naming the argument', () => {
  const rows: readonly (readonly [name: string, input: unknown, names: string])[] = [
    ['missing', {}, 'path'],
    ['nothing at all', undefined, 'path'],
    ['null for a required one', { path: null }, 'path'],
    ['a list for the arguments', ['a'], 'object'],
    ['a text that is no number', { path: 'a', limit: 'ten' }, 'limit'],
    ['an object for a text', { path: { a: 1 } }, 'path'],
    ['a wrong item', { path: 'a', paths: ['x', 3] }, 'paths.1'],
    ['JSON that is broken', '{"path":', 'object'],
  ]
  it.each(rows)('%s', (_name, input, names) => {
    const parsed = schema.parse(input)
    expect(parsed.kind).toBe('invalid')
    expect(parsed.kind === 'invalid' && parsed.issues.join('; ')).toContain(names)
  })
})

it('shows itself as JSON Schema', () => {
  expect(schema.jsonSchema).toMatchObject({
    type: 'object',
    required: ['path'],
    additionalProperties: false,
    properties: { path: { type: 'string' }, paths: { type: 'array', items: { type: 'string' } } },
  })
})
