// The files for tools and commands under a policy. A workspace without a policy does not load this file.

import { AnchorageError } from '../core/errors.ts'
import { parsePath, type VfsPath } from '../core/path.ts'
import { closedToCommands, hasRulesForCommands } from '../session/policy/decide.ts'
import type { SessionPolicy } from '../session/policy/policy.ts'
import type { FileJudge } from '../session/policy/ruled-files.ts'
import type { WorkspaceScope } from '../session/workspace-scope.ts'
import type { VfsBackend } from '../vfs/backend.ts'
import { createVfs } from '../vfs/create-vfs.ts'
import { actingAs, shellOrigin } from '../vfs/origin.ts'
import type { Vfs } from '../vfs/vfs.ts'
import type { LateBuffers } from './late-buffers.ts'
import type { WorkspaceOptions } from './workspace.ts'

export interface GuardedFiles {
  readonly forTools: Vfs
  readonly forCommands: Vfs
  readonly toolsAs: WorkspaceScope['filesAs']
  readonly judgedAs: WorkspaceScope['judgedFilesAs']
  readonly commandsAs: (origin: string) => Vfs
}

/** The files for tools and the shell. The host keeps unrestricted access. */
export async function guardedFiles(
  backend: VfsBackend,
  fs: Vfs,
  policy: SessionPolicy,
  root: VfsPath,
  buffers: LateBuffers,
): Promise<GuardedFiles> {
  let unruled = backend
  let forTools = fs
  if (policy.protect.length > 0) {
    const { protectedBackend } = await import('../session/policy/protect.ts')
    unruled = protectedBackend(
      backend,
      policy.protect.map(path => parsePath(path, root)),
    )
    forTools = createVfs(unruled)
  }
  // Tools see the texts of open editors; commands see the files on disk.
  const shownTo = (origin: string): VfsBackend => buffers.view(actingAs(unruled, origin), origin)
  const toolsAs = (origin: string): Vfs => createVfs(shownTo(origin))
  const judgedAs = async (origin: string, judge: FileJudge): Promise<Vfs> => {
    const { ruledBackend } = await import('../session/policy/ruled-files.ts')
    return createVfs(ruledBackend(shownTo(origin), judge))
  }
  const commandsAs = await filesOfCommands(unruled, policy)
  return { forTools, forCommands: commandsAs(shellOrigin), toolsAs, judgedAs, commandsAs }
}

async function filesOfCommands(unruled: VfsBackend, policy: SessionPolicy): Promise<(origin: string) => Vfs> {
  if (!hasRulesForCommands(policy)) return origin => createVfs(actingAs(unruled, origin))
  const { ruledBackend } = await import('../session/policy/ruled-files.ts')
  const refusal = (place: VfsPath): ReturnType<FileJudge['reading']> => {
    const rule = closedToCommands(policy, place)
    return rule === undefined ? undefined : { hint: rule.reason ?? 'the policy does not allow it' }
  }
  // A command cannot be asked about each file, and its listings include files that it may not open.
  const judge: FileJudge = { changing: refusal, reading: refusal, hides: () => false }
  return origin => createVfs(ruledBackend(actingAs(unruled, origin), judge))
}

type ShellChoice = NonNullable<WorkspaceOptions['shell']>

/** A shell that is created here uses the guarded files; one that exists already has its own files. */
export function shellFor(shell: ShellChoice, policy: SessionPolicy): ShellChoice {
  const guard = policy.protect.length > 0 ? 'protect' : hasRulesForCommands(policy) ? 'a rule about paths' : undefined
  if (guard === undefined) return shell
  if (typeof shell === 'function' && shell.reaches === 'machine') {
    throw new AnchorageError(
      'workspace-options',
      `policy: ${guard} cannot restrict commands that run on the machine itself. Use "just-bash" or "none" with it.`,
    )
  }
  if (typeof shell !== 'object') return shell
  throw new AnchorageError(
    'workspace-options',
    `policy: ${guard} cannot restrict a shell that was created elsewhere. Pass a function that creates it over the \`fs\` that it receives, or "none".`,
  )
}
