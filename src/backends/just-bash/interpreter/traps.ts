// What `trap` asked for, and signals on their way.

import { runText } from './calls.ts'
import type { Shell } from './shell.ts'

export const signalNumbers: Readonly<Record<string, number>> = {
  HUP: 1,
  INT: 2,
  QUIT: 3,
  ILL: 4,
  TRAP: 5,
  ABRT: 6,
  BUS: 7,
  FPE: 8,
  KILL: 9,
  USR1: 10,
  SEGV: 11,
  USR2: 12,
  PIPE: 13,
  ALRM: 14,
  TERM: 15,
  STKFLT: 16,
  CHLD: 17,
  CONT: 18,
  STOP: 19,
  TSTP: 20,
  TTIN: 21,
  TTOU: 22,
  URG: 23,
  XCPU: 24,
  XFSZ: 25,
  VTALRM: 26,
  PROF: 27,
  WINCH: 28,
  IO: 29,
  PWR: 30,
  SYS: 31,
}

/** As `kill -l` and `trap -l` print it. */
export function signalTable(): string {
  const all = Object.entries(signalNumbers).map(([name, number]) => `${String(number).padStart(2)}) SIG${name}`)
  const rows = Array.from({ length: Math.ceil(all.length / 5) }, (_, row) => all.slice(row * 5, row * 5 + 5).join('\t'))
  return rows.map(row => `${row}\n`).join('')
}

/** A signal's name without `SIG`, or one of bash's own (`EXIT`, `ERR`). `undefined` for what is none. */
export function signalName(text: string): string | undefined {
  const upper = text.toUpperCase()
  if (upper === '0' || upper === 'EXIT') return 'EXIT'
  if (['ERR', 'DEBUG', 'RETURN'].includes(upper)) return upper
  const name = upper.startsWith('SIG') ? upper.slice(3) : upper
  if (name in signalNumbers) return name
  return Object.entries(signalNumbers).find(([, number]) => String(number) === text)?.[0]
}

/** Runs the trap's commands, if there are any. The status stays what it was. */
export async function runTrap(shell: Shell, name: string): Promise<void> {
  const command = shell.traps.get(name)
  if (command === undefined || command === '') return
  const isOwn = name === 'ERR' || name === 'DEBUG' || name === 'RETURN'
  if (isOwn && shell.isInTrap) return
  const { status, pipeStatus, line } = shell
  // An exit trap runs once, also when it exits itself.
  if (name === 'EXIT') shell.traps.delete('EXIT')
  shell.isInTrap ||= isOwn
  try {
    await runText(shell, command, { line })
  } finally {
    if (isOwn) shell.isInTrap = false
  }
  shell.status = status
  shell.pipeStatus = pipeStatus
  shell.line = line
}

export async function runPendingTraps(shell: Shell): Promise<void> {
  for (const name of shell.pendingSignals.splice(0)) await runTrap(shell, name)
}

const ignoredByDefault = new Set(['CHLD', 'CONT', 'URG', 'WINCH'])

/** A signal of `sender` arrives: a trap waits for the next command, and what has none ends the process. */
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
  if (!ignoredByDefault.has(name)) shell.kill(128 + (signalNumbers[name] ?? 15), sender)
}
