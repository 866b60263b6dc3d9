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

export interface Remote {
  advertised(service: RemoteService): Promise<Advertised>
  /** The pack with what `wants` need and `haves` lack. */
  fetchPack(
    wants: readonly ObjectId[],
    haves: readonly ObjectId[],
    depth: { readonly commits: number; readonly shallow: readonly ObjectId[] } | undefined,
  ): Promise<FetchedPack>
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
