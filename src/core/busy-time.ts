// The time for which one call may keep its thread busy. A page that supervises a worker cannot inspect it, so every tool
// definition contains this limit as plain data.

import { checkMember } from './errors.ts'
import { isRecord } from './record.ts'

/** The time limit for a call of a tool in a worker, in milliseconds, and the argument that sets it. */
export interface BusyTime {
  /** The limit of a call that does not set a time. */
  readonly defaultMs: number
  /** The argument that sets the time, and its unit in milliseconds. */
  readonly argument?: {
    readonly name: string
    readonly unitMs: number
    readonly maxMs: number
  }
  /** The minimum limit, because ending a command and collecting its output takes time too. */
  readonly minMs: number
}

/** The limit of one call, in milliseconds. `args` are the arguments as the model wrote them. */
export function busyTimeMs(busy: BusyTime, args: unknown): number {
  checkMember('busyTimeMs', busy, 'minMs', 'the busy of a tool definition')
  const { defaultMs, argument, minMs } = busy
  const given = argument !== undefined && isRecord(args) ? Number(args[argument.name] ?? Number.NaN) : Number.NaN
  const askedMs = argument === undefined || !(given > 0) ? defaultMs : Math.min(argument.maxMs, given * argument.unitMs)
  return Math.max(minMs, askedMs)
}
