// A policy that asks, across the wire: the worker sends what is asked over one callback of the page, and the page answers by a number. A
// person takes the time that they take; what is no longer waited for is withdrawn.

import { AnchorageError } from '../core/errors.ts'
import type { ApprovalAnswer, ApprovalRequest, Approve } from '../session/policy/approve.ts'
import { releaseCallback, reportFault } from './callback.ts'
import { asRecord } from './checks.ts'
import type { Connection } from './connection.ts'
import { Handles } from './handles.ts'

/** What the worker sends: a request without its signal, or that one is off. */
type WireApproval =
  | { readonly kind: 'asked'; readonly approvalId: number; readonly request: Omit<ApprovalRequest, 'signal'> }
  | { readonly kind: 'withdrawn'; readonly approvalId: number }

/** The worker's side. */
export class SentApprovals {
  readonly #asked = new Handles<(answer: ApprovalAnswer) => void>('approval')
  #send: ((approval: WireApproval) => void) | undefined

  /** Where requests go from now on; the page does it right after it has connected. */
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
    if (send === undefined) throw new AnchorageError('not-connected', 'Nobody listens for approvals yet. Next: connect first.')
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

/** The page's side: whatever the worker asks goes to `approve`. One that throws is the host's bug, is reported, and means no. */
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
    // Withdrawn, or the worker is gone: nobody waits for the answer.
    if (!waiting.delete(approvalId) || connection.ended !== undefined) return
    await connection.request('answerApproval', [approvalId, answer]).catch(reportFault)
  }
  await connection.request('openApprovals', [], {
    onUpdate(value) {
      const message = asApproval(value)
      if (message.kind === 'asked') return void ask(message.approvalId, message.request)
      waiting.get(message.approvalId)?.abort(new AnchorageError('approval-withdrawn', 'The answer is no longer waited for.'))
      waiting.delete(message.approvalId)
    },
  })
}

/** The worker is ours and of the same release. */
function asApproval(value: unknown): WireApproval {
  return asRecord(value, 'an approval') as WireApproval
}
