// flock FILE COMMAND: one job of a script waits for another. The locks of a script are in memory, because its jobs are the only
// ones that can wait for each other here.

import { durationMs } from '../duration.ts'
import type { ShellCommandContext } from '../../../../shell/commands.ts'
import type { ShellFiles } from '../../../../shell/files.ts'
import { has, parseArguments, valueOf } from '../options.ts'
import { complain, pathOf } from '../program.ts'
import { reasonOf } from '../../errno.ts'

const table = {
  '-s': 'shared',
  '--shared': 'shared',
  '-x': 'exclusive',
  '-e': 'exclusive',
  '--exclusive': 'exclusive',
  '-n': 'nonblock',
  '--nb': 'nonblock',
  '--nonblock': 'nonblock',
  '-w': 'wait=',
  '--wait': 'wait=',
  '--timeout': 'wait=',
  '-E': 'code=',
  '--conflict-exit-code': 'code=',
  '-o': 'close',
  '--close': 'close',
  '-c': 'command=',
  '--command': 'command=',
  '-F': 'no-fork',
  '--no-fork': 'no-fork',
  '--verbose': 'verbose',
  '-u': 'unlock',
  '--unlock': 'unlock',
} as const

/** How often a lock is held; -1 stands for an exclusive one. */
interface Lock {
  holders: number
  readonly waiting: (() => void)[]
}

const locksOf = new WeakMap<ShellFiles, Map<string, Lock>>()

export async function flock(context: ShellCommandContext): Promise<number> {
  // Options after the name of the file belong to the command, except -c.
  const parsed = parseArguments(context.args, table, true)
  if (typeof parsed === 'string') return complain(context, 'flock', parsed, 64)
  const [name, ...words] = parsed.operands
  if (name === undefined) return complain(context, 'flock', 'not enough arguments', 64)
  const [flag, text, ...extra] = words
  const isCommandText = flag === '-c' || flag === '--command'
  if (isCommandText && (text === undefined || extra.length > 0))
    return complain(context, 'flock', '--command requires exactly one command argument', 64)
  const command = isCommandText && text !== undefined ? ['sh', '-c', text] : words
  if (command.length === 0 || has(parsed, 'unlock'))
    return complain(
      context,
      'flock',
      `${name}: a lock of a descriptor is not available here; use flock FILE COMMAND, or flock FILE -c 'COMMANDS'`,
      64,
    )
  const code = Number(valueOf(parsed, 'code') ?? 1)
  const wait = valueOf(parsed, 'wait')
  const waitMs = has(parsed, 'nonblock') ? 0 : wait === undefined ? Number.POSITIVE_INFINITY : durationMs(wait)
  if (waitMs === undefined) return complain(context, 'flock', `invalid timeout value: '${wait ?? ''}'`, 64)
  const path = pathOf(context, name)
  try {
    if (!(await context.files.exists(path))) await context.files.writeFile(path, new Uint8Array(), { create: 'if-missing' })
  } catch (error) {
    return complain(context, 'flock', `cannot open lock file ${name}: ${reasonOf(error)}`, 66)
  }
  const locks = locksOf.get(context.files) ?? new Map<string, Lock>()
  locksOf.set(context.files, locks)
  const lock = locks.get(path) ?? { holders: 0, waiting: [] }
  locks.set(path, lock)
  const isShared = has(parsed, 'shared')
  if (!(await taken(lock, isShared, waitMs, context.signal))) {
    if (has(parsed, 'verbose')) await complain(context, 'flock', 'failed to get lock')
    return code
  }
  try {
    return context.exec === undefined ? 69 : await context.exec(command)
  } finally {
    lock.holders = isShared ? lock.holders - 1 : 0
    for (const wake of lock.waiting.splice(0)) wake()
  }
}

async function taken(lock: Lock, isShared: boolean, waitMs: number, signal: AbortSignal): Promise<boolean> {
  const endMs = performance.now() + waitMs
  for (;;) {
    if (isShared ? lock.holders >= 0 : lock.holders === 0) {
      lock.holders = isShared ? lock.holders + 1 : -1
      return true
    }
    const leftMs = endMs - performance.now()
    if (leftMs <= 0 || signal.aborted) return false
    await new Promise<void>(resolve => {
      const timer = leftMs < 2 ** 31 ? setTimeout(resolve, leftMs) : undefined
      const wake = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      signal.addEventListener('abort', wake, { once: true })
      lock.waiting.push(wake)
    })
  }
}
