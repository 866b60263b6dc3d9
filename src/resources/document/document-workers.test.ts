// Documents in separate workers: an endless conversion is ended, and a worker that cannot be started is replaced by this thread.

import { describe, expect, it } from 'vitest'

import { DocumentWorkers } from './document-workers.ts'
import { blankPdf, endlessPdf, madeDocx } from '../../testing/documents/made-documents.ts'
import { startDocumentWorker, type DocumentWorker } from './spawn.ts'

const { signal } = new AbortController()
const docx = (): Uint8Array => madeDocx('<w:p><w:r><w:t>some text</w:t></w:r></w:p>')

/** Starts workers and counts them. */
function counted(): { readonly start: typeof startDocumentWorker; readonly counts: { started: number; ended: number } } {
  const counts = { started: 0, ended: 0 }
  const start = (memoryMb: number): DocumentWorker | undefined => {
    const worker = startDocumentWorker(memoryMb)
    counts.started++
    return worker === undefined ? undefined : { ...worker, end: () => (counts.ended++, worker.end()) }
  }
  return { start, counts }
}

/** A worker that reports that it is ready, and then only what `hear` says. */
function standIn(hear: (lose: (why: string) => void) => void, isReady = true): DocumentWorker {
  let lose: (why: string) => void = () => undefined
  return {
    port: {
      post: () => hear(lose),
      listen: listener => void (isReady && queueMicrotask(() => listener({ kind: 'ready' }))),
    },
    onLost: listener => {
      lose = listener
      if (!isReady) queueMicrotask(() => listener('its script could not be loaded'))
    },
    end: () => undefined,
    hold: () => undefined,
  }
}

describe('a document in a worker of its own', () => {
  it('is converted there, and the next ones in the same worker, also after a refusal', async () => {
    const { start, counts } = counted()
    const workers = new DocumentWorkers(start)
    expect((await workers.convert(docx(), 'docx', { signal })).markdown).toBe('some text')
    await expect(workers.convert(new Uint8Array(9), 'docx', { signal })).rejects.toMatchObject({ kind: 'damaged' })
    expect((await workers.convert(docx(), 'docx', { signal })).markdown).toBe('some text')
    expect(counts).toEqual({ started: 1, ended: 0 })
  })

  it('that would be read for ever is ended in time, while this thread goes on', async () => {
    const { start, counts } = counted()
    const workers = new DocumentWorkers(start)
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    const work = workers.convert(endlessPdf(), 'pdf', { signal, timeoutMs: 1_500 })
    await expect(work).rejects.toMatchObject({ kind: 'too-slow', message: 'it was not read within 2 s' })
    clearInterval(timer)
    expect(turns).toBeGreaterThan(3)
    expect(counts).toEqual({ started: 1, ended: 1 })
    expect((await workers.convert(docx(), 'docx', { signal })).markdown).toBe('some text')
  })

  it('ends with the call, and so does one that waits', async () => {
    const { start, counts } = counted()
    const workers = new DocumentWorkers(start)
    const controller = new AbortController()
    const works = [1, 2, 3, 4].map(() => workers.convert(endlessPdf(), 'pdf', { signal: controller.signal }))
    await expect.poll(() => counts.started).toBe(2)
    controller.abort(new Error('enough'))
    for (const work of works) await expect(work).rejects.toThrow('enough')
    expect(counts).toEqual({ started: 2, ended: 2 })
    expect((await workers.convert(docx(), 'docx', { signal })).markdown).toBe('some text')
  })

  it('two are converted at a time, and the others in their turn', async () => {
    const { start, counts } = counted()
    const workers = new DocumentWorkers(start)
    const documents = await Promise.all([1, 2, 3, 4, 5].map(() => workers.convert(docx(), 'docx', { signal })))
    expect(documents.map(({ markdown }) => markdown)).toEqual(Array(5).fill('some text'))
    expect(counts.started - counts.ended).toBe(1)
  })

  const starters: readonly (readonly [why: string, start: typeof startDocumentWorker])[] = [
    ['there are no workers', () => undefined],
    [
      'a policy forbids them',
      () => {
        throw new Error('SecurityError')
      },
    ],
    ['the script is not there', () => standIn(() => undefined, false)],
  ]
  it.each(starters)('is converted on this thread where %s, which is tried once', async (_why, start) => {
    let starts = 0
    const workers = new DocumentWorkers(memoryMb => (starts++, start(memoryMb)))
    expect((await workers.convert(docx(), 'docx', { signal })).markdown).toBe('some text')
    expect((await workers.convert(docx(), 'docx', { signal })).markdown).toBe('some text')
    expect(starts).toBe(1)
  })

  it('whose page unpacks to more than memory should hold is not unpacked', async () => {
    const workers = new DocumentWorkers()
    const work = workers.convert(blankPdf(140, 2), 'pdf', { signal })
    await expect(work).rejects.toMatchObject({ kind: 'too-large', message: 'a part of it unpacks to more than 128 MB' })
    expect((await workers.convert(docx(), 'docx', { signal })).markdown).toBe('some text')
  })

  it('whose worker breaks is refused, and the next one gets another', async () => {
    let isFirst = true
    const workers = new DocumentWorkers(memoryMb => {
      if (!isFirst) return startDocumentWorker(memoryMb)
      isFirst = false
      return standIn(lose => lose('out of memory'))
    })
    const work = workers.convert(docx(), 'docx', { signal })
    await expect(work).rejects.toMatchObject({ kind: 'too-large', message: 'its reader broke off: out of memory' })
    expect((await workers.convert(docx(), 'docx', { signal })).markdown).toBe('some text')
  })
})
