// A process in a terminal of its own, for programs that behave otherwise without one. The package that makes terminals is optional and brings
// its binaries along.

import { AnchorageError } from '../../../core/errors.ts'
import { createOutputQueue } from '../../../shell/output-queue.ts'
import type { ExitStatus, ShellProcess } from '../../../shell/shell.ts'
import { createEndMarker } from './end-marker.ts'
import type { Signal } from './groups.ts'
import { killed, mostWaitingBytes, signalName, type Launch } from './launch.ts'

export type Terminals = typeof import('@lydell/node-pty')

/** `undefined` where there are none, or the user wants none (seed: `PI_NO_PTY=1`, `ATOMIC_NO_PTY=1`). */
export async function loadTerminals(): Promise<Terminals | undefined> {
  if (process.env['ATOMIC_NO_PTY'] === '1' || process.env['PI_NO_PTY'] === '1') return undefined
  try {
    return await import('@lydell/node-pty')
  } catch {
    // Not installed, or without a binary for this machine. Pipes do; the capabilities say so.
    return undefined
  }
}

/** Throws when the terminal cannot be made. Both streams are one, and its line ends are CRLF. */
export function startInTerminal(
  terminals: Terminals,
  { file, args, cwd, env, stdin, groups }: Launch,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): ShellProcess {
  let finish: (status: ExitStatus) => void = () => undefined
  const exit = new Promise<ExitStatus>(resolve => {
    finish = resolve
  })
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
    // Bytes, not text: characters are put together further up.
    encoding: null,
  })
  // It leads a session, and so a group.
  groups.add(terminal.pid)
  const queue = createOutputQueue(() => {
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
    // What Control-D is to a person.
    write(Uint8Array.of(4))
  }
  return {
    output: queue.output,
    exit,
    write: bytes => {
      if (hasExited) return Promise.reject(new AnchorageError('stdin-closed', 'The process has ended.'))
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

/** With no encoding it gives bytes, whatever its types say. */
function bytesOf(data: unknown): Uint8Array {
  return data instanceof Uint8Array ? data : new TextEncoder().encode(String(data))
}
