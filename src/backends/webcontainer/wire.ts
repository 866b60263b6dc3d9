// The messages between the page, which alone can hold a WebContainer, and the driver in its worker: one port, coarse calls,
// and plain data. The page sends events in the order in which they happened, so an exit is never heard before the generation it makes.
// See docs/webcontainer.md, "From the worker to the page".

/** The part of a `MessagePort` that is needed, so that neither side asks for the DOM's types. */
export interface ContainerPort {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  removeEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  start(): void
  close(): void
}

/** Whatever can give a port to a container: the container on the page, or what came through `connectWorkspace`. */
export interface ContainerSource {
  /** A new port each time. What the same `owner` had before ends: a worker that was replaced leaves no processes behind. */
  connect(owner?: object): ContainerPort
}

/** Paths are relative to the container's working directory, without a leading '/'; '' is the directory itself. */
export type ContainerAction =
  | { readonly kind: 'write'; readonly path: string; readonly bytes: Uint8Array }
  | { readonly kind: 'mkdir'; readonly path: string }
  | { readonly kind: 'symlink'; readonly path: string; readonly target: string }
  | { readonly kind: 'remove-file'; readonly path: string }
  /** Fails with ENOTEMPTY where something lies in it. */
  | { readonly kind: 'remove-directory'; readonly path: string }
  /** Replaces what lies at `path`, unless that is a directory with something in it. */
  | { readonly kind: 'rename'; readonly path: string; readonly from: string }

export interface ContainerEntry {
  readonly name: string
  readonly kind: 'file' | 'directory' | 'other'
}

export interface ContainerFacts {
  /** Where processes see what the driver's root is. */
  readonly workdir: string
  /** `rename` puts a file in the place of another: found by trying. */
  readonly renameReplaces: boolean
  readonly generation: Generation
}

/** Goes up with everything that may have changed a file: each call that writes, each process's start and exit. */
export interface Generation {
  readonly number: number
  readonly runningProcesses: number
}

export interface ProcessSpec {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly terminal: { readonly columns: number; readonly rows: number }
  /** Written before the start, and removed after the exit. */
  readonly jobFile?: { readonly path: string; readonly bytes: Uint8Array }
}

export interface ContainerCalls {
  hello(): ContainerFacts
  /** As `export` gives it. */
  snapshot(excludes: readonly string[]): Uint8Array
  list(paths: readonly string[]): readonly (readonly ContainerEntry[])[]
  readMany(paths: readonly string[]): readonly Uint8Array[]
  /** One after the other, stopping at the first that fails. Gives the generation that it found, and the one that it made. */
  apply(actions: readonly ContainerAction[]): { readonly before: number; readonly after: number }
  start(spec: ProcessSpec): number
  input(process: number, text: string): void
  kill(process: number): void
  /** So many bytes of output were taken: the page ends a process that is too far ahead. */
  taken(process: number, bytes: number): void
  /** Something that was found out about this runtime, kept as long as it runs. */
  recall(key: string): string | undefined
  remember(key: string, value: string): void
}

export type ContainerCall = keyof ContainerCalls

export type ContainerRequest =
  | { readonly kind: 'call'; readonly id: number; readonly call: ContainerCall; readonly args: readonly unknown[] }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'close' }

export interface ContainerFailure {
  readonly code: string
  readonly message: string
  readonly path?: string
}

export type ContainerEvent =
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly failure: ContainerFailure }
  | { readonly kind: 'generation'; readonly generation: Generation }
  | { readonly kind: 'output'; readonly process: number; readonly text: string }
  /** The process wrote its last output before. `code` is missing where the runtime lost it. */
  | { readonly kind: 'exit'; readonly process: number; readonly code?: number; readonly why?: string }
  | { readonly kind: 'lost'; readonly why: string }

const calls: Readonly<Record<ContainerCall, true>> = {
  hello: true,
  snapshot: true,
  list: true,
  readMany: true,
  apply: true,
  start: true,
  input: true,
  kill: true,
  taken: true,
  recall: true,
  remember: true,
}

/** The page's side. `undefined` for what is no request. */
export function parseRequest(data: unknown): ContainerRequest | undefined {
  if (!isRecord(data)) return undefined
  const { kind, id, call, args } = data
  if (kind === 'close') return { kind }
  if (typeof id !== 'number') return undefined
  if (kind === 'cancel') return { kind, id }
  if (kind !== 'call' || !isCall(call) || !Array.isArray(args)) return undefined
  return { kind, id, call, args }
}

/** For the driver: the page runs code of this package, so only the shape of an event is checked. */
export function parseEvent(data: unknown): ContainerEvent | undefined {
  return isRecord(data) && typeof data['kind'] === 'string' && kinds.has(data['kind']) ? (data as ContainerEvent) : undefined
}

const kinds: ReadonlySet<string> = new Set<ContainerEvent['kind']>(['result', 'failure', 'generation', 'output', 'exit', 'lost'])

function isCall(name: unknown): name is ContainerCall {
  return typeof name === 'string' && Object.hasOwn(calls, name)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
