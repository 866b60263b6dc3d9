// Undo of one actor's work while others work on the same files: a table of what can happen to a file, and random histories.

import { describe, expect, test } from 'vitest'
import type { Actor } from '../core/actor.ts'
import { seeds } from '../testing/depth.ts'
import { historyGrounds, openOn } from '../testing/history-grounds.ts'
import { forSeeds, type Random } from '../testing/random.ts'
import type { Vfs } from '../vfs/vfs.ts'
import { agent, lines, other, person } from '../testing/history-actors.ts'

describe.each(historyGrounds)('undo of what an agent did, %s', ground => {
  type Act = (fs: Vfs) => Promise<unknown>
  const nothing: Act = async () => undefined
  const rows: readonly (readonly [
    what: string,
    before: string,
    agent: Act,
    person: Act,
    after: string,
    left: readonly string[],
  ])[] = [
    ['a file that it wrote', 'f=1', fs => fs.writeFile('/f', '2'), nothing, 'f=1', []],
    ['a file that it made', 'f=1', fs => fs.writeFile('/d/g', '2', { parents: true }), nothing, 'f=1', []],
    ['a file that it removed', 'f=1', fs => fs.rm('/f'), nothing, 'f=1', []],
    ['a tree that it removed', 'd/e/f=1 d/g=2', fs => fs.rm('/d', { recursive: true }), nothing, 'd/e/f=1 d/g=2', []],
    ['an empty directory that it removed', 'd/e/', fs => fs.rm('/d', { recursive: true }), nothing, 'd/e/', []],
    ['a move', 'd/f=1', fs => fs.rename('/d', '/e'), nothing, 'd/f=1', []],
    ['a move over a file', 'a=1 b=2', fs => fs.rename('/a', '/b'), nothing, 'a=1 b=2', []],
    [
      'two files that changed places',
      'a=1 b=2',
      async fs => {
        await fs.rename('/a', '/c')
        await fs.rename('/b', '/a')
        await fs.rename('/c', '/b')
      },
      nothing,
      'a=1 b=2',
      [],
    ],
    [
      'a file moved out of a directory that it removed',
      'd/f=1 d/g=2',
      async fs => {
        await fs.rename('/d/f', '/f')
        await fs.rm('/d', { recursive: true })
      },
      nothing,
      'd/f=1 d/g=2',
      [],
    ],
    ['a link', 'f=1', fs => fs.symlink('f', '/l'), nothing, 'f=1', []],
    ['a link that it removed', 'f=1 l->f', fs => fs.rm('/l'), nothing, 'f=1 l->f', []],
    [
      'a file where a directory was',
      'd/f=1',
      async fs => {
        await fs.rm('/d', { recursive: true })
        await fs.writeFile('/d', 'file')
      },
      nothing,
      'd/f=1',
      [],
    ],
    ['a file that somebody else wrote since', 'f=1', fs => fs.writeFile('/f', '2'), fs => fs.writeFile('/f', '3'), 'f=3', ['/f']],
    ['a file that it made and somebody changed', '', fs => fs.writeFile('/f', '2'), fs => fs.writeFile('/f', '3'), 'f=3', ['/f']],
    ['a file that it removed and somebody made anew', 'f=1', fs => fs.rm('/f'), fs => fs.writeFile('/f', '3'), 'f=3', ['/f']],
    ['a file that it wrote and somebody removed', 'f=1', fs => fs.writeFile('/f', '2'), fs => fs.rm('/f'), '', ['/f']],
    [
      'a directory that it made and somebody filled',
      '',
      fs => fs.mkdir('/d'),
      fs => fs.writeFile('/d/f', '1'),
      'd/f=1',
      ['/d', '/d/f'],
    ],
    [
      'a directory that it moved and somebody edited in',
      'd/f=1',
      fs => fs.rename('/d', '/e'),
      fs => fs.writeFile('/e/f', '2'),
      'd/f=2',
      [],
    ],
    [
      'a file that it wrote in a directory that somebody moved',
      'd/f=1',
      fs => fs.writeFile('/d/f', '2'),
      fs => fs.rename('/d', '/e'),
      'e/f=1',
      [],
    ],
    [
      'a file that it moved and somebody moved on',
      'a=1',
      fs => fs.rename('/a', '/b'),
      fs => fs.rename('/b', '/c'),
      'c=1',
      ['/c'],
    ],
    [
      'a file that it moved, with another in its old place',
      'a=1',
      fs => fs.rename('/a', '/b'),
      fs => fs.writeFile('/a', '2'),
      'a=2 b=1',
      ['/a'],
    ],
    [
      'a file that it removed from a directory that somebody removed',
      'd/f=1 d/g=2',
      fs => fs.rm('/d/f'),
      fs => fs.rm('/d', { recursive: true }),
      'd/f=1',
      [],
    ],
    ['a file of others', 'f=1', nothing, fs => fs.writeFile('/f', '2'), 'f=2', []],
  ]
  test.each(rows)('%s', async (_what, before, agentActs, personActs, after, left) => {
    const opened = await openOn(ground, before)
    const { show, as } = opened
    await agentActs(as(agent, 'c1'))
    const between = await show()
    await personActs(as(person))
    const done = await show()
    const history = await opened.reload()
    const dry = await history.undo({ actor: agent }, { dryRun: true })
    expect(await show()).toBe(done)
    const result = await history.undo({ actor: agent })
    expect(await show()).toBe(after)
    expect(result.conflicts.map(({ path }) => path)).toEqual(left)
    expect(dry).toEqual({ restored: result.restored, merged: result.merged, conflicts: result.conflicts })
    if (left.length > 0 || result.id === undefined) return
    // An undo can be undone, and without other writers that restores the agent's state.
    expect((await history.redo()).conflicts).toEqual([])
    expect(await show()).toBe(done)
    if (between === done) expect(await history.list({ actor: agent })).toMatchObject({ dropped: 0 })
  })

  test('texts keep what others changed in other lines', async () => {
    const { reload, fs, as } = await openOn(ground, '')
    await fs.writeFile('/f', lines('a b c d e'))
    await as(agent).writeFile('/f', lines('A b c d e'))
    await as(person).writeFile('/f', lines('A b c d E'))
    await as(agent).writeFile('/f', lines('A b X c d E'))
    const history = await reload()
    expect(await history.undo({ actor: agent })).toMatchObject({ merged: ['/f'], conflicts: [] })
    expect(await fs.readText('/f')).toBe(lines('a b c d E'))
  })

  test('a file that it edited and then moved, and somebody edited there', async () => {
    const { reload, fs, show, as } = await openOn(ground, '')
    await fs.writeFile('/f', lines('a b c d e'))
    await as(agent).writeFile('/f', lines('A b c d e'))
    await as(agent).mkdir('/made')
    await as(agent).rename('/f', '/made/g')
    await as(person).writeFile('/made/g', lines('A b c d E'))
    const result = await (await reload()).undo({ actor: agent })
    expect(result).toMatchObject({ conflicts: [] })
    expect(await show()).toBe(`f=${lines('a b c d E')}`)
  })

  const movedAndEdited: readonly (readonly [what: string, callId: string | undefined])[] = [
    ['in two steps', undefined],
    ['in one call', 'c1'],
  ]
  test.each(movedAndEdited)('a file that it moved and edited %s stays removed if somebody removed it', async (_how, callId) => {
    const { reload, show, as } = await openOn(ground, 'a=1')
    await as(agent, callId).rename('/a', '/b')
    await as(agent, callId).writeFile('/b', '2')
    await as(person).rm('/b')
    const { conflicts } = await (await reload()).undo({ actor: agent })
    expect([conflicts.map(({ path }) => path), await show()]).toEqual([['/b'], ''])
  })

  test.each(movedAndEdited)('a file that somebody moved and edited %s after it had edited it', async (_how, callId) => {
    const { reload, fs, show, as } = await openOn(ground, '')
    await fs.writeFile('/f', lines('a b c d e'))
    await as(agent).writeFile('/f', lines('A b c d e'))
    await as(person, callId).writeFile('/f', lines('A b c d E'))
    await as(person, callId).rename('/f', '/g')
    expect((await (await reload()).undo({ actor: agent })).conflicts).toEqual([])
    expect(await show()).toBe(`g=${lines('a b c d E')}`)
  })

  test('permissions and binary files come back', async () => {
    const { reload, fs, as } = await openOn(ground, 'f=1')
    await fs.writeFile('/b', Uint8Array.of(0, 255, 1))
    await as(agent).chmod('/f', 0o755)
    await as(agent).writeFile('/b', Uint8Array.of(9))
    const history = await reload()
    await history.undo({ actor: agent })
    expect((await fs.stat('/f')).mode).toBe(0o644)
    expect(await fs.readFile('/b')).toEqual(Uint8Array.of(0, 255, 1))
    await as(agent).writeFile('/b', Uint8Array.of(9))
    await as(person).writeFile('/b', Uint8Array.of(9, 8))
    expect((await history.undo({ actor: agent })).conflicts.map(({ path }) => path)).toEqual(['/b'])
  })

  test('only the paths, the call or the turn that is asked for', async () => {
    const { reload, show, as } = await openOn(ground, 'a=1 b=1')
    await as(agent, 'c1', 't1').writeFile('/a', '2')
    await as(agent, 'c2', 't1').writeFile('/b', '2')
    await as(agent, 'c3', 't2').writeFile('/a', '3')
    const history = await reload()
    await history.undo({ turn: 't2' })
    expect(await show()).toBe('a=2 b=2')
    await history.undo({ turn: 't1' }, { paths: ['/b'] })
    expect(await show()).toBe('a=2 b=1')
    await history.undo({ call: 'c1' })
    expect(await show()).toBe('a=1 b=1')
  })
})

