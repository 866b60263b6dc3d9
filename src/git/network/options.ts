// What a host gives before git may use the network at all.

/** The name and the password or token for a server. */
export interface GitCredentials {
  readonly username: string
  /** A password or a token. It is sent to the server that was asked for, and shown nowhere. */
  readonly password: string
}

/** Like the platform's fetch, with what git needs of it. */
export type GitFetch = (
  url: string,
  init: {
    readonly method: 'GET' | 'POST'
    readonly headers: Readonly<Record<string, string>>
    readonly body?: Uint8Array<ArrayBuffer>
    readonly redirect: 'manual'
    readonly signal: AbortSignal
  },
) => Promise<Response>

/** What git may reach, and how. */
export interface GitNetworkOptions {
  /**
   * Addresses that may be reached, with `*` for any text: `https://host/org/*`. One that names its host without `*` may also be on the
   * loopback address or speak plain http; a pattern for many hosts never reaches those.
   */
  readonly remotes: readonly string[]
  /** Asked when a server wants to know who is there; `undefined` gives up. Runs on the host's side. */
  readonly credentials?: ((url: string) => GitCredentials | undefined | Promise<GitCredentials | undefined>) | undefined
  /** Put in front of every address, for servers that allow no other origin. It sees what is sent, tokens too. */
  readonly corsProxy?: string | undefined
  readonly fetch?: GitFetch | undefined
  /** Of one answer. Default 512 MiB. */
  readonly maxBytes?: number | undefined
  /** Of one request. Default 5 minutes. */
  readonly timeoutMs?: number | undefined
}

/** How far a transfer is. `totalCount` is missing where the server does not tell. */
export interface GitProgress {
  /** `receive` and `send` count bytes, `unpack` and `pack` objects. */
  readonly phase: 'receive' | 'unpack' | 'pack' | 'send'
  readonly doneCount: number
  readonly totalCount?: number
}

/** Hears how far a transfer is. */
export type GitProgressListener = (progress: GitProgress) => void

/** The option `git` of a workspace. */
export interface GitHostOptions extends Partial<GitNetworkOptions> {
  /** Who commits when neither the environment nor the configuration says so. */
  readonly author?: { readonly name: string; readonly email: string } | undefined
}

/** What of `GitHostOptions` is plain data and can be sent to a worker. */
export type GitWireOptions = Omit<GitHostOptions, 'credentials' | 'fetch'>

/** Without a list of remotes the network stays off. */
export function networkOf(options: GitHostOptions | undefined): GitNetworkOptions | undefined {
  return options?.remotes === undefined ? undefined : { ...options, remotes: options.remotes }
}
