import { describe, expect, it } from 'vitest'

import { seeds } from '../testing/depth.ts'
import { forSeeds } from '../testing/random.ts'
import type { OutputStorage } from '../core/output-storage.ts'
import { readBytePage, readLinePage } from './output-page.ts'
import type { StoredOutput } from './output-entry.ts'
import { OutputStore } from './outputs.ts'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
const outputOf = async (store: OutputStore, id: number): Promise<StoredOutput | undefined> => {
  const found = await store.find(id)
  return found.kind === 'kept' ? found.output : undefined
}
const wholeOf = async (output: StoredOutput | undefined): Promise<string | undefined> =>
  output === undefined ? undefined : textOf(await output.read(0, output.sizeBytes))

const kilobyte = 1024
const megabyte = 1024 * kilobyte
const roomy = { maxMemoryBytes: megabyte, maxStoredBytes: 64 * megabyte }

/** A storage in a map, which records its state. */
function mapStorage(): OutputStorage & { readonly chunks: Map<string, Uint8Array>; isClosed: boolean } {
  const chunks = new Map<string, Uint8Array>()
  return {
    chunks,
    isClosed: false,
    put: async (id, index, bytes) => void chunks.set(`${id}/${index}`, bytes),
    get: async (id, index) => chunks.get(`${id}/${index}`),
    async remove(id, chunkCount) {
      for (let index = 0; index < chunkCount; index++) chunks.delete(`${id}/${index}`)
    },
    async close() {
      chunks.clear()
      this.isClosed = true
    },
  }
}

async function write(store: OutputStore, title: string, parts: readonly Uint8Array[]): Promise<StoredOutput> {
  const writer = store.open(title)
  for (const part of parts) await writer.write(part)
  writer.end()
  return writer
}

describe('in memory', () => {
  it('keeps each output under an address of its own', async () => {
    const store = new OutputStore(roomy)
    expect([store.save('one', 'a'), store.save('two', '')]).toEqual(['artifact://1', 'artifact://2'])
    expect([await wholeOf(await outputOf(store, 1)), await wholeOf(await outputOf(store, 2)), await outputOf(store, 3)]).toEqual([
      'a',
      '',
      undefined,
    ])
    expect(await outputOf(store, 1)).toMatchObject({ title: 'one', sizeBytes: 1, lineCount: 1, lostBytes: 0 })
  })

  it('can be read while it is written, and not after it was discarded', async () => {
    const store = new OutputStore(roomy)
    const writer = store.open('x')
    await writer.write(utf8('a\nb'))
    expect([await wholeOf(await outputOf(store, 1)), (await outputOf(store, 1))?.lineCount]).toEqual(['a\nb', 2])
    await writer.write(utf8('c\n'))
    expect([await wholeOf(await outputOf(store, 1)), (await outputOf(store, 1))?.lineCount]).toEqual(['a\nbc\n', 2])
    writer.discard()
    await writer.write(utf8('d'))
    expect(await outputOf(store, 1)).toBeUndefined()
  })

  it('gives the number of what nobody was told of to the next', async () => {
    const store = new OutputStore(roomy)
    store.open('a').discard()
    const second = store.open('b')
    const third = store.open('c')
    second.discard()
    second.discard()
    third.end()
    expect([third.address, store.save('d', 'd')]).toEqual(['artifact://2', 'artifact://3'])
  })

  it('does not keep the writer’s buffer', async () => {
    const store = new OutputStore(roomy)
    const bytes = utf8('abc')
    await write(store, 'x', [bytes])
    bytes.fill(0)
    expect(await wholeOf(await outputOf(store, 1))).toBe('abc')
  })

  it('drops whole outputs first, the oldest before others', async () => {
    const store = new OutputStore({ ...roomy, maxMemoryBytes: 700 * kilobyte })
    for (let index = 1; index <= 4; index++) store.save(`${index}`, `${index}`.repeat(300 * kilobyte))
    expect(await Promise.all([1, 2, 3, 4].map(async id => (await outputOf(store, id))?.title))).toEqual([
      undefined,
      undefined,
      '3',
      '4',
    ])
  })

  it('of one that is too large, loses the middle and says so in its place', async () => {
    const store = new OutputStore(roomy)
    const output = await write(
      store,
      'x',
      Array.from({ length: 3000 }, (_, index) => utf8(`${String(index).padStart(1023, '.')}\n`)),
    )
    const text = (await wholeOf(output)) ?? ''
    expect(output.lostBytes).toBeGreaterThan(megabyte)
    expect(output).toMatchObject({ sizeBytes: 3000 * 1024, lineCount: 3000 })
    expect(text).toMatch(/^\.+0\n/)
    expect(text).toContain(`[… ${output.lostBytes} bytes were not kept …]`)
    expect(text).toMatch(/\.2999\n$/)
    expect(textOf(await output.read(await output.startOfLine(2998), output.sizeBytes))).toMatch(/^\.+2998\n\.+2999\n$/)
  })
})

