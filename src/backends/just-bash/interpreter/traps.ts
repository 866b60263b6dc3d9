// The settings of `trap`, and the delivery of signals.

import { numberTable } from '../../../core/words.ts'
import { runText } from './calls.ts'
import { ReturnFlow } from './flow.ts'
import type { Shell } from './shell.ts'
import type { Command } from '../syntax/tree.ts'

export const signalNumbers: Readonly<Record<string, number>> = numberTable(`
  HUP 1, INT 2, QUIT 3, ILL 4, TRAP 5, ABRT 6, BUS 7, FPE 8, KILL 9, USR1 10, SEGV 11, USR2 12, PIPE 13, ALRM 14, TERM 15,
  STKFLT 16, CHLD 17, CONT 18, STOP 19, TSTP 20, TTIN 21, TTOU 22, URG 23, XCPU 24, XFSZ 25, VTALRM 26, PROF 27, WINCH 28,
  IO 29, PWR 30, SYS 31
`)

/** The table that `kill -l` and `trap -l` print. */
export function signalTable(): string {
  const all = Object.entries(signalNumbers).map(([name, number]) => `${String(number).padStart(2)}) SIG${name}`)
  const rows = Array.from({ length: Math.ceil(all.length / 5) }, (_, row) => all.slice(row * 5, row * 5 + 5).join('\t'))
  return rows.map(row => `${row}\n`).join('')
}

/** A signal name without `SIG`, or a pseudo-signal of bash (`EXIT`, `ERR`). `undefined` for any other text. */
export function signalName(text: string): string | undefined {
  const upper = text.toUpperCase()
  if (upper === '0' || upper === 'EXIT') return 'EXIT'
  if (['ERR', 'DEBUG', 'RETURN'].includes(upper)) return upper
  const name = upper.startsWith('SIG') ? upper.slice(3) : upper
  if (name in signalNumbers) return name
  return Object.entries(signalNumbers).find(([, number]) => String(number) === text)?.[0]
}

/** Runs the commands of a trap, if it is set. The exit code does not change. Returns that of the trap. */
export async function runTrap(shell: Shell, name: string): Promise<number> {
  const command = shell.traps.get(name)
  if (command === undefined || command === '') return 0
  const isOwn = name === 'ERR' || name === 'DEBUG' || name === 'RETURN'
  if (isOwn && shell.runningTraps.has(name)) return 0
  const { status, pipeStatus, line, lineShift } = shell
  // The EXIT trap runs once, even if it calls `exit`.
  if (name === 'EXIT') shell.traps.delete('EXIT')
  if (isOwn) shell.runningTraps.add(name)
  shell.trapDepth += 1
  let answer: number
  try {
    // The traps of signals and of the end count their own lines.
    if (!isOwn) shell.lineShift = 0
    answer = await runText(shell, command, { line: isOwn ? line : 1 })
  } finally {
    shell.runningTraps.delete(name)
    shell.trapDepth -= 1
  }
  shell.status = status
  shell.pipeStatus = pipeStatus
  shell.line = line
  shell.lineShift = lineShift
  return answer
}

/** Notes a command for `$BASH_COMMAND`. Returns whether the DEBUG trap must run before it. */
export function noteCommand(shell: Shell, command: Shell['currentCommand']): boolean {
  if (shell.trapDepth === 0) shell.currentCommand = command
  return shell.traps.has('DEBUG') && !shell.runningTraps.has('DEBUG')
}

/**
 * Notes a command, and runs the DEBUG trap before it. Returns false if the command must be skipped: with `extdebug`, a trap that fails
 * prevents it, and one that answers 2 also returns from the function.
 */
export async function announce(shell: Shell, command: Shell['currentCommand']): Promise<boolean> {
  if (!noteCommand(shell, command)) return true
  const answer = await runTrap(shell, 'DEBUG')
  if (answer === 0 || !shell.hasShopt('extdebug')) return true
  if (answer === 2 && shell.returnDepth > 0) throw new ReturnFlow(2)
  return false
}

/** Announces a command of a pipeline or a background command before its process starts, which does not announce it again. */
export async function announceStage(shell: Shell, command: Command | undefined): Promise<void> {
  if (command?.type !== 'simple' || !shell.traps.has('DEBUG')) return
  shell.line = command.line
  await announce(shell, command)
}

export async function runPendingTraps(shell: Shell): Promise<void> {
  for (const name of shell.pendingSignals.splice(0)) await runTrap(shell, name)
}

const ignoredByDefault = new Set(['CHLD', 'CONT', 'QUIT', 'URG', 'WINCH'])

/** Delivers a signal from `sender`. A trap runs before the next command; without a trap, the process ends. */
export function deliver(shell: Shell, name: string, sender?: Shell): void {
  if (name === 'EXIT') return
  const command = shell.traps.get(name)
  const isTrappable = name !== 'KILL' && name !== 'STOP'
  if (isTrappable && command === '') return
  if (isTrappable && command !== undefined) {
    shell.pendingSignals.push(name)
    shell.onSignal?.()
    return
  }
  // Without job control, Ctrl+C does not reach background jobs.
  if (name === 'INT' && shell.isBackground && !shell.isOfSession) return
  if (!ignoredByDefault.has(name)) shell.kill(128 + (signalNumbers[name] ?? 15), sender)
}
