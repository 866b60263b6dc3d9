// What a command is to this shell, whichever thread it runs on: a script, where it runs, and what it is given.

import type { VfsPath } from '../../core/path.ts'
import type { OrderPaths } from '../../shell/factory.ts'
import type { ShellCommandDefinition } from '../../shell/commands.ts'
import type { LineOutput, LineRunner } from '../../shell/line-session.ts'
import type { ShellCommand, ShellProcess, StartOptions } from '../../shell/shell.ts'
import type { Vfs } from '../../vfs/vfs.ts'

/** What every command of a shell shares. */
export interface ScriptHost {
  readonly vfs: Vfs
  readonly root: VfsPath
  readonly commands: readonly ShellCommandDefinition[]
  readonly order: OrderPaths
  /** The files for a command whose changes have this origin. */
  readonly filesFor: (origin: string | undefined) => Vfs
  readonly env: Readonly<Record<string, string>>
  readonly abortFlag: Int32Array | undefined
}

export interface Script {
  readonly script: string
  /** Added to its first command without being parsed. */
  readonly args?: readonly string[]
  readonly cwd: VfsPath
  readonly env: Readonly<Record<string, string>>
  readonly stdin?: Uint8Array
  readonly timeoutMs: number
  readonly hasOwnPrograms: boolean
  /** It has a worker of its own number: see worker-pool.ts. */
  readonly isBackground: boolean
}

/** What a session of this shell begins with. */
export type SessionStart = Pick<Script, 'cwd' | 'env' | 'hasOwnPrograms'>

/** Where scripts run. */
export interface ScriptRunner {
  start(host: ScriptHost, script: Script): ShellProcess
  /** For a session, whose commands run one after the other. */
  openSession(host: ScriptHost, start: SessionStart, onOutput: LineOutput): LineRunner
  dispose(): void
}

// A command without a time-out still ends: nobody may be left to kill it.
const longestRunMs = 3_600_000
// What every platform's timer can hold.
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
