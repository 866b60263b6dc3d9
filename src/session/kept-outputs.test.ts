// Outputs that outlive their session: the next session reads them to the byte, or is told why it cannot.

import { describe, expect, it } from 'vitest'
import { AnchorageError } from '../core/errors.ts'
import { surplusPlaces, type IdlePlace, type OpenOutputStorage } from '../core/output-storage.ts'
import { forSeeds } from '../testing/random.ts'
import { OutputStore } from './outputs.ts'
import { asSavedOutputs, type SavedOutputs } from './saved-outputs.ts'
import { seeds } from '../testing/depth.ts'

const kilobyte = 1024
const limits = { maxMemoryBytes: 1024 * kilobyte, maxStoredBytes: 64 * 1024 * kilobyte }

interface Machine {
  readonly places: Map<string, Map<string, Uint8Array>>
  readonly open: OpenOutputStorage
}

/** Places that outlive their sessions, like a database or a directory. */
function createMachine(): Machine {
  const places = new Map<string, Map<string, Uint8Array>>()
  const held = new Set<string>()
  let count = 0
  return {
    places,
    async open(kept) {
      const name = kept?.name ?? `place ${++count}`
      if (held.has(name)) throw new AnchorageError('outputs-in-use', 'They are open in another session.')
      const chunks = kept === undefined ? new Map<string, Uint8Array>() : places.get(name)
      if (chunks === undefined) throw new AnchorageError('outputs-gone', 'They were removed.')
      places.set(name, chunks)
      held.add(name)
      for (const key of chunks.keys()) if (parseInt(key) >= (kept?.nextOutputId ?? 0)) chunks.delete(key)
      let isKept = kept !== undefined
      return {
        put: async (id, index, bytes) => void chunks.set(`${id}/${index}`, Uint8Array.from(bytes)),
        get: async (id, index) => chunks.get(`${id}/${index}`),
        async remove(id, chunkCount) {
          for (let index = 0; index < chunkCount; index++) chunks.delete(`${id}/${index}`)
        },
        async keep() {
          isKept = true
          return name
        },
        async close({ forget = false } = {}) {
          held.delete(name)
          if (forget || !isKept) places.delete(name)
        },
      }
    },
  }
}

const saved = async (store: OutputStore): Promise<SavedOutputs | undefined> =>
  asSavedOutputs(JSON.parse(JSON.stringify((await store.keep()) ?? null)) ?? undefined)
const later = (machine: Machine, from: SavedOutputs | undefined): OutputStore => new OutputStore(limits, machine.open, from)

async function textOf(store: OutputStore, id: number): Promise<string> {
  const found = await store.find(id)
  if (found.kind !== 'kept') return found.kind === 'gone' ? found.why : found.kind
  return new TextDecoder().decode(await found.output.read(0, found.output.sizeBytes))
}

