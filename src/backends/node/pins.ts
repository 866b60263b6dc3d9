// How an operation stays inside its directory although anyone may swap a directory for a symlink between two of its steps. On Linux a
// directory is opened once and asked where it really is; everything then goes through that open directory, so a swap afterwards has
// no effect. Elsewhere Node cannot do that: each name is looked at right before the step, and a swap within these few microseconds
// could be followed. That is the one gap that remains there.

import { closeSync, constants, existsSync, lstatSync, openSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, pathNames, rootPath, type VfsPath } from '../../core/path.ts'
import { VfsError } from '../../vfs/error.ts'
import { hasCode } from './content.ts'

/** Opens a place without reading it, so that no permission but to pass is needed. Node has no name for it. Source: open(2). */
export const openPath = 0o10000000

const processDirectories = '/proc/self/fd'

/** Directories held at once by one operation. */
const maxPins = 16

export interface Pins {
  /** Where the root really is. */
  readonly root: () => string
  /** Where the system finds `path`, by a name that stays valid until `release`. */
  readonly at: (path: VfsPath) => string
  /** Where the system finds the directory `path` itself. */
  readonly directory: (path: VfsPath) => string
  readonly isPlainDirectory: (path: VfsPath) => boolean
  /** Directories have other names now. */
  readonly release: () => void
}

export function createPins(givenRoot: string): Pins {
  let root: string | undefined
  const pins = new Map<VfsPath, number>()
  const rootOf = (): string => (root ??= realRoot(givenRoot))
  const machinePath = (path: VfsPath): string => (path === rootPath ? rootOf() : `${rootOf() === '/' ? '' : rootOf()}${path}`)

  const open = (path: VfsPath): number | undefined => {
    const flags = openPath | constants.O_DIRECTORY | constants.O_NOFOLLOW
    const file = openSync(machinePath(path), flags)
    if (readlinkSync(`${processDirectories}/${file}`) === machinePath(path)) return file
    closeSync(file)
    return undefined
  }

  const pin = (path: VfsPath): number | undefined => {
    const known = pins.get(path)
    if (known !== undefined) return known
    if (pins.size >= maxPins) release()
    const file = open(path)
    if (file !== undefined) pins.set(path, file)
    return file
  }

  const release = (): void => {
    for (const file of pins.values()) closeSync(file)
    pins.clear()
  }

  const isMissing = (error: unknown): boolean => hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')

  const isPlainByNames = (path: VfsPath): boolean => {
    let place = rootOf() === '/' ? '' : rootOf()
    return pathNames(path).every(name => lstatSync((place += `/${name}`), { throwIfNoEntry: false })?.isDirectory() === true)
  }

  const canPin = existsSync(processDirectories)

  const directory = (path: VfsPath): string => {
    if (!canPin) {
      if (isPlainByNames(path)) return machinePath(path)
    } else {
      const file = pin(path)
      if (file !== undefined) return `${processDirectories}/${file}`
    }
    throw new VfsError('ESTALE', 'open', { path, hint: 'a directory on the way was replaced meanwhile; look again and retry' })
  }

  return {
    root: rootOf,
    directory,
    at: path => (path === rootPath ? `${directory(path)}/.` : `${directory(dirname(path))}/${basename(path)}`),
    isPlainDirectory(path) {
      if (!canPin) return isPlainByNames(path)
      try {
        return pin(path) !== undefined
      } catch (error) {
        if (isMissing(error)) return false
        throw error
      }
    },
    release,
  }
}

function realRoot(directory: string): string {
  try {
    return realpathSync.native(directory)
  } catch (error) {
    throw new VfsError('ENOENT', 'open', { path: directory, hint: 'node() needs a directory that is there', cause: error })
  }
}
