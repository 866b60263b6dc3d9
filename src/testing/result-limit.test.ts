// Every result of every tool has a limited size, whatever the files and the call contain, and no error repeats its input.

import { describe, expect, it } from 'vitest'

import { defaultLimits } from '../core/limits.ts'
import { utf8SizeBytes } from '../core/size.ts'
import { toolsets, type ToolsetName } from '../workspace/toolsets.ts'
import { isDeep } from './depth.ts'
import { openToolSession, textOf } from './tool-session.ts'

type Calls = readonly (readonly [tool: string, args: object])[]

const line = 'x'.repeat(isDeep ? 5_000_000 : 300_000)
const printed = isDeep ? 3_000_000 : 200_000
const encoder = new TextEncoder()
const files = {
  long: encoder.encode(`${line}\nneedle\n${line}\n`),
  many: encoder.encode('needle in a row of text\n'.repeat(isDeep ? 100_000 : 6_000)),
  ...Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`d/${'n'.repeat(180)}${index}`, 'needle\n'])),
}
const garbage = 'garbage "quoted" '.repeat(10_000)

const hostile: Readonly<Record<ToolsetName, Calls>> = {
  atomic: [
    ['read', { path: 'long' }],
    ['read', { path: 'long:2-2' }],
    ['read', { path: 'many:raw' }],
    ['read', { path: 'd' }],
    ['search', { pattern: 'needle' }],
    ['search', { pattern: 'needle', paths: 'many' }],
    ['find', { paths: ['d/*'] }],
    ['edit', { input: '[long#0000]\nreplace 2..2:\n+x' }],
    ['edit', { input: garbage }],
    ['read', { path: garbage }],
    ['search', { pattern: `(${garbage}` }],
    ['find', { paths: [`[${garbage}`] }],
    ['write', { path: `${garbage}/`, content: 'x' }],
    ['edit', { input: `[${'p/'.repeat(600)}a#0000]\nreplace 2..2:\n+x` }],
    ['bash', { command: `yes 'a "quoted" row' | head -c ${printed}` }],
  ],
  ah: [
    ['read', { path: 'long' }],
    ['edit', { path: 'long', old_string: 'needle', new_string: 'found' }],
    ['edit', { path: 'many', old_string: garbage, new_string: garbage }],
    ['read', { path: garbage }],
    ['write', { path: `${'n'.repeat(5000)}/x`, content: line }],
    ['bash', { command: `yes row | head -c ${printed}` }],
  ],
  rye: [
    ['read', { file_path: 'long' }],
    ['grep', { pattern: 'needle' }],
    ['glob', { pattern: 'd/*' }],
    ['ls', { path: 'd' }],
    ['write', { file_path: 'many', content: 'other text\n'.repeat(100_000) }],
    ['edit_lines', { file_path: 'long', changes: [{ line_id: garbage, new_content: 'x' }] }],
    ['read', { file_path: garbage }],
  ],
  agsh: [
    ['read_file', { path: 'long' }],
    ['edit_file', { path: 'long', old_string: garbage, new_string: 'x', force: true }],
    ['scratchpad_write', { name: 'n', content: line }],
    ['scratchpad_read', { name: 'n', limit: 5_000_000 }],
    ['scratchpad_read', { name: garbage }],
    ['scratchpad_edit', { name: garbage, old_string: garbage, new_string: garbage }],
    ['scratchpad_delete', { name: garbage }],
    ['scratchpad_list', {}],
    ['write_file', { path: garbage, content: line }],
    ['read_file', { path: garbage }],
  ],
  ecs: [
    ['read_file', { path: 'long' }],
    ['read_file', { path: 'many' }],
    ['edit_file', { file_path: 'many', edits_json: garbage }],
    ['edit_file', { file_path: 'long', edits_json: [{ op: 'replace', pos: '2#0000', lines: [garbage] }] }],
    ['write_file', { path: garbage, content: line }],
    ['bash', { command: `yes row | head -c ${printed}; exit 3` }],
    ['read_file', { path: garbage }],
  ],
}

function stringBytes(value: unknown): number {
  if (typeof value === 'string') return utf8SizeBytes(value)
  return typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, each) => sum + stringBytes(each), 0)
    : 0
}

describe.each(toolsets)('$name', ({ name, tools }) => {
  it('has a row for every tool', () => {
    expect(tools.filter(tool => !hostile[name].some(([own]) => own === tool))).toEqual([])
  })

  it.each(hostile[name].map(([tool, args]) => [tool, JSON.stringify(args).slice(0, 60), args] as const))(
    '%s %s',
    async (tool, _shown, args) => {
      const session = await openToolSession(tool === 'bash' ? {} : files, {
        name,
        shell: tool === 'bash' ? 'just-bash' : 'none',
      })
      if (tool.startsWith('scratchpad')) {
        for (let entry = 0; entry < 40; entry++) {
          await session.call('scratchpad_write', { name: `${'e'.repeat(50)}${entry}`, content: 'x' })
        }
      }
      const result = await session.call(tool, args)
      const text = textOf(result)
      expect(stringBytes(result.structuredContent)).toBeLessThanOrEqual(defaultLimits.resultMaxBytes)
      // One note says what was left out.
      expect(utf8SizeBytes(text)).toBeLessThanOrEqual(defaultLimits.resultMaxBytes + 300)
      if (result.isError) {
        expect(text.length).toBeLessThan(4_000)
        for (const given of [garbage, 'p/'.repeat(600), 'n'.repeat(5000)]) expect(text).not.toContain(given.slice(0, 204))
      }
    },
    120_000,
  )
})

it.each(toolsets.map(({ name, tools: [first] }) => [name, first ?? ''] as const))(
  '%s repeats no long name',
  async (name, first) => {
    const session = await openToolSession({}, { name })
    const long = 'n'.repeat(5000)
    for (const [tool, args] of [
      [long, {}],
      [first, { [long]: 1 }],
      [first, { path: { [long]: 1 } }],
    ] as const) {
      expect(textOf(await session.call(tool, args))).not.toContain('n'.repeat(201))
    }
  },
)

it('holds also for what a toolset says of itself', async () => {
  const broken = Object.fromEntries(
    Array.from({ length: 90 }, (_, index) => [`tools/${'b'.repeat(200)}${index}.json`, `{"name": "${'n'.repeat(900)}"}`]),
  )
  const session = await openToolSession({ f: 'a\n', ...broken }, { name: 'ah', toolset: { limits: { resultMaxBytes: 4000 } } })
  const result = await session.call('read', { path: 'f' })
  expect(utf8SizeBytes(textOf(result))).toBeLessThanOrEqual(4300)
  expect(textOf(result)).toContain('artifact://')
})

it('holds for the object of a result', async () => {
  const session = await openToolSession(
    { f: 'needle in a row of text\n'.repeat(3000) },
    { name: 'rye', toolset: { limits: { resultMaxBytes: 2000 } } },
  )
  for (const [tool, args] of [
    ['read', { file_path: 'f' }],
    ['grep', { pattern: 'needle' }],
  ] as const) {
    const result = await session.call(tool, args)
    expect(stringBytes(result.structuredContent)).toBeLessThanOrEqual(2000)
    expect(result.structuredContent).toMatchObject({ success: true })
  }
})
