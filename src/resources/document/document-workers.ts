// Converts documents in separate workers. A file from outside can keep its reader busy for any time, and only a worker can be ended in
// the middle. If no worker can be started, a document is converted on this thread, within the readers' own limits.

import { untilAborted } from '../../core/abort.ts'
import type { StartWorker } from '../../core/start-worker.ts'
import { documentMaxBytes, documentToMarkdown, type ConvertedDocument, type ConvertOptions } from './convert.ts'
import type { FromDocumentWorker, ToDocumentWorker } from './document-worker.ts'
import type { DocumentKind } from './kinds.ts'
import { startDocumentWorker, type DocumentWorker } from './spawn.ts'
import { DocumentTrouble } from './trouble.ts'
import { deferred } from '../../core/deferred.ts'

/** The number of workers; other documents wait. */
const maxWorkers = 2
const loadMaxMs = 60_000
/** How long an idle worker waits for the next document. */
const idleMs = 10_000
/** Limit of a worker's heap in Node; higher for a file of more than a tenth of it. */
const usualMemoryMb = 256

type Answer = Exclude<FromDocumentWorker, { readonly kind: 'ready' }>

interface Member {
  readonly worker: DocumentWorker
  readonly memoryMb: number
  /** Whether it could be loaded. */
  readonly isLoaded: Promise<boolean>
  hear: (answer: Answer) => void
  lost: (why: string) => void
}

export class DocumentWorkers {
  readonly #start: (memoryMb: number) => DocumentWorker | undefined
  #canStart = true
  #running = 0
  readonly #queue: (() => void)[] = []
  #idle: Member | undefined
  #ending: ReturnType<typeof setTimeout> | undefined

  constructor(start: (memoryMb: number) => DocumentWorker | undefined = startDocumentWorker) {
    this.#start = start
  }

  /**
   * Like `documentToMarkdown`, but an abort ends the work at once. Also throws `DocumentTrouble` `too-slow`: after a minute and a second for
   * each megabyte, without the wait for a worker.
   */
  async convert(
    bytes: Uint8Array,
    kind: DocumentKind,
    { signal, page, timeoutMs = 60_000 + bytes.length / 1000 }: ConvertOptions & { readonly timeoutMs?: number },
  ): Promise<ConvertedDocument> {
    await this.#turn(signal)
    try {
      const member = bytes.length > documentMaxBytes ? undefined : await this.#memberFor(bytes.length, signal)
      if (member === undefined) return await documentToMarkdown(bytes, kind, { signal, page })
      const answer = await answerOf(member, timeoutMs, signal, { bytes, kind, page })
      this.#keep(member)
      if (answer.kind === 'converted') return answer.document
      throw answer.kind === 'trouble'
        ? new DocumentTrouble(answer.trouble, answer.message)
        : new Error(`A document could not be converted: ${answer.message}`)
    } finally {
      const next = this.#queue.shift()
      if (next === undefined) this.#running--
      else next()
    }
  }

  async #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#running < maxWorkers) {
      this.#running++
      return
    }
    await new Promise<void>((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        this.#queue.splice(this.#queue.indexOf(enter), 1)
        reject(signal.reason)
      }
      this.#queue.push(enter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  /** `undefined` if none can be started. */
  async #memberFor(sizeBytes: number, signal: AbortSignal): Promise<Member | undefined> {
    const memoryMb = Math.max(usualMemoryMb, Math.ceil((sizeBytes * 10) / 1024 / 1024))
    const member = (memoryMb === usualMemoryMb ? this.#takeIdle() : undefined) ?? this.#create(memoryMb)
    if (member === undefined) return undefined
    member.worker.hold(true)
    try {
      if (await untilAborted(member.isLoaded, signal)) return member
    } catch (error) {
      member.worker.end()
      throw error
    }
    member.worker.end()
    return undefined
  }

  #create(memoryMb: number): Member | undefined {
    if (!this.#canStart) return undefined
    let worker: DocumentWorker | undefined
    try {
      worker = this.#start(memoryMb)
    } catch {
      // A policy forbids workers. The document is converted on this thread.
    }
    if (worker === undefined) this.#canStart = false
    return worker === undefined ? undefined : this.#memberOf(worker, memoryMb)
  }

  #memberOf(worker: DocumentWorker, memoryMb: number): Member {
    const { promise: isLoaded, resolve: tell } = deferred<boolean>()
    const member: Member = { worker, memoryMb, isLoaded, hear: () => undefined, lost: () => undefined }
    // A slow start does not rule out later attempts.
    const loading = setTimeout(() => tell(false), loadMaxMs)
    let hasLoaded = false
    worker.onLost(why => {
      clearTimeout(loading)
      tell(false)
      if (!hasLoaded) this.#canStart = false
      if (this.#idle === member) this.#takeIdle()
      member.lost(why)
    })
    worker.port.listen(message => {
      // pdf.js greets the thread that started the worker that it runs in.
      if ((message as { readonly kind?: string }).kind === undefined) return
      if (message.kind !== 'ready') return member.hear(message)
      hasLoaded = true
      clearTimeout(loading)
      tell(true)
    })
    return member
  }

  #takeIdle(): Member | undefined {
    const member = this.#idle
    clearTimeout(this.#ending)
    this.#idle = undefined
    return member
  }

  #keep(member: Member): void {
    member.worker.hold(false)
    if (this.#idle !== undefined || member.memoryMb > usualMemoryMb) return member.worker.end()
    this.#idle = member
    this.#ending = setTimeout(() => this.#takeIdle()?.worker.end(), idleMs)
    // Must not keep Node alive; in a page a timer is a number.
    const timer: unknown = this.#ending
    if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function') timer.unref()
  }
}

const ofThisThread = new DocumentWorkers()
const ofOthers = new WeakMap<StartWorker, DocumentWorkers>()

/** The workers of all workspaces of this thread, or those that `startWorker` starts. */
export function documentWorkers(startWorker: StartWorker | undefined): DocumentWorkers {
  if (startWorker === undefined) return ofThisThread
  const workers = ofOthers.get(startWorker) ?? new DocumentWorkers(memoryMb => startDocumentWorker(memoryMb, startWorker))
  ofOthers.set(startWorker, workers)
  return workers
}

/** Ends the worker unless it answers. */
async function answerOf(member: Member, timeoutMs: number, signal: AbortSignal, request: ToDocumentWorker): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const answer = new Promise<Answer>((resolve, reject) => {
    const late = new DocumentTrouble('too-slow', `it was not read within ${Math.round(timeoutMs / 1000)} s`)
    timer = setTimeout(() => reject(late), timeoutMs)
    member.hear = resolve
    member.lost = why => reject(new DocumentTrouble('too-large', `its reader broke off: ${why}`))
    member.worker.port.post(request, [request.bytes])
  })
  try {
    return await untilAborted(answer, signal)
  } catch (error) {
    member.worker.end()
    throw error
  } finally {
    clearTimeout(timer)
  }
}
