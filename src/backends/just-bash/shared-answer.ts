// Where memory can be shared, an answer about the files is written there, and the worker that asked sleeps until it is: that spares a turn
// of its event loop for each of thousands of questions. What is too large comes over the port, as everything does where nothing is shared.
// The measure: .ci/bench/shell.mjs.

/** One answer at a time: a worker asks, sleeps and reads before it asks again. */
export interface SharedAnswers {
  readonly state: Int32Array
  readonly payload: Uint8Array
}

const headerBytes = 16
const payloadBytes = 128 * 1024

/** Places in `state`. */
const signalAt = 0
const kindAt = 1
const lengthAt = 2

const waiting = 0
const answered = 1

/** What the payload holds. */
const kinds = { bytes: 0, value: 1, nothing: 2, elsewhere: 3 } as const

/** `undefined` where threads share no memory: a page that is not isolated. */
export function createSharedMemory(): SharedArrayBuffer | undefined {
  const { crossOriginIsolated } = globalThis as { crossOriginIsolated?: boolean }
  if (crossOriginIsolated === false || typeof SharedArrayBuffer === 'undefined') return undefined
  return new SharedArrayBuffer(headerBytes + payloadBytes)
}

export function openSharedAnswers(memory: SharedArrayBuffer): SharedAnswers {
  return { state: new Int32Array(memory, 0, headerBytes / 4), payload: new Uint8Array(memory, headerBytes) }
}

/** The worker's side, before it asks. */
export function expectAnswer({ state }: SharedAnswers): void {
  Atomics.store(state, signalAt, waiting)
}

export type SharedAnswer = { readonly kind: 'here'; readonly value: unknown } | { readonly kind: 'elsewhere' }

/** The worker's side: sleeps until the answer is there. Whoever ends the worker wakes it. */
export function awaitAnswer({ state, payload }: SharedAnswers): SharedAnswer {
  // The other side stores the signal first and wakes then: that waking may come late, when the next question waits already.
  while (Atomics.load(state, signalAt) === waiting) Atomics.wait(state, signalAt, waiting)
  const length = state[lengthAt] ?? 0
  switch (state[kindAt]) {
    case kinds.bytes:
      return { kind: 'here', value: payload.slice(0, length) }
    case kinds.value:
      // A decoder does not take memory that is shared.
      return { kind: 'here', value: JSON.parse(decoder.decode(payload.slice(0, length)), revive) }
    case kinds.nothing:
      return { kind: 'here', value: undefined }
    default:
      return { kind: 'elsewhere' }
  }
}

/** The other side. False: it does not fit, and must be sent. The worker is woken in either case. */
export function giveAnswer({ state, payload }: SharedAnswers, value: unknown): boolean {
  const kind = write(state, payload, value)
  state[kindAt] = kind
  Atomics.store(state, signalAt, answered)
  Atomics.notify(state, signalAt)
  return kind !== kinds.elsewhere
}

/** The other side: the answer is a failure, which comes over the port. */
export function sendElsewhere({ state }: SharedAnswers): void {
  state[kindAt] = kinds.elsewhere
  Atomics.store(state, signalAt, answered)
  Atomics.notify(state, signalAt)
}

function write(state: Int32Array, payload: Uint8Array, value: unknown): number {
  if (value === undefined) return kinds.nothing
  const isBytes = value instanceof Uint8Array
  const bytes = isBytes ? value : encoder.encode(JSON.stringify(value))
  if (bytes.length > payload.length) return kinds.elsewhere
  payload.set(bytes)
  state[lengthAt] = bytes.length
  return isBytes ? kinds.bytes : kinds.value
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The one thing in an answer about files that JSON does not keep is a time. */
function revive(key: string, value: unknown): unknown {
  return key === 'mtime' && typeof value === 'string' ? new Date(value) : value
}
