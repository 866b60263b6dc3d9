// Opens a fork of a workspace: the same options over a separate state of the files.

import { checkActor, type Actor } from '../core/actor.ts'
import { checkArguments } from '../core/argument.ts'
import { AnchorageError } from '../core/errors.ts'
import { defined } from '../core/record.ts'
import { forkFiles } from '../history/files-fork.ts'
import type { VfsBackend } from '../vfs/backend.ts'
import { originOf } from '../vfs/origin.ts'
import type { ForkOptions, WorkspaceFork } from './fork.ts'
import { merged, type ForkSteps } from './merge-fork.ts'
import type { Workspace, WorkspaceOptions } from './workspace.ts'

export interface ForkGround {
  readonly create: (options: WorkspaceOptions) => Promise<Workspace>
  readonly options: WorkspaceOptions
  readonly backend: VfsBackend
  readonly root: string
}

const steps = new WeakMap<Workspace, ForkSteps>()

/** The steps of a fork's merge, for a merge that is reviewed elsewhere. Throws `not-a-fork`. */
export function stepsOf(workspace: Workspace): ForkSteps {
  const own = steps.get(workspace)
  if (own !== undefined) return own
  throw new AnchorageError('not-a-fork', 'This workspace is not a fork. Next: open one with workspace.fork().')
}

export async function openFork(
  { create, options: given, backend, root }: ForkGround,
  options: ForkOptions | undefined,
): Promise<WorkspaceFork> {
  checkArguments('workspace.fork', [options], [['actor']])
  const { actor = { kind: 'agent' } } = options ?? {}
  checkActor(actor)
  const fork = forkFiles(backend)
  const workspace = await create({ ...given, fs: fork.files, root, shell: forkedShell(given.shell) })
  const own: ForkSteps = { plan: () => fork.plan(), commit: id => fork.commit(id, originOf({ actor })) }
  const forked: WorkspaceFork = {
    ...asActor(workspace, actor),
    async diff() {
      const { changes, diff } = await fork.plan()
      return { changes, ...defined({ diff }) }
    },
    merge: merging => merged(own, merging),
  }
  steps.set(forked, own)
  return forked
}

function asActor(workspace: Workspace, actor: Actor): Workspace {
  return { ...workspace, toolset: (name, options) => workspace.toolset(name, { actor, ...options }) }
}

/** A shell that was created for other files, or that uses the machine's files, cannot work in a fork. */
export function forkedShell(shell: WorkspaceOptions['shell']): WorkspaceOptions['shell'] {
  if (typeof shell === 'object' || (typeof shell === 'function' && shell.reaches === 'machine')) return 'none'
  return shell
}
