// What models send that is not the form of the toolset: the forms of other tools, and slips. What can only mean one thing is done; all
// else is named, with the change in the toolset's own form as far as it can be told.

import { describe, expect, it } from 'vitest'

import type { ToolsetName } from '../workspace/toolsets.ts'
import { openToolSession, tagIn, textOf, type ToolSession } from './tool-session.ts'

const text = 'one\ntwo\nthree\nfour\nfive\nsix\n'
const files = { 'a.ts': text, 'b.ts': text, 'docs/c.md': text }

interface Row {
  readonly form: string
  readonly toolset: ToolsetName
  /** What is called once `a.ts` was read: `TAG` is the tag of atomic's header, `ID2` that of line 2. */
  readonly tool: string
  readonly args: unknown
  /** What `a.ts` is then; without it the call must fail and change nothing. */
  readonly after?: string
  readonly says?: string | RegExp
}

const row = (toolset: ToolsetName, form: string, tool: string, args: unknown, rest: Pick<Row, 'after' | 'says'>): Row => ({
  form,
  toolset,
  tool,
  args,
  ...rest,
})
const script = (form: string, input: string, rest: Pick<Row, 'after' | 'says'>): Row =>
  row('atomic', form, 'edit', { input }, rest)

const changed = text.replace('two', 'TWO')
const ours = /\[(?:a\.ts|path)#(?:[0-9A-F]{4}|TAG)\]\nreplace (?:2\.\.2|N\.\.M):\n\+TWO/
const filled = /Send this instead:\n(\[a\.ts#[0-9A-F]{4}\]\nreplace 2\.\.2:\n\+TWO)$/

const diff = '--- a/a.ts\n+++ b/a.ts\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n'

const rows: readonly Row[] = [
  script('a unified diff', '--- a/a.ts\n+++ b/a.ts\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n', {
    says: /unified diff[^]*\+TWO/,
  }),
  script('a diff of git', 'diff --git a/a.ts b/a.ts\n@@ -2 +2 @@\n-two\n+TWO\n', { says: ours }),
  script('SEARCH/REPLACE', 'a.ts\n<<<<<<< SEARCH\ntwo\n=======\nTWO\n>>>>>>> REPLACE\n', { says: ours }),
  script('apply_patch', '*** Begin Patch\n*** Update File: a.ts\n@@\n-two\n+TWO\n*** End Patch\n', { says: ours }),
  script('JSON edits', '{"path":"a.ts","edits":[{"old_string":"two","new_string":"TWO"}]}', { says: ours }),
  script('a list of JSON edits', '[{"oldText":"two","newText":"TWO"}]', { says: ours }),
  row(
    'atomic',
    'old_string arguments',
    'edit',
    { path: 'a.ts', old_string: 'two', new_string: 'TWO' },
    { says: /old_string[^]*\+TWO/ },
  ),
  row('atomic', 'oldText arguments', 'edit', { file_path: 'a.ts', oldText: 'two', newText: 'TWO' }, { says: /\+TWO/ }),
  script('a fence around the script', '```\n[a.ts#TAG]\nreplace 2..2:\n+TWO\n```', { after: changed, says: 'fence' }),
  script('a fence with a language', '```diff\n[a.ts#TAG]\nreplace 2..2:\n+TWO\n```\n', { after: changed }),
  script('an indented script', '  [a.ts#TAG]\n  replace 2..2:\n  +TWO', { after: changed }),
  script('a fence in the rows', '[a.ts#TAG]\nreplace 2..2:\n+TWO\n```', { says: 'fence' }),
  script('literal line feeds', '[a.ts#TAG]\\nreplace 2..2:\\n+TWO', { says: /real line feeds/ }),
  script('blanks in the header', '[ a.ts#TAG ]\nreplace 2..2:\n+TWO', { after: changed }),
  script('patch words in the header', '[***a.ts#TAG]\nreplace 2..2:\n+TWO', { after: changed }),
  script('more of them', '[*** Update File: a.ts#TAG]\nreplace 2..2:\n+TWO', { after: changed }),
  script('a colon after delete', '[a.ts#TAG]\ndelete 4..4:', { after: text.replace('four\n', '') }),
  script('upper-case verbs', '[a.ts#TAG]\nREPLACE 2..2:\n+TWO\nDELETE 4..4', { after: changed.replace('four\n', '') }),
  script('one file by two names', '[a.ts#TAG]\nreplace 2..2:\n+TWO\n[./a.ts#TAG]\ndelete 4..4', {
    after: changed.replace('four\n', ''),
  }),
  script('a selector in the header', '[a.ts:3-5#TAG]\nreplace 2..2:\n+TWO', { says: /selects lines \(:3-5\)/ }),
  script('a line feed in a name', '[a.ts\nb.ts#TAG]\nreplace 2..2:\n+TWO', { says: 'header' }),
  script('remarks after the rows', '[a.ts#TAG]\nreplace 2..2:\n+TWO\n\nThis renames it.', { says: 'remark' }),
  script('an indented row', '[a.ts#TAG]\nreplace 2..2:\n  +  TWO', { says: 'blanks before its +' }),
  script('a number in a row', '[a.ts#TAG]\nreplace 2..2:\n+2:TWO', { after: changed, says: 'Warning' }),
  script('rows that stand for others', '[a.ts#TAG]\nreplace 2..5:\n+TWO\n+// ... existing code ...', { says: 'existing code' }),
  row('atomic', 'a list of scripts', 'edit', { input: ['[a.ts#TAG]\nreplace 2..2:\n+TWO'] }, { says: 'input' }),
  row('ah', 'camel case', 'edit', { filePath: 'a.ts', oldString: 'two', newString: 'TWO' }, { after: changed }),
  row('ah', 'oldText and newText', 'edit', { path: 'a.ts', oldText: 'two', newText: 'TWO' }, { after: changed }),
  row('ah', 'line numbers in the text', 'edit', { path: 'a.ts', old_string: '2\ttwo', new_string: 'TWO' }, { says: /number/i }),
  row(
    'ah',
    'text that is not there',
    'edit',
    { path: 'a.ts', old_string: 'two!\nthree', new_string: 'x' },
    { says: /2: two\n3: three/ },
  ),
  row(
    'ah',
    'old and new are equal',
    'edit',
    { path: 'a.ts', old_string: 'two', new_string: 'two' },
    { after: text, says: 'No change' },
  ),
  row('agsh', 'oldText and newText', 'edit_file', { file_path: 'a.ts', oldText: 'two', newText: 'TWO' }, { after: changed }),
  row(
    'agsh',
    'text that is not there',
    'edit_file',
    { path: 'a.ts', old_string: 'two!\nthree', new_string: 'x' },
    { says: /2: two\n3: three/ },
  ),
  row(
    'rye',
    'one change without a list',
    'edit_lines',
    { file_path: 'a.ts', changes: { line_id: 'ID2', new_content: 'TWO' } },
    { after: changed },
  ),
  row(
    'rye',
    'a list as text',
    'edit_lines',
    { file_path: 'a.ts', changes: '[{"line_id":"ID2","new_content":"TWO"}]' },
    { after: changed },
  ),
  row(
    'ecs',
    'one edit without a list',
    'edit_file',
    { path: 'a.ts', edits_json: { op: 'replace', pos: 'ID2', lines: ['TWO'] } },
    { after: changed },
  ),
  row(
    'ecs',
    'op delete',
    'edit_file',
    { path: 'a.ts', edits_json: [{ op: 'delete', pos: 'ID2', end: 'ID2' }] },
    { after: text.replace('two\n', '') },
  ),
  row(
    'ecs',
    'old_string in an edit',
    'edit_file',
    { path: 'a.ts', edits_json: [{ old_string: 'two', new_string: 'TWO' }] },
    { says: /"op":"replace"[^]*"lines":\["TWO"\]/ },
  ),
  row('ecs', 'a unified diff', 'edit_file', { path: 'a.ts', edits_json: diff }, { says: /unified diff[^]*\["TWO"\]/ }),
  row(
    'ecs',
    'capital verbs',
    'edit_file',
    { path: 'a.ts', edits_json: [{ op: 'REPLACE', pos: 'ID2', lines: ['TWO'] }] },
    { after: changed },
  ),
  row(
    'ah',
    'a unified diff',
    'edit',
    { path: 'a.ts', patch: diff },
    { says: /unified diff[^]*"old_string":"two","new_string":"TWO"/ },
  ),
  row(
    'ah',
    'a list of edits',
    'edit',
    { path: 'a.ts', edits: [{ oldText: 'two', newText: 'TWO' }] },
    { says: /"old_string":"two","new_string":"TWO"/ },
  ),
  row(
    'agsh',
    'SEARCH/REPLACE',
    'edit_file',
    { path: 'a.ts', input: '<<<<<<< SEARCH\ntwo\n=======\nTWO\n>>>>>>> REPLACE' },
    { says: /"old_string":"two","new_string":"TWO"/ },
  ),
  row(
    'rye',
    'old_string arguments',
    'edit_lines',
    { path: 'a.ts', old_string: 'two', new_string: 'TWO' },
    { says: /old_string[^]*"new_content":"TWO\\n"/ },
  ),
  row(
    'rye',
    'an apply_patch patch',
    'edit_lines',
    { path: 'a.ts', changes: '*** Begin Patch\n*** Update File: a.ts\n@@\n-two\n+TWO\n*** End Patch' },
    { says: /apply_patch[^]*"new_content":"TWO\\n"/ },
  ),
]

async function opened(toolset: ToolsetName): Promise<{ readonly session: ToolSession; fill: (args: unknown) => unknown }> {
  const session = await openToolSession(files, { name: toolset })
  const readTool = session.tools.tools.find(({ name }) => name.startsWith('read'))?.name ?? 'read'
  const shown = await session.text(readTool, toolset === 'rye' ? { file_path: 'a.ts' } : { path: 'a.ts' })
  const tag = toolset === 'atomic' ? tagIn(shown) : ''
  const id = /\[LID:(\w{6})\] two/.exec(shown)?.[1] ?? /^(2#\w{4})\|/m.exec(shown)?.[1] ?? ''
  return {
    session,
    fill: args => JSON.parse(JSON.stringify(args).replaceAll('#TAG', `#${tag}`).replaceAll('ID2', id)) as unknown,
  }
}

const foreignRows = rows.filter(({ toolset, says }) => toolset === 'atomic' && (says === ours || String(says).includes('TWO')))

describe('forms of other tools, and slips', () => {
  it.each(foreignRows.filter(({ form }) => form !== 'a list of JSON edits'))(
    'the answer to $form is a script that makes the change',
    async ({ tool, args }) => {
      const { session, fill } = await opened('atomic')
      const script = filled.exec(textOf(await session.call(tool, fill(args))))?.[1]
      await session.text('edit', { input: script })
      expect(await session.file('a.ts')).toBe(changed)
    },
  )

  it.each(rows)('$toolset: $form', async ({ toolset, tool, args, after, says }) => {
    const { session, fill } = await opened(toolset)
    const result = await session.call(tool, fill(args))
    const answer = textOf(result)
    expect({ isError: result.isError, file: await session.file('a.ts') }, answer).toEqual({
      isError: after === undefined,
      file: after ?? text,
    })
    if (typeof says === 'string') expect(answer).toContain(says)
    else if (says !== undefined) expect(answer).toMatch(says)
  })

  it.each(rows.filter(({ after }) => after === undefined))(
    '$toolset: $form: the answer does not echo long input',
    async broken => {
      const { session, fill } = await opened(broken.toolset)
      const long = JSON.stringify(fill(broken.args))
        .replaceAll('TWO', 'W'.repeat(3000))
        .replaceAll('two!', `two!${'w'.repeat(3000)}`)
      const answer = textOf(await session.call(broken.tool, JSON.parse(long)))
      expect(answer).not.toMatch(/w{201}|W{201}/)
    },
  )
})
