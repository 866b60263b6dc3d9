// What a host provides for addresses that are not files.

import type { StartWorker } from '../core/start-worker.ts'

/**
 * Opens addresses such as `agent://1` or `memory://note`. Each method receives the whole address. For a read, `read` is called first, then
 * `resolve`. `undefined` means "not mine". The message of a thrown error is shown to the model as the reason.
 */
export interface ResourceRouter {
  /** The content of an address. */
  read?(url: string): Promise<string | Uint8Array | undefined> | string | Uint8Array | undefined
  /** Replaces the content. `false` means "not mine". */
  write?(url: string, content: string): Promise<boolean | void> | boolean | void
  /** The path in the workspace that the address stands for: absolute, or relative to the root. */
  resolve?(url: string): Promise<string | undefined> | string | undefined
  /** The addresses below one, for find and search. An empty list means that there are none. */
  list?(url: string): Promise<readonly string[] | undefined> | readonly string[] | undefined
}

/** The part of a `Response` that is used. */
export interface FetchedResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: ReadableStream<Uint8Array> | null
  /** The platform followed redirects. */
  readonly redirected?: boolean
  /** The address after redirects. */
  readonly url?: string
}

/**
 * Fetches one address; the platform's `fetch` is one. It should not follow redirects (`manual`) if it can avoid that: each one is
 * checked first.
 */
export type HostFetch = (
  url: string,
  init: {
    readonly method: 'GET'
    readonly headers: Readonly<Record<string, string>>
    readonly redirect: 'manual'
    readonly signal: AbortSignal
  },
) => Promise<FetchedResponse>

/** Which web addresses may be read. */
export interface UrlRules {
  /**
   * Host names; a leading `*.` means all subdomains. If it is set, only these may be read, and private addresses among them are allowed.
   */
  readonly allow?: readonly string[] | undefined
  /** Host names that may never be read; it overrides `allow`. */
  readonly deny?: readonly string[] | undefined
}

export interface ResourceHost {
  readonly router: ResourceRouter | undefined
  /** Default: the platform's `fetch`. */
  readonly fetch: HostFetch | undefined
  readonly urls: UrlRules
  /** How to start workers, where this thread should not do it. */
  readonly startWorker?: StartWorker | undefined
  /** Directories with skills in the workspace; the first one that contains a skill is used. */
  readonly skillRoots: readonly string[]
}
