// A process in a terminal, for programs that behave differently without one. The package that creates terminals is optional and includes
// binaries.

import { AnchorageError } from '../../../core/errors.ts'
import { OutputQueue } from '../../../shell/output-queue.ts'
import type { ExitStatus, ShellProcess } from '../../../shell/shell.ts'
import { createEndMarker } from './end-marker.ts'
import type { Signal } from './groups.ts'
import { killed, mostWaitingBytes, signalName, type Launch } from './launch.ts'
import { deferred } from '../../../core/deferred.ts'

export type Terminals = typeof import('@lydell/node-pty')

/** `undefined` if there are none, or the user disabled them (`PI_NO_PTY=1`, `ATOMIC_NO_PTY=1`). */
export async function loadTerminals(): Promise<Terminals | undefined> {
  if (process.env['ATOMIC_NO_PTY'] === '1' || process.env['PI_NO_PTY'] === '1') return undefined
  try {
    return await import('@lydell/node-pty')
  } catch {
    // Not installed, or without a binary for this machine. Then pipes are used, and the capabilities say so.
    return undefined
  }
}

/** Throws if the terminal cannot be created. Both streams are one, and its line endings are CRLF. */
export function startInTerminal(
  terminals: Terminals,
  { file, args, cwd, env, stdin, groups }: Launch,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): ShellProcess {
  const { promise: exit, resolve: finish } = deferred<ExitStatus>()
  let killedBy: Signal | undefined
  let hasExited = false
  const ended = (status: ExitStatus): void => {
    hasExited = true
    queue.end()
    if (killedBy === undefined) finish(status)
    else void groups.end(terminal.pid).then(() => finish(killed(killedBy)))
  }
  const marker = createEndMarker(
    bytes => queue.push({ channel: 'merged', bytes }),
    code => {
      ended({ kind: 'exited', code })
      terminal.write(marker.answer)
    },
  )
  const terminal = terminals.spawn(file, ['-c', marker.script, file, file, ...args], {
    name: 'xterm-256color',
    cols: columns,
    rows,
    cwd,
    env: { ...env },
    // Bytes, not text: the caller decodes characters.
    encoding: null,
  })
  // It leads a session, and so a process group.
  groups.add(terminal.pid, env)
  const queue = new OutputQueue(() => {
    if (queue.waitingBytes < mostWaitingBytes / 2) terminal.resume()
  })
  terminal.onData(data => {
    marker.read(bytesOf(data))
    if (queue.waitingBytes > mostWaitingBytes) terminal.pause()
  })
  terminal.onExit(({ exitCode, signal }) => {
    groups.leaderEnded(terminal.pid)
    marker.end()
    ended(signal === undefined || signal === 0 ? { kind: 'exited', code: exitCode } : killed(signalName(signal)))
  })
  const write = (bytes: Uint8Array): void => terminal.write(new TextDecoder().decode(bytes))
  if (stdin !== undefined) {
    write(stdin)
    // Control-D ends the input.
    write(Uint8Array.of(4))
  }
  return {
    output: queue.output,
    exit,
    write: bytes => {
      if (hasExited) return Promise.reject(new AnchorageError('stdin-closed', 'The process has ended. Next: start another one.'))
      write(bytes)
      return Promise.resolve()
    },
    kill: signal => {
      if (hasExited) return Promise.resolve('already-exited')
      killedBy = signal === 'kill' ? 'SIGKILL' : 'SIGTERM'
      groups.signal(terminal.pid, killedBy)
      return Promise.resolve('delivered')
    },
  }
}

/** Without an encoding a terminal gives bytes, although its types say otherwise. They may be of another realm. */
export function bytesOf(data: unknown): Uint8Array {
  return ArrayBuffer.isView(data) ? (data as Uint8Array) : new TextEncoder().encode(String(data))
}
