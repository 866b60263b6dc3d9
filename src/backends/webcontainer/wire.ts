// The messages between the page, which owns the WebContainer, and the driver in its worker: one port, few large calls, and plain data. The
// page sends events in the order in which they happened, so an exit never arrives before the generation that it causes. See
// docs/webcontainer.md, "From the worker to the page".

/** The part of a `MessagePort` that is needed, so that neither side depends on DOM types. */
export interface ContainerPort {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  removeEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  start(): void
  close(): void
}

/** Provides ports to a container: the container in the page, or what `connectWorkspace` sent. */
export interface ContainerSource {
  /** A new port each time. Ports that the same `owner` had before are closed, so a replaced worker leaves no processes behind. */
  connect(owner?: object): ContainerPort
}

/** Paths are relative to the container's working directory, without a leading '/'; '' is the directory itself. */
export type ContainerAction =
  | { readonly kind: 'write'; readonly path: string; readonly bytes: Uint8Array }
  | { readonly kind: 'mkdir'; readonly path: string }
  | { readonly kind: 'symlink'; readonly path: string; readonly target: string }
  | { readonly kind: 'remove-file'; readonly path: string }
  /** Fails with ENOTEMPTY if it contains entries. */
  | { readonly kind: 'remove-directory'; readonly path: string }
  /** Replaces the entry at `path`, unless it is a directory with entries. */
  | { readonly kind: 'rename'; readonly path: string; readonly from: string }

export interface ContainerEntry {
  readonly name: string
  readonly kind: 'file' | 'directory' | 'other'
}

export interface ContainerFacts {
  /** Where processes see the driver's root. */
  readonly workdir: string
  /** Whether `rename` replaces an existing file; found by trying. */
  readonly renameReplaces: boolean
  readonly generation: Generation
}

/** Increases with everything that may have changed a file: each writing call, each start and exit of a process. */
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
  /** The result of `export`. */
  snapshot(excludes: readonly string[]): Uint8Array
  list(paths: readonly string[]): readonly (readonly ContainerEntry[])[]
  readMany(paths: readonly string[]): readonly Uint8Array[]
  /** Runs them one after the other, until one fails. Returns the generation before and after. */
  apply(actions: readonly ContainerAction[]): { readonly before: number; readonly after: number }
  start(spec: ProcessSpec): number
  input(process: number, text: string): void
  resize(process: number, columns: number, rows: number): void
  kill(process: number): void
  /** This much output was consumed; the page ends a process that is too far ahead. */
  taken(process: number, bytes: number): void
  /** Returns a fact about this runtime that was stored, as long as it runs. */
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
  /** Sent after the process's last output. `code` is missing if the runtime lost it. */
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
  resize: true,
  taken: true,
  recall: true,
  remember: true,
}

/** The page's side. `undefined` for an invalid request. */
export function parseRequest(data: unknown): ContainerRequest | undefined {
  if (!isObject(data)) return undefined
  const { kind, id, call, args } = data
  if (kind === 'close') return { kind }
  if (typeof id !== 'number') return undefined
  if (kind === 'cancel') return { kind, id }
  if (kind !== 'call' || !isCall(call) || !Array.isArray(args)) return undefined
  return { kind, id, call, args }
}

/** For the driver: the page runs code of this package, so only the shape of an event is checked. */
export function parseEvent(data: unknown): ContainerEvent | undefined {
  return isObject(data) && typeof data['kind'] === 'string' && kinds.has(data['kind']) ? (data as ContainerEvent) : undefined
}

const kinds: ReadonlySet<string> = new Set<ContainerEvent['kind']>(['result', 'failure', 'generation', 'output', 'exit', 'lost'])

function isCall(name: unknown): name is ContainerCall {
  return typeof name === 'string' && Object.hasOwn(calls, name)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
