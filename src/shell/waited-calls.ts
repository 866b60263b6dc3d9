// Calls that a worker makes to the thread that started it, and that it waits for without returning to its event loop. A program
// that reads files synchronously needs this. The answer is written to shared memory, in pieces if it is large.

import { joinPieces } from '../core/bytes.ts'
import { createSharedMemory } from './shared-memory.ts'

export type CallReply =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'failure'; readonly message: string; readonly code: string | undefined }

const headerBytes = 16
const payloadBytes = 256 * 1024

/** Indices in the header. */
const signalAt = 0
const kindAt = 1
const lengthAt = 2
const restAt = 3

const waiting = 0
const answered = 1
const kinds = ['bytes', 'value', 'failure'] as const

/** Returns `undefined` if threads cannot share memory. */
export function createCallMemory(): SharedArrayBuffer | undefined {
  return createSharedMemory(headerBytes + payloadBytes)
}

/** The side that answers. The worker has one call at a time. */
export class CallAnswers {
  readonly #state: Int32Array
  readonly #payload: Uint8Array
  #kind = 0
  #rest = new Uint8Array()

  constructor(memory: SharedArrayBuffer) {
    this.#state = new Int32Array(memory, 0, headerBytes / 4)
    this.#payload = new Uint8Array(memory, headerBytes)
  }

  give(reply: CallReply): void {
    this.#kind = kinds.indexOf(reply.kind)
    this.#rest = reply.kind === 'bytes' ? reply.bytes.slice() : encoder.encode(JSON.stringify(reply))
    this.giveMore()
  }

  /** Writes the next piece, which the worker has asked for. */
  giveMore(): void {
    const piece = this.#rest.subarray(0, payloadBytes)
    this.#rest = this.#rest.subarray(piece.length)
    this.#payload.set(piece)
    this.#state[kindAt] = this.#kind
    this.#state[lengthAt] = piece.length
    this.#state[restAt] = this.#rest.length
    Atomics.store(this.#state, signalAt, answered)
    Atomics.notify(this.#state, signalAt)
  }
}

/** The side of the worker. */
export class WaitedCalls {
  readonly #state: Int32Array
  readonly #payload: Uint8Array
  readonly #askForMore: () => void
  readonly #sleeper = new Int32Array(new SharedArrayBuffer(4))

  constructor(memory: SharedArrayBuffer, askForMore: () => void) {
    this.#state = new Int32Array(memory, 0, headerBytes / 4)
    this.#payload = new Uint8Array(memory, headerBytes)
    this.#askForMore = askForMore
  }

  /** Sends a call, and blocks the thread until its answer is complete. */
  call(send: () => void): CallReply {
    const pieces: Uint8Array[] = []
    for (let next = send; ; next = this.#askForMore) {
      Atomics.store(this.#state, signalAt, waiting)
      next()
      while (Atomics.load(this.#state, signalAt) === waiting) Atomics.wait(this.#state, signalAt, waiting)
      pieces.push(this.#payload.slice(0, this.#state[lengthAt]))
      if (this.#state[restAt] === 0) break
    }
    const bytes = joinPieces(pieces)
    if (this.#state[kindAt] === 0) return { kind: 'bytes', bytes }
    // The other side is of the same release and has written one of these.
    return JSON.parse(decoder.decode(bytes)) as CallReply
  }

  /** Blocks the thread. */
  sleep(milliseconds: number): void {
    Atomics.wait(this.#sleeper, 0, 0, milliseconds)
  }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()
