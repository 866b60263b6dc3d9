// Uses only the functions of a memfs Volume that work correctly. Operations that memfs gets wrong (a rename that destroys directories,
// links that are followed, wrong counters) are done here in other steps. No other code sees them half done, because they are synchronous.

import { childPath, dirname, type VfsPath } from '../../core/path.ts'
import type { Dirent, EntryKind } from '../../vfs/backend.ts'
import { VfsError } from '../../vfs/error.ts'
import type { HostFs, HostStat, HostWrite } from '../../vfs/hosted/host.ts'
import { regardless, seconds } from './permissions.ts'
import type { MemfsStats, MemfsVolume } from './volume.ts'

const permissionBits = 0o777
const encoder = new TextEncoder()

/** `quietly` runs around each change, so that its events can be distinguished from those of other users. */
export function memfsHost(volume: MemfsVolume, quietly: <T>(act: () => T) => T): HostFs {
  const ask = <T>(path: VfsPath, act: () => T): T => quietly(() => regardless(volume, [path], act))

  // For what concerns an entry and not its content: the mode of the entry itself must not change meanwhile, because afterwards the entry
  // has another name or another mode.
  const askParents = <T>(paths: readonly VfsPath[], act: () => T): T => quietly(() => regardless(volume, paths.map(dirname), act))

  const statsOf = (path: VfsPath): MemfsStats | undefined =>
    askParents([path], () => volume.lstatSync(path, { throwIfNoEntry: false }))

  const readlink = (path: VfsPath): string =>
    text(
      ask(path, () => volume.readlinkSync(path)),
      path,
    )

  const setTimes = (path: VfsPath, kind: EntryKind, mtimeMs: number, atimeMs = mtimeMs): void => {
    const [atime, mtime] = [seconds(atimeMs), seconds(mtimeMs)]
    if (kind === 'symlink') volume.lutimesSync(path, atime, mtime)
    else volume.utimesSync(path, atime, mtime)
  }

  const isPlainDirectory = (path: VfsPath): boolean => {
    for (let end = path.indexOf('/', 1); end !== -1; end = path.indexOf('/', end + 1)) {
      if (!isDirectory(path.slice(0, end))) return false
    }
    return isDirectory(path)
  }

  const isDirectory = (path: string): boolean =>
    quietly(() => regardless(volume, [path], () => volume.lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true))

  const rename = (from: VfsPath, to: VfsPath): void => {
    // memfs would leave the target's node in place, and count it twice in its directory.
    const replaced = volume.lstatSync(to, { throwIfNoEntry: false })
    if (replaced?.isDirectory() === true) volume.rmdirSync(to)
    else if (replaced !== undefined) volume.unlinkSync(to)
    const moved = volume.lstatSync(from, { throwIfNoEntry: false })
    if (moved?.isSymbolicLink() !== true) volume.renameSync(from, to)
    else {
      // memfs would rename the target of the link.
      volume.linkSync(from, to)
      volume.unlinkSync(from)
    }
  }

  const patch: HostFs['patch'] = writesParts(volume)
    ? (path, bytes, { at, mtimeMs }) =>
        ask(path, () => {
          const file = volume.openSync(path, 'r+')
          try {
            for (let done = 0; done < bytes.length;) done += volume.writeSync(file, bytes, done, bytes.length - done, at + done)
          } finally {
            volume.closeSync(file)
          }
          setTimes(path, 'file', mtimeMs)
          return true
        })
    : undefined

  return {
    replacesFiles: false,
    ...(patch === undefined ? {} : { patch }),
    isPlainDirectory,

    lstat(path) {
      const stats = statsOf(path)
      if (stats === undefined) return undefined
      const kind = kindOf(stats)
      return hostStat(stats, kind, kind === 'symlink' ? encoder.encode(readlink(path)).length : stats.size)
    },

    list(path) {
      const names = ask(path, () => volume.readdirSync(path))
      if (!Array.isArray(names)) throw new VfsError('EIO', 'scandir', { path, hint: 'the volume gave no list of names' })
      return names.flatMap((found: unknown): Dirent[] => {
        const name = text(found, path)
        const stats = statsOf(childPath(path, name))
        return stats === undefined ? [] : [{ name, kind: kindOf(stats) }]
      })
    },

    read(path, start, end) {
      const bytes = ask(path, () => volume.readFileSync(path))
      if (!(bytes instanceof Uint8Array)) throw new VfsError('EIO', 'read', { path, hint: 'the volume gave no bytes' })
      return new Uint8Array(bytes.subarray(start, end))
    },

    readlink,

    write: (path, bytes, { mode, append, existing, mtimeMs }: HostWrite) =>
      ask(path, () => {
        // memfs refuses to write to a new file whose mode has no write permission.
        volume.writeFileSync(path, bytes, { flag: append ? 'a' : 'w', mode: mode | 0o600 })
        if (existing === undefined) volume.chmodSync(path, mode)
        setTimes(path, 'file', mtimeMs)
      }),

    mkdir: (path, mode) =>
      askParents([path], () => {
        volume.mkdirSync(path, { mode })
        volume.chmodSync(path, mode)
      }),

    symlink: (target, path) => askParents([path], () => volume.symlinkSync(target, path)),
    link: (existing, path) => askParents([existing, path], () => volume.linkSync(existing, path)),
    unlink: path => askParents([path], () => volume.unlinkSync(path)),
    rmdir: path => askParents([path], () => volume.rmdirSync(path)),
    rename: (from, to) => askParents([from, to], () => rename(from, to)),

    setattr: (path, { mode, mtimeMs, atimeMs }) =>
      askParents([path], () => {
        const stats = volume.lstatSync(path, { throwIfNoEntry: false })
        if (stats === undefined) return
        const kind = kindOf(stats)
        if (mode !== undefined && kind !== 'symlink') volume.chmodSync(path, mode)
        setTimes(path, kind, mtimeMs ?? stats.mtimeMs, atimeMs ?? stats.atimeMs)
      }),

    within: act => act(),
    flush: () => {},
    close: () => {},
  }
}

function writesParts(
  volume: MemfsVolume,
): volume is MemfsVolume & Required<Pick<MemfsVolume, 'openSync' | 'writeSync' | 'closeSync'>> {
  return 'openSync' in volume && 'writeSync' in volume && 'closeSync' in volume
}

function kindOf(stats: MemfsStats): EntryKind {
  return stats.isDirectory() ? 'directory' : stats.isSymbolicLink() ? 'symlink' : 'file'
}

function hostStat(stats: MemfsStats, kind: EntryKind, sizeBytes: number): HostStat {
  const [mtimeMs, ctimeMs] = [Math.trunc(stats.mtimeMs), Math.trunc(stats.ctimeMs)]
  const mode = kind === 'symlink' ? permissionBits : stats.mode & permissionBits
  const print = `${kind} ${stats.birthtimeMs} ${stats.mtimeMs} ${mode} ${kind === 'directory' ? '' : sizeBytes}`
  // No `ino`: memfs keeps the number when content is replaced, and reuses numbers of removed files.
  return {
    kind,
    sizeBytes,
    mode,
    atimeMs: stats.atimeMs,
    mtimeMs,
    ctimeMs,
    nlink: stats.nlink,
    key: String(stats.ino),
    print,
    namePrint: String(ctimeMs),
  }
}

function text(value: unknown, path: string): string {
  if (typeof value === 'string') return value
  throw new VfsError('EIO', 'readlink', { path, hint: 'the volume gave no text' })
}