describe('with a storage', () => {
  it('keeps every byte of an output that is larger than memory, and lets go of it', async () => {
    const storage = mapStorage()
    const store = new OutputStore(roomy, () => Promise.resolve(storage))
    const line = (index: number): string => `${String(index).padStart(120, '-')}é\n`
    const output = await write(
      store,
      'x',
      Array.from({ length: 50 }, (_, part) =>
        utf8(Array.from({ length: 1000 }, (__, index) => line(part * 1000 + index)).join('')),
      ),
    )
    await expect.poll(() => storage.chunks.size).toBeGreaterThan(15)
    expect([output.lostBytes, output.lineCount]).toEqual([0, 50_000])
    expect(await wholeOf(output)).toBe(Array.from({ length: 50_000 }, (_, index) => line(index)).join(''))
    const { document } = await readLinePage(output, [{ firstIndex: 31_999, maxLines: 3, maxBytes: 1000 }])
    expect(document.lines.length).toBe(50_000)
    expect([31_998, 31_999, 32_001, 32_002].map(index => document.lines[index])).toEqual([
      undefined,
      line(31_999).trimEnd(),
      line(32_001).trimEnd(),
      undefined,
    ])
    await store.close()
    await store.close()
    expect([storage.isClosed, await outputOf(store, 1)]).toEqual([true, undefined])
  })

  it('makes a fast writer wait for a slow storage', async () => {
    const slow = mapStorage()
    let most = 0
    let written = 0
    let stored = 0
    const put = slow.put.bind(slow)
    const storage: OutputStorage = {
      ...slow,
      put: async (id, index, bytes) => {
        most = Math.max(most, written - stored)
        await new Promise(resolve => setTimeout(resolve, 1))
        stored += bytes.length
        await put(id, index, bytes)
      },
    }
    const store = new OutputStore(roomy, () => Promise.resolve(storage))
    const writer = store.open('x')
    for (let index = 0; index < 300; index++) {
      written += 64 * kilobyte
      await writer.write(new Uint8Array(64 * kilobyte))
    }
    expect(most).toBeLessThan(6 * megabyte)
  })

  it('within its own bound too: older outputs go', async () => {
    const storage = mapStorage()
    const store = new OutputStore({ maxMemoryBytes: 512 * kilobyte, maxStoredBytes: 2 * megabyte }, () =>
      Promise.resolve(storage),
    )
    for (const title of ['a', 'b', 'c']) await write(store, title, [new Uint8Array(1.5 * megabyte).fill(title.charCodeAt(0))])
    await write(store, 'd', [utf8('last')])
    await expect.poll(() => outputOf(store, 1)).toBeUndefined()
    await expect.poll(() => storage.chunks.size * 256).toBeLessThanOrEqual(2 * 1024)
    expect((await outputOf(store, 4))?.title).toBe('d')
  })

  it.each([
    ['cannot be opened', () => Promise.reject(new Error('no database'))],
    ['is full', () => Promise.resolve({ ...mapStorage(), put: () => Promise.reject(new Error('no database')) })],
  ])('that %s: memory is all there is, and the loss is told', async (_name, open) => {
    const store = new OutputStore(roomy, open)
    const output = await write(
      store,
      'x',
      Array.from({ length: 100 }, () => new Uint8Array(100 * kilobyte).fill(97)),
    )
    await expect.poll(() => output.lostBytes).toBeGreaterThan(0)
    expect(await wholeOf(output)).toMatch(/^a+\n\[… \d+ bytes were not kept …\]\na+$/)
  })

  it('that loses what it was given leaves a gap, not a wrong byte', async () => {
    const storage = mapStorage()
    const store = new OutputStore(roomy, () => Promise.resolve(storage))
    const output = await write(
      store,
      'x',
      Array.from({ length: 30 }, () => new Uint8Array(100 * kilobyte).fill(97)),
    )
    await expect.poll(() => storage.chunks.size).toBeGreaterThan(3)
    storage.chunks.clear()
    expect(await wholeOf(output)).toMatch(/^\n\[… \d+ bytes were not kept …\]\na+$/)
  })
})

describe('pages', () => {
  it('of bytes follow each other without a gap, at borders of characters', async () => {
    await forSeeds(seeds({ quick: 15, deep: 300 }), async random => {
      const text = Array.from({ length: 400 }, () => random.pick(['a', 'é', '→', '🎉', '\n', '\r\n'])).join('')
      const store = new OutputStore(roomy)
      store.save('x', text)
      const output = await outputOf(store, 1)
      if (output === undefined) throw new Error('it is gone')
      let all = ''
      let next: { startByte: number; endByte: number } | undefined = { startByte: 0, endByte: output.sizeBytes }
      for (let page = 0; next !== undefined && page < 1000; page++) {
        const shown = await readBytePage(output, next, 5 + random.below(20))
        all += shown.text
        const [, start, end] = /\?bytes=(\d+)-(\d+)$/.exec(shown.nextAddress ?? '') ?? []
        next = start === undefined ? undefined : { startByte: Number(start), endByte: Number(end) }
      }
      expect(all).toBe(text)
    })
  })

  it.each([
    ['a\nb\n', 0, 9, ['a', 'b'], ['\n', '\n']],
    ['a\nb', 1, 9, [undefined, 'b'], [undefined, '']],
    ['a\r\nb\rc\n', 0, 9, ['a', 'b\rc'], ['\r\n', '\n']],
    ['\r\n\r\n', 0, 9, ['', ''], ['\r\n', '\r\n']],
    ['a\nb\nc\n', 1, 1, [undefined, 'b', undefined], [undefined, '\n', undefined]],
    ['', 0, 9, [], []],
    ['a\n', 5, 9, [undefined], [undefined]],
  ])('of lines: %j from %d', async (text, firstIndex, maxLines, lines, endings) => {
    const store = new OutputStore(roomy)
    store.save('x', text)
    const output = await outputOf(store, 1)
    if (output === undefined) throw new Error('it is gone')
    const { document } = await readLinePage(output, [{ firstIndex, maxLines, maxBytes: 100 }])
    expect([Array.from(document.lines), Array.from(document.endings)]).toEqual([lines, endings])
  })
})
