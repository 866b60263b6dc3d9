// The driver of the shell. It parses no scripts; it decides where a command runs and how it ends. Scripts run in workers if
// possible, and otherwise on this thread, which the capabilities report.

import { AnchorageError } from '../../core/errors.ts'
import { parsePath, type VfsPath } from '../../core/path.ts'
import type { ShellCommandDefinition } from '../../shell/commands.ts'
import type { ShellContext } from '../../shell/factory.ts'
import { LineSession } from '../../shell/line-session.ts'
import { OpenInShell } from '../../shell/open-in-shell.ts'
import type { Shell } from '../../shell/shell.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { justBashCapabilities } from './capabilities.ts'
import { threadRunner } from './in-thread.ts'
import { workerRunner } from './in-worker.ts'
import { describeScript, describeSession, type ScriptHost, type ScriptRunner } from './script.ts'
import type { StartWorker, WebWorkerLike } from '../../core/start-worker.ts'
import { startedBy } from '../../core/started-worker.ts'
import { shellWorkerOf, workerStarter, type ShellWorker } from './spawn.ts'
import { createWorkerPool } from './worker-pool.ts'

/** Options of `justBash`. */
export interface JustBashOptions {
  /** Variables that are added to the environment of every command. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /**
   * Additional commands; see `defineCommand`. They replace commands of the shell with the same name, and run on the thread of the files.
   */
  readonly commands?: readonly ShellCommandDefinition[] | undefined
  /**
   * Where scripts run. Default `auto`: in workers if they can be started, otherwise on the thread of the workspace. A function creates the
   * worker, for a bundler that does not support `new URL(…, import.meta.url)`; its script is `anchorage/shell/just-bash/worker`.
   */
  readonly worker?: 'auto' | 'none' | (() => WebWorkerLike) | undefined
  /**
   * How many scripts may run at once, each in a worker; others wait, and their time-out continues. As many again may run in the background
   * (`StartOptions.isBackground`). Default 4.
   */
  readonly maxWorkers?: number | undefined
  /**
   * A number in shared memory that another thread sets to a value other than 0 to end the running script. Only needed without workers, to
   * interrupt a loop of builtins, such as `while :; do :; done`, before its time is over: it lets no message through.
   */
  readonly abortFlag?: Int32Array | undefined
}

const defaultMaxWorkers = 4

/**
 * Creates a shell on the files of the workspace. Resolves when the interpreter has been loaded, because only then is it known
 * where scripts run.
 */
export async function createJustBash(context: ShellContext<Vfs>, options: JustBashOptions = {}): Promise<Shell> {
  const runner = (await runnerInWorkers(options, context.startWorker)) ?? { ...(await threadRunner()), where: 'thread' as const }
  const host: ScriptHost = {
    vfs: context.fs,
    root: context.root,
    commands: [...(context.commands ?? []), ...(options.commands ?? [])],
    order: context.order ?? ((_paths, _signal, work) => work()),
    filesFor: origin => (origin === undefined ? context.fs : (context.filesAs?.(origin) ?? context.fs)),
    env: options.env ?? {},
    abortFlag: options.abortFlag,
    startWorker: context.startWorker,
  }
  const opened = new OpenInShell()
  let isDisposed = false
  const refuseDisposed = (): void => {
    if (isDisposed) throw new AnchorageError('shell-disposed', 'The shell was disposed; open a new workspace to run commands.')
  }
  return {
    capabilities: justBashCapabilities(runner.where, host.commands),
    start: async (command, startOptions = {}) => {
      const cwd = startOptions.cwd ?? context.root
      refuseDisposed()
      await checkDirectory(context.fs, cwd)
      const script = await describeScript(host, command, cwd, startOptions)
      refuseDisposed()
      const commands = commandsAs(host.commands, () => startOptions.origin)
      return opened.keepProcess(runner.start({ ...host, vfs: host.filesFor(startOptions.origin), commands }, script))
    },
    openSession: async (id, sessionOptions) => {
      const cwd = parsePath(sessionOptions.cwd ?? context.root, context.root)
      refuseDisposed()
      await checkDirectory(context.fs, cwd)
      const start = await describeSession(host, cwd, sessionOptions.env ?? {})
      const session = new LineSession({ id, name: 'bash' }, sessionOptions, onOutput =>
        runner.openSession(hostOfSession(host), start, onOutput),
      )
      return opened.keepSession(session)
    },
    dispose: async () => {
      isDisposed = true
      await opened.closeSessions()
      await opened.killProcesses()
      runner.dispose()
      for (const command of host.commands) command.dispose?.()
    },
  }
}

/** Makes the changes of a host command part of the script that called it. */
function commandsAs(
  commands: readonly ShellCommandDefinition[],
  origin: () => string | undefined,
): readonly ShellCommandDefinition[] {
  return commands.map(command => ({ ...command, run: context => command.run({ ...context, origin: origin() }) }))
}

/** In a session, programs that still run from an earlier line count as part of the latest line. */
function hostOfSession(host: ScriptHost): ScriptHost {
  let newest: string | undefined
  return {
    ...host,
    commands: commandsAs(host.commands, () => newest),
    filesFor(origin) {
      newest = origin
      return host.filesFor(origin)
    },
  }
}

/** Returns `undefined` if no worker can be started, for example because a policy forbids workers, or a bundler left the script out. */
async function runnerInWorkers(
  { worker = 'auto', maxWorkers = defaultMaxWorkers }: JustBashOptions,
  startWorker: StartWorker | undefined,
): Promise<(ScriptRunner & { readonly where: 'worker' }) | undefined> {
  const start = starterFor(worker, startWorker)
  if (start === undefined) return undefined
  const pool = createWorkerPool(start, maxWorkers)
  try {
    await pool.warm()
  } catch {
    // The capabilities report where scripts run, and the notes describe the consequences to the model.
    pool.dispose()
    return undefined
  }
  return { ...workerRunner(pool), where: 'worker' }
}

function starterFor(
  worker: NonNullable<JustBashOptions['worker']>,
  startWorker: StartWorker | undefined,
): (() => ShellWorker) | undefined {
  if (typeof worker === 'function') return () => shellWorkerOf(startedBy(startWorker, worker))
  return worker === 'auto' ? workerStarter(startWorker) : undefined
}

async function checkDirectory(files: Vfs, cwd: VfsPath): Promise<void> {
  const found = await files.stat(cwd).catch((error: unknown) => {
    throw new AnchorageError('ENOENT', `ENOENT: the working directory does not exist: ${cwd}`, {
      details: { path: cwd },
      cause: error,
    })
  })
  if (found.kind !== 'directory')
    throw new AnchorageError('ENOTDIR', `ENOTDIR: the working directory is not a directory: ${cwd}`, { details: { path: cwd } })
}
