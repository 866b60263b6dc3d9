// What a host brings along for addresses that lead out of the files.

/**
 * Opens addresses such as `agent://1` or `memory://note`. Each method gets the whole address and is asked in this order: `read`, then
 * `resolve`. `undefined` means "not mine". What it throws reaches the model as the reason.
 */
export interface ResourceRouter {
  /** The content behind an address. */
  read?(url: string): Promise<string | Uint8Array | undefined> | string | Uint8Array | undefined
  /** Replaces the content. `false` means "not mine". */
  write?(url: string, content: string): Promise<boolean | void> | boolean | void
  /** A path of the workspace that the address stands for: absolute, or relative to the root. */
  resolve?(url: string): Promise<string | undefined> | string | undefined
  /** The addresses below one, for find and search. */
  list?(url: string): Promise<readonly string[] | undefined> | readonly string[] | undefined
}

/** Fetches one address without following redirects: each of them is checked before it is followed. */
export type HostFetch = (
  url: string,
  init: {
    readonly method: 'GET'
    readonly headers: Readonly<Record<string, string>>
    readonly redirect: 'manual' | 'follow'
    readonly signal: AbortSignal
  },
) => Promise<Response>

/** Which web addresses may be read. */
export interface UrlRules {
  /** Host names, with `*.` in front for what is below one. Where it is given nothing else may be read, and private addresses in it may. */
  readonly allow?: readonly string[] | undefined
  /** Host names that may never be read; it goes before `allow`. */
  readonly deny?: readonly string[] | undefined
}

export interface ResourceHost {
  readonly router: ResourceRouter | undefined
  /** Default: the platform's. */
  readonly fetch: HostFetch | undefined
  readonly urls: UrlRules
  /** Directories of skills in the workspace, the first that has a skill wins. */
  readonly skillRoots: readonly string[]
}
