// What a strict project may write against the package's types. Never run: `.ci/package.mjs` compiles it against what is published, with
// every way to resolve modules.

import {
  createWorkspace,
  detailsOf,
  type ApprovalRequest,
  type CallContext,
  type HistoryTurn,
  type UndoResult,
  type JsonSchema,
  type ToolDefinition,
  type ToolDetails,
  type ToolResult,
  type Toolset,
  type ToolsetOptions,
  type Workspace,
} from 'anchorage'
import { aiSdkTools } from 'anchorage/adapters/ai-sdk'
import { deepagentsBackend } from 'anchorage/adapters/deepagents'
import { connectWorkspace, type ClientWorkspaceOptions } from 'anchorage/client'
import { overlay } from 'anchorage/fs/compose'
import { memory } from 'anchorage/fs/memory'
import { serveWorkspace } from 'anchorage/worker'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Compiles only for `true`. */
export type Holds<T extends true> = T

export type SameOnBothSides = Holds<
  Same<Awaited<ReturnType<typeof createWorkspace>>, Awaited<ReturnType<typeof connectWorkspace>>>
>

/** A host hands on what it may not have: undefined means the same as leaving it out. */
export async function passesOn(
  worker: Worker,
  maybe: {
    readonly signal: AbortSignal | undefined
    readonly callId: string | undefined
    readonly root: string | undefined
    readonly only: readonly string[] | undefined
    readonly approve: ((request: ApprovalRequest) => Promise<'allow' | 'deny'>) | undefined
    readonly options: ClientWorkspaceOptions['callTimeoutMs']
  },
): Promise<ToolResult> {
  const { signal, callId, root, only, approve } = maybe
  const workspace: Workspace = await createWorkspace({ fs: memory(), root, policy: { level: undefined, approve } })
  await connectWorkspace(worker, {
    fs: overlay(memory()),
    root,
    callTimeoutMs: maybe.options,
    policy: undefined,
    onReplaced: undefined,
  })
  const options: ToolsetOptions = { only, state: undefined, limits: undefined }
  const tools: Toolset = await workspace.toolset('atomic', options)
  const context: CallContext = { signal, callId, onUpdate: undefined }
  await workspace.fs.writeFile('/a', 'text', { ifRev: undefined, parents: true })
  return await tools.call('read', { path: 'a' }, context)
}

/** The form that the SDKs of model providers ask for. */
export function asFunctionTool({ name, description, inputSchema }: ToolDefinition): {
  readonly name: string
  readonly description: string
  readonly parameters: { readonly type: 'object' }
} {
  const schema: JsonSchema = inputSchema
  return { name, description, parameters: schema }
}

export async function refused(workspace: Workspace): Promise<void> {
  // @ts-expect-error There is no such toolset.
  await workspace.toolset('automic')
  // @ts-expect-error An option that is misspelt.
  await workspace.toolset('atomic', { onlly: [] })
  // @ts-expect-error Results are not to be changed.
  ;(await (await workspace.toolset('atomic')).call('read', {})).isError = true
  // @ts-expect-error A schema is of an object.
  const schema: JsonSchema = { type: 'string' }
  void schema
}

/** What a page shows of an edit and of a command. */
export function shown(result: ToolResult): readonly [hunks: number, exitCode: number | undefined] {
  const edit: ToolDetails['edit'] = detailsOf('edit', result)
  const { exitCode, changed } = detailsOf('bash', result)
  const created: readonly string[] | undefined = changed?.created
  void created
  // @ts-expect-error There is no such tool.
  detailsOf('edid', result)
  // @ts-expect-error An edit has no exit code.
  void edit.exitCode
  return [edit.hunks?.length ?? 0, exitCode]
}

export async function takesBack({ history }: Workspace): Promise<UndoResult> {
  const turn: HistoryTurn = await history.turn({ label: 'Work', actor: { kind: 'agent' } })
  await turn.end()
  const [checkpoint] = await history.checkpoints()
  if (checkpoint !== undefined) await history.restore(checkpoint.id, { dryRun: true })
  const { id, alsoChangedByOthers } = await history.toCommit({ turn: turn.id }, { message: 'Work' })
  const kept: 'stored' | 'session' | 'none' = (await history.caps()).kept
  void [id, alsoChangedByOthers.length, kept]
  // @ts-expect-error A selection that is misspelt.
  await history.undo({ turns: turn.id })
  await history.redo()
  return await history.undo({ since: 1, actor: { kind: 'agent' } }, { paths: ['/a'] })
}

export function serves(): void {
  serveWorkspace(async ({ root, policy }) => createWorkspace({ fs: memory(), root, policy }))
}

/** The SDKs declare these properties without `undefined`. */
export async function givesToSdks(tools: Toolset, workspace: Workspace): Promise<void> {
  const forAiSdk: Record<string, { needsApproval?: boolean }> = aiSdkTools(tools)
  const listed: { error?: string } = await deepagentsBackend(workspace).ls('/')
  void [forAiSdk, listed]
}
