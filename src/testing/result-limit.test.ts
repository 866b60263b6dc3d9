// Every result of every tool has a limited size, whatever the files and the call contain, and no error repeats its input.

import { describe, expect, it } from 'vitest'

import { defaultLimits } from '../core/limits.ts'
import { utf8SizeBytes } from '../core/size.ts'
import { toolsets, type ToolsetName } from '../workspace/toolsets.ts'
import { openToolSession, textOf } from './tool-session.ts'

type Calls = readonly (readonly [tool: string, args: object])[]

const line = 'x'.repeat(5_000_000)
const files = {
  long: `${line}\nneedle\n${line}\n`,
  many: 'needle in a row of text\n'.repeat(100_000),
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
  ],
  ah: [
    ['read', { path: 'long' }],
    ['edit', { path: 'long', old_string: 'needle', new_string: 'found' }],
    ['edit', { path: 'many', old_string: garbage, new_string: garbage }],
    ['read', { path: garbage }],
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
    ['read_file', { path: garbage }],
  ],
  ecs: [
    ['read_file', { path: 'long' }],
    ['read_file', { path: 'many' }],
    ['edit_file', { file_path: 'many', edits_json: garbage }],
    ['edit_file', { file_path: 'long', edits_json: [{ op: 'replace', pos: '2#0000', lines: [garbage] }] }],
    ['read_file', { path: garbage }],
  ],
}

describe.each(toolsets)('$name', ({ name }) => {
  it.each(hostile[name].map(([tool, args]) => [tool, JSON.stringify(args).slice(0, 60), args] as const))(
    '%s %s',
    async (tool, _shown, args) => {
      const session = await openToolSession(files, { name })
      const result = await session.call(tool, args)
      const text = textOf(result)
      // One note says what was left out.
      expect(utf8SizeBytes(text)).toBeLessThanOrEqual(defaultLimits.resultMaxBytes + 300)
      if (result.isError) {
        expect(text.length).toBeLessThan(4_000)
        expect(text).not.toContain(garbage.slice(0, 400))
      }
    },
    120_000,
  )
})