describe('outputs that are kept', () => {
  it('are read by their numbers in the next session, and the one after it', async () => {
    const machine = createMachine()
    const first = new OutputStore(limits, machine.open)
    first.save('one', 'a\nb')
    const large = 'é\n'.repeat(300 * kilobyte)
    first.save('two', large)
    first.open('nobody was told').discard()
    const state = await saved(first)
    await first.close()
    const second = later(machine, state)
    expect([await textOf(second, 1), (await textOf(second, 2)) === large, await textOf(second, 3)]).toEqual([
      'a\nb',
      true,
      'unknown',
    ])
    expect(await second.find(2)).toMatchObject({ output: { title: 'two', lineCount: 300 * kilobyte, lostBytes: 0 } })
    expect(second.save('three', 'c')).toBe('artifact://3')
    const next = await saved(second)
    await second.close()
    const third = later(machine, next)
    expect([await textOf(third, 1), (await textOf(third, 2)) === large, await textOf(third, 3)]).toEqual(['a\nb', true, 'c'])
    expect(machine.places.size).toBe(1)
    await third.close({ forget: true })
    expect(machine.places.size).toBe(0)
  })

  it('are the same to the byte, however they were written, read and kept', async () => {
    await forSeeds(seeds({ quick: 6, deep: 20 }), async random => {
      const machine = createMachine()
      let store = new OutputStore({ ...limits, maxMemoryBytes: random.pick([0, 300, 900]) * kilobyte }, machine.open)
      const texts = new Map<number, string>()
      for (let step = 0; step < 6; step++) {
        const writer = store.open(`${step}`)
        const parts = Array.from({ length: 1 + random.below(4) }, () =>
          random.pick(['x', 'line\n', '→\r\n']).repeat(random.below(90_000)),
        )
        for (const part of parts) await writer.write(new TextEncoder().encode(part))
        writer.end()
        texts.set(writer.id, parts.join(''))
        if (!random.chance(0.5)) continue
        const state = await saved(store)
        await store.close()
        store = later(machine, state)
      }
      for (const [id, text] of texts) {
        const found = await store.find(id)
        if (found.kind !== 'kept') throw new Error(`${id} is ${found.kind}`)
        expect((await textOf(store, id)) === text).toBe(true)
        const lineIndex = random.below(found.output.lineCount + 1)
        const startByte =
          new TextEncoder().encode(text.split('\n').slice(0, lineIndex).join('\n')).length + (lineIndex > 0 ? 1 : 0)
        expect(await found.output.startOfLine(lineIndex)).toBe(Math.min(startByte, found.output.sizeBytes))
      }
    })
  })

  it('as far as they had come, when a command was still writing', async () => {
    const machine = createMachine()
    const store = new OutputStore(limits, machine.open)
    const writer = store.open('grows')
    await writer.write(new TextEncoder().encode('a'.repeat(300 * kilobyte)))
    const state = await saved(store)
    await writer.write(new TextEncoder().encode('b'.repeat(300 * kilobyte)))
    expect(await textOf(store, 1)).toBe('a'.repeat(300 * kilobyte) + 'b'.repeat(300 * kilobyte))
    await store.keep()
    await store.close()
    expect(await textOf(later(machine, state), 1)).toBe('a'.repeat(300 * kilobyte))
  })

  it('while a command writes without end', async () => {
    const machine = createMachine()
    const store = new OutputStore(limits, machine.open)
    const writer = store.open('yes')
    let isOver = false
    let pieces = 0
    const writing = (async () => {
      while (!isOver) {
        await writer.write(new Uint8Array(100 * kilobyte).fill(121))
        pieces += 1
        await new Promise(resolve => setTimeout(resolve, 0))
      }
    })()
    await expect.poll(() => pieces, { interval: 1 }).toBeGreaterThan(3)
    const state = await saved(store)
    isOver = true
    await writing
    expect(state?.place).toBe('place 1')
    await store.close()
    expect(await textOf(later(machine, state), 1)).toMatch(/^y+$/)
  })

  it('of a session that wrote on after its state was taken: the state is what counts', async () => {
    const machine = createMachine()
    const first = new OutputStore(limits, machine.open)
    first.save('one', 'a')
    const state = await saved(first)
    first.save('two', 'b'.repeat(600 * kilobyte))
    await first.keep()
    await first.close()
    const second = later(machine, state)
    expect(await textOf(second, 2)).toBe('unknown')
    expect(second.save('other', 'c')).toBe('artifact://2')
    expect(await textOf(second, 2)).toBe('c')
  })
})

