// The general converter is the measure: for every kind that arguments use, ours says the same.

import { toJsonSchema } from '@valibot/to-json-schema'
import * as valibot from 'valibot'
import type { GenericSchema } from 'valibot'
import { expect, it } from 'vitest'

import { jsonSchemaOf } from './json-schema.ts'

const { array, boolean, description, integer, minLength, minValue, nullable, number, object } = valibot
const { optional, picklist, pipe, record, strictObject, string, union, unknown } = valibot

const rows: readonly (readonly [what: string, schema: GenericSchema])[] = [
  ['nothing', object({})],
  ['the simple kinds', object({ s: string(), n: number(), b: boolean(), u: unknown() })],
  ['a choice', object({ p: picklist(['a', 'b']) })],
  ['lists in lists', object({ a: array(array(string())) })],
  ['an object that takes no other names', strictObject({ a: string(), o: optional(strictObject({ b: number() })) })],
  ['what may be left out, with and without a value of its own', object({ a: optional(string()), b: optional(number(), 0) })],
  ['null, and null that may be left out', object({ a: nullable(string()), b: optional(nullable(number())) })],
  ['one of several', object({ a: union([string(), array(string())]) })],
  ['any names', object({ env: record(string(), union([string(), boolean()])) })],
  ['descriptions, outside and inside', object({ a: pipe(optional(pipe(string(), description('in'))), description('out')) })],
  ['a pipe in a pipe', object({ a: pipe(pipe(number(), integer()), minValue(1), description('count')) })],
  [
    'the least length of a text and of a list',
    object({ a: pipe(string(), minLength(1)), b: pipe(array(string()), minLength(2)) }),
  ],
]

it.each(rows)('%s', (_what, schema) => {
  const { $schema: _dialect, ...expected } = toJsonSchema(schema)
  expect(jsonSchemaOf(schema)).toEqual(expected)
})

it.each([
  ['date', object({ a: valibot.date() })],
  ['email', object({ a: pipe(string(), valibot.email()) })],
])('refuses %s, which arguments do not use', (type, schema) => {
  expect(() => jsonSchemaOf(schema)).toThrow(`"${type}"`)
})
