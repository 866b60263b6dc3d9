// A VfsPath is always absolute, '/'-separated and without '//', '.' and a trailing '/'. Only `parsePath` creates one from text. '..' is
// kept, because only the filesystem can resolve it, after symlinks (POSIX, "Pathname Resolution").

import { AnchorageError } from './errors.ts'
import { utf8Encoder } from './utf8-encoder.ts'

declare const vfsPathBrand: unique symbol

/** A validated absolute path. Created by {@link parsePath} or {@link joinPath}. */
export type VfsPath = string & { readonly [vfsPathBrand]: true }

export const rootPath: VfsPath = '/' as VfsPath

/** POSIX NAME_MAX and PATH_MAX, in UTF-8 bytes. */
export const maxNameBytes = 255
export const maxPathBytes = 4096

// Most paths are normal already, and each call on a filesystem checks one, so this expression matches them in one pass. Other
// paths may still be valid: long names and characters of two code units need a closer check. '.' and '..' are not names.
const plainPath = /^(?:\/(?!\.{0,2}(?:\/|$))[^/\0\ud800-\udfff]{1,85})+$/
/** A third of `maxPathBytes`, as a literal because `memory` alone has a budget of bytes. */
const plainPathUnits = 1366

function isPlain(text: string): boolean {
  return typeof text === 'string' && text.length < plainPathUnits && plainPath.test(text)
}

export interface PathProblem {
  readonly code: 'ENOENT' | 'EINVAL' | 'ENAMETOOLONG'
  readonly reason: string
}

/** The reason for which a relative path without a base is rejected. */
export const notAbsolute: PathProblem = { code: 'EINVAL', reason: 'the path is not absolute' }

/** The reason why `text` is not a valid path, with an errno code. `undefined` if it is valid. */
export function pathProblem(
  text: string,
  maxBytes: number = maxPathBytes,
  maxNameLength: number = maxNameBytes,
): PathProblem | undefined {
  if (typeof text !== 'string') return { code: 'EINVAL', reason: 'the path is not a string' }
  if (isPlain(text)) return undefined
  if (text === '') return { code: 'ENOENT', reason: 'the path is empty' }
  if (text.includes('\0')) return { code: 'EINVAL', reason: 'the path has a null byte' }
  if (!text.isWellFormed()) return { code: 'EINVAL', reason: 'the path has half of a surrogate pair' }
  if (text.length * 3 > maxBytes && utf8Encoder.encode(text).length > maxBytes)
    return { code: 'ENAMETOOLONG', reason: `the path is longer than ${maxBytes} bytes` }
  for (const name of text.split('/')) {
    if (name.length * 3 > maxNameLength && utf8Encoder.encode(name).length > maxNameLength)
      return { code: 'ENAMETOOLONG', reason: `a name is longer than ${maxNameLength} bytes` }
  }
  return undefined
}

/**
 * The normal form of an absolute path. A relative `text` is resolved from `base`; without it a relative path is an error.
 * Throws `AnchorageError` with code ENOENT (empty), EINVAL (null byte, lone surrogate, relative) or ENAMETOOLONG.
 */
export function parsePath(text: string, base?: VfsPath): VfsPath {
  if (isPlain(text)) return text as VfsPath
  const problem = pathProblem(text) ?? (base || text.startsWith('/') ? undefined : notAbsolute)
  if (problem !== undefined) throw new AnchorageError(problem.code, `${problem.code}: ${problem.reason}: ${JSON.stringify(text)}`)
  const absolute = text.startsWith('/') ? text : `${base}/${text}`
  const names = absolute.split('/').filter(name => name !== '' && name !== '.')
  return `/${names.join('/')}` as VfsPath
}

/** The names of a path, root first. The root has none. */
export function pathNames(path: VfsPath): readonly string[] {
  return path === '/' ? [] : path.slice(1).split('/')
}

/** `parent` with one or more names below it. */
export function joinPath(parent: VfsPath, ...names: readonly string[]): VfsPath {
  return parsePath(names.join('/'), parent)
}

/** One name below `parent`. For names from a listing or from a checked path: unlike {@link joinPath} it checks nothing. */
export function childPath(parent: VfsPath, name: string): VfsPath {
  return (parent === '/' ? `/${name}` : `${parent}/${name}`) as VfsPath
}

/** Resolves '..' by name alone. Correct only if no symlink is involved, such as for display. */
export function resolveDotDot(path: VfsPath): VfsPath {
  const kept: string[] = []
  for (const name of pathNames(path)) {
    if (name === '..') kept.pop()
    else kept.push(name)
  }
  return `/${kept.join('/')}` as VfsPath
}

export function dirname(path: VfsPath): VfsPath {
  const end = path.lastIndexOf('/')
  return (end <= 0 ? '/' : path.slice(0, end)) as VfsPath
}

/** The last name; '' for the root. */
export function basename(path: VfsPath): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Whether `path` is `directory` or below it, by name. Both must not contain '..'. */
export function isInside(path: VfsPath, directory: VfsPath): boolean {
  return directory === '/' || path === directory || path.startsWith(`${directory}/`)
}

/** `path` as seen from `directory`: '.' for itself, a relative path below it, the absolute path elsewhere. */
export function displayPath(path: VfsPath, directory: VfsPath): string {
  if (path === directory) return '.'
  if (!isInside(path, directory)) return path
  return directory === '/' ? path.slice(1) : path.slice(directory.length + 1)
}
