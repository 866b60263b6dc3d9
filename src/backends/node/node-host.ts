// A directory of the machine as a host. Every path goes through an open directory (pins.ts), the last name is never followed, and a change
// that is reported as done is on the disk.

import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  watch,
} from 'node:fs'
import type { BigIntStats, Stats } from 'node:fs'
import { basename, childPath, dirname, isInside, parsePath, pathProblem, rootPath, type VfsPath } from '../../core/path.ts'
import type { EntryKind } from '../../vfs/backend.ts'
import { VfsError } from '../../vfs/error.ts'
import type { HostAttributes, HostFs, HostStat } from '../../vfs/hosted/host.ts'
import { hasCode, overwriteContent, patchContent, readContent, replaceContent, timeToSet, withFile } from './content.ts'
import { createPins, openPath } from './pins.ts'

/** Prefix of files that are written but not renamed yet; only a crash leaves them behind. */
const temporaryPrefix = '.anchorage-'

/** How far the system's clock for files may lag behind ours. */
const clockLagMs = 50

const permissionBits = 0o777n

export interface NodeHostOptions {
  /** Whether each write waits for the disk, or only `flush`. */
  readonly isDurable: boolean
  readonly maxFileBytes: number
}

export function nodeHost(directory: string, { isDurable, maxFileBytes }: NodeHostOptions): HostFs {
  const pins = createPins(directory)
  const { at } = pins
  let depth = 0
  let lastTemporary = 0
  const unsyncedFiles = new Set<VfsPath>()
  const unsyncedDirectories = new Set<VfsPath>()

  const rawStat = (path: VfsPath): BigIntStats | undefined => lstatSync(at(path), { bigint: true, throwIfNoEntry: false })

  /** The place of a name that is not UTF-8, by the form in which Node lists it; the system does not know that form. */
  const misnamed = (path: VfsPath): Buffer | undefined => {
    const name = basename(path)
    if (!name.includes('\uFFFD') || rawStat(path) !== undefined) return undefined
    const directory = pins.directory(dirname(path))
    const found = readdirSync(directory, { encoding: 'buffer' }).find(other => other.toString() === name)
    return found && Buffer.concat([Buffer.from(`${directory}/`), found])
  }

  const refuseMisnamed = (path: VfsPath): void => {
    if (misnamed(path) === undefined) return
    throw new VfsError('EIO', 'open', { path, hint: 'its name on the disk is not UTF-8; rename it there' })
  }

  const syncDirectory = (path: VfsPath): void => {
    try {
      withFile(`${pins.directory(path)}/.`, constants.O_RDONLY | constants.O_DIRECTORY, 0, fsyncSync)
    } catch (error) {
      // A directory that may be passed but not read can be written to but not synced: its durability is the system's.
      if (!hasCode(error, 'EACCES')) throw error
    }
  }

  /** Records that `flush` must sync `area`. A path that no longer exists needs nothing. */
  const sync = (area: VfsPath): void => {
    const run = (paths: Set<VfsPath>, act: (path: VfsPath) => void): void => {
      for (const path of [...paths]) {
        if (!isInside(path, area)) continue
        paths.delete(path)
        try {
          act(path)
        } catch (error) {
          if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'ESTALE')) throw error
        }
      }
    }
    run(unsyncedFiles, path => withFile(at(path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0, fsyncSync))
    run(unsyncedDirectories, syncDirectory)
  }

  /** Names were added to or removed from the directory of each path. */
  const moved = (...paths: readonly VfsPath[]): void => {
    for (const path of paths) unsyncedDirectories.add(dirname(path))
  }

  const write: HostFs['write'] = (path, bytes, { mode, append, existing, mtimeMs }) => {
    refuseMisnamed(path)
    if (existing !== undefined && existing.nlink > 1) {
      overwriteContent(at(path), bytes, append, isDurable)
    } else {
      const owner = existing === undefined ? undefined : lstatSync(at(path))
      const temporary = childPath(dirname(path), `${temporaryPrefix}${process.pid}-${++lastTemporary}-${randomName()}.tmp`)
      const isUsual = Math.abs(mtimeMs - Date.now()) < clockLagMs
      replaceContent({
        path: at(path),
        temporary: at(temporary),
        bytes,
        mode,
        mtimeMs: isUsual ? undefined : mtimeMs,
        owner,
        append,
        isDurable,
      })
    }
    if (isDurable) syncDirectory(dirname(path))
    else {
      unsyncedFiles.add(path)
      moved(path)
    }
  }

  return {
    replacesFiles: true,
    isPlainDirectory: pins.isPlainDirectory,

    lstat(path) {
      const stats = rawStat(path)
      if (stats !== undefined) return hostStat(stats)
      const place = misnamed(path)
      return place && hostStat(lstatSync(place, { bigint: true }))
    },

    list(path) {
      refuseMisnamed(path)
      return readdirSync(pins.directory(path), { withFileTypes: true }).map(entry => ({ name: entry.name, kind: kindOf(entry) }))
    },

    read(path, start, end) {
      refuseMisnamed(path)
      return readContent(at(path), start, end, maxFileBytes)
    },

    readlink: path => readlinkSync(at(path)),
    write,

    mkdir(path, mode) {
      // First with all permissions: the process's umask would remove some, and without them it could not be opened to set its mode.
      mkdirSync(at(path), 0o700)
      withFile(at(path), constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW, 0, file => fchmodSync(file, mode))
      moved(path)
    },

    symlink(target, path) {
      symlinkSync(target, at(path))
      moved(path)
    },

    link(existing, path) {
      linkSync(at(existing), at(path))
      moved(path)
    },

    unlink(path) {
      unlinkSync(at(path))
      moved(path)
    },

    rmdir(path) {
      rmdirSync(at(path))
      pins.release()
      moved(path)
    },

    rename(from, to) {
      // Paths that wait for `flush` could not be found any more under the old name.
      sync(from)
      renameSync(at(from), at(to))
      pins.release()
      moved(from, to)
    },

    setattr(path, attributes) {
      if (process.platform === 'linux') setByOpenPlace(at(path), attributes)
      else setByName(at(path), attributes)
    },

    within(act) {
      depth++
      try {
        return act()
      } finally {
        if (--depth === 0) pins.release()
      }
    },

    notices(listener) {
      const watcher = watch(pins.root(), { recursive: true, persistent: false }, (_event, name) => {
        const path = name === null ? undefined : parsedIfPath(name)
        if (path === undefined || !basename(path).startsWith(temporaryPrefix)) listener(path)
      })
      watcher.on('error', () => listener(undefined))
      return () => watcher.close()
    },

    patch(path, bytes, { at: start }) {
      if (!patchContent(at(path), bytes, start)) return false
      // It does not wait for the disk for each piece that a program writes to an open file; `settle` does, once.
      unsyncedFiles.add(path)
      return true
    },
    settle: sync,

    flush: () => {
      sync(rootPath)
      pins.release()
    },
    close: () => pins.release(),
  }
}