/** The number of histories; each has a separate seed. */
const histories = seeds({ quick: 80, deep: 2_000 })

test.each(historyGrounds)(
  `${histories} random histories of three actors, %s: nothing that others did is lost unnamed`,
  async ground => {
    const seen = { merged: 0, conflicts: 0, whole: 0 }
    await forSeeds(histories, async random => {
      const { reload, fs, as } = await openOn(ground, '')
      for (const path of ['/a', '/b', '/d/c'])
        await fs.writeFile(path, Array.from({ length: 8 }, (_, index) => `base ${path} ${index}\n`).join(''), { parents: true })
      const actors = [agent, person, other]
      for (let step = 0; step < 2 + random.below(10); step++) {
        const actor = random.pick(actors)
        await act(random, as(actor, random.chance(0.5) ? `c${step}` : undefined), actor)
      }
      const before = await contents(fs)
      const history = await reload()
      const result = await history.undo({ actor: agent })
      const after = await contents(fs)
      seen.merged += result.merged.length
      seen.conflicts += result.conflicts.length
      if (result.conflicts.length === 0) seen.whole++
      const named = (path: string): boolean =>
        result.conflicts.some(conflict => path === conflict.path || path.startsWith(`${conflict.path}/`))
      const afterLines = new Set([...after.values()].flatMap(text => text.split('\n')))
      for (const [path, text] of before) {
        for (const line of text.split('\n')) {
          // Text by other writers is still somewhere.
          if (line.startsWith('person') || line.startsWith('other')) expect([line, afterLines.has(line)]).toEqual([line, true])
          void path
        }
      }
      for (const [path, text] of after) {
        if (named(path)) continue
        // The agent's text is gone, except where the result names the file.
        expect([path, text.split('\n').filter(line => line.startsWith('main'))]).toEqual([path, []])
      }
      // Redo restores the text, if there was no conflict.
      if (result.conflicts.length === 0 && result.id !== undefined) {
        expect((await history.redo()).conflicts).toEqual([])
        expect(await contents(fs)).toEqual(before)
      }
    })
    expect(Math.min(seen.merged, seen.conflicts, seen.whole)).toBeGreaterThan(histories / 20)
  },
)

