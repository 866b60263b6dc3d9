// Workspaces that are disposed of when their test ends, in this thread and across a worker.

import { onTestFinished } from 'vitest'

import { buildWorkspace } from '../worker/build-workspace.ts'
import { connectWorkerLike, type ClientWorkspaceOptions } from '../worker/client.ts'
import { createWorkspace } from '../workspace/create-workspace.ts'
import type { Workspace, WorkspaceOptions } from '../workspace/workspace.ts'
import { createFakeWorker } from './wire/pair.ts'

export async function openHere(options: WorkspaceOptions): Promise<Workspace> {
  return untilTestEnds(await createWorkspace(options))
}

export async function openAcross(options: ClientWorkspaceOptions): Promise<Workspace> {
  return untilTestEnds(await connectWorkerLike(createFakeWorker({}, buildWorkspace), options))
}

export const workspacePlaces: Readonly<
  Record<string, (options: ClientWorkspaceOptions & WorkspaceOptions) => Promise<Workspace>>
> = { 'in this thread': openHere, 'across a worker': openAcross }

function untilTestEnds(workspace: Workspace): Workspace {
  onTestFinished(() => workspace.dispose())
  return workspace
}
