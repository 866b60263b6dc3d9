import { describe, expect, it } from 'vitest'
import { textOf } from '../../testing/tool-session.ts'
import { createWorkspace } from '../../workspace/create-workspace.ts'
import { memory } from '../memory/index.ts'
import { openOutputDatabase } from './output-database.ts'

const databases = async (): Promise<readonly string[]> =>
  (await indexedDB.databases()).flatMap(({ name }) => (name?.startsWith('anchorage-outputs-') === true ? [name] : []))

describe('a database of outputs', () => {
  it('gives back what it was given, and goes when it is closed', async () => {
    const before = await databases()
    const storage = await openOutputDatabase()
    expect((await databases()).length).toBe(before.length + 1)
    await storage.put(1, 0, Uint8Array.of(1, 2))
    await storage.put(1, 1, Uint8Array.of(3))
    await storage.put(11, 0, new Uint8Array(new ArrayBuffer(10), 4, 2).fill(4))
    expect([Array.from((await storage.get(1, 1)) ?? []), await storage.get(2, 0)]).toEqual([[3], undefined])
    await storage.remove(1, 2)
    expect([await storage.get(1, 0), Array.from((await storage.get(11, 0)) ?? [])]).toEqual([undefined, [4, 4]])
    await storage.close()
    await storage.close()
    expect(await databases()).toEqual(before)
  })

  it('clears away what a dead tab left, and leaves what lives', async () => {
    const dead = `anchorage-outputs-${(Date.now() - 48 * 60 * 60 * 1000).toString(36)}-dead`
    await new Promise<void>((resolve, reject) => {
      const opening = indexedDB.open(dead)
      opening.addEventListener('success', () => {
        opening.result.close()
        resolve()
      })
      opening.addEventListener('error', () => reject(new Error(String(opening.error))))
    })
    const one = await openOutputDatabase()
    const [alive] = await databases()
    const two = await openOutputDatabase()
    const names = await databases()
    expect([names.includes(dead), names.includes(alive ?? '')]).toEqual([false, true])
    await one.close()
    await two.close()
  })
})

describe('a database that is kept', () => {
  it('stays when it is closed, and is opened again by its name alone', async () => {
    const before = await databases()
    const storage = await openOutputDatabase()
    for (const id of [1, 2, 3]) await storage.put(id, 0, Uint8Array.of(id))
    const kept = { name: (await storage.keep?.(3)) ?? '', nextOutputId: 3 }
    await storage.close()
    // Opening another database removes leftover ones, but not this one.
    await (await openOutputDatabase()).close()
    const again = await openOutputDatabase(kept)
    expect([Array.from((await again.get(2, 0)) ?? []), await again.get(3, 0)]).toEqual([[2], undefined])
    await again.close({ forget: true })
    expect(await databases()).toEqual(before)
    await expect(openOutputDatabase(kept)).rejects.toMatchObject({ code: 'outputs-gone' })
  })

  it('is not shared: who comes second waits a while, and is told', async () => {
    const storage = await openOutputDatabase()
    const kept = { name: (await storage.keep?.(0)) ?? '', nextOutputId: 1 }
    await expect(openOutputDatabase(kept)).rejects.toMatchObject({ code: 'outputs-in-use' })
    const second = openOutputDatabase(kept)
    await storage.close()
    await (await second).close({ forget: true })
  })

  it('that was not kept is none, nor is any other name', async () => {
    const storage = await openOutputDatabase()
    const [name = ''] = await databases()
    await storage.close()
    for (const other of [name, 'other', '']) {
      await expect(openOutputDatabase({ name: other, nextOutputId: 1 })).rejects.toMatchObject({ code: 'outputs-gone' })
    }
    expect(await databases()).not.toContain(name)
  })

  it('makes room for others when there are too many', async () => {
    const names: string[] = []
    for (let index = 0; index < 18; index++) {
      const storage = await openOutputDatabase()
      names.push((await storage.keep?.(1)) ?? '')
      await new Promise(resolve => setTimeout(resolve, 3))
      await storage.close()
    }
    await (await openOutputDatabase()).close()
    expect((await databases()).toSorted()).toEqual(names.slice(2).toSorted())
    for (const name of names.slice(2)) await (await openOutputDatabase({ name, nextOutputId: 1 })).close({ forget: true })
  })
})

it('24 MB of output are kept to the byte, of which memory has 2', async () => {
  const workspace = await createWorkspace({ fs: memory(), limits: { outputMaxBytes: 2 * 1024 * 1024 } })
  const tools = await workspace.toolset('atomic')
  const line = (number: number): string => `${String(number).padStart(8, '0')} ${'é→'.repeat(18)}.\n`
  const lines = 240_000
  await workspace.fs.writeFile('/workspace/part', Array.from({ length: lines }, (_, index) => line(index + 1)).join(''))
  const result = await tools.call('bash', { command: 'cat part' })
  const text = textOf(result)
  expect(text.startsWith(line(1))).toBe(true)
  expect(text).toContain(`of ${lines} (50.0KB limit). Whole output: read artifact://1.]`)
  expect((await databases()).length).toBeGreaterThan(0)
  for (const number of [1, 77_777, 155_555, lines]) {
    expect(textOf(await tools.call('read', { path: `artifact://1:${number}-${number}:raw` }))).toBe(line(number))
  }
  const sizeBytes = new TextEncoder().encode(line(1)).length
  for (let at = 0; at < lines * sizeBytes; at += 40 * 51_200) {
    const page = await tools.call('read', { path: `artifact://1?bytes=${at}-${lines * sizeBytes}` })
    const { startByte, endByte } = page.details
    const first = Math.floor(Number(startByte) / sizeBytes)
    const expected = Array.from({ length: 1200 }, (_, index) => line(first + index + 1)).join('')
    const offset = Number(startByte) - first * sizeBytes
    const bytes = new TextEncoder().encode(expected).subarray(offset, offset + Number(endByte) - Number(startByte))
    expect(page.content[0]).toEqual({ type: 'text', text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) })
  }
  await workspace.dispose()
  await expect.poll(databases).toEqual([])
})
