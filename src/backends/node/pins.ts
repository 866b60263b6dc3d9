// Keeps an operation inside its directory although another program may replace a directory with a symlink between two of its steps. On
// Linux, a directory is opened once and its real path is checked; then everything goes through that open directory, so a later replacement
// has no effect. On other systems Node cannot do that: each name is checked directly before the step, and a replacement within these few
// microseconds could be followed. This gap remains there.

import { closeSync, constants, existsSync, lstatSync, openSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, pathNames, rootPath, type VfsPath } from '../../core/path.ts'
import { VfsError } from '../../vfs/error.ts'
import { hasCode } from './content.ts'

/** Opens a path without reading it, so that only search permission is needed. Node has no constant for it. Source: open(2). */
export const openPath = 0o10000000

const processDirectories = '/proc/self/fd'

/** The maximum number of directories that one operation keeps open. */
const maxPins = 16

export interface Pins {
  /** The real path of the root. */
  readonly root: () => string
  /** A name for `path` that stays valid until `release`. */
  readonly at: (path: VfsPath) => string
  /** A name for the directory `path` itself. */
  readonly directory: (path: VfsPath) => string
  readonly isPlainDirectory: (path: VfsPath) => boolean
  /** Called when directories have been renamed. */
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
    throw new VfsError('ENOENT', 'open', { path: directory, hint: 'node() needs an existing directory', cause: error })
  }
}
