// flock FILE COMMAND and flock DESCRIPTOR: one job of a script waits for another. The locks of a script are in memory, because its
// jobs are the only ones that can wait for each other here.

import { durationMs } from '../duration.ts'
import type { ShellCommandContext } from '../../../../shell/commands.ts'
import type { ShellFiles } from '../../../../shell/files.ts'
import type { OwnedFiles } from '../../interpreter/command-files.ts'
import type { Description } from '../../interpreter/descriptors.ts'
import type { Run } from '../../interpreter/run.ts'
import { type Arguments, has, optionTable, parseArguments, valueOf } from '../options.ts'
import { complain, pathOf } from '../program.ts'
import { reasonOf } from '../../errno.ts'

const table = optionTable(`
  -s --shared: shared, -x -e --exclusive: exclusive, -n --nb --nonblock: nonblock, -w --wait --timeout: wait=,
  -E --conflict-exit-code: code=, -o --close: close, -c --command: command=, -F --no-fork: no-fork, --verbose: verbose,
  -u --unlock: unlock
`)

interface Lock {
  /** Who holds it, and whether only for sharing. An open file holds its lock until its last descriptor is closed. */
  readonly holders: Map<object, boolean>
  readonly waiting: (() => void)[]
}

/** The locks of a script, by the path of the file, or by the open file if it has no path. */
const locksOf = new WeakMap<Run, Map<unknown, Lock>>()

export async function flock(context: ShellCommandContext): Promise<number> {
  // Options after the name of the file belong to the command, except -c.
  const parsed = parseArguments(context.args, table, true)
  if (typeof parsed === 'string') return complain(context, 'flock', parsed, 64)
  const [name, ...words] = parsed.operands
  if (name === undefined) return complain(context, 'flock', 'not enough arguments', 64)
  const [flag, text, ...extra] = words
  const isCommandText = flag === '-c' || flag === '--command'
  if (isCommandText && (text === undefined || extra.length > 0))
    return complain(context, 'flock', `${flag} requires exactly one command argument`, 64)
  const wait = valueOf(parsed, 'wait')
  if (wait !== undefined && durationMs(wait) === undefined)
    return complain(context, 'flock', `invalid timeout value: '${wait}'`, 64)
  if (!isOfInterpreter(context.files)) throw new Error('unreachable: flock runs beside the interpreter')
  const { run, descriptors } = context.files.owner
  if (words.length > 0)
    return lockFile(run, name, isCommandText && text !== undefined ? ['sh', '-c', text] : words, parsed, context)
  if (!/^\s*[+-]?\d+$/.test(name)) return complain(context, 'flock', `bad file descriptor: '${name}'`, 64)
  const description = descriptors.get(Number(name))
  if (description === undefined) return complain(context, 'flock', `${name}: Bad file descriptor`, 65)
  return lockDescription(run, description, parsed, context)
}

function isOfInterpreter(files: ShellFiles): files is OwnedFiles {
  return 'owner' in files
}

async function lockFile(
  run: Run,
  name: string,
  command: readonly string[],
  parsed: Arguments,
  context: ShellCommandContext,
): Promise<number> {
  const { files, exec } = context
  let path = pathOf(context, name)
  try {
    if (!(await files.exists(path))) await files.writeFile(path, new Uint8Array(), { create: 'if-missing' })
    path = await files.realpath(path)
  } catch (error) {
    return complain(context, 'flock', `cannot open lock file ${name}: ${reasonOf(error)}`, 66)
  }
  const holder = {}
  const lock = lockOf(run, path)
  const problem = has(parsed, 'unlock') ? undefined : await take(lock, holder, parsed, context)
  if (problem !== undefined) return problem
  try {
    return exec === undefined ? 69 : await exec(command)
  } finally {
    release(lock, holder)
  }
}

async function lockDescription(
  run: Run,
  description: Description,
  parsed: Arguments,
  context: ShellCommandContext,
): Promise<number> {
  const { file } = description
  const lock = lockOf(run, file.path === undefined ? file : await realPath(file.path, context.files))
  if (has(parsed, 'unlock')) {
    release(lock, description)
    return 0
  }
  description.onClosed = () => release(lock, description)
  return (await take(lock, description, parsed, context)) ?? 0
}

/** A file that was opened through a link has one lock with its target. */
async function realPath(path: string, files: ShellFiles): Promise<string> {
  try {
    return await files.realpath(path)
  } catch {
    // The file has been removed.
    return path
  }
}

function lockOf(run: Run, key: unknown): Lock {
  const locks = locksOf.get(run) ?? new Map<unknown, Lock>()
  locksOf.set(run, locks)
  const lock = locks.get(key) ?? { holders: new Map<object, boolean>(), waiting: [] }
  locks.set(key, lock)
  return lock
}

function release(lock: Lock, holder: object): void {
  if (lock.holders.delete(holder)) for (const wake of lock.waiting.splice(0)) wake()
}

/** Waits until `holder` has the lock. Returns the exit code if it does not get it. */
async function take(lock: Lock, holder: object, parsed: Arguments, context: ShellCommandContext): Promise<number | undefined> {
  const isShared = has(parsed, 'shared')
  if (lock.holders.get(holder) === isShared) return undefined
  // To change the kind of a lock, it is given up first, also if the other kind cannot be had.
  release(lock, holder)
  const waitMs = has(parsed, 'nonblock') ? 0 : (durationMs(valueOf(parsed, 'wait') ?? 'inf') ?? Number.POSITIVE_INFINITY)
  const endMs = performance.now() + waitMs
  const isFree = (): boolean => lock.holders.size === 0 || (isShared && [...lock.holders.values()].every(Boolean))
  while (!isFree()) {
    const leftMs = endMs - performance.now()
    if (leftMs <= 0 || context.signal.aborted) {
      if (has(parsed, 'verbose')) await complain(context, 'flock', 'failed to get lock')
      return Number(valueOf(parsed, 'code') ?? 1)
    }
    await change(lock, leftMs, context.signal)
  }
  lock.holders.set(holder, isShared)
  return undefined
}

/** Waits until a holder gives up the lock, at most for this time. */
function change(lock: Lock, mostMs: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const wake = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
      resolve()
    }
    const timer = mostMs < 2 ** 31 ? setTimeout(wake, mostMs) : undefined
    signal.addEventListener('abort', wake, { once: true })
    lock.waiting.push(wake)
  })
}