describe('what cannot be read is told', () => {
  const one = async (open?: OpenOutputStorage): Promise<{ store: OutputStore; state: SavedOutputs | undefined }> => {
    const store = new OutputStore(limits, open)
    store.save('one', 'a')
    return { store, state: await saved(store) }
  }

  it('in memory only', async () => {
    const { state } = await one()
    expect(state).toEqual({ nextId: 2, place: undefined, outputs: [] })
    const store = new OutputStore(limits, undefined, state)
    expect([await textOf(store, 1), await textOf(store, 2)]).toEqual([
      'It was kept in memory, and was lost with that page or process.',
      'unknown',
    ])
    expect(store.save('two', 'b')).toBe('artifact://2')
    // Also in the session after the next.
    expect(await textOf(new OutputStore(limits, undefined, await saved(store)), 1)).toContain('in memory')
  })

  it('removed', async () => {
    const machine = createMachine()
    const { store, state } = await one(machine.open)
    await store.close()
    machine.places.clear()
    expect(await textOf(later(machine, state), 1)).toBe('They were removed.')
  })

  it('open in another session: the other is not disturbed, and what is new goes elsewhere', async () => {
    const machine = createMachine()
    const { store, state } = await one(machine.open)
    const twin = later(machine, state)
    expect(await textOf(twin, 1)).toBe('They are open in another session.')
    expect(twin.save('mine', 'x')).toBe('artifact://2')
    store.save('yours', 'y')
    await twin.keep()
    await store.keep()
    expect([await textOf(twin, 2), await textOf(store, 2), await textOf(store, 1)]).toEqual(['x', 'y', 'a'])
    await expect(twin.close({ forget: true })).rejects.toMatchObject({ code: 'outputs-in-use' })
    expect([...machine.places.keys()]).toEqual(['place 1'])
  })

  it('by a workspace that has no place for them', async () => {
    const { state } = await one(createMachine().open)
    const store = new OutputStore(limits, undefined, state)
    expect(await textOf(store, 1)).toBe('They were stored, but this workspace keeps outputs in memory only.')
  })

  it('a piece that the storage lost, or has only half, is a gap and no wrong byte', async () => {
    const machine = createMachine()
    const { store, state } = await one(machine.open)
    await store.close()
    machine.places.get('place 1')?.set('1/0', new Uint8Array(0))
    expect(await textOf(later(machine, state), 1)).toBe('\n[… 1 bytes were not kept …]\n')
  })
})

describe('a place', () => {
  it('is kept only when a state was taken', async () => {
    const machine = createMachine()
    const store = new OutputStore({ ...limits, maxMemoryBytes: 0 }, machine.open)
    await store.open('x').write(new Uint8Array(6 * 1024 * kilobyte))
    expect(machine.places.size).toBe(1)
    await store.close()
    await store.close()
    expect(machine.places.size).toBe(0)
  })

  it('is not opened by a session that needs none of it, and passed on', async () => {
    const machine = createMachine()
    const store = new OutputStore(limits, machine.open)
    expect(await store.keep()).toBeUndefined()
    store.save('one', 'a')
    const state = await saved(store)
    await store.close()
    const silent = new OutputStore(limits, () => Promise.reject(new Error('not to be opened')), state)
    expect(await silent.keep()).toEqual(state)
    await silent.close()
  })

  it('that fails while outputs are put away is told by a state without outputs', async () => {
    const machine = createMachine()
    const full: OpenOutputStorage = async kept => ({
      ...(await machine.open(kept)),
      put: () => Promise.reject(new Error('full')),
    })
    const store = new OutputStore(limits, full)
    store.save('one', 'a')
    expect(await saved(store)).toEqual({ nextId: 2, place: undefined, outputs: [] })
    expect(await textOf(store, 1)).toBe('a')
  })
})

it.each([
  ['no number', { place: 'x', outputs: [] }],
  ['a number that was not given', { nextId: 1, outputs: [{ id: 1, title: '', chunks: { pieces: [], endsWithNewline: true } }] }],
  ['a negative size', { nextId: 2, outputs: [{ id: 1, title: '', chunks: { pieces: [[-1, 0, 0]], endsWithNewline: true } }] }],
])('%s is refused', (_name, given) => {
  expect(() => asSavedOutputs(given)).toThrow(expect.objectContaining({ code: 'toolset-options' }))
})

it.each<[string, readonly Partial<IdlePlace>[], readonly string[]]>([
  ['nothing of little', [{}, {}], []],
  ['the oldest of more than sixteen', Array.from({ length: 18 }, () => ({})), ['1', '0']],
  ['the oldest beyond a gibibyte', [{ sizeBytes: 2 ** 29 }, { sizeBytes: 2 ** 29 }, { sizeBytes: 1 }], ['0']],
  ['what nobody used for 30 days', [{ keptAtMs: -31 * 24 * 3600 * 1000 }, {}], ['0']],
])('of idle places %s goes', (_name, places, gone) => {
  const idle = places.map((place, index) => ({ name: `${index}`, keptAtMs: index, sizeBytes: 1, ...place }))
  expect(surplusPlaces(idle, 100).map(({ name }) => name)).toEqual(gone)
})
