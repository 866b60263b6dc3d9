// Another repository, wherever it is: which references it has, fetching a pack from it, pushing one to it.

import type { GitCall } from '../call.ts'
import type { ObjectId } from '../store/object-format.ts'

export interface Advertised {
  /** By full name, including `HEAD`. The target of an annotated tag has the key `name^{}`. */
  readonly refs: ReadonlyMap<string, ObjectId>
  /** The branch that `HEAD` names. */
  readonly head: string | undefined
}

export interface PushedRef {
  readonly name: string
  readonly before: ObjectId
  readonly after: ObjectId
}

export type RemoteService = 'git-upload-pack' | 'git-receive-pack'

export interface FetchedPack {
  readonly pack: Uint8Array
  /** The commits where the history now ends, and those where it no longer ends. */
  readonly shallow: readonly ObjectId[]
  readonly unshallow: readonly ObjectId[]
}

/** How much of the history a fetch asks for. */
export interface Depth {
  readonly commits: number
  /** Counted from where the history ends now, not from the newest commits. */
  readonly isRelative: boolean
}

export interface Shallowness {
  /** The commits where the history of the caller ends; it need not have what lies before them. */
  readonly shallow: readonly ObjectId[]
  /** `undefined` leaves the ends where they are. */
  readonly depth: Depth | undefined
}

export interface Remote {
  advertised(service: RemoteService): Promise<Advertised>
  /** The pack with what `wants` need and `haves` lack. */
  fetchPack(wants: readonly ObjectId[], haves: readonly ObjectId[], cut: Shallowness): Promise<FetchedPack>
  /** Sends a pack and updates references. Returns the reason for each one that was refused. */
  push(refs: readonly PushedRef[], pack: Uint8Array | undefined): Promise<ReadonlyMap<string, string>>
}

/** Whether an address is a path: of this filesystem, and no matter of the network. */
export function isPath(url: string): boolean {
  return url.startsWith('file://') || (!url.includes('://') && !/^[^/]+:/.test(url))
}

/** `directory`: what a path is relative to. */
export async function openRemote(call: GitCall, url: string, directory: string): Promise<Remote> {
  if (isPath(url)) {
    const { LocalRemote } = await import('./local-remote.ts')
    return LocalRemote.open(call, url, directory)
  }
  const { HttpRemote } = await import('./http-remote.ts')
  return new HttpRemote(url, call.environment)
}
