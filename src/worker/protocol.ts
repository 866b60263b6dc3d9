// The wire as one table: every function that a page may call, how the worker reads its arguments, and its result. The guard's list, the
// host's façade and the client's types derive from it. A new function is a row here and a method of the host. A new function of a
// filesystem is a row in `file-verbs.ts` and needs no method.

import type { BufferOpenOptions } from '../buffers/buffer.ts'
import type { Actor } from '../core/actor.ts'
import type { HashName } from '../core/hasher.ts'
import { isRecord } from '../core/record.ts'
import type { ApprovalAnswer } from '../session/policy/approve.ts'
import type { SessionState, ToolResult, ToolUpdate } from '../core/tool.ts'
import type { ToolPreview } from '../core/tool-preview.ts'
import type { Difference } from '../vfs/backend.ts'
import type { ForkPlan } from '../history/files-fork.ts'
import type { ForkOptions } from '../workspace/fork.ts'
import type { ToolsetOptions } from '../workspace/toolsets.ts'
import type { OpenShellOptions } from '../workspace/workspace.ts'
import {
  asActor,
  asOneOf,
  asOnlyOptions,
  asList,
  asNumber,
  asNumbersByName,
  asOptionalRecord,
  asOptionalText,
  asOptions,
  asRecord,
  asText,
} from './checks.ts'
import type { ResourceAnswer } from './page-resources.ts'
import { shellOptions, type WireShell, type WireShellEnd } from './shell-verbs.ts'
import { openOptions } from './buffer-verbs.ts'
import type {
  WireBuffer,
  WireConnected,
  WireFiles,
  WireSnapshot,
  WireToolset,
  WireWalkChunk,
  WireWalkOptions,
  WireWatchOptions,
} from './wire.ts'

/** Returns the value with its type, or throws `wire-refused`. */
export type Reader<T> = (value: unknown) => T

/**
 * What a function takes in addition to plain data, always as the last arguments, because Comlink's handlers see top-level arguments only.
 * `updates`: a signal and a callback, both finished with the reply. `listener`: a callback that is called until another call ends it.
 */
export type Live = 'none' | 'updates' | 'listener'

export interface Verb<Arguments extends readonly unknown[], Result, L extends Live = 'none'> {
  readonly read: { readonly [I in keyof Arguments]: Reader<Arguments[I]> }
  readonly live: L
  /** Never present: it only carries the type of the result. */
  readonly result?: Result
}

function verb<A extends readonly unknown[], R>(...read: Verb<A, R>['read']): Verb<A, R> {
  return { read, live: 'none' }
}

function withUpdates<A extends readonly unknown[], R>(...read: Verb<A, R>['read']): Verb<A, R, 'updates'> {
  return { read, live: 'updates' }
}

function withListener<A extends readonly unknown[], R>(...read: Verb<A, R>['read']): Verb<A, R, 'listener'> {
  return { read, live: 'listener' }
}

const as =
  <T>(check: (value: unknown, what: string) => T, what: string): Reader<T> =>
  value =>
    check(value, what)

/** Not checked here: the function that receives the argument checks it. */
const unread: Reader<unknown> = value => value

/** Live objects in the worker are numbers here. Numbers start at 1, so 0 for a wrong value is never open. */
const handle: Reader<number> = value => (typeof value === 'number' ? value : 0)

const outcome: Reader<'commit' | 'roll-back'> = value => (value === 'commit' ? 'commit' : 'roll-back')

const actor: Reader<Actor | undefined> = value => (value === undefined ? undefined : asActor(value, 'actor'))

const answer: Reader<ApprovalAnswer> = value => {
  if (value === 'allow') return value
  if (!isRecord(value)) return 'deny'
  const { allow, deny } = value
  if (allow === 'call' || allow === 'session') return { allow }
  if (isRecord(allow)) return { allow: asOptions(allow, { tool: 'globs', path: 'globs', reason: 'string' }, 'allow') ?? {} }
  return typeof deny === 'string' ? { deny } : 'deny'
}

const resourceAnswer: Reader<ResourceAnswer> = value => {
  if (!isRecord(value)) return { failed: 'the page gave no answer' }
  return typeof value['failed'] === 'string' ? { failed: value['failed'] } : { value: value['value'] }
}

const hashName: Reader<HashName> = value => asOneOf(value, ['sha256', 'xxh128'], 'algorithm')

const files: Reader<WireFiles | undefined> = value => {
  if (value === undefined) return undefined
  const { batch, snapshot } = asOptions(value, { batch: 'number', snapshot: 'number' }, 'files') ?? {}
  const given = actor(asRecord(value, 'files')['actor'])
  if (given !== undefined) return { actor: given }
  return batch === undefined ? { snapshot: snapshot ?? 0 } : { batch }
}

const walkOptions: Reader<WireWalkOptions | undefined> = value =>
  asOnlyOptions(value, { maxDepth: 'number', maxEntries: 'number', prune: 'strings' }, 'options')

const watchOptions: Reader<WireWatchOptions | undefined> = value =>
  asOnlyOptions(value, { recursive: 'boolean', sinceSeq: 'number' }, 'options')

/** The workspace itself refuses an unknown option. */
const toolsetOptions: Reader<ToolsetOptions | undefined> = value => asOptionalRecord(value, 'options')

