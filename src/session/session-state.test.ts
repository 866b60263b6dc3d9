// A conversation that goes on in another session, over another connection to the same files: what was seen and is still the same may be
// edited, and everything else asks for a read.

import { describe, expect, it } from 'vitest'

import { memory } from '../backends/memory/index.ts'
import type { SessionState, Toolset } from '../core/tool.ts'
import { parsePath } from '../core/path.ts'
import { createFakeWorker } from '../testing/wire/pair.ts'
import { textOf } from '../testing/tool-session.ts'
import { connectWorkerLike } from '../worker/client.ts'
import { buildWorkspace } from '../worker/build-workspace.ts'
import { createWorkspace } from '../workspace/create-workspace.ts'
import type { ToolsetName } from '../workspace/workspace.ts'
import { FreshnessLedger } from './freshness.ts'
import { openSeenFiles, sessionState } from './session-state.ts'

const before = 'one\ntwo\nthree\ntwo\n'

interface Row {
  readonly name: ToolsetName
  readonly read: readonly [tool: string, args: object]
  /** From the text that `read` gave. */
  readonly edit: (shown: string) => readonly [tool: string, args: object]
  readonly refusal: string
  /** Whether a session that has seen nothing is refused: line tags and line IDs carry their own proof. */
  readonly needsSight: boolean
}

