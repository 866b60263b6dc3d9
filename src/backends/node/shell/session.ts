// A session in a real terminal: an interactive bash, which edits its lines, completes and keeps its history itself.

import { randomUUID } from 'node:crypto'
import { AnchorageError } from '../../../core/errors.ts'
import { OutputQueue } from '../../../shell/output-queue.ts'
import { KeySession } from '../../../shell/key-session.ts'
import { bashMarks } from '../../../shell/prompt-scanner.ts'
import type { TerminalSize } from '../../../shell/session.ts'
import type { ExitStatus, ShellProcess } from '../../../shell/shell.ts'
import type { ProcessGroups } from './groups.ts'
import { killed, mostWaitingBytes, signalName } from './launch.ts'
import { bytesOf, type Terminals } from './terminal.ts'

export interface NodeSessionSetting {
  readonly id: string
  readonly file: string
  /** On the machine, and in the workspace. */
  readonly cwd: { readonly real: string; readonly shown: string }
  readonly env: Readonly<Record<string, string>>
  readonly size: TerminalSize
  readonly groups: ProcessGroups
  readonly toWorkspace: (path: string) => string
}

export function openNodeSession(terminals: Terminals, setting: NodeSessionSetting): KeySession {
  const { id, file, cwd, env, size, groups, toWorkspace } = setting
  const { scanner, env: marks } = bashMarks(randomUUID())
  // Neither the user's start-up files nor its history: what a session shows must not depend on them.
  const terminal = terminals.spawn(file, ['--noprofile', '--norc', '-i'], {
    name: 'xterm-256color',
    cols: size.columns,
    rows: size.rows,
    cwd: cwd.real,
    env: { ...env, ...marks, HISTFILE: '/dev/null', BASH_SILENCE_DEPRECATION_WARNING: '1' },
    encoding: null,
  })
  groups.add(terminal.pid, env)
  const queue = new OutputQueue(() => {
    if (queue.waitingBytes < mostWaitingBytes / 2) terminal.resume()
  })
  let hasExited = false
  let isKilled = false
  const exit = new Promise<ExitStatus>(resolve => {
    terminal.onExit(({ exitCode, signal }) => {
      hasExited = true
      queue.end()
      const status: ExitStatus =
        isKilled || (signal !== undefined && signal !== 0) ? killed(signalName(signal ?? 9)) : { kind: 'exited', code: exitCode }
      // Jobs of an interactive shell have groups of their own, and are found by the mark in their environment.
      void groups.end(terminal.pid).then(() => resolve(status))
    })
  })
  terminal.onData((data: unknown) => {
    queue.push({ channel: 'merged', bytes: bytesOf(data) })
    if (queue.waitingBytes > mostWaitingBytes) terminal.pause()
  })
  const process: ShellProcess = {
    output: queue.output,
    exit,
    write: bytes => {
      if (hasExited) return Promise.reject(new AnchorageError('stdin-closed', 'The shell has ended. Next: open a new session.'))
      terminal.write(new TextDecoder().decode(bytes))
      return Promise.resolve()
    },
    kill: () => {
      if (hasExited) return Promise.resolve('already-exited')
      isKilled = true
      terminal.kill('SIGHUP')
      groups.signal(terminal.pid, 'SIGKILL')
      return Promise.resolve('delivered')
    },
  }
  return new KeySession({
    id,
    name: 'bash',
    cwd: cwd.shown,
    process,
    scanner,
    toWorkspace,
    resize: async (columns, rows) => {
      if (!hasExited) terminal.resize(columns, rows)
    },
  })
}
