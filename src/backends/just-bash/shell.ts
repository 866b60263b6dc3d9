// The driver: what a command is, where it runs and how it ends. Running it is the engine's, which is loaded with the first command.

import { AnchorageError } from '../../core/errors.ts'
import type { VfsPath } from '../../core/path.ts'
import { createOutputQueue } from '../../shell/output-queue.ts'
import type { ExitStatus, Shell, ShellCommand, ShellProcess, StartOptions } from '../../shell/shell.ts'
import { justBashCapabilities } from './capabilities.ts'
import type { JustBashFs } from '../../vfs/facades/just-bash.ts'

export interface JustBashOptions {
  /** Added to the environment of every command. */
  readonly env?: Readonly<Record<string, string>>
  /**
   * One number in shared memory that another thread sets to something other than 0 to end what runs. Only needed to interrupt a loop
   * of nothing but builtins, such as `while :; do :; done`, before its time is over: it lets no message through.
   */
  readonly abortFlag?: Int32Array
}

/** A shell over anything that has the interpreter's own filesystem interface. */
export function createJustBash(files: JustBashFs, root: VfsPath, options: JustBashOptions = {}): Shell {
  const running = new Set<RunningScript>()
  let isDisposed = false
  return {
    capabilities: justBashCapabilities,
    start: async (command, startOptions = {}) => {
      const cwd = startOptions.cwd ?? root
      await checkDirectory(files, cwd)
      const { runScript } = await import('./engine.ts')
      if (isDisposed) throw new AnchorageError('shell-disposed', 'The shell was disposed; open a new workspace to run commands.')
      const script = startScript(runScript, files, command, cwd, root, startOptions, options)
      running.add(script)
      void script.process.exit.then(() => running.delete(script))
      return script.process
    },
    dispose: async () => {
      isDisposed = true
      for (const script of running) void script.process.kill('kill')
      await Promise.all(Array.from(running, script => script.process.exit))
    },
  }
}

type RunScript = typeof import('./engine.ts').runScript

interface RunningScript {
  readonly process: ShellProcess
}

// A command without a time-out still ends: nobody may be left to kill it.
const longestRunMs = 3_600_000
// What every platform's timer can hold.
const longestTimerMs = 2 ** 31 - 1

function startScript(
  runScript: RunScript,
  files: JustBashFs,
  command: ShellCommand,
  cwd: VfsPath,
  root: VfsPath,
  { env, stdin, timeoutMs = longestRunMs }: StartOptions,
  options: JustBashOptions,
): RunningScript {
  const queue = createOutputQueue()
  const controller = new AbortController()
  const deadlineMs = performance.now() + timeoutMs
  let killedBy: 'SIGTERM' | 'SIGKILL' | undefined
  let hasExited = false
  let isTimeOver = false
  const timer = setTimeout(
    () => {
      isTimeOver = true
      controller.abort()
    },
    Math.min(timeoutMs, longestTimerMs),
  )
  // The clock is asked too: a busy loop lets no timer through.
  const isOver = (): boolean => isTimeOver || performance.now() >= deadlineMs
  const isFlagged = (): boolean => options.abortFlag !== undefined && Atomics.load(options.abortFlag, 0) !== 0
  const run = async (): Promise<ExitStatus> => {
    // One turn later, so that the caller holds the process before its first output.
    await Promise.resolve()
    const code = await runScript({
      ...asScript(command),
      files,
      cwd,
      env: { HOME: root, USER: 'user', SHELL: '/bin/bash', TMPDIR: '/tmp', LANG: 'C.UTF-8', ...options.env, ...env },
      ...(stdin === undefined ? {} : { stdin }),
      timeoutMs,
      signal: controller.signal,
      isStopped: () => isOver() || isFlagged(),
      onOutput: (channel, bytes) => queue.push({ channel, bytes }),
    })
    hasExited = true
    clearTimeout(timer)
    queue.end()
    if (killedBy !== undefined) return { kind: 'killed', signal: killedBy, code }
    if (isFlagged()) return { kind: 'killed', signal: 'SIGKILL', code }
    // Not by the code: `timeout` in a script answers 124 too, and a stopped script need not.
    return isOver() ? { kind: 'timed-out' } : { kind: 'exited', code }
  }
  return {
    process: {
      output: queue.output,
      exit: run(),
      write: () =>
        Promise.reject(new AnchorageError('stdin-closed', 'This shell takes its input when it starts: give it as `stdin`.')),
      kill: signal => {
        if (hasExited) return Promise.resolve('already-exited')
        killedBy ??= signal === 'kill' ? 'SIGKILL' : 'SIGTERM'
        controller.abort()
        return Promise.resolve('delivered')
      },
    },
  }
}

function asScript(command: ShellCommand): { readonly script: string; readonly args?: readonly string[] } {
  return command.kind === 'script' ? { script: command.script } : { script: quote(command.file), args: command.args }
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

async function checkDirectory(files: JustBashFs, cwd: VfsPath): Promise<void> {
  const found = await files.stat(cwd).catch((error: unknown) => {
    throw new AnchorageError('ENOENT', `ENOENT: the working directory does not exist: ${cwd}`, {
      details: { path: cwd },
      cause: error,
    })
  })
  if (!found.isDirectory)
    throw new AnchorageError('ENOTDIR', `ENOTDIR: the working directory is not a directory: ${cwd}`, { details: { path: cwd } })
}
