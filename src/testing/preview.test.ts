// A preview of a call shows what the call then does, and leaves no trace: not in the files, and not in the session.

import { describe, expect, it } from 'vitest'

import type { FileHunks } from '../core/tool-preview.ts'
import { toolsets, type ToolsetName } from '../workspace/toolsets.ts'
import { applyHunks } from './apply-diff-hunks.ts'
import { createRandom, forSeeds } from './random.ts'
import { editForms } from './edit-forms.ts'
import { isDeep, seeds } from './depth.ts'
import { randomMutations, randomSource, sourceText } from './line-mutations.ts'
import { openToolSession, tagIn, textOf, type ToolSession } from './tool-session.ts'
import { connectPair } from './wire/pair.ts'

async function allFiles(session: ToolSession): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>()
  for await (const { path, kind } of session.fs.walk('/')) {
    if (kind === 'file') files.set(path, `${(await session.fs.stat(path)).rev} ${await session.fs.readText(path)}`)
  }
  return files
}

/** Previews a call, makes it, and holds one against the other. */
async function previewThenCall(session: ToolSession, tool: string, args: unknown): Promise<string> {
  const [files, state] = [await allFiles(session), await session.tools.state()]
  const previews = [await session.tools.preview(tool, args), await session.tools.preview(tool, args)]
  const [preview] = previews
  if (preview === undefined) throw new Error('no preview')
  expect(previews[1]).toEqual(preview)
  expect(await allFiles(session)).toEqual(files)
  expect(await session.tools.state()).toEqual(state)

  const result = await session.call(tool, args)
  const after = await allFiles(session)
  const changed = [...after].filter(([path, text]) => files.get(path) !== text && !path.includes('/.ai/'))
  switch (preview.kind) {
    case 'changes':
      expect(result.isError, textOf(result)).toBe(false)
      expect(preview.changes.map(({ path }) => path).sort()).toEqual(changed.map(([path]) => path).sort())
      for (const { path, hunks, baseRev, sizeBytes } of preview.changes) {
        const [rev, before] = splitOnce(files.get(path) ?? '0 ')
        expect(baseRev).toBe(Number(rev))
        expect(sizeBytes).toBe((await session.fs.readFile(path)).length)
        expect(applyHunks(before, hunks ?? [])).toBe(await session.fs.readText(path))
      }
      // The result has as data what it made of the files.
      expect({ tool, hunks: listed(result.details['hunks']) }).toEqual({
        tool,
        hunks: preview.changes.flatMap(({ hunks }) => (hunks === undefined ? [] : [hunks])),
      })
      break
    case 'refused':
      expect({ isError: result.isError, text: textOf(result) }).toEqual({
        isError: true,
        text: textOf({ ...preview, isError: true }),
      })
      expect(changed).toEqual([])
      break
    case 'unchanged':
      expect({ isError: result.isError, changed }).toEqual({ isError: false, changed: [] })
      break
    case 'unavailable':
      break
  }
  return preview.kind
}

/** The hunks of each file. */
function listed(found: unknown): readonly unknown[] {
  expect(found).toBeInstanceOf(Array)
  return Array.from(found as readonly FileHunks[], ({ hunks }) => hunks)
}

function splitOnce(text: string): readonly [string, string] {
  const at = text.indexOf(' ')
  return [text.slice(0, at), text.slice(at + 1)]
}

const previewable = /^(?:write|edit|write_file|edit_file|edit_lines)$/

describe.each(toolsets)('$name', ({ name }) => {
  it('shows what every example does', async () => {
    // The quick run leaves out the tools without a preview, and with them the shell.
    const shell = isDeep ? 'just-bash' : 'none'
    const { tools } = (await openToolSession({}, { name, shell })).tools
    const kinds = new Set<string>()
    for (const tool of tools) {
      if (!isDeep && !previewable.test(tool.name)) continue
      for (const example of tool.examples ?? []) {
        const session = await openToolSession(example.files, { name, shell })
        for (const call of example.after ?? []) await session.text(call.tool, call.arguments)
        const kind = await previewThenCall(session, tool.name, example.arguments)
        kinds.add(kind)
        expect(kind === 'unavailable', `${tool.name}: ${kind}`).toBe(!previewable.test(tool.name))
      }
    }
    expect(kinds).toContain('changes')
  })
})

