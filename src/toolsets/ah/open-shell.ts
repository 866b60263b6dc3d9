// A separate module, because bash and the custom tools each load it on their first call.

import { ToolError } from '../../core/errors.ts'
import type { Session } from '../../session/session.ts'
import type { Shell } from '../../shell/shell.ts'

/** Throws `no-shell`, an error for the model, in a workspace without a shell. */
export async function openShell(session: Session): Promise<Shell> {
  if (session.shell.kind === 'available') return session.shell.open()
  throw new ToolError('no-shell', 'This workspace has no shell.', { nextStep: 'Use read, write and edit instead.' })
}
