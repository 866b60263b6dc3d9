// Searches that take long: they let others run, say how far they are, stop when told, and see one moment of the filesystem.

import { describe, expect, test, vi } from 'vitest'

import { seeds } from '../../../testing/depth.ts'
import { createRandom, forSeeds } from '../../../testing/random.ts'
import { openToolSession } from '../../../testing/tool-session.ts'

/** A pattern whose automaton is given up for sets of bits, on one line that it never matches. */
const slowPattern = '[ab].{200}[ab].{200}[!?]'
const random = createRandom(20_260_801)
const slowText = Array.from({ length: 400_000 }, () => random.pick(['a', 'b', 'c'])).join('')

test('an abort takes effect in the middle of one line', async () => {
  const session = await openToolSession({ 'slow.txt': slowText.repeat(8) })
  const controller = new AbortController()
  // A pause is due at each look at the clock, however fast the machine is.
  let looks = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    if (++looks === 50) controller.abort(new Error('enough'))
    return looks * 60
  })
  try {
    await expect(session.call('search', { pattern: slowPattern }, { signal: controller.signal })).rejects.toThrow('enough')
  } finally {
    clock.mockRestore()
  }
  expect(looks).toBeLessThan(100)
})

test('the time-out ends a search in the middle of a line, with what it found so far', async () => {
  let now = 0
  const session = await openToolSession(
    { 'a.txt': `a${'x'.repeat(200)}a${'x'.repeat(200)}!\n`, 'slow.txt': slowText.repeat(8) },
    {
      clock: () => (now += 1000),
      toolset: { limits: { searchTimeoutMs: 40_000 } },
    },
  )
  const result = await session.call('search', { pattern: slowPattern })
  expect(result).toMatchObject({ isError: false, details: { timedOut: true, files: ['a.txt'] } })
})

test('progress names how many files were searched, of how many', async () => {
  const session = await openToolSession(
    Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}.txt`, index === 20 ? 'needle\n' : 'hay\n'])),
  )
  const updates: unknown[] = []
  await session.call('search', { pattern: 'needle' }, { onUpdate: update => updates.push(update.details) })
  // A slow machine reports more often.
  expect(updates.at(-1)).toEqual({ fileCount: 1, matchCount: 1, searchedFiles: expect.any(Number), totalFiles: 30 })
})

test('files that change during a search are searched as they were', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [`f${String(index).padStart(2, '0')}.txt`, 'needle old\n']),
  )
  const session = await openToolSession(files, { toolset: { limits: { searchFilesPerPage: 100 } } })
  let isChanged = false
  const result = await session.call(
    'search',
    { pattern: 'needle' },
    {
      onUpdate: () => {
        if (isChanged) return
        isChanged = true
        for (const name of Object.keys(files))
          session.fs.sync?.write(`/workspace/${name}` as never, new TextEncoder().encode('needle new\n'))
      },
    },
  )
  expect(isChanged).toBe(true)
  const text = result.content.map(block => (block.type === 'text' ? block.text : '')).join('')
  expect([text.match(/needle old/g)?.length, text.match(/needle new/g)]).toEqual([60, null])
  expect(await session.text('search', { pattern: 'needle', paths: 'f59.txt' })).toContain('needle new')
})

describe('a search that is asked again', () => {
  test('gives the same answer, and a new one after a change', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`d${index % 5}/f${index}.txt`, `needle${index}x\nhay\n`]),
    )
    const session = await openToolSession(files)
    const ask = (pattern: string): Promise<string> => session.text('search', { pattern })
    const first = await ask('needle17x')
    expect(first).toContain('d2/f17.txt')
    await session.workspace.idle()
    expect(await ask('needle17x')).toBe(first)
    expect(await ask('absent')).toBe('No matches found.')
    await session.fs.writeFile('/workspace/d0/new.txt', 'absent\n')
    expect(await ask('absent')).toContain('d0/new.txt')
    await session.fs.writeFile('/workspace/d2/f17.txt', 'hay\n')
    expect(await ask('needle17x')).toBe('No matches found.')
    await session.fs.writeFile('/workspace/.gitignore', 'new.txt\n')
    expect(await ask('absent')).toBe('No matches found.')
  })

  test('by another session of the workspace finds what the first has learned', async () => {
    const session = await openToolSession({ 'a.txt': 'needle\n', 'b.txt': 'hay\n' })
    const other = await session.workspace.toolset('atomic')
    const before = await session.text('search', { pattern: 'needle' })
    await session.workspace.idle()
    const result = await other.call('search', { pattern: 'needle' })
    expect(result.content).toEqual([{ type: 'text', text: before }])
  })
})

test('a search that is asked again shows what a new session shows, whatever was written meanwhile', async () => {
  await forSeeds(seeds({ quick: 8, deep: 300 }), async one => {
    const content = (): Uint8Array => {
      const word = (): string => one.pick(['needle', 'hay', one.chance(0.05) ? '\u00e9' : 'e', String(one.below(1000))])
      const line = (): string => Array.from({ length: one.chance(0.02) ? 300 : one.below(8) }, word).join(' ')
      // Larger files are held in an array each, which tells whether they are known.
      const lines = Array.from({ length: one.below(one.chance(0.7) ? 3000 : 20) }, line)
      const text = lines.join(one.pick(['\n', '\n', '\n', '\r\n', '\r'])) + one.pick(['', '\n'])
      if (!one.chance(0.1)) return new TextEncoder().encode((one.chance(0.1) ? '\uFEFF' : '') + text)
      return Uint8Array.from([0xff, 0xfe, ...Array.from(text, letter => [letter.charCodeAt(0), 0]).flat()])
    }
    const names = ['a', 'b', 'c', 'd']
    const session = await openToolSession(Object.fromEntries(names.map(name => [name, content()])))
    for (let round = 0; round < 6; round++) {
      const asked = { pattern: one.pick(['needle', 'needle \\d+', 'hay$', '^e']) }
      const again = await session.text('search', asked)
      const fresh = await session.workspace.toolset('atomic')
      const { content: blocks } = await fresh.call('search', asked)
      expect(again).toBe(blocks.map(block => (block.type === 'text' ? block.text : '')).join(''))
      await fresh.close()
      if (one.chance(0.6)) await session.fs.writeFile(`/workspace/${one.pick(names)}`, content())
      if (one.chance(0.2)) await session.fs.copy('/workspace/a', '/workspace/b')
    }
  })
})
