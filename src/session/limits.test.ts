// Each limit can be set, for one toolset or for a workspace, and has a visible effect.

import { describe, expect, it } from 'vitest'
import { memory } from '../backends/memory/index.ts'
import { defaultLimits, type Limits } from '../core/limits.ts'
import { textOf } from '../testing/tool-session.ts'
import { createWorkspace } from '../workspace/create-workspace.ts'
import type { ToolsetName } from '../workspace/toolsets.ts'

const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1} of many words\n`).join('')
const files = {
  f: lines(200),
  ...Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`d/${index}.txt`, lines(30)])),
}

type Call = readonly [tool: string, args: object]
const search: Call = ['search', { pattern: 'line', paths: '.' }]
const searchOne: Call = ['search', { pattern: 'line', paths: 'f' }]
const find: Call = ['find', { paths: ['**/*.txt'] }]
const readFile: Call = ['read', { path: 'f' }]
const seq: Call = ['bash', { command: 'seq 1 9000' }]
const replaceFirst = 'replace 1..1:\n+first'

const rows: Readonly<Record<keyof Limits, readonly [value: number, calls: readonly Call[], name?: ToolsetName]>> = {
  resultMaxBytes: [100, [readFile]],
  readMaxLines: [3, [readFile]],
  readMaxBytes: [100, [readFile]],
  readMaxCharacters: [10, [['read', { path: 'f:1-20' }]]],
  textMaxBytes: [10, [readFile]],
  treeMaxEntries: [2, [['read', { path: '.' }]]],
  treeMaxLines: [2, [['read', { path: 'd' }]]],
  findMaxResults: [3, [find]],
  findTimeoutMs: [1, [find]],
  searchFilesPerPage: [2, [search]],
  searchMatchesPerFile: [2, [search]],
  searchMatchesInSingleFile: [2, [searchOne]],
  searchMaxMatches: [2, [search]],
  searchMaxFileBytes: [10, [searchOne]],
  searchMaxLineCharacters: [5, [searchOne]],
  searchMaxOutputBytes: [100, [search]],
  searchTimeoutMs: [1, [search]],
  walkMaxEntries: [2, [find]],
  bashTimeoutMs: [20, [['bash', { command: 'sleep 0.3; echo done' }]]],
  bashMaxTimeoutMs: [20, [['bash', { command: 'sleep 0.3; echo done', timeout: 5 }]]],
  bashMaxLines: [3, [seq]],
  bashMaxBytes: [100, [seq]],
  // The captured output is at least twice the shown output, so the effect is only visible if the host shows little.
  bashCaptureBytes: [1, [seq]],
  snapshotMaxBytes: [
    10,
    [readFile, ['write', { path: 'f', content: `${lines(200)}more\n` }], ['edit', { input: `[f#TAG]\n${replaceFirst}` }]],
  ],
  outputMaxBytes: [10, [['scratchpad_write', { name: 'n', content: 'more than ten bytes' }]], 'agsh'],
  outputStoredMaxBytes: [
    10,
    [
      ['bash', { command: 'seq 1 100000' }],
      ['read', { path: 'artifact://1?bytes=300000-300100' }],
    ],
  ],
  stateMaxBytes: [0, [readFile]],
}

async function seen(calls: readonly Call[], name: ToolsetName, limits: Partial<Limits>) {
  // Each reading of the clock is a second later.
  let now = 0
  const workspace = await createWorkspace({ fs: memory(files), clock: () => (now += 1000) })
  const tools = await workspace.toolset(name, { limits })
  let text = ''
  let tag = ''
  for (const [tool, args] of calls) {
    // Moves outputs to the storage.
    await tools.state()
    text = textOf(await tools.call(tool, JSON.parse(JSON.stringify(args).replace('TAG', tag))))
    tag ||= /#([0-9A-F]{4})\]/.exec(text)?.[1] ?? ''
  }
  const sizeInState = JSON.stringify(await tools.state()).length
  await tools.close({ forget: true })
  await workspace.dispose()
  return { text, sizeInState }
}

describe('a limit that is set', () => {
  it.each(Object.entries(rows))('%s', async (limit, [value, calls, name = 'atomic']) => {
    const [otherwise, limited] = [await seen(calls, name, {}), await seen(calls, name, { [limit]: value })]
    if (limit === 'stateMaxBytes') expect(limited.sizeInState).toBeLessThan(otherwise.sizeInState / 10)
    else if (limit === 'bashCaptureBytes') expect(limited.text).toBe(otherwise.text)
    else expect(limited.text).not.toBe(otherwise.text)
  })

  it.each([
    [{ readMaxLine: 3 }, 'There is no limit "readMaxLine". Limits: resultMaxBytes, '],
    [{ readMaxLines: -1 }, 'The limit "readMaxLines" must be a number of at least 0, not -1.'],
    [{ readMaxLines: Number.NaN }, 'not NaN'],
    [{ readMaxLines: '3' }, 'not 3'],
  ])('%j is refused', async (limits, message) => {
    const workspace = await createWorkspace({ fs: memory(files) })
    await expect(workspace.toolset('ecs', { limits: limits as Partial<Limits> })).rejects.toMatchObject({
      code: 'toolset-options',
      message: expect.stringContaining(message),
    })
  })

  it('takes the default for undefined', async () => {
    const limits = { readMaxLines: undefined } as unknown as Partial<Limits>
    const workspace = await createWorkspace({ fs: memory(files), limits })
    const tools = await workspace.toolset('atomic', { limits })
    expect((await tools.call('read', { path: 'f' })).isError).toBe(false)
  })

  it('may be without end', async () => {
    const workspace = await createWorkspace({ fs: memory(files), limits: { readMaxLines: Infinity } })
    expect((await (await workspace.toolset('atomic')).call(...readFile)).isError).toBe(false)
  })
})

it('names every limit', () => {
  expect(Object.keys(rows).toSorted()).toEqual(Object.keys(defaultLimits).toSorted())
})
