// Approvals across the wire. The worker sends each request over one callback of the page, and the page answers with the request's number.
// There is no time limit for the user's answer. A request whose answer is no longer needed is withdrawn.

import { AnchorageError } from '../core/errors.ts'
import type { ApprovalAnswer, ApprovalRequest, Approve } from '../session/policy/approve.ts'
import { releaseCallback, reportFault } from './callback.ts'
import { asRecord } from './checks.ts'
import type { Connection } from './connection.ts'
import { Handles } from './handles.ts'

/** The worker's message: a request without its signal, or the withdrawal of one. */
type WireApproval =
  | { readonly kind: 'asked'; readonly approvalId: number; readonly request: Omit<ApprovalRequest, 'signal'> }
  | { readonly kind: 'withdrawn'; readonly approvalId: number }

/** The worker's side. */
export class SentApprovals {
  readonly #asked = new Handles<(answer: ApprovalAnswer) => void>('approval')
  #send: ((approval: WireApproval) => void) | undefined

  /** Where to send requests from now on. The page calls it directly after it has connected. */
  listen(send: ((approval: WireApproval) => void) | undefined): void {
    if (typeof send !== 'function') throw new AnchorageError('wire-refused', 'Approvals need a listener. Next: pass a callback.')
    releaseCallback(this.#send)
    this.#send = send
  }

  answer(approvalId: number, answer: ApprovalAnswer): void {
    this.#asked.take(approvalId)?.(answer)
  }

  readonly approve: Approve = async ({ signal, ...request }) => {
    const send = this.#send
    if (send === undefined) throw new AnchorageError('not-connected', 'No page listens for approvals yet. Next: connect first.')
    this.#asked.reserve()
    let withdraw = (): void => {}
    try {
      return await new Promise(resolve => {
        const approvalId = this.#asked.open(resolve)
        withdraw = () => {
          if (this.#asked.take(approvalId) === undefined) return
          send({ kind: 'withdrawn', approvalId })
          resolve('deny')
        }
        signal.addEventListener('abort', withdraw, { once: true })
        send({ kind: 'asked', approvalId, request })
      })
    } finally {
      signal.removeEventListener('abort', withdraw)
    }
  }

  close(): void {
    for (const resolve of this.#asked.takeAll()) resolve('deny')
    releaseCallback(this.#send)
    this.#send = undefined
  }
}

/** The page's side: passes the worker's requests to `approve`. If `approve` throws, the error is reported and the answer is no. */
export async function answerApprovals(connection: Connection, approve: Approve): Promise<void> {
  const waiting = new Map<number, AbortController>()
  const ask = async (approvalId: number, request: Omit<ApprovalRequest, 'signal'>): Promise<void> => {
    const controller = new AbortController()
    waiting.set(approvalId, controller)
    let answer: ApprovalAnswer
    try {
      answer = await approve({ ...request, signal: controller.signal })
    } catch (error) {
      reportFault(error)
      answer = { deny: `the approval failed with ${error instanceof Error ? error.message : String(error)}` }
    }
    // The request was withdrawn, or the worker has ended, so the answer is not needed.
    if (!waiting.delete(approvalId) || connection.ended !== undefined) return
    await connection.request('answerApproval', [approvalId, answer]).catch(reportFault)
  }
  await connection.request('openApprovals', [], {
    onUpdate(value) {
      const message = asApproval(value)
      if (message.kind === 'asked') return void ask(message.approvalId, message.request)
      waiting.get(message.approvalId)?.abort(new AnchorageError('approval-withdrawn', 'The answer is no longer needed.'))
      waiting.delete(message.approvalId)
    },
  })
}

/** The worker is ours and from the same release, so the value is trusted. */
function asApproval(value: unknown): WireApproval {
  return asRecord(value, 'an approval') as WireApproval
}
