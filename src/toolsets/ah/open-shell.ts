// Apart from what runs a command, because bash and the workspace's own tools load that each on its first call.

import { ToolError } from '../../core/errors.ts'
import type { Session } from '../../session/session.ts'
import type { Shell } from '../../shell/shell.ts'

/** Throws `no-shell`, for the model, in a workspace without one. */
export async function openShell(session: Session): Promise<Shell> {
  if (session.shell.kind === 'available') return session.shell.open()
  throw new ToolError('no-shell', 'This workspace has no shell.', { nextStep: 'Use read, write and edit instead.' })
}
