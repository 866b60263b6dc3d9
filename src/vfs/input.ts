// Turns callers' texts into checked paths and bytes, with the errors of a filesystem.

import { isSignal } from '../core/abort.ts'
import type { OptionNames } from '../core/argument.ts'
import { checkMember } from '../core/errors.ts'
import { notAbsolute, parsePath, pathProblem, type VfsPath } from '../core/path.ts'
import { failure, VfsError } from './error.ts'
import { utf8Encoder } from '../core/utf8-encoder.ts'
import type { HashOptions, VfsBatchOptions, WalkOptions } from './vfs.ts'

// Made when it is first used, so that a bundle without `decodeText` leaves it out.
let decoder: TextDecoder | undefined

/** Throws `VfsError` ENOENT (empty), EINVAL (null byte, lone surrogate, relative without `base`) or ENAMETOOLONG. */
export function vfsPath(text: string, syscall: string, base?: VfsPath): VfsPath {
  try {
    return parsePath(text, base)
  } catch {
    // `String`, because the text may be a symbol. Checked only after parsing failed: scanning a path twice would be most of the cost of a call.
    const { code, reason } = pathProblem(text) ?? notAbsolute
    throw failure(code, syscall, String(text), code === 'EINVAL' ? reason : undefined)
  }
}

/** EINVAL for a value of another type, and for NaN. */
export function need(kind: 'function' | 'number', value: unknown, syscall: string): void {
  if (typeof value !== kind || Number.isNaN(value)) throw new VfsError('EINVAL', syscall, { hint: `give a ${kind}` })
}

/** `wrong-argument` for anything but a filesystem. */
export function checkBackend(caller: string, value: unknown): void {
  checkMember(caller, value, 'lookup', 'a filesystem, such as memory()')
  needOptions(Object(value).memoryOptions, 'memory', { clock: 1, transfer: 1 })
}

/**
 * EINVAL unless the options are left out, or are an object with no other names than these. Their permission bits must be a number: in a
 * text they would be octal.
 */
export function needOptions<Options extends object>(
  options: Options | undefined,
  syscall: string,
  known: OptionNames<Options>,
  expected = 'options must be an object',
): void {
  if (options === undefined) return
  let hint = Object(options) === options ? '' : expected
  for (const name in options)
    if (!Object.hasOwn(known, name)) hint ||= `unknown option ${name}; options: ${Object.keys(known).join(', ') || 'none'}`
  const { mode = 0, signal } = Object(options) as { readonly mode?: unknown; readonly signal?: unknown }
  if (!isSignal(signal)) hint ||= 'signal must be an AbortSignal'
  if (hint) throw new VfsError('EINVAL', syscall, { hint })
  need('number', mode, syscall)
}

// The names of options that are checked on both sides of a Worker.
export const walkNames: OptionNames<WalkOptions> = { maxDepth: 1, maxEntries: 1, prune: 1, signal: 1 }
export const batchNames: OptionNames<VfsBatchOptions> = { expect: 1 }
export const hashOptionNames: OptionNames<HashOptions> = { signal: 1 }

/** Whether `text` ends in '/'. Such a path means the same as without the '/', but only for a directory. */
export function asksForDirectory(text: string): boolean {
  return typeof text === 'string' && (text.endsWith('/') || text.endsWith('/.')) && text !== '/'
}

/** Text as UTF-8. EINVAL for half of a surrogate pair, which UTF-8 cannot represent, and for what is neither text nor bytes. */
export function contentOf(data: string | Uint8Array, path: string): Uint8Array {
  const isText = typeof data === 'string'
  if (isText ? data.isWellFormed() : data?.BYTES_PER_ELEMENT === 1) return isText ? utf8Encoder.encode(data) : data
  throw failure('EINVAL', 'write', path, isText ? 'half of a surrogate pair' : 'give text or bytes')
}

/** A byte order mark is kept as U+FEFF. EINVAL for anything that is not UTF-8. */
export function decodeText(bytes: Uint8Array, path: string): string {
  try {
    // `ignoreBOM` keeps a byte order mark as a character, so that writing the text back preserves it.
    decoder ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    return decoder.decode(bytes)
  } catch (error) {
    throw new VfsError('EINVAL', 'read', { path, hint: 'not valid UTF-8; use readFile', cause: error })
  }
}
