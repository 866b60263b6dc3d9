// The actor that changes files, and its session, turn and call. Plain data: it is part of changes, results and approvals, and can
// be sent to a worker.

import { AnchorageError } from './errors.ts'

/** An actor that changes files. `shell` is a command that no other actor runs; `host` is the program that embeds the workspace. */
export interface Actor {
  readonly kind: 'agent' | 'person' | 'shell' | 'host'
  /** Distinguishes actors of one kind, such as two agents. */
  readonly name?: string | undefined
}

/** The actor of a change, and its session, turn and call. */
export interface Attribution {
  readonly actor: Actor
  /** The ID of an opened toolset. */
  readonly session?: string | undefined
  /** The host's name for a turn of a conversation; see `CallContext.turn`. */
  readonly turn?: string | undefined
  /** One call of a tool: the host's ID, or one that the session assigned. */
  readonly callId?: string | undefined
}

const kinds: readonly unknown[] = ['agent', 'person', 'shell', 'host']
const maxNameCharacters = 200

/** An actor, or its name: a kind (`'person'`), or any other name, which is a part of the host (`'importer'`). */
export type ActorName = Actor | string

/** Throws `AnchorageError` `workspace-options` if the value is not a valid actor. */
export function actorOf(value: ActorName): Actor {
  const actor: unknown =
    typeof value !== 'string' ? value : kinds.includes(value) ? { kind: value } : { kind: 'host', name: value }
  checkActor(actor)
  return actor
}

/** The reason why a value is not a valid actor, as the end of a sentence. `undefined` for a valid actor. */
export function actorProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('kind' in value) || !kinds.includes(value.kind))
    return `an actor needs a kind: ${kinds.join(', ')}`
  if (!('name' in value) || value.name === undefined) return undefined
  if (typeof value.name !== 'string' || value.name === '' || value.name.length > maxNameCharacters)
    return `the name of an actor must be a text of 1 to ${maxNameCharacters} characters`
  return undefined
}

/** Throws `AnchorageError` `workspace-options`: a misspelt actor must not act as another one. */
export function checkActor(value: unknown): asserts value is Actor {
  const problem = actorProblem(value)
  if (problem !== undefined)
    throw new AnchorageError('workspace-options', `The actor cannot be used: ${problem}. Next: correct it.`)
}
