// Approvals across the wire: the worker asks, and the page's `approve` answers.

import type { ApprovalAnswer, ApprovalRequest, Approve } from '../session/policy/approve.ts'
import { answerAsked, Asked } from './asked.ts'
import { reportFault } from './callback.ts'
import type { Connection } from './connection.ts'

/** The worker's side. */
export class SentApprovals extends Asked<Omit<ApprovalRequest, 'signal'>, ApprovalAnswer> {
  constructor() {
    super('approval')
  }

  readonly approve: Approve = async ({ signal, ...request }) => (await this.ask(request, signal)) ?? 'deny'
}

/** The page's side: passes the worker's requests to `approve`. If `approve` throws, the error is reported and the answer is no. */
export async function answerApprovals(connection: Connection, approve: Approve): Promise<void> {
  const answer = async (request: Omit<ApprovalRequest, 'signal'>, signal: AbortSignal): Promise<ApprovalAnswer> => {
    try {
      return await approve({ ...request, signal })
    } catch (error) {
      reportFault(error)
      return { deny: `the approval failed with ${error instanceof Error ? error.message : String(error)}` }
    }
  }
  await answerAsked(connection, 'approval', answer, async (id, given) =>
    connection.request('answerApproval', [id, given]).catch(reportFault),
  )
}