// A class, so that each field declares its types in its row.
class Protocol {
  readonly connect: Verb<[version: unknown, options: unknown], WireConnected> = verb(unread, unread)
  readonly ping: Verb<[], void> = verb()
  readonly openToolset: Verb<[name: string, options: ToolsetOptions | undefined], WireToolset> = verb(
    as(asText, 'name'),
    toolsetOptions,
  )
  readonly call: Verb<
    [toolsetId: number, name: string, args: unknown, callId: string | undefined, turn: string | undefined],
    ToolResult,
    'updates'
  > = withUpdates(handle, as(asText, 'name'), unread, as(asOptionalText, 'callId'), as(asOptionalText, 'turn'))
  readonly preview: Verb<[toolsetId: number, name: string, args: unknown], ToolPreview, 'updates'> = withUpdates(
    handle,
    as(asText, 'name'),
    unread,
  )
  readonly toolsetState: Verb<[toolsetId: number], SessionState> = verb(handle)
  readonly closeToolset: Verb<[toolsetId: number, forget: boolean], void> = verb(handle, value => value === true)
  readonly openApprovals: Verb<[], void, 'listener'> = withListener()
  readonly answerApproval: Verb<[approvalId: number, answer: ApprovalAnswer], void> = verb(as(asNumber, 'approvalId'), answer)
  readonly openResources: Verb<[], void, 'listener'> = withListener()
  readonly answerResource: Verb<[questionId: number, answer: ResourceAnswer], void> = verb(
    as(asNumber, 'questionId'),
    resourceAnswer,
  )
  readonly file: Verb<[files: WireFiles | undefined, verb: string, args: readonly unknown[]], unknown> = verb(
    files,
    as(asText, 'verb'),
    as(asList, 'args'),
  )
  readonly hash: Verb<[path: string, algorithm: HashName], string, 'updates'> = withUpdates(as(asText, 'path'), hashName)
  readonly history: Verb<[verb: string, args: readonly unknown[]], unknown> = verb(as(asText, 'verb'), as(asList, 'args'))
  readonly openShell: Verb<[options: OpenShellOptions | undefined], WireShell, 'listener'> = withListener(shellOptions)
  readonly runShell: Verb<[shellId: number, command: string], WireShellEnd, 'updates'> = withUpdates(
    handle,
    as(asText, 'command'),
  )
  readonly shell: Verb<[shellId: number, verb: string, args: readonly unknown[]], unknown> = verb(
    handle,
    as(asText, 'verb'),
    as(asList, 'args'),
  )
  readonly shellTaken: Verb<[shellId: number, sizeBytes: number], void> = verb(handle, as(asNumber, 'sizeBytes'))
  readonly buffers: Verb<[verb: string, args: readonly unknown[]], unknown> = verb(as(asText, 'verb'), as(asList, 'args'))
  readonly openBuffer: Verb<[path: string, options: BufferOpenOptions], WireBuffer, 'listener'> = withListener(
    as(asText, 'path'),
    openOptions,
  )
  readonly buffer: Verb<[bufferId: number, verb: string, args: readonly unknown[]], unknown> = verb(
    handle,
    as(asText, 'verb'),
    as(asList, 'args'),
  )
  readonly openFork: Verb<[options: ForkOptions | undefined], MessagePort> = verb(value =>
    value === undefined ? undefined : { actor: actor(asRecord(value, 'options')['actor']) },
  )
  readonly forkPlan: Verb<[], ForkPlan> = verb()
  readonly forkCommit: Verb<[planId: number], 'done' | 'moved'> = verb(as(asNumber, 'planId'))
  readonly openBatch: Verb<[expect: Readonly<Record<string, number>> | undefined, actor: Actor | undefined], number> = verb(
    as(asNumbersByName, 'expect'),
    actor,
  )
  readonly closeBatch: Verb<[batchId: number, outcome: 'commit' | 'roll-back'], void> = verb(handle, outcome)
  readonly openSnapshot: Verb<[], WireSnapshot> = verb()
  readonly diffSnapshots: Verb<[from: number, to: number | undefined], readonly Difference[]> = verb(handle, value =>
    value === undefined ? undefined : handle(value),
  )
  readonly closeSnapshot: Verb<[snapshotId: number], void> = verb(handle)
  readonly openWalk: Verb<[root: string, options: WireWalkOptions | undefined], number> = verb(as(asText, 'root'), walkOptions)
  readonly nextWalk: Verb<[walkId: number], WireWalkChunk> = verb(handle)
  readonly closeWalk: Verb<[walkId: number], void> = verb(handle)
  readonly openWatch: Verb<[path: string, options: WireWatchOptions | undefined], number, 'listener'> = withListener(
    as(asText, 'path'),
    watchOptions,
  )
  readonly closeWatch: Verb<[watchId: number], void> = verb(handle)
  readonly idle: Verb<[], void> = verb()
  readonly dispose: Verb<[], void> = verb()
}

export const protocol: Protocol = new Protocol()

export type WireVerb = keyof Protocol

/** All rows by name. */
export const wireVerbs: ReadonlyMap<string, Verb<readonly unknown[], unknown, Live>> = new Map(Object.entries(protocol))

/** The plain data that the page passes. */
export type WireArguments<V extends WireVerb> = Protocol[V] extends Verb<infer A, unknown, Live> ? A : never

export type WireResult<V extends WireVerb> = Protocol[V] extends Verb<readonly unknown[], infer R, Live> ? R : never

interface LiveArguments {
  readonly none: []
  readonly updates: [signal: AbortSignal | undefined, onUpdate: ((update: ToolUpdate) => void) | undefined]
  readonly listener: [listener: (value: unknown) => void]
}

/** The worker's side: a method for each row. */
export type WireHost = {
  readonly [V in WireVerb]: (...args: [...WireArguments<V>, ...LiveArguments[Protocol[V]['live']]]) => Promise<WireResult<V>>
}
