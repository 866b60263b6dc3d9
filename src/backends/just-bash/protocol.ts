// The messages between a shell and the worker that runs its script. All of them use one port, so they arrive in the order in
// which they were sent: output before the exit, and a write before the next read.

import type { ShellFiles } from '../../shell/files.ts'
import type { TerminalSize } from '../../shell/session.ts'
import type { AheadKind, TakenFile } from './read-ahead.ts'
import type { ShellState } from './interpreter/shell-state.ts'

export interface RunRequest {
  readonly script: string
  readonly args?: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly stdin?: Uint8Array
  readonly timeoutMs: number
  /** Commands that run on the thread of the files. */
  readonly commands: readonly CommandDescription[]
  /** A value other than 0 means that the script must end. The interpreter reads it at each step. */
  readonly abortFlag?: Int32Array
  /** Whether the user has files in a directory of the virtual programs. Only then is each command searched there. */
  readonly hasOwnPrograms: boolean
  readonly session?: SessionRequest
}

/** A shell for several commands. The script of the request is the first of them. */
export interface SessionRequest extends TerminalSize {
  /** The state after the previous commands, in this or another worker. */
  readonly state: ShellState | undefined
}

export interface CommandDescription {
  readonly name: string
  readonly help: string | undefined
}

export type FileVerb = keyof ShellFiles

/** The result of a change that was made under a path other than the real path. */
export const changedByAlias = 'by-alias'

export const changingVerbs: ReadonlySet<FileVerb> = new Set<FileVerb>([
  'writeFile',
  'mkdir',
  'rm',
  'rename',
  'chmod',
  'symlink',
  'link',
  'utimes',
])

export interface CommandRequest {
  readonly name: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** False if the command has no input and must not request any. */
  readonly hasInput: boolean
}

export type ToWorker =
  /** Each request of the run repeats the `runId`. Requests of a run that has ended are ignored. */
  | {
      readonly kind: 'run'
      readonly runId: number
      readonly request: RunRequest
      /** Answers to file requests are written here if they fit. */
      readonly shared: SharedArrayBuffer | undefined
    }
  /** Starts the next command of a session that this worker holds. */
  | { readonly kind: 'line'; readonly runId: number; readonly script: string; readonly size: TerminalSize }
  /** Input of the user. `undefined` is the end of input. */
  | { readonly kind: 'input'; readonly runId: number; readonly bytes: Uint8Array | undefined }
  | { readonly kind: 'interrupt'; readonly runId: number }
  /** The reader of a session has consumed this number of bytes. */
  | { readonly kind: 'taken'; readonly runId: number; readonly sizeBytes: number }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly message: string; readonly code: string | undefined }
  /** The command `id` requests more of its input. */
  | { readonly kind: 'command-read'; readonly id: number }
  /** The command `id` wrote output, and waits until it has been consumed. */
  | { readonly kind: 'command-output'; readonly id: number; readonly channel: 'stdout' | 'stderr'; readonly bytes: Uint8Array }

/** A file request of a script. */
export type FileQuestion = (
  | { readonly kind: 'file'; readonly verb: FileVerb; readonly args: readonly unknown[] }
  /** Requests several files at once. */
  | { readonly kind: 'ahead'; readonly of: AheadKind; readonly paths: readonly string[] }
  /** What is at a path to which the script redirects, and with `withNames` also what is beside it. */
  | { readonly kind: 'place'; readonly path: string; readonly withNames: boolean }
) & {
  /** The prefetched contents that the script has used since the last request. */
  readonly taken?: readonly TakenFile[]
}

export type FromWorker =
  /** The interpreter has been loaded. */
  | { readonly kind: 'ready' }
  | (FileQuestion & { readonly runId: number; readonly id: number })
  | { readonly kind: 'command'; readonly runId: number; readonly id: number; readonly request: CommandRequest }
  /** Input for the command `id`. `undefined` is the end of input. */
  | { readonly kind: 'command-input'; readonly runId: number; readonly id: number; readonly bytes: Uint8Array | undefined }
  | { readonly kind: 'command-taken'; readonly runId: number; readonly id: number; readonly isBroken: boolean }
  /** The script ends the command `id`, as `timeout` does. */
  | { readonly kind: 'command-stop'; readonly runId: number; readonly id: number }
  | { readonly kind: 'output'; readonly runId: number; readonly channel: 'stdout' | 'stderr'; readonly bytes: Uint8Array }
  | { readonly kind: 'exit'; readonly runId: number; readonly code: number }
  /** A command of a session has ended. The worker is free unless the session keeps it. */
  | {
      readonly kind: 'line-end'
      readonly runId: number
      readonly code: number
      readonly isOver: boolean
      readonly isHeld: boolean
      readonly unread: Uint8Array
      readonly state: ShellState
    }
