// With shared memory, the answer to a file request is written there, and the worker sleeps until then. This saves one turn of its
// event loop for each request. Answers that are too large are sent through the port, as are all answers without shared memory.
// Measured by .ci/bench/shell.mjs.

import { createSharedMemory } from '../../shell/shared-memory.ts'
import type { ContentAhead } from './read-ahead.ts'

/** The memory holds one answer, because a worker sends one request at a time and sleeps until the answer arrives. */
export interface SharedAnswers {
  readonly state: Int32Array
  readonly payload: Uint8Array
}

const headerBytes = 16
const payloadBytes = 128 * 1024

/** Indices in `state`. */
const signalAt = 0
const kindAt = 1
const lengthAt = 2
/** The length of the descriptions in bytes. */
const headLengthAt = 3

const waiting = 0
const answered = 1

/** The kind of content in the payload. `contents` is several files, preceded by their descriptions. */
const kinds = { bytes: 0, value: 1, nothing: 2, elsewhere: 3, failure: 4, contents: 5 } as const

/** Returns `undefined` if threads cannot share memory. */
export function createAnswerMemory(): SharedArrayBuffer | undefined {
  return createSharedMemory(headerBytes + payloadBytes)
}

export function openSharedAnswers(memory: SharedArrayBuffer): SharedAnswers {
  return { state: new Int32Array(memory, 0, headerBytes / 4), payload: new Uint8Array(memory, headerBytes) }
}

/** Called by the worker before it sends a request. */
export function expectAnswer({ state }: SharedAnswers): void {
  Atomics.store(state, signalAt, waiting)
}

export interface SharedFailure {
  readonly message: string
  readonly code: string | undefined
}

export type SharedAnswer =
  | { readonly kind: 'here'; readonly value: unknown }
  | { readonly kind: 'failure'; readonly failure: SharedFailure }
  | { readonly kind: 'elsewhere' }

/** The contents of several files in one answer. */
export class Contents {
  readonly found: readonly (ContentAhead | null)[]

  constructor(found: readonly (ContentAhead | null)[]) {
    this.found = found
  }
}

/** Called by the worker: sleeps until the answer arrives. Code that ends the worker wakes it too. */
export function awaitAnswer({ state, payload }: SharedAnswers): SharedAnswer {
  // A wake-up for the previous answer can arrive during the next wait, so the signal is checked in a loop.
  while (Atomics.load(state, signalAt) === waiting) Atomics.wait(state, signalAt, waiting)
  const length = state[lengthAt] ?? 0
  switch (state[kindAt]) {
    case kinds.bytes:
      return { kind: 'here', value: payload.slice(0, length) }
    case kinds.value:
      return { kind: 'here', value: parse(payload, length) }
    case kinds.nothing:
      return { kind: 'here', value: undefined }
    case kinds.failure:
      return { kind: 'failure', failure: parse(payload, length) as SharedFailure }
    case kinds.contents:
      return { kind: 'here', value: readContents(payload, state[headLengthAt] ?? 0) }
    default:
      return { kind: 'elsewhere' }
  }
}

/** Called by the shell. Returns false if the answer does not fit and must be sent. The worker is woken in both cases. */
export function giveAnswer(answers: SharedAnswers, value: unknown): boolean {
  return give(answers, write(answers, value))
}

/** Called by the shell. The result is that of `giveAnswer`. */
export function giveFailure(answers: SharedAnswers, { message, code }: SharedFailure): boolean {
  return give(answers, writeBytes(answers, kinds.failure, encoder.encode(JSON.stringify({ message, code }))))
}

function give({ state }: SharedAnswers, kind: number): boolean {
  state[kindAt] = kind
  Atomics.store(state, signalAt, answered)
  Atomics.notify(state, signalAt)
  return kind !== kinds.elsewhere
}

function write(answers: SharedAnswers, value: unknown): number {
  if (value === undefined) return kinds.nothing
  if (value instanceof Uint8Array) return writeBytes(answers, kinds.bytes, value)
  if (value instanceof Contents) return writeContents(answers, value)
  return writeBytes(answers, kinds.value, encoder.encode(JSON.stringify(value)))
}

function writeBytes({ state, payload }: SharedAnswers, kind: number, bytes: Uint8Array): number {
  if (bytes.length > payload.length) return kinds.elsewhere
  payload.set(bytes)
  state[lengthAt] = bytes.length
  return kind
}

/** The revision and size of a file, or null if it was not found. */
type Description = readonly [rev: number, sizeBytes: number] | null

function writeContents({ state, payload }: SharedAnswers, { found }: Contents): number {
  const descriptions = found.map((content): Description => content && [content.rev, content.bytes.length])
  const head = encoder.encode(JSON.stringify(descriptions))
  if (descriptions.reduce((sum, description) => sum + (description?.[1] ?? 0), head.length) > payload.length)
    return kinds.elsewhere
  payload.set(head)
  state[headLengthAt] = head.length
  let at = head.length
  for (const content of found) {
    if (content === null) continue
    payload.set(content.bytes, at)
    at += content.bytes.length
  }
  return kinds.contents
}

function readContents(payload: Uint8Array, headLength: number): Contents {
  let at = headLength
  // `writeContents` of the same release wrote the data, so it is not validated.
  const descriptions = parse(payload, headLength) as readonly Description[]
  const found = descriptions.map(description => {
    if (description === null) return null
    const [rev, sizeBytes] = description
    at += sizeBytes
    return { rev, bytes: payload.slice(at - sizeBytes, at) }
  })
  return new Contents(found)
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

function parse(payload: Uint8Array, length: number): unknown {
  // A decoder does not accept shared memory.
  return JSON.parse(decoder.decode(payload.slice(0, length)))
}
