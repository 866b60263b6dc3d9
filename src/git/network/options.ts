// The host's options for the network, without which git does not use it.

import type { FetchedResponse } from '../../resources/host.ts'

/** The name and the password or token for a server. */
export interface GitCredentials {
  readonly username: string
  /** A password or a token. It is sent to the server that asked for it, and never shown. */
  readonly password: string
}

/** Like the platform's fetch, limited to what git needs. */
export type GitFetch = (
  url: string,
  init: {
    readonly method: 'GET' | 'POST'
    readonly headers: Readonly<Record<string, string>>
    readonly body?: Uint8Array<ArrayBuffer>
    readonly redirect: 'manual'
    readonly signal: AbortSignal
  },
) => Promise<FetchedResponse>

/** See `GitNetworkOptions.maxBytes`. */
export const defaultMaxBytes: number = 512 << 20

/** What git may reach, and how. */
export interface GitNetworkOptions {
  /**
   * Addresses that may be reached, with `*` for any text: `https://host/org/*`. A pattern that names its host without `*` also allows
   * loopback addresses and plain http; a pattern for several hosts never does.
   */
  readonly remotes: readonly string[]
  /** Called when a server asks for credentials; `undefined` gives up. Runs on the host's side. */
  readonly credentials?: ((url: string) => GitCredentials | undefined | Promise<GitCredentials | undefined>) | undefined
  /** Whether `push` may send to these addresses. Default true. A command that is reviewed after it has run never does. */
  readonly push?: boolean | undefined
  /** A prefix for every address, for servers that do not allow other origins. The proxy sees all that is sent, including tokens. */
  readonly corsProxy?: string | undefined
  readonly fetch?: GitFetch | undefined
  /** Limit for one answer. Default 512 MiB. */
  readonly maxBytes?: number | undefined
  /** Limit for one request. Default 5 minutes. */
  readonly timeoutMs?: number | undefined
}

/** The progress of a transfer. `totalCount` is missing if the server does not report it. */
export interface GitProgress {
  /** `receive` and `send` count bytes, `unpack` and `pack` objects. */
  readonly phase: 'receive' | 'unpack' | 'pack' | 'send'
  readonly doneCount: number
  readonly totalCount?: number
}

/** Receives the progress of a transfer. */
export type GitProgressListener = (progress: GitProgress) => void

/** The option `git` of a workspace. */
export interface GitHostOptions extends Omit<GitNetworkOptions, 'remotes'> {
  /** See {@link GitNetworkOptions}. Without it the network is off. */
  readonly remotes?: GitNetworkOptions['remotes'] | undefined
  /** The committer if neither the environment nor the configuration names one. */
  readonly author?: { readonly name: string; readonly email: string } | undefined
}

/** The part of `GitHostOptions` that is plain data and can be sent to a worker. */
export type GitWireOptions = Omit<GitHostOptions, 'credentials' | 'fetch'>

/** Without a list of remotes the network is off. */
export function networkOf(options: GitHostOptions | undefined): GitNetworkOptions | undefined {
  return options?.remotes === undefined ? undefined : { ...options, remotes: options.remotes }
}
