// Nothing escapes (DESIGN §4.3), whichever tool is asked.

import { describe, expect, it } from 'vitest'

import { memory } from '../backends/memory/index.ts'
import { createWorkspace } from '../workspace/create-workspace.ts'
import type { ToolsetName } from '../workspace/workspace.ts'
import { escapePaths, outsideOf, outsideSecret, putEscapes } from './escape-paths.ts'
import { textOf } from './tool-session.ts'

const tag = `1#${'0'.repeat(4)}`
const tools: readonly (readonly [toolset: ToolsetName, tool: string, args: (path: string) => object])[] = [
  ['atomic', 'read', path => ({ path })],
  ['atomic', 'write', path => ({ path, content: 'overwritten' })],
  ['atomic', 'edit', path => ({ input: `[${path}#0000]\nreplace 1..1:\n+overwritten` })],
  ['atomic', 'find', path => ({ paths: [path] })],
  ['atomic', 'search', path => ({ pattern: 'secret', paths: [path] })],
  ['ah', 'read', path => ({ path })],
  ['ah', 'write', path => ({ path, content: 'overwritten' })],
  ['ah', 'edit', path => ({ path, old_string: 'secret', new_string: 'overwritten' })],
  ['agsh', 'read_file', path => ({ path })],
  ['agsh', 'write_file', path => ({ path, content: 'overwritten' })],
  ['agsh', 'edit_file', path => ({ path, old_string: 'secret', new_string: 'overwritten', force: true })],
  ['rye', 'read', path => ({ file_path: path })],
  ['rye', 'write', path => ({ file_path: path, content: 'overwritten' })],
  ['rye', 'edit_lines', path => ({ file_path: path, changes: [{ line_id: 'aaaaaa', new_content: 'overwritten' }] })],
  ['rye', 'glob', path => ({ pattern: '*', path })],
  ['rye', 'grep', path => ({ pattern: 'secret', path })],
  ['rye', 'ls', path => ({ path })],
  ['ecs', 'read_file', path => ({ path })],
  ['ecs', 'write_file', path => ({ path, content: 'overwritten' })],
  ['ecs', 'edit_file', path => ({ file_path: path, edits_json: [{ op: 'replace', pos: tag, lines: ['overwritten'] }] })],
]

describe.each(tools)('%s %s', (toolset, tool, args) => {
  it('refuses every way out', async () => {
    const workspace = await createWorkspace({ fs: memory(), shell: 'none' })
    await putEscapes(workspace.fs)
    const before = await outsideOf(workspace.fs)
    const session = await workspace.toolset(toolset)
    for (const path of escapePaths) {
      const result = await session.call(tool, args(path))
      expect({ path, isError: result.isError }).toEqual({ path, isError: true })
      expect(textOf(result)).not.toContain(outsideSecret.trim())
    }
    expect(await outsideOf(workspace.fs)).toEqual(before)
  })
})

it.each([
  ['glob', { pattern: '**/*secret*' }],
  ['grep', { pattern: 'secret' }],
  ['ls', {}],
])('rye %s of everything follows no link out', async (tool, args) => {
  const workspace = await createWorkspace({ fs: memory(), shell: 'none' })
  await putEscapes(workspace.fs)
  const session = await workspace.toolset('rye')
  const result = await session.call(tool, args)
  expect(result.isError).toBe(false)
  expect(textOf(result)).not.toContain('secret.txt')
  expect(textOf(result)).not.toContain(outsideSecret.trim())
})
