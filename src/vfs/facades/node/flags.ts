// How a file is opened: Node's letters, or the bits that they stand for.

import { constants } from './constants.ts'
import { argumentError } from './errors.ts'

/** The meaning of an open flag. */
export interface OpenMode {
  readonly reads: boolean
  readonly writes: boolean
  readonly appends: boolean
  readonly creates: boolean
  readonly isExclusive: boolean
  readonly truncates: boolean
}

const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND } = constants

const letters: Readonly<Record<string, number>> = {
  r: O_RDONLY,
  'r+': O_RDWR,
  w: O_TRUNC | O_CREAT | O_WRONLY,
  'w+': O_TRUNC | O_CREAT | O_RDWR,
  a: O_APPEND | O_CREAT | O_WRONLY,
  'a+': O_APPEND | O_CREAT | O_RDWR,
}

/** 's' (synchronous) changes nothing here: every write is whole when it returns. */
export function openMode(flags: string | number): OpenMode {
  const bits = typeof flags === 'number' ? flags : bitsOf(flags)
  const access = bits & (O_WRONLY | O_RDWR)
  return {
    reads: access !== O_WRONLY,
    writes: access !== O_RDONLY,
    appends: (bits & O_APPEND) !== 0,
    creates: (bits & O_CREAT) !== 0,
    isExclusive: (bits & O_EXCL) !== 0,
    truncates: (bits & O_TRUNC) !== 0,
  }
}

function bitsOf(flags: string): number {
  const isExclusive = flags.includes('x')
  const plain = flags.replace('x', '').replace('s', '')
  const bits = Object.hasOwn(letters, plain) ? letters[plain] : undefined
  if (bits === undefined || (isExclusive && (bits & O_CREAT) === 0)) {
    throw argumentError('ERR_INVALID_ARG_VALUE', `The argument 'flags' is invalid. Received '${flags}'`)
  }
  return isExclusive ? bits | O_EXCL : bits
}
