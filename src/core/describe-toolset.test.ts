import { describe, expect, it } from 'vitest'

import { openToolSession } from '../testing/tool-session.ts'
import { describeToolset } from './describe-toolset.ts'

const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
const tool = (
  properties: Readonly<Record<string, unknown>>,
  required: readonly string[] = [],
): Parameters<typeof describeToolset>[0] => [
  {
    name: 'look',
    description: 'One.\n\nTwo.',
    inputSchema: { type: 'object', properties, required },
    annotations,
    executionMode: 'parallel',
    busy: { defaultMs: 1000, minMs: 1000 },
  },
]

it.each([
  [{ type: 'string' }, 'string'],
  [{ type: 'array', items: { type: 'string' } }, 'string[]'],
  [{ anyOf: [{ type: 'string' }, { type: 'array', items: {} }] }, 'string | any[]'],
  [{ enum: ['a', 1] }, '"a" | 1'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{}, 'any'],
])('%j is of type %s', (schema, type) => {
  expect(describeToolset(tool({ path: schema })).tools[0]?.parameters).toEqual([
    { name: 'path', type, isRequired: false, description: '' },
  ])
})

it('says what is needed, and what it costs', () => {
  const { tools, approximateTokens } = describeToolset(tool({ path: { type: 'string', description: 'Where' } }, ['path']))
  expect(tools).toMatchObject([
    { description: 'One.\n\nTwo.', isReadOnly: true, examples: [], parameters: [{ isRequired: true, description: 'Where' }] },
  ])
  const sent =
    '{"name":"look","description":"One.\\n\\nTwo.","input_schema":{"type":"object","properties":{"path":{"type":"string","description":"Where"}},"required":["path"]}}'
  expect(approximateTokens).toBe(Math.ceil(sent.length / 4))
})

describe.each(['agsh', 'ah', 'atomic', 'ecs', 'rye'] as const)('%s', name => {
  it('every parameter of every tool is described', async () => {
    const { tools } = describeToolset((await openToolSession({}, { name })).tools.tools)
    for (const { name: toolName, parameters, description } of tools) {
      expect(description).not.toBe('')
      for (const parameter of parameters) {
        expect({ toolName, ...parameter }).toEqual({ toolName, ...parameter, description: expect.stringMatching(/./) })
        expect(parameter.type).not.toBe('')
      }
    }
  })
})
