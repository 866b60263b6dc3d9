// Questions of the worker to the page. The worker sends each over one callback of the page, and the page answers with the question's number.
// A question whose answer is no longer needed is withdrawn.

import { AnchorageError } from '../core/errors.ts'
import { releaseCallback } from './callback.ts'
import { asRecord } from './checks.ts'
import type { Connection } from './connection.ts'
import { Handles } from './handles.ts'

/** The worker's message. */
type WireAsked<Content> =
  | { readonly kind: 'asked'; readonly id: number; readonly content: Content }
  | { readonly kind: 'withdrawn'; readonly id: number }

/** The worker's side. */
export class Asked<Content, Answer> {
  readonly #what: 'approval' | 'question'
  readonly #waiting: Handles<(answer: Answer | undefined) => void>
  #send: ((message: WireAsked<Content>) => void) | undefined

  constructor(what: 'approval' | 'question') {
    this.#what = what
    this.#waiting = new Handles(what)
  }

  /** Where to send questions from now on. The page calls it directly after it has connected. */
  listen(send: ((message: WireAsked<Content>) => void) | undefined): void {
    if (typeof send !== 'function')
      throw new AnchorageError('wire-refused', `The page must listen for ${this.#what}s. Next: pass a callback.`)
    releaseCallback(this.#send)
    this.#send = send
  }

  answer(id: number, answer: Answer): void {
    this.#waiting.take(id)?.(answer)
  }

  /** The page's answer; `undefined` once `signal` aborts. There is no time limit. */
  async ask(content: Content, signal: AbortSignal | undefined): Promise<Answer | undefined> {
    const send = this.#send
    if (send === undefined)
      throw new AnchorageError('not-connected', `No page listens for ${this.#what}s yet. Next: connect first.`)
    this.#waiting.reserve()
    let withdraw = (): void => {}
    try {
      return await new Promise(resolve => {
        const id = this.#waiting.open(resolve)
        withdraw = () => {
          if (this.#waiting.take(id) === undefined) return
          send({ kind: 'withdrawn', id })
          resolve(undefined)
        }
        signal?.addEventListener('abort', withdraw, { once: true })
        send({ kind: 'asked', id, content })
      })
    } finally {
      signal?.removeEventListener('abort', withdraw)
    }
  }

  /** Gives `answer` to all that wait. */
  close(answer: Answer): void {
    for (const resolve of this.#waiting.takeAll()) resolve(answer)
    releaseCallback(this.#send)
    this.#send = undefined
  }
}

/** The page's side. Calls `answer` for each question; after a withdrawal or the worker's end, its result is not sent. */
export async function answerAsked<Content, Answer>(
  connection: Connection,
  what: 'approval' | 'question',
  answer: (content: Content, signal: AbortSignal) => Promise<Answer>,
  send: (id: number, answer: Answer) => Promise<void>,
): Promise<void> {
  const waiting = new Map<number, AbortController>()
  const respond = async (id: number, content: Content): Promise<void> => {
    const controller = new AbortController()
    waiting.set(id, controller)
    const given = await answer(content, controller.signal)
    if (waiting.delete(id) && connection.ended === undefined) await send(id, given)
  }
  await connection.request(what === 'approval' ? 'openApprovals' : 'openResources', [], {
    onUpdate(value) {
      // The worker is ours and from the same release, so the value is trusted.
      const message = asRecord(value, what) as WireAsked<Content>
      if (message.kind === 'asked') return void respond(message.id, message.content)
      waiting.get(message.id)?.abort(new AnchorageError(`${what}-withdrawn`, 'The answer is no longer needed.'))
      waiting.delete(message.id)
    },
  })
}
