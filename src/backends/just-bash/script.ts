// The parts of running a script that do not depend on the thread: the script, its environment and its host.

import type { VfsPath } from '../../core/path.ts'
import type { StartWorker } from '../../core/start-worker.ts'
import type { OrderPaths } from '../../shell/factory.ts'
import type { ShellCommandDefinition } from '../../shell/commands.ts'
import type { LineOutput, LineRunner } from '../../shell/line-session.ts'
import type { ShellCommand, ShellProcess, StartOptions } from '../../shell/shell.ts'
import type { Vfs } from '../../vfs/vfs.ts'

/** The host, which all commands of a shell share. */
export interface ScriptHost {
  readonly vfs: Vfs
  readonly root: VfsPath
  readonly commands: readonly ShellCommandDefinition[]
  readonly order: OrderPaths
  /** The files for a command, whose changes have this origin. */
  readonly filesFor: (origin: string | undefined) => Vfs
  readonly env: Readonly<Record<string, string>>
  readonly abortFlag: Int32Array | undefined
  /** For a command that starts a worker. */
  readonly startWorker: StartWorker | undefined
}

export interface Script {
  readonly script: string
  /** Arguments that are added to the first command without being parsed. */
  readonly args?: readonly string[]
  readonly cwd: VfsPath
  readonly env: Readonly<Record<string, string>>
  readonly stdin?: Uint8Array
  readonly timeoutMs: number
  readonly hasOwnPrograms: boolean
  /** A background script keeps its worker: see worker-pool.ts. */
  readonly isBackground: boolean
}

/** The initial state of a session. */
export type SessionStart = Pick<Script, 'cwd' | 'env' | 'hasOwnPrograms'>

/** Runs scripts, in workers or on the current thread. */
export interface ScriptRunner {
  start(host: ScriptHost, script: Script): ShellProcess
  /** Opens a session, which runs one command at a time. */
  openSession(host: ScriptHost, start: SessionStart, onOutput: LineOutput): LineRunner
  dispose(): void
}

// The limit for a command without a time limit, so that it ends even if no caller ends it.
const longestRunMs = 3_600_000
// The maximum delay of timers on all platforms.
const longestTimerMs = 2 ** 31 - 1

export async function describeSession(
  host: ScriptHost,
  cwd: VfsPath,
  env: Readonly<Record<string, string>>,
): Promise<SessionStart> {
  const { hasOwnPrograms, env: all } = await describeScript(host, { kind: 'script', script: '' }, cwd, { env })
  return { cwd, env: { ...all, TERM: 'xterm-256color', ...env }, hasOwnPrograms }
}

export async function describeScript(
  host: ScriptHost,
  command: ShellCommand,
  cwd: VfsPath,
  options: StartOptions,
): Promise<Script> {
  const { env, stdin, timeoutMs = longestRunMs, isBackground = false } = options
  return {
    ...(command.kind === 'script' ? { script: command.script } : { script: command.file, args: command.args }),
    cwd,
    env: { HOME: host.root, USER: 'user', SHELL: '/bin/bash', TMPDIR: '/tmp', LANG: 'C.UTF-8', ...host.env, ...env },
    ...(stdin === undefined ? {} : { stdin }),
    timeoutMs: Math.min(timeoutMs, longestTimerMs),
    isBackground,
    hasOwnPrograms: (await host.vfs.exists('/bin')) || (await host.vfs.exists('/usr/bin')),
  }
}

export function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