let written = 0

async function act(random: Random, fs: Vfs, actor: Actor): Promise<void> {
  const paths = [...(await contents(fs)).keys()]
  if (paths.length === 0) return
  const path = random.pick(paths)
  const name = actor.name ?? actor.kind
  const mark = `${name} ${++written}`
  switch (random.below(8)) {
    case 0:
      return void (await fs.writeFile(`/new-${written}`, `${mark}\n`))
    case 1:
      return await fs.rename(path, `/moved-${written}`)
    case 2:
      return (await fs.exists('/d')) ? await fs.rename('/d', `/d${written}`).catch(() => undefined) : undefined
    // Removing other writers' text would remove it before there is anything to undo.
    case 3:
      return (await fs.readText(path)).includes('base') && !/person|other/.test(await fs.readText(path))
        ? await fs.rm(path)
        : undefined
    default: {
      const text = (await fs.readText(path)).split('\n').slice(0, -1)
      const at = random.below(text.length + 1)
      if (random.chance(0.7)) text.splice(at, 0, mark)
      else if (text[at]?.startsWith('base') === true) text.splice(at, 1)
      await fs.writeFile(path, text.map(line => `${line}\n`).join(''))
    }
  }
}

async function contents(fs: Vfs): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for await (const { path, kind } of fs.walk('/')) if (kind === 'file') found.set(path, await fs.readText(path))
  return found
}
