// `anchorage/adapters/acp`: the client's side of the Agent Client Protocol, so that an agent that speaks the protocol can work on
// a workspace. Nothing of the SDK is imported: the SDK takes handlers by method name.

import { checkWorkspace } from '../../core/adapted-call.ts'
import { checkOptions } from '../../core/argument.ts'
import { untilAborted } from '../../core/abort.ts'
import type { Actor } from '../../core/actor.ts'
import { AnchorageError } from '../../core/errors.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { openTextFiles } from './text-files.ts'
import { Terminals } from './terminals.ts'

/** What an agent may ask the user. `kind` is `allow_once`, `allow_always`, `reject_once` or `reject_always`. */
export interface AcpPermissionRequest {
  readonly sessionId: string
  readonly toolCall: { readonly toolCallId: string; readonly title?: string | null | undefined; readonly rawInput?: unknown }
  readonly options: readonly { readonly optionId: string; readonly name: string; readonly kind: string }[]
}

/** The user's answer: a kind of option, the ID of an option, or `cancelled`. */
export type AcpPermissionAnswer =
  | 'allow_once'
  | 'allow_always'
  | 'reject_once'
  | 'reject_always'
  | 'cancelled'
  | { readonly optionId: string }

/** Options of `acpClient`. */
export interface AcpClientOptions {
  /** Answers `session/request_permission`. By default every request is rejected. */
  readonly approve?: ((request: AcpPermissionRequest, signal: AbortSignal) => Promise<AcpPermissionAnswer>) | undefined
  /** The unsaved text of a file in an editor of the host; `undefined` if there is none. `path` is absolute. */
  readonly unsavedText?: ((path: string) => Promise<string | undefined> | string | undefined) | undefined
  /** Receives `session/update` notifications: what the agent says and does. */
  readonly onUpdate?: ((notification: never) => void | Promise<void>) | undefined
  /** Who changes files; default an agent. */
  readonly actor?: Actor | undefined
  /** If false, the agent is told that it cannot run commands. Default true. */
  readonly terminal?: boolean | undefined
}

/** The part of the SDK's `ClientApp` that is used. */
export interface AcpApp {
  onRequest(method: string, handler: (context: AcpContext) => unknown): unknown
  onNotification(method: string, handler: (context: AcpContext) => unknown): unknown
}

/** What the SDK passes to a handler. */
export interface AcpContext {
  readonly params: unknown
  readonly signal: AbortSignal
}

/** The client's side for one workspace. */
export interface AcpClient {
  /** For `initialize`: `clientCapabilities`. */
  readonly capabilities: { fs: { readTextFile: true; writeTextFile: true }; terminal: boolean }
  /** Registers the handlers with the SDK's `client()` and returns it. */
  register<App extends object>(app: App): App
  /** Ends all terminals. */
  dispose(): Promise<void>
}

/**
 * The client's side of the Agent Client Protocol over a workspace: `fs/read_text_file` (with unsaved text), `fs/write_text_file`,
 * `terminal/*` and `session/request_permission`.
 *
 * Paths are absolute and must be in the workspace's root; others are refused. Commands run through the `bash` tool, so the
 * workspace's policy applies to them. Files are the host's own `workspace.as(actor).fs`, to which no policy applies: in this
 * protocol the agent itself asks for permission. A failed request rejects, and the SDK sends the message to the agent.
 *
 * @example
 * import { createWorkspace } from 'anchorage'
 * import { acpClient } from 'anchorage/adapters/acp'
 * import { memory } from 'anchorage/fs/memory'
 *
 * const workspace = await createWorkspace({ fs: memory({ 'a.txt': 'hello\n' }) })
 * const acp = acpClient(workspace, { approve: async () => 'allow_once' })
 * console.log(acp.capabilities)
 * // acp.register(client({ name: 'page' })).connectWith(stream, async agent => { … })
 */
export function acpClient(workspace: Workspace, options: AcpClientOptions = {}): AcpClient {
  checkWorkspace('acpClient', workspace)
  checkOptions('acpClient', options, { approve: 1, unsavedText: 1, onUpdate: 1, actor: 1, terminal: 1 })
  const actor = options.actor ?? { kind: 'agent' }
  const files = openTextFiles(workspace, actor, options.unsavedText)
  const hasTerminal = options.terminal ?? true
  const terminals = new Terminals(workspace, actor)
  const handlers: Readonly<Record<string, (params: Params, signal: AbortSignal) => Promise<object | void>>> = {
    'fs/read_text_file': params => files.read(text(params, 'path'), count(params, 'line'), count(params, 'limit')),
    'fs/write_text_file': params => files.write(text(params, 'path'), text(params, 'content')),
    'session/request_permission': (params, signal) => permission(params, options.approve, signal),
    ...(hasTerminal && {
      'terminal/create': (params: Params) => terminals.create(params),
      'terminal/output': (params: Params) => terminals.output(text(params, 'sessionId'), text(params, 'terminalId')),
      'terminal/wait_for_exit': (params: Params, signal: AbortSignal) =>
        terminals.waitForExit(text(params, 'sessionId'), text(params, 'terminalId'), signal),
      'terminal/kill': (params: Params) => terminals.kill(text(params, 'sessionId'), text(params, 'terminalId')),
      'terminal/release': (params: Params) => terminals.release(text(params, 'sessionId'), text(params, 'terminalId')),
    }),
  }
  return {
    capabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: hasTerminal },
    register(app) {
      // The SDK's types link each handler to the name of its method, which a loop over names cannot express.
      const untyped = app as unknown as AcpApp
      for (const [method, handler] of Object.entries(handlers))
        untyped.onRequest(method, ({ params, signal }) => handler(paramsOf(params, method), signal))
      const { onUpdate } = options
      if (onUpdate !== undefined) untyped.onNotification('session/update', ({ params }) => onUpdate(params as never))
      return app
    },
    dispose: () => terminals.dispose(),
  }
}

type Params = Readonly<Record<string, unknown>>

function paramsOf(value: unknown, method: string): Params {
  if (typeof value === 'object' && value !== null) return value as Params
  throw new AnchorageError('acp-params', `${method} came without parameters. Next: send an object.`)
}

function text(params: Params, name: string): string {
  const value = params[name]
  if (typeof value === 'string') return value
  throw new AnchorageError('acp-params', `${name} must be a string. Next: correct the request.`)
}

function count(params: Params, name: string): number | undefined {
  const value = params[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value
  throw new AnchorageError('acp-params', `${name} must be a whole number from 0. Next: correct the request.`)
}

async function permission(params: Params, approve: AcpClientOptions['approve'], signal: AbortSignal): Promise<object> {
  const request = params as unknown as AcpPermissionRequest
  // A request that was withdrawn before is not shown to the user.
  signal.throwIfAborted()
  const answer = approve === undefined ? 'reject_once' : await untilAborted(approve(request, signal), signal)
  const chosen =
    typeof answer === 'object'
      ? request.options.find(({ optionId }) => optionId === answer.optionId)
      : request.options.find(({ kind }) => kind === answer)
  // If the agent offers no option for the answer, the request is denied.
  const fallback = answer === 'allow_always' ? request.options.find(({ kind }) => kind === 'allow_once') : undefined
  const option = chosen ?? fallback
  return { outcome: option === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: option.optionId } }
}
