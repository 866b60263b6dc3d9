// A conversation that continues in another session, over another connection to the same files. It behaves as it would have without the
// break. With a state that has no room for texts, unchanged files may be edited, and everything else asks for a read.

import { describe, expect, it } from 'vitest'

import { memory } from '../backends/memory/index.ts'
import type { Limits } from '../core/limits.ts'
import type { SessionState, Toolset } from '../core/tool.ts'
import { parsePath } from '../core/path.ts'
import { createFakeWorker } from '../testing/wire/pair.ts'
import { textOf } from '../testing/tool-session.ts'
import { connectWorkerLike } from '../worker/client.ts'
import { buildWorkspace } from '../worker/build-workspace.ts'
import { createWorkspace } from '../workspace/create-workspace.ts'
import type { ToolsetName } from '../workspace/toolsets.ts'
import { FreshnessLedger } from './freshness.ts'
import { openMemory as openRestored, type SessionMemory } from './session-memory.ts'
import { readState, sessionState } from './session-state.ts'
import { checkOf } from './state-parts.ts'

const openMemory = (maxBytes: number, given: unknown): SessionMemory =>
  openRestored(maxBytes, given === undefined ? undefined : readState(given, 'atomic'))

const before = 'one\ntwo\nthree\ntwo\n'

interface Row {
  readonly name: ToolsetName
  readonly read: readonly [tool: string, args: object]
  /** Makes an edit from the text that `read` returned. */
  readonly edit: (shown: string) => readonly [tool: string, args: object]
  readonly refusal: string
  /** Whether a session that has seen nothing is refused: line tags and line IDs are sufficient proof by themselves. */
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

/** As JSON, which is how hosts usually store it. */
const kept = async (tools: Toolset): Promise<SessionState> => JSON.parse(JSON.stringify(await tools.state())) as SessionState

describe.each(rows)('$name', ({ name, read, edit, refusal, needsSight }) => {
  type Shown = Awaited<ReturnType<typeof open>>
  const open = async (limits: Partial<Limits> = {}) => {
    const fs = memory({ f: before })
    const tools = await (await createWorkspace({ fs, shell: 'none', limits })).toolset(name)
    const shown = textOf(await tools.call(...read))
    return { shown, tools, state: await kept(tools), fs }
  }
  const editWith = async (tools: Toolset, { shown, fs }: Shown, content: string | undefined) => {
    const workspace = await createWorkspace({ fs, shell: 'none' })
    if (content !== undefined) await workspace.fs.writeFile('/workspace/f', content)
    const result = await tools.call(...edit(shown))
    const error = result.details['error'] as { code?: unknown } | undefined
    return { code: error?.code, text: textOf(result), file: await workspace.fs.readText('/workspace/f') }
  }
  const editLater = async (opened: Shown, content: string | undefined, state: SessionState = opened.state) =>
    editWith(await (await createWorkspace({ fs: opened.fs, shell: 'none' })).toolset(name, { state }), opened, content)

  it('goes on where the file is the same, also after it was written anew', async () => {
    for (const content of [undefined, before]) {
      expect(await editLater(await open(), content)).toMatchObject({ code: undefined, file: before.replace('one', 'ONE') })
    }
  })

  it.each([
    ['elsewhere', 'one\ntwo\nthree\nfour\n'],
    ['above', 'zero\none\ntwo\nthree\ntwo\n'],
    ['in that line', 'uno\ntwo\nthree\ntwo\n'],
    ['to nothing', ''],
    ['to other endings', 'one\r\ntwo\r\nthree\r\ntwo\r\n'],
  ])('where the file changed %s it does what it would have done without the break', async (_where, content) => {
    const unbroken = await open()
    expect(await editLater(await open(), content)).toEqual(await editWith(unbroken.tools, unbroken, content))
  })

  it.each([
    ['elsewhere', 'one\ntwo\nthree\nfour\n'],
    ['in that line', 'uno\ntwo\nthree\ntwo\n'],
    ['to nothing', ''],
  ])('without texts in the state it asks for a read where the file changed %s', async (_where, content) => {
    const { code, file } = await editLater(await open({ stateMaxBytes: 0 }), content)
    expect(file).toBe(content)
    expect(code).toBeDefined()
    if (content.startsWith('one')) expect(code).toBe(refusal)
  })

  it('without the state, what needs to have seen the file asks for a read', async () => {
    const { code } = await editLater(await open(), undefined, { version: 1, seen: [], tags: [] })
    expect(code !== undefined).toBe(needsSight)
  })

  it('a state in which anything was changed is refused', async () => {
    const opened = await open()
    const changed: readonly unknown[] = [
      JSON.parse(JSON.stringify(opened.state).replace('three', 'THREE')),
      { ...opened.state, seen: [] },
      { ...opened.state, conflicts: { nextId: 7, entries: [] } },
      { ...opened.state, check: '0'.repeat(64) },
    ]
    for (const [index, state] of changed.entries()) {
      // Not every toolset stores the text.
      if (index === 0 && !JSON.stringify(opened.state).includes('three')) continue
      if (index === 1 && opened.state.seen.length === 0) continue
      await expect(editLater(opened, undefined, state as SessionState)).rejects.toMatchObject({ code: 'toolset-options' })
    }
  })

  it('a storage may give the fields back in another order', async () => {
    const opened = await open()
    const state = Object.fromEntries(Object.entries(opened.state).toReversed()) as unknown as SessionState
    expect((await editLater(opened, undefined, state)).code).toBeUndefined()
  })
})

it('ah knows after a reload from which lines a text was copied', async () => {
  for (const [stateMaxBytes, code] of [
    [1000, 'file-changed'],
    [0, undefined],
  ] as const) {
    const workspace = await createWorkspace({ fs: memory({ f: 'a\nb\nc\n' }), shell: 'none', limits: { stateMaxBytes } })
    const tools = await workspace.toolset('ah')
    await tools.call('read', { path: 'f' })
    await workspace.fs.writeFile('/workspace/f', 'a\nnew\nb\nc\n')
    const later = await workspace.toolset('ah', { state: await kept(tools) })
    const result = await later.call('edit', { path: 'f', old_string: '\nb', new_string: '' })
    expect((result.details['error'] as { code?: unknown } | undefined)?.code).toBe(code)
  }
})

it('rye knows after a reload which IDs were shown, whoever read the file since', async () => {
  const workspace = await createWorkspace({ fs: memory({ f: 'a\nx\nb\n' }), shell: 'none' })
  const tools = await workspace.toolset('rye')
  const [, first, , last] =
    /LID:(\w{6})[^]*LID:(\w{6})[^]*LID:(\w{6})/.exec(textOf(await tools.call('read', { file_path: 'f' }))) ?? []
  const state = await kept(tools)
  await workspace.fs.writeFile('/workspace/f', 'a\nother\nb\n')
  await (await workspace.toolset('rye')).call('read', { file_path: 'f' })
  const edit = { file_path: 'f', changes: [{ start_line_id: first, end_line_id: last, new_content: 'A\n' }] }
  const result = await (await workspace.toolset('rye', { state })).call('edit_lines', edit)
  expect(textOf(result)).toContain('Lines inside the range of change 1 changed since they were shown')
  expect((await (await workspace.toolset('rye')).call('edit_lines', edit)).isError).toBe(false)
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

const path = parsePath('/workspace/f')
const withoutCheck = ({ check: _check, ...state }: SessionState) => state
const checked = (state: object): unknown => ({ ...state, check: checkOf(state) })

it('a state of a state is the same state', () => {
  const memory = openMemory(1000, undefined)
  memory.freshness.note(path, 1, 'text')
  memory.snapshots.record(path, 'f', 'first\n')
  memory.snapshots.record(path, 'f', 'second\n')
  expect(memory.conflicts.register(path, 'f', ['a', 'b'])).toEqual([1, 2])
  memory.conflicts.forget(new Set([1]))
  const state = sessionState(memory, 1000, 'atomic')
  expect(state.tags[0]?.[1]).toHaveLength(2)
  const restored = openMemory(1000, structuredClone(state))
  expect(sessionState(restored, 1000, 'atomic')).toEqual(state)
  const [first = '', second = ''] = state.tags[0]?.[1].map(([tag]) => tag) ?? []
  expect(restored.snapshots.authorize(path, second, 'second\n').kind).toBe('current')
  expect(restored.snapshots.authorize(path, first, 'third\n')).toMatchObject({
    kind: 'stale',
    snapshot: { kind: 'kept', text: 'first\n' },
  })
  expect(restored.snapshots.textOf('f', second)).toBe('second\n')
  expect(restored.conflicts.register(path, 'f', ['b', 'c'])).toEqual([2, 3])
  expect(restored.conflicts.isPast(1)).toBe(true)
})

it('has room for the newest texts, and for smaller ones beside one that is too large', () => {
  const memory = openMemory(100_000, undefined)
  for (const text of ['oldest', 'old', 'x'.repeat(500), 'new', 'newest']) memory.snapshots.record(path, 'f', `${text}\n`)
  const texts = (maxBytes: number): unknown =>
    (sessionState(memory, maxBytes, 'atomic').texts as readonly (readonly string[])[]).map(([, , text]) => text)
  expect(texts(1000)).toEqual(['newest\n', 'new\n', `${'x'.repeat(500)}\n`, 'old\n', 'oldest\n'])
  expect(texts(64)).toEqual(['newest\n', 'new\n', 'old\n'])
  expect(texts(0)).toEqual([])
})

it('a text is held against its own hash and its tag, whatever the check says', () => {
  const memory = openMemory(1000, undefined)
  memory.snapshots.record(path, 'f', 'first\n')
  const state = withoutCheck(sessionState(memory, 1000, 'atomic'))
  const [[, tag] = []] = state.texts as readonly (readonly string[])[]
  expect(() => openMemory(1000, checked(state))).not.toThrow()
  for (const texts of [[[path, tag, 'other\n']], [[path, 'ABCD', 'first\n']], [['/g', tag, 'first\n']], [[path, tag]], 'x']) {
    expect(() => openMemory(1000, checked({ ...state, texts }))).toThrow(expect.objectContaining({ code: 'toolset-options' }))
  }
})

it('takes nothing but identities from a state without a check', () => {
  const memory = openMemory(1000, undefined)
  const tag = memory.snapshots.record(path, 'f', 'first\n')
  const { snapshots } = openMemory(1000, withoutCheck(sessionState(memory, 1000, 'atomic')))
  expect(snapshots.authorize(path, tag, 'first\n').kind).toBe('current')
  expect(snapshots.authorize(path, tag, 'other\n')).toMatchObject({ kind: 'stale', snapshot: { kind: 'dropped' } })
})

it('a revision says nothing about another session, where counting began anew', () => {
  const { freshness } = openMemory(1000, { version: 1, seen: [['/f', '0'.repeat(64)]], tags: [] })
  expect(freshness.check(parsePath('/f'), 1, 'other')).toBe('changed')
  const ledger = new FreshnessLedger()
  ledger.noteHash(parsePath('/f'), undefined, '0'.repeat(64))
  expect(ledger.check(parsePath('/f'), undefined, 'other')).toBe('changed')
})

const hash = 'a'.repeat(64)
const whole = { version: 1, seen: [], tags: [], texts: [], displays: [], conflicts: { nextId: 1, entries: [] }, own: {} }
it('a state of another toolset is refused', () => {
  const state = sessionState(openMemory(1000, undefined), 1000, 'rye')
  expect(() => readState(state, 'rye')).not.toThrow()
  expect(() => readState(state, 'atomic')).toThrow('it belongs to the toolset "rye", not to "atomic"')
})

it('a whole state is one', () => {
  expect(() => openMemory(1000, checked(whole))).not.toThrow()
})
it.each([
  ['no texts', checked({ ...whole, texts: undefined })],
  ['a conflict without a number', checked({ ...whole, conflicts: { nextId: 2, entries: [['1', '/f', 'f', hash]] } })],
  ['a check of something else', { ...whole, check: hash }],
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
  expect(() => openMemory(1000, state)).toThrow(expect.objectContaining({ code: 'toolset-options' }))
})
