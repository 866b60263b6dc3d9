import { expect, test } from 'vitest'
import { exampleArgs } from './example-args.ts'

const object = (
  properties: Record<string, unknown>,
  required: readonly string[] = Object.keys(properties),
): Record<string, unknown> => ({
  type: 'object',
  properties,
  required,
})

test.each([
  ['the schema names an example', { ...object({ a: { type: 'string' } }), examples: [{ a: 'x' }] }, { a: 'x' }],
  ['nothing is required', object({ a: { type: 'string' } }, []), {}],
  ['no schema to speak of', {}, {}],
  ['a path', object({ path: { type: 'string' } }), { path: 'src/a.ts' }],
  ['a path with an example of its own', object({ path: { type: 'string', examples: ['b.ts'] } }), { path: 'b.ts' }],
  ['plain types', object({ s: { type: 'string' }, n: { type: 'number' }, b: { type: 'boolean' } }), { s: '', n: 0, b: false }],
  ['a list', object({ list: { type: 'array', items: { type: 'string' } } }), { list: [''] }],
  ['a choice', object({ mode: { enum: ['fast', 'slow'] } }), { mode: 'fast' }],
  ['alternatives', object({ paths: { anyOf: [{ type: 'string' }, { type: 'array' }] } }), { paths: '' }],
  ['a field that is required but not described', object({}, ['x']), { x: '' }],
])('%s', (_name, schema, expected) => {
  expect(exampleArgs({ type: 'object', ...schema }, 'src/a.ts')).toEqual(expected)
})