describe.each(editForms)('$toolset', ({ toolset, prepare }) => {
  const rounds = seeds({ quick: 2, deep: 300 })
  it(`${rounds} edits of real sources`, async () => {
    const session = await openToolSession({}, { name: toolset })
    let shown = 0
    await forSeeds(rounds, async (random, seed) => {
      const source = randomSource(createRandom(seed), isDeep ? 20_000 : 5_000)
      const path = `f${seed}.ts`
      await session.fs.writeFile(`/workspace/${path}`, sourceText(source))
      const calls = await prepare(session, path, source, randomMutations(createRandom(seed * 31), source, 3), random)
      for (const [tool, args] of calls) if ((await previewThenCall(session, tool, args)) === 'changes') shown++
      await session.fs.rm(`/workspace/${path}`)
    })
    expect(shown).toBeGreaterThan(rounds / 2)
  }, 1_800_000)
})

const edits: readonly (readonly [ToolsetName, tool: string, args: (tag: string) => object])[] = [
  ['atomic', 'edit', tag => ({ input: `[f#${tag}]\nreplace 1..1:\n+x` })],
  ['ah', 'edit', () => ({ path: 'f', old_string: 'a', new_string: 'x' })],
]

describe.each(edits)('%s', (name, tool, args) => {
  it('asks nobody, and is refused where the call would be', async () => {
    const asked: string[] = []
    const approve = async (): Promise<'allow'> => {
      asked.push('asked')
      return 'allow'
    }
    const session = await openToolSession({ f: 'a\n' }, { name, policy: { level: 'ask', approve } })
    const tag = name === 'atomic' ? tagIn(await session.text('read', { path: 'f' })) : ''
    expect((await session.tools.preview(tool, args(tag))).kind).toBe('changes')
    expect(asked).toEqual([])
    await session.text(tool, args(tag))
    expect(asked).toHaveLength(1)

    const reader = await openToolSession({ f: 'a\n' }, { name, policy: { level: 'read' } })
    expect(await reader.tools.preview(tool, args('0000'))).toMatchObject({
      kind: 'refused',
      details: { error: { code: 'permission-denied' } },
    })
    const guarded = await openToolSession({ f: 'a\n' }, { name, policy: { protect: ['.'] } })
    const itsTag = name === 'atomic' ? tagIn(await guarded.text('read', { path: 'f' })) : ''
    expect(await guarded.tools.preview(tool, args(itsTag))).toMatchObject({
      kind: 'refused',
      details: { error: { code: 'EACCES' } },
    })
  })

  it('ends with the session and with its caller', async () => {
    const session = await openToolSession({ f: 'a\n' }, { name })
    const reason = new Error('enough')
    await expect(session.tools.preview(tool, args('0000'), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    await session.tools.close()
    await expect(session.tools.preview(tool, args('0000'))).rejects.toMatchObject({ code: 'session-closed' })
  })
})

it('does not join edits that are sent at the same time', async () => {
  const session = await openToolSession({ f: Array.from({ length: 9 }, (_, index) => `line ${index}\n`).join('') })
  const tag = tagIn(await session.text('read', { path: 'f' }))
  const script = (row: number): object => ({ input: `[f#${tag}]\nreplace ${row}..${row}:\n+x` })
  const [first, preview, second] = await Promise.all([
    session.call('edit', script(1)),
    session.tools.preview('edit', script(5)),
    session.call('edit', script(9)),
  ])
  expect([first.isError, preview.kind, second.isError]).toEqual([false, 'changes', false])
  expect(await session.file('f')).toMatch(/^x\n(?:line \d\n){7}x\n$/)
})

it('says that a call which changes nothing changes nothing, however often', async () => {
  const session = await openToolSession({ f: 'a\n' })
  const tag = tagIn(await session.text('read', { path: 'f' }))
  for (let time = 0; time < 5; time++) {
    expect(await session.tools.preview('edit', { input: `[f#${tag}]\nreplace 1..1:\n+a` })).toMatchObject({ kind: 'unchanged' })
  }
  expect((await session.call('edit', { input: `[f#${tag}]\nreplace 1..1:\n+a` })).isError).toBe(false)
})

it('tells nothing about what it cannot know', async () => {
  const session = await openToolSession({ f: 'a\n' }, { name: 'ecs', shell: 'just-bash' })
  for (const [tool, args] of [
    ['bash', { command: 'echo b > f' }],
    ['read_file', { path: 'f' }],
  ] as const) {
    expect((await session.tools.preview(tool, args)).kind).toBe('unavailable')
  }
  expect(await session.file('f')).toBe('a\n')
})

it('crosses the wire', async () => {
  const pair = await connectPair({})
  const tools = await pair.workspace.toolset('atomic')
  expect(await tools.preview('edit', { input: 'x' })).toEqual({ kind: 'unavailable', reason: 'edit {"input":"x"}' })
  await pair.close()
})
