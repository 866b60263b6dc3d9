// What crosses between a shell and the worker that one of its scripts runs in. One port, so everything arrives in the order in which it
// was sent: output before the exit, a write before the read that follows it.

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
  /** Commands that run beside the files. */
  readonly commands: readonly CommandDescription[]
  /** Not 0: it is to end. Read by whoever runs, at every turn. */
  readonly abortFlag?: Int32Array
  /** Whether the user has a directory where the shell pretends to have its programs: only then is each command looked up there. */
  readonly hasOwnPrograms: boolean
  readonly session?: SessionRequest
}

/** A shell for several commands, the first of which is the request's script. */
export interface SessionRequest extends TerminalSize {
  /** What earlier commands set, in this worker or another. */
  readonly state: ShellState | undefined
}

export interface CommandDescription {
  readonly name: string
  readonly help: string | undefined
}

export type FileVerb = keyof ShellFiles

/** A record rather than an array: leaving a verb out is then a type error. */
const fileVerbs: Readonly<Record<FileVerb, true>> = {
  readFile: true,
  writeFile: true,
  exists: true,
  stat: true,
  lstat: true,
  mkdir: true,
  readdir: true,
  rm: true,
  rename: true,
  chmod: true,
  symlink: true,
  link: true,
  readlink: true,
  realpath: true,
  utimes: true,
}

/** What a change answers that was made under another name than the real one of what it changed. */
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

export function isFileVerb(verb: string): verb is FileVerb {
  return Object.hasOwn(fileVerbs, verb)
}

export interface CommandRequest {
  readonly name: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** False: nobody gave it an input, and it is not asked for one. */
  readonly hasInput: boolean
}

export type ToWorker =
  /** `runId` comes back with all that the run asks: a question of a run that is over is nobody's any more. */
  | {
      readonly kind: 'run'
      readonly runId: number
      readonly request: RunRequest
      /** Answers about files are written here, if they fit. */
      readonly shared: SharedArrayBuffer | undefined
    }
  /** The next command of a session that this worker holds. */
  | { readonly kind: 'line'; readonly runId: number; readonly script: string; readonly size: TerminalSize }
  /** What the user types; `undefined` is the end of the input. */
  | { readonly kind: 'input'; readonly runId: number; readonly bytes: Uint8Array | undefined }
  | { readonly kind: 'interrupt'; readonly runId: number }
  /** So much of a session's output was read. */
  | { readonly kind: 'taken'; readonly runId: number; readonly sizeBytes: number }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly message: string; readonly code: string | undefined }
  /** The command `id` wants more of its input. */
  | { readonly kind: 'command-read'; readonly id: number }
  /** The command `id` wrote; it waits until that is taken. */
  | { readonly kind: 'command-output'; readonly id: number; readonly channel: 'stdout' | 'stderr'; readonly bytes: Uint8Array }

/** What a script asks about the files. */
export type FileQuestion = (
  | { readonly kind: 'file'; readonly verb: FileVerb; readonly args: readonly unknown[] }
  /** Several files at once. */
  | { readonly kind: 'ahead'; readonly of: AheadKind; readonly paths: readonly string[] }
) & {
  /** What was read since the last question, of what was sent ahead. */
  readonly taken?: readonly TakenFile[]
}

export type FromWorker =
  /** The interpreter is loaded. */
  | { readonly kind: 'ready' }
  | (FileQuestion & { readonly runId: number; readonly id: number })
  | { readonly kind: 'command'; readonly runId: number; readonly id: number; readonly request: CommandRequest }
  /** For the command `id`: `undefined` is the end of its input. */
  | { readonly kind: 'command-input'; readonly runId: number; readonly id: number; readonly bytes: Uint8Array | undefined }
  | { readonly kind: 'command-taken'; readonly runId: number; readonly id: number; readonly isBroken: boolean }
  | { readonly kind: 'output'; readonly runId: number; readonly channel: 'stdout' | 'stderr'; readonly bytes: Uint8Array }
  | { readonly kind: 'exit'; readonly runId: number; readonly code: number }
  /** A command of a session has ended. Unless the session is held, the worker is free. */
  | {
      readonly kind: 'line-end'
      readonly runId: number
      readonly code: number
      readonly isOver: boolean
      readonly isHeld: boolean
      readonly unread: Uint8Array
      readonly state: ShellState
    }
