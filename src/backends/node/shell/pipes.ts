// A process with a pipe for each stream: exact bytes, separate streams, and an end of the input.

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import type { Socket } from 'node:net'
import { AnchorageError, systemErrorCode, ToolError } from '../../../core/errors.ts'
import { OutputQueue } from '../../../shell/output-queue.ts'
import type { ExitStatus, OutputChunk, ShellProcess } from '../../../shell/shell.ts'
import { killed, mostWaitingBytes, type Launch } from './launch.ts'
import { largest } from '../../../core/many.ts'

/** Rejects if the program cannot be started. */
export async function startWithPipes({ file, args, cwd, env, stdin, groups }: Launch): Promise<ShellProcess> {
  // Detached: a separate process group.
  const child = spawnProgram({ file, args, cwd, env })
  const leader = await started(child)
  groups.add(leader, env)
  const queue = new OutputQueue(() => {
    if (queue.waitingBytes < mostWaitingBytes / 2) for (const stream of [child.stdout, child.stderr]) stream.resume()
  })
  const forward = (stream: ChildProcessWithoutNullStreams['stdout'], channel: OutputChunk['channel']): void => {
    stream.on('data', (bytes: Uint8Array) => {
      queue.push({ channel, bytes })
      if (queue.waitingBytes > mostWaitingBytes) stream.pause()
    })
    // A broken pipe ends the output; the exit shows how the command ended.
    stream.on('error', () => undefined)
  }
  forward(child.stdout, 'stdout')
  forward(child.stderr, 'stderr')
  // The command may end before it has read everything.
  child.stdin.on('error', () => undefined)
  child.stdin.end(stdin ?? new Uint8Array(0))
  let hasExited = false
  let isKilled = false
  const exit = new Promise<ExitStatus>(resolve => {
    child.once('exit', (code, signal) => {
      hasExited = true
      const status: ExitStatus = code === null ? killed(signal ?? undefined) : { kind: 'exited', code }
      if (isKilled) {
        void groups.end(leader).then(() => resolve(status))
        return
      }
      groups.leaderEnded(leader)
      // Its background processes may keep the pipes open forever; they must not keep the host running.
      for (const stream of [child.stdout, child.stderr]) if (isSocket(stream)) stream.unref()
      resolve(status)
    })
  })
  child.once('close', () => queue.end())
  return {
    output: queue.output,
    exit,
    write: () =>
      Promise.reject(
        new AnchorageError('stdin-closed', 'This process takes input only when it starts. Next: pass it as `stdin`.'),
      ),
    kill: signal => {
      if (hasExited) return Promise.resolve('already-exited')
      isKilled = true
      groups.signal(leader, signal === 'kill' ? 'SIGKILL' : 'SIGTERM')
      return Promise.resolve('delivered')
    },
  }
}

function spawnProgram({ file, args, cwd, env }: Pick<Launch, 'file' | 'args' | 'cwd' | 'env'>): ChildProcessWithoutNullStreams {
  try {
    return spawn(file, [...args], { cwd, env: { ...env }, detached: true, stdio: 'pipe' })
  } catch (cause) {
    // Node throws at once where the system refuses the arguments themselves.
    if (systemErrorCode(cause) !== 'E2BIG') throw cause
    const longest = largest(args.map(arg => arg.length))
    throw new ToolError(
      'command-too-long',
      `The command has ${longest} characters, which is more than this system takes in one.`,
      {
        nextStep: 'Write it to a file, and run that file.',
        cause,
      },
    )
  }
}

function started(child: ChildProcessWithoutNullStreams): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', cause =>
      reject(new AnchorageError('shell-not-started', `The shell could not be started: ${cause.message}`, { cause })),
    )
    child.once('spawn', () => {
      if (child.pid !== undefined) resolve(child.pid)
    })
  })
}

function isSocket(stream: object): stream is Socket {
  return 'unref' in stream && typeof stream.unref === 'function'
}
