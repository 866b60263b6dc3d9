// A shell for commands whose changes are reviewed: each command runs in a fork of the files, and its changes are merged if the
// review allows it.

import { forkFiles } from '../history/files-fork.ts'
import type { ForkedCommand } from '../session/run-reviewed.ts'
import type { VfsBackend } from '../vfs/backend.ts'
import type { VfsPath } from '../core/path.ts'
import { createVfs } from '../vfs/create-vfs.ts'
import type { ShellAccess } from '../session/workspace-scope.ts'
import { AnchorageError } from '../core/errors.ts'
import type { MergeResult } from './fork.ts'
import { mergeFork } from './merge-fork.ts'
import { forkedShell } from './open-fork.ts'
import { LateBuffers } from './late-buffers.ts'
import { openScope } from './open-scope.ts'
import type { WorkspaceOptions } from './workspace.ts'

export async function forkForCommand(options: WorkspaceOptions, backend: VfsBackend, root: VfsPath): Promise<ForkedCommand> {
  const fork = forkFiles(backend)
  // What was sent to a server cannot be taken back by a review.
  const forkOptions = { ...options, git: { ...options.git, push: false } }
  const none = new LateBuffers(() => Promise.reject(new Error('unreachable: a command opens no editor')))
  const { scope, dispose } = await openScope(forkOptions, fork.files, createVfs(fork.files), root, none)
  const access: ShellAccess = await scope.shellAccess()
  if (access.kind === 'none') throw new Error('unreachable: a workspace without a shell runs no commands')
  return {
    shell: await access.open(),
    async merge(origin, review): Promise<MergeResult | 'busy'> {
      return await mergeFork({ plan: () => fork.plan(), commit: id => fork.commit(id, origin) }, { review, onConflict: 'refuse' })
    },
    async dispose() {
      await dispose()
      await fork.close()
    },
  }
}

/** Throws `AnchorageError` `workspace-options` if commands cannot run in a fork. */
export function checkReviewable(shell: WorkspaceOptions['shell']): void {
  if (shell === 'none' || forkedShell(shell) !== 'none') return
  throw new AnchorageError(
    'workspace-options',
    'policy: bash: \'review\' needs a shell that works on the files of the workspace. Use "just-bash" with it, or leave it out.',
  )
}
