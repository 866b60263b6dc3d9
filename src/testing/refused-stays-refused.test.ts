// Only lines in a successful result count as seen. An edit that was refused because its file changed is refused again when it is repeated,
// also after other failing calls and after a view of other lines; it succeeds once the changed lines were read.

import { describe, expect, it } from 'vitest'

import type { ToolsetName } from '../workspace/toolsets.ts'
import { openToolSession, textOf, type ToolSession } from './tool-session.ts'

type Call = readonly [tool: string, args: object]

interface Row {
  readonly toolset: ToolsetName
  readonly read: (lines?: readonly [first: number, last: number]) => Call
  /** Changes line 40, `target`, as the text of a read named it. */
  readonly edit: (shown: string) => Call
  /** Calls that fail or change nothing, on the same file. */
  readonly failing: (shown: string) => readonly Call[]
}

const first = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? ''

const rows: readonly Row[] = [
  {
    toolset: 'atomic',
    read: lines => ['read', { path: lines === undefined ? 'f' : `f:${lines[0]}-${lines[1]}` }],
    edit: shown => ['edit', { input: `[f#${first(shown, /#([0-9A-F]{4})\]/)}]\nreplace 40..40:\n+changed` }],
    failing: shown => [['edit', { input: `[f#${first(shown, /#([0-9A-F]{4})\]/)}]\nreplace 9999..9999:\n+x` }]],
  },
  {
    toolset: 'ah',
    read: lines => ['read', { path: 'f', ...(lines && { offset: lines[0], limit: lines[1] - lines[0] + 1 }) }],
    edit: () => ['edit', { path: 'f', old_string: 'target\n', new_string: 'changed\n' }],
    failing: () => [
      ['edit', { path: 'f', old_string: 'nowhere', new_string: 'x' }],
      ['edit', { path: 'f', old_string: 'line', new_string: 'x' }],
    ],
  },
  {
    toolset: 'agsh',
    read: lines => ['read_file', { path: 'f', ...(lines && { offset: lines[0] - 1, limit: lines[1] - lines[0] + 1 }) }],
    edit: () => ['edit_file', { path: 'f', old_string: 'target\n', new_string: 'changed\n' }],
    failing: () => [['edit_file', { path: 'f', old_string: 'nowhere', new_string: 'x' }]],
  },
  {
    toolset: 'rye',
    read: lines => ['read', { file_path: 'f', ...(lines && { offset: lines[0], limit: lines[1] - lines[0] + 1 }) }],
    edit: shown => [
      'edit_lines',
      { file_path: 'f', changes: [{ line_id: first(shown, /\[LID:(\w{6})\] target/), new_content: 'changed\n' }] },
    ],
    failing: () => [['edit_lines', { file_path: 'f', changes: [{ line_id: 'ffffff', new_content: 'x\n' }] }]],
  },
  {
    toolset: 'ecs',
    read: lines => ['read_file', { path: 'f', ...(lines && { offset: lines[0], limit: lines[1] - lines[0] + 1 }) }],
    edit: shown => [
      'edit_file',
      { file_path: 'f', edits_json: [{ op: 'replace', pos: first(shown, /^(40#\w{4})\|/m), lines: ['changed'] }] },
    ],
    failing: () => [['edit_file', { file_path: 'f', edits_json: [{ op: 'replace', pos: '1#0000', lines: ['x'] }] }]],
  },
]

const before = [...Array.from({ length: 39 }, (_, index) => `line ${index + 1}`), 'target', 'line 41', 'line 42', ''].join('\n')
/** The line that is meant is replaced by another one with the same ending. */
const after = before.replace('\ntarget\n', '\nanother target\n')

describe.each(rows)('$toolset', ({ toolset, read, edit, failing }) => {
  const open = async (): Promise<{ session: ToolSession; shown: string }> => {
    const session = await openToolSession({ f: before }, { name: toolset })
    const shown = await session.text(...read())
    await session.fs.writeFile('/workspace/f', after)
    return { session, shown }
  }
  const refuse = async (session: ToolSession, shown: string): Promise<void> => {
    const result = await session.call(...edit(shown))
    expect({ isError: result.isError, text: textOf(result) }).toMatchObject({ isError: true })
    expect(await session.file('f')).toBe(after)
  }

  it('repeated', async () => {
    const { session, shown } = await open()
    for (let time = 0; time < 3; time++) await refuse(session, shown)
  })

  it('after other calls that fail', async () => {
    const { session, shown } = await open()
    for (const call of failing(shown)) {
      await refuse(session, shown)
      expect((await session.call(...call)).isError).toBe(true)
      await refuse(session, shown)
    }
  })

  it('after a look at other lines', async () => {
    const { session, shown } = await open()
    await session.text(...read([1, 5]))
    await refuse(session, shown)
  })

  it('after many looks at other lines', async () => {
    const { session, shown } = await open()
    for (let time = 0; time < 20; time++) await session.text(...read([1 + time, 1 + time]))
    await refuse(session, shown)
  })

  it('passes once the lines were read again', async () => {
    const { session, shown } = await open()
    await refuse(session, shown)
    const again = (await session.text(...read())).replace('another target', 'target')
    expect((await session.call(...edit(again))).isError).toBe(false)
  })
})
