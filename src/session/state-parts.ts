// Validates the parts of a state, which comes from the storage of the host. Every invalid part gives the same typed error.

import { isRecord } from '../core/record.ts'
import { AnchorageError } from '../core/errors.ts'
import { fullHash } from '../core/hash.ts'
import { parsePath, pathProblem, type VfsPath } from '../core/path.ts'

/** The limit for each list in a state; a session has fewer entries. */
const maxEntries = 200_000

export const hashPattern: RegExp = /^[0-9a-f]{64}$/

export function asRecord(value: unknown, reason = 'it lacks a part'): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw notState(reason)
  return { ...value }
}

export function asList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value) || value.length > maxEntries)
    throw notState(`it lacks a list, or one has more than ${maxEntries} entries`)
  return value
}

export function asPath(value: unknown): VfsPath {
  if (typeof value !== 'string' || !value.startsWith('/') || pathProblem(value) !== undefined)
    throw notState('a path in it is missing or invalid')
  return parsePath(value)
}

export function asText(value: unknown, pattern?: RegExp): string {
  if (typeof value !== 'string') throw notState('it lacks a text')
  if (pattern !== undefined && !pattern.test(value)) throw notState('it has an invalid identity')
  return value
}

/** An integer that is not negative. */
export function asCount(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw notState('it lacks a number')
  return value
}

export function notState(reason: string): AnchorageError {
  return new AnchorageError(
    'toolset-options',
    `state was not returned by \`Toolset.state()\`: ${reason}. Leave it out to begin a session that has seen nothing.`,
  )
}

/** Returns equal texts for equal data, in any order of the fields. */
export function checkOf(state: object): string {
  return fullHash(JSON.stringify(state, (_name, value: unknown) => (isRecord(value) ? sorted(value) : value)))
}

function sorted(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)))
}