/** Opens the entry first, so that the entry that was checked is the one that is changed. Links have a time and no mode. */
function setByOpenPlace(path: string, { mode, ...times }: HostAttributes): void {
  const file = openSync(path, openPath | constants.O_NOFOLLOW)
  try {
    const stats = fstatSync(file)
    const place = `/proc/self/fd/${file}`
    if (!stats.isSymbolicLink() && mode !== undefined) chmodSync(place, mode)
    if (stats.isSymbolicLink()) setTimes(lutimesSync, path, stats, times)
    else setTimes(utimesSync, place, stats, times)
  } finally {
    closeSync(file)
  }
}

function setByName(path: string, { mode, ...times }: HostAttributes): void {
  const stats = lstatSync(path)
  if (mode !== undefined && !stats.isSymbolicLink()) chmodSync(path, mode)
  setTimes(lutimesSync, path, stats, times)
}

/** The system sets both times; the one that is not given stays. */
function setTimes(set: typeof utimesSync, path: string, stats: Stats, { mtimeMs, atimeMs }: HostAttributes): void {
  if (mtimeMs === undefined && atimeMs === undefined) return
  set(path, timeToSet(atimeMs ?? stats.atimeMs), timeToSet(mtimeMs ?? stats.mtimeMs))
}

function kindOf(entry: { isDirectory(): boolean; isSymbolicLink(): boolean }): EntryKind {
  return entry.isDirectory() ? 'directory' : entry.isSymbolicLink() ? 'symlink' : 'file'
}

function hostStat(stats: BigIntStats): HostStat {
  const { dev, ino, size, mode, nlink, atimeNs, mtimeNs, ctimeNs, birthtimeNs } = stats
  const kind = kindOf(stats)
  const isOther = kind === 'file' && !stats.isFile()
  return {
    kind,
    sizeBytes: Number(size),
    mode: Number(mode & permissionBits),
    atimeMs: Number(atimeNs / 1_000n) / 1_000,
    mtimeMs: wholeMs(mtimeNs),
    ctimeMs: wholeMs(ctimeNs),
    nlink: Number(nlink),
    ...(ino <= Number.MAX_SAFE_INTEGER ? { ino: Number(ino) } : {}),
    key: `${dev} ${ino}`,
    print: `${birthtimeNs} ${mtimeNs} ${mode} ${kind === 'directory' ? '' : size}`,
    namePrint: String(ctimeNs),
    ...(isOther ? { isSpecial: true } : {}),
  }
}

/** Times are set as floating-point seconds, so an integer millisecond may be stored slightly too small. */
function wholeMs(timeNs: bigint): number {
  return Number((timeNs + 1_000n) / 1_000_000n)
}

function parsedIfPath(name: string): VfsPath | undefined {
  return pathProblem(`/${name}`) === undefined ? parsePath(`/${name}`) : undefined
}

function randomName(): string {
  return crypto.randomUUID().slice(0, 8)
}
