// What crosses between a shell and the worker that one of its scripts runs in. One port, so everything arrives in the order in which it
// was sent: output before the exit, a write before the read that follows it.

import type { JustBashFs } from '../../vfs/facades/just-bash.ts'

export interface RunRequest {
  readonly script: string
  readonly args?: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly stdin?: Uint8Array
  readonly timeoutMs: number
  /** Names of commands that the shell runs beside the files. */
  readonly commands: readonly string[]
  /** Not 0: it is to end. Read by whoever runs, at every turn. */
  readonly abortFlag?: Int32Array
  /** Whether the user has a directory where the shell pretends to have its programs: only then is each command looked up there. */
  readonly hasOwnPrograms: boolean
}

/** The part of the filesystem that takes a message: what is left is a matter of names. */
export type FileVerb = Exclude<keyof JustBashFs, 'resolvePath' | 'getAllPaths'>

/** A record rather than an array: leaving a verb out is then a type error. */
const fileVerbs: Readonly<Record<FileVerb, true>> = {
  readFile: true,
  readFileBuffer: true,
  writeFile: true,
  appendFile: true,
  exists: true,
  stat: true,
  lstat: true,
  mkdir: true,
  readdir: true,
  readdirWithFileTypes: true,
  rm: true,
  cp: true,
  mv: true,
  chmod: true,
  symlink: true,
  link: true,
  readlink: true,
  realpath: true,
  utimes: true,
}

export function isFileVerb(verb: string): verb is FileVerb {
  return Object.hasOwn(fileVerbs, verb)
}

export interface CommandRequest {
  readonly name: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly stdin: Uint8Array | undefined
}

export interface CommandAnswer {
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
  readonly exitCode: number
}

/** A command of the host, as the interpreter's thread sees it. */
export interface EngineCommand {
  readonly name: string
  readonly run: (
    args: readonly string[],
    context: {
      readonly cwd: string
      readonly env: Readonly<Record<string, string>>
      readonly stdin: Uint8Array | undefined
    },
  ) => Promise<CommandAnswer>
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
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  /** just-bash looks for the errno name in the message, and at `code`. */
  | { readonly kind: 'failure'; readonly id: number; readonly message: string; readonly code: string | undefined }

export type FromWorker =
  /** The interpreter is loaded. */
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'file'
      readonly runId: number
      readonly id: number
      readonly verb: FileVerb
      readonly args: readonly unknown[]
    }
  | { readonly kind: 'command'; readonly runId: number; readonly id: number; readonly request: CommandRequest }
  | { readonly kind: 'output'; readonly runId: number; readonly channel: 'stdout' | 'stderr'; readonly bytes: Uint8Array }
  | { readonly kind: 'exit'; readonly runId: number; readonly code: number }
