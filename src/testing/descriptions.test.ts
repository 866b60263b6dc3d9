// The cost of a toolset for a model before its first call, and the guarantees in the descriptions of the edit tools.

import { describe, expect, it } from 'vitest'

import { justBash } from '../backends/just-bash/index.ts'
import { describeToolset } from '../core/describe-toolset.ts'
import type { ToolsetName } from '../workspace/toolsets.ts'
import { openToolSession, tagIn, type ToolSession } from './tool-session.ts'

const maxTokens = 1500

it.each(['agsh', 'ah', 'atomic', 'ecs', 'rye'] as const)(`the tools of %s cost at most ${maxTokens} tokens`, async name => {
  const session = await openToolSession({}, { name, shell: justBash() })
  expect(describeToolset(session.tools.tools).approximateTokens).toBeLessThanOrEqual(maxTokens)
})

interface Promised {
  readonly toolset: ToolsetName
  /** A part of the description. */
  readonly sentence: string
  readonly before: string
  readonly edit: (session: ToolSession) => Promise<readonly [tool: string, args: object]>
  /** `undefined` if the edit is refused. */
  readonly after: string | undefined
}

const script =
  (operations: string, selector = '') =>
  async (session: ToolSession) =>
    ['edit', { input: `[f.ts#${tagIn(await session.text('read', { path: `f.ts${selector}` }))}]\n${operations}` }] as const

const byId = (content: string) => async (session: ToolSession) => {
  const id = /\[LID:(\w{6})\] b\r?$/m.exec(await session.text('read', { file_path: 'f.ts' }))?.[1]
  return ['edit_lines', { file_path: 'f.ts', changes: [{ line_id: id, new_content: content }] }] as const
}

const byText =
  (readTool: string, editTool: string, old: string, content: string) =>
  async (session: ToolSession): Promise<readonly [string, object]> => {
    await session.text(readTool, { path: 'f.ts' })
    return [editTool, { path: 'f.ts', old_string: old, new_string: content }]
  }

const byTag = (lines: readonly string[]) => async (session: ToolSession) => {
  const tag = /^(2#\w{4})\|/m.exec(await session.text('read_file', { path: 'f.ts' }))?.[1]
  return ['edit_file', { file_path: 'f.ts', edits_json: [{ op: 'replace', pos: tag, lines }] }] as const
}

const belong = 'Numbers belong to the header they came with'
const shift = 'do not shift within a script'
const exact = 'A row is + and then the text exactly'
const endings = 'The file keeps its line endings (LF, CRLF)'
const either = 'LF matches CRLF too, and the file keeps its line endings'
const lastFeed = 'one line feed at its end only ends the last'

const rows: readonly Promised[] = [
  { toolset: 'atomic', sentence: shift, before: 'a\nb\nc\n', edit: script('delete 1..1\nreplace 3..3:\n+C'), after: 'b\nC\n' },
  {
    toolset: 'atomic',
    sentence: belong,
    before: 'a\nb\n',
    edit: async () => ['edit', { input: '[f.ts#0000]\ndelete 1..1' }],
    after: undefined,
  },
  { toolset: 'atomic', sentence: exact, before: 'a\n', edit: script('replace 1..1:\n+  a  '), after: '  a  \n' },
  {
    toolset: 'atomic',
    sentence: '+ alone is an empty line',
    before: 'a\nb\n',
    edit: script('insert after 1:\n+'),
    after: 'a\n\nb\n',
  },
  {
    toolset: 'atomic',
    sentence: 'needs its + too: +- item',
    before: 'a\n',
    edit: script('insert tail:\n+- item\n++\n+[x]'),
    after: 'a\n- item\n+\n[x]\n',
  },
  {
    toolset: 'atomic',
    sentence: 'no old lines with a -',
    before: 'a\nb\n',
    edit: script('replace 2..2:\n-b\n+B'),
    after: undefined,
  },
  {
    toolset: 'atomic',
    sentence: 'Ranges do not overlap',
    before: 'a\nb\n',
    edit: script('delete 1..2\nreplace 2..2:\n+B'),
    after: undefined,
  },
  { toolset: 'atomic', sentence: endings, before: 'a\r\nb\r\n', edit: script('replace 2..2:\n+B\n+C'), after: 'a\r\nB\r\nC\r\n' },
  {
    toolset: 'atomic',
    sentence: 'All sections are written or none',
    before: 'a\n',
    edit: script('delete 1..1\n[g.ts#0000]\ndelete 1..1'),
    after: undefined,
  },
  { toolset: 'rye', sentence: lastFeed, before: 'a\nb\nc\n', edit: byId('B\n'), after: 'a\nB\nc\n' },
  { toolset: 'rye', sentence: lastFeed, before: 'a\nb', edit: byId('B\n'), after: 'a\nB' },
  { toolset: 'rye', sentence: '"" deletes', before: 'a\nb\nc\n', edit: byId(''), after: 'a\nc\n' },
  { toolset: 'rye', sentence: '"\\n" is one empty line', before: 'a\nb\nc\n', edit: byId('\n'), after: 'a\n\nc\n' },
  { toolset: 'rye', sentence: endings, before: 'a\r\nb\r\n', edit: byId('B\nC'), after: 'a\r\nB\r\nC\r\n' },
  {
    toolset: 'ah',
    sentence: either,
    before: 'a\r\nb\r\nc\r\n',
    edit: byText('read', 'edit', 'a\nb', 'A\nB\nB2'),
    after: 'A\r\nB\r\nB2\r\nc\r\n',
  },
  { toolset: 'ah', sentence: 'exactly once', before: 'a\na\n', edit: byText('read', 'edit', 'a', 'b'), after: undefined },
  {
    toolset: 'agsh',
    sentence: either,
    before: 'a\r\nb\r\nc\r\n',
    edit: byText('read_file', 'edit_file', 'a\nb', 'A\nB\nB2'),
    after: 'A\r\nB\r\nB2\r\nc\r\n',
  },
  { toolset: 'ecs', sentence: endings, before: 'a\r\nb\r\n', edit: byTag(['B', 'C']), after: 'a\r\nB\r\nC\r\n' },
  {
    toolset: 'ecs',
    sentence: 'one line without "end" becomes an empty line',
    before: 'a\nb\nc\n',
    edit: byTag([]),
    after: 'a\n\nc\n',
  },
]

describe('what a description says of an edit holds', () => {
  it.each(rows)('$toolset: $sentence: $before', async ({ toolset, sentence, before, edit, after }) => {
    const session = await openToolSession({ 'f.ts': before, 'g.ts': 'g\n' }, { name: toolset })
    expect(session.tools.tools.map(({ description }) => description).join('\n')).toContain(sentence)
    const [tool, args] = await edit(session)
    const result = await session.call(tool, args)
    expect({ isError: result.isError, file: await session.file('f.ts') }).toEqual({
      isError: after === undefined,
      file: after ?? before,
    })
  })
})
