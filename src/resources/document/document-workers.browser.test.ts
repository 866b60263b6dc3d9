// Document workers in a page, where pdf.js and bundlers treat the worker differently than in Node.

import { expect, it } from 'vitest'

import { DocumentWorkers } from './document-workers.ts'
import { endlessPdf, madeDocx, madePdf } from '../../testing/documents/made-documents.ts'
import { startDocumentWorker, type DocumentWorker } from './spawn.ts'

const { signal } = new AbortController()

it('documents of every reader are converted in one worker', async () => {
  const counts = { started: 0 }
  const start = (memoryMb: number): DocumentWorker | undefined => {
    const worker = startDocumentWorker(memoryMb)
    if (worker !== undefined) counts.started++
    return worker
  }
  const workers = new DocumentWorkers(start)
  const pdf = madePdf([{ texts: [[12, 50, 700, 'printed words']] }])
  expect((await workers.convert(pdf, 'pdf', { signal })).markdown).toContain('printed words')
  const docx = madeDocx('<w:p><w:r><w:t>some text</w:t></w:r></w:p>')
  expect((await workers.convert(docx, 'docx', { signal })).markdown).toBe('some text')
  await expect(workers.convert(new Uint8Array(9), 'pdf', { signal })).rejects.toMatchObject({ kind: 'damaged' })
  expect(counts.started).toBe(1)
})

it('one that would be read for ever is ended in time, while this thread goes on', async () => {
  const workers = new DocumentWorkers()
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const work = workers.convert(endlessPdf(), 'pdf', { signal, timeoutMs: 1_500 })
  await expect(work).rejects.toMatchObject({ kind: 'too-slow' })
  clearInterval(timer)
  expect(turns).toBeGreaterThan(3)
})
