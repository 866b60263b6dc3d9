// Real bash behind the port, for tests only: the contract must not require what it cannot do.

import { spawn, type ChildProcess } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { AnchorageError } from '../../core/errors.ts'
import { OutputQueue } from '../../shell/output-queue.ts'
import type { ExitStatus, Shell, ShellCommand, ShellProcess, StartOptions } from '../../shell/shell.ts'

/** A shell in the directory `root` of the machine. Linux only, because it ends whole process groups. */
export function createRealBash(root: string): Shell {
  const children = new Set<ChildProcess>()
  return {
    capabilities: {
      dialect: 'bash',
      splitStreams: true,
      // Two pipes are read in parallel, so the order of writing is unknown.
      ordered: false,
      exactBytes: true,
      streaming: true,
      stdin: 'eof',
      kill: 'signal',
      concurrent: true,
      sharesVfs: true,
      terminal: false,
      notes: [],
    },
    start: (command, options = {}) => start(command, options, root, children),
    dispose: async () => {
      const ended = Array.from(children, child => new Promise(resolve => child.once('close', resolve)))
      for (const child of children) killGroup(child, 'SIGKILL')
      await Promise.all(ended)
    },
  }
}

async function start(
  command: ShellCommand,
  options: StartOptions,
  root: string,
  children: Set<ChildProcess>,
): Promise<ShellProcess> {
  const cwd = options.cwd ?? root
  await stat(cwd).catch((cause: unknown) => {
    throw new AnchorageError('ENOENT', `ENOENT: the working directory does not exist: ${cwd}`, { cause })
  })
  // In the file form bash only finds the program: the script is constant.
  const [file, args] = command.kind === 'script' ? [command.script, []] : ['"$@"', ['bash', command.file, ...command.args]]
  const child = spawn('bash', ['-c', file, ...args], {
    cwd,
    env: { ...process.env, LC_ALL: 'C.UTF-8', ...options.env },
    detached: true,
  })
  children.add(child)
  const queue = new OutputQueue()
  child.stdout.on('data', (bytes: Uint8Array) => queue.push({ channel: 'stdout', bytes }))
  child.stderr.on('data', (bytes: Uint8Array) => queue.push({ channel: 'stderr', bytes }))
  // The command may end before it has read everything.
  child.stdin.on('error', () => undefined)
  child.stdin.end(options.stdin ?? new Uint8Array(0))
  let hasExited = false
  const exit = new Promise<ExitStatus>(resolve => {
    child.once('error', error => resolve({ kind: 'lost', why: error.message }))
    child.once('close', (code, signal) => {
      hasExited = true
      children.delete(child)
      queue.end()
      resolve(code === null ? { kind: 'killed', ...(signal === null ? {} : { signal }) } : { kind: 'exited', code })
    })
  })
  return {
    output: queue.output,
    exit,
    write: () => Promise.reject(new AnchorageError('stdin-closed', 'Give the input as `stdin`.')),
    kill: signal => {
      if (hasExited) return Promise.resolve('already-exited')
      killGroup(child, signal === 'kill' ? 'SIGKILL' : 'SIGTERM')
      return Promise.resolve('delivered')
    },
  }
}

function killGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch (error) {
    // It ended between the check and the signal.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