const rows: readonly Row[] = [
  {
    name: 'atomic',
    read: ['read', { path: 'f' }],
    edit: shown => ['edit', { input: `[f#${/#([0-9A-F]{4})\]/.exec(shown)?.[1]}]\nreplace 1..1:\n+ONE` }],
    refusal: 'edit-tag-stale',
    needsSight: true,
  },
  {
    name: 'agsh',
    read: ['read_file', { path: 'f' }],
    edit: () => ['edit_file', { path: 'f', old_string: 'one', new_string: 'ONE' }],
    refusal: 'file-changed',
    needsSight: true,
  },
  {
    name: 'ecs',
    read: ['read_file', { path: 'f' }],
    edit: shown => [
      'edit_file',
      { file_path: 'f', edits_json: [{ op: 'replace', pos: /1#\w{4}/.exec(shown)?.[0], lines: ['ONE'] }] },
    ],
    refusal: 'stale-tag',
    needsSight: false,
  },
  {
    name: 'rye',
    read: ['read', { file_path: 'f' }],
    edit: shown => [
      'edit_lines',
      { file_path: 'f', changes: [{ line_id: /LID:(\w{6})/.exec(shown)?.[1], new_content: 'ONE\n' }] },
    ],
    refusal: 'stale-line-ids',
    needsSight: false,
  },
]

/** JSON is what a host's storage mostly holds. */
const kept = async (tools: Toolset): Promise<SessionState> => JSON.parse(JSON.stringify(await tools.state())) as SessionState

describe.each(rows)('$name', ({ name, read, edit, refusal, needsSight }) => {
  const open = async (): Promise<{ shown: string; state: SessionState; fs: ReturnType<typeof memory> }> => {
    const fs = memory({ f: before })
    const tools = await (await createWorkspace({ fs, shell: 'none' })).toolset(name)
    const shown = textOf(await tools.call(...read))
    return { shown, state: await kept(tools), fs }
  }
  const editLater = async (
    { shown, state, fs }: Awaited<ReturnType<typeof open>>,
    content: string | undefined,
    given: SessionState | undefined = state,
  ): Promise<{ code: unknown; file: string }> => {
    const workspace = await createWorkspace({ fs, shell: 'none' })
    if (content !== undefined) await workspace.fs.writeFile('/workspace/f', content)
    const tools = await workspace.toolset(name, given === undefined ? {} : { state: given })
    const result = await tools.call(...edit(shown))
    const error = result.details['error'] as { code?: unknown } | undefined
    return { code: error?.code, file: await workspace.fs.readText('/workspace/f') }
  }

  it('goes on where the file is the same, also after it was written anew', async () => {
    expect(await editLater(await open(), undefined)).toEqual({ code: undefined, file: before.replace('one', 'ONE') })
    expect(await editLater(await open(), before)).toEqual({ code: undefined, file: before.replace('one', 'ONE') })
  })

  it.each([
    ['elsewhere', 'one\ntwo\nthree\nfour\n'],
    ['in that line', 'uno\ntwo\nthree\ntwo\n'],
    ['to nothing', ''],
  ])('asks for a read where the file changed %s', async (_where, content) => {
    const { code, file } = await editLater(await open(), content)
    expect(file).toBe(content)
    expect(code).toBeDefined()
    if (content.startsWith('one')) expect(code).toBe(refusal)
  })

  it('without the state, what needs to have seen the file asks for a read', async () => {
    const { code } = await editLater(await open(), undefined, { version: 1, seen: [], tags: [] })
    expect(code !== undefined).toBe(needsSight)
  })
})

it('crosses the wire both ways', async () => {
  const fs = memory({ f: before })
  const first = await connectWorkerLike(createFakeWorker({}, buildWorkspace), { fs, shell: 'none' })
  const tools = await first.toolset('agsh')
  await tools.call('read_file', { path: 'f' })
  const state = await kept(tools)
  await first.dispose()
  const second = await connectWorkerLike(createFakeWorker({}, buildWorkspace), { fs, shell: 'none' })
  const later = await second.toolset('agsh', { state })
  const result = await later.call('edit_file', { path: 'f', old_string: 'one', new_string: 'ONE' })
  expect([result.isError, await second.fs.readText('/workspace/f')]).toEqual([false, before.replace('one', 'ONE')])
  await second.dispose()
})

it('a state of a state is the same state', () => {
  const seen = openSeenFiles(1000, undefined)
  const path = parsePath('/workspace/f')
  seen.freshness.note(path, 1, 'text')
  seen.snapshots.record(path, 'f', 'first\n')
  seen.snapshots.record(path, 'f', 'second\n')
  const state = sessionState(seen)
  expect(state.tags[0]?.[1]).toHaveLength(2)
  expect(sessionState(openSeenFiles(1000, structuredClone(state)))).toEqual(state)
  const restored = openSeenFiles(1000, state).snapshots
  const tag = state.tags[0]?.[1][1]?.[0] ?? ''
  expect(restored.authorize(path, tag, 'second\n').kind).toBe('current')
  expect(restored.authorize(path, tag, 'third\n')).toMatchObject({ kind: 'stale', snapshot: { kind: 'dropped' } })
})

it('a revision says nothing about another session, where counting began anew', () => {
  const { freshness } = openSeenFiles(1000, { version: 1, seen: [['/f', '0'.repeat(64)]], tags: [] })
  expect(freshness.check(parsePath('/f'), 1, 'other')).toBe('changed')
  const ledger = new FreshnessLedger()
  ledger.noteHash(parsePath('/f'), undefined, '0'.repeat(64))
  expect(ledger.check(parsePath('/f'), undefined, 'other')).toBe('changed')
})

const hash = 'a'.repeat(64)
it.each([
  ['text', 'state'],
  ['null', null],
  ['a list', []],
  ['another version', { version: 2, seen: [], tags: [] }],
  ['no lists', { version: 1 }],
  ['a relative path', { version: 1, seen: [['f', hash]], tags: [] }],
  ['a path with a null byte', { version: 1, seen: [['/f\0', hash]], tags: [] }],
  ['half a hash', { version: 1, seen: [['/f', 'aa']], tags: [] }],
  ['a wrong tag', { version: 1, seen: [], tags: [['/f', [['xyz', [hash]]]]] }],
  ['a tag without texts', { version: 1, seen: [], tags: [['/f', [['ABCD']]]] }],
  ['far too much', { version: 1, seen: Array.from({ length: 200_001 }, () => ['/f', hash]), tags: [] }],
])('%s is no state', (_name, state) => {
  expect(() => openSeenFiles(1000, state)).toThrow(expect.objectContaining({ code: 'toolset-options' }))
})
