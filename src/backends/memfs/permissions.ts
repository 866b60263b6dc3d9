// memfs enforces mode bits for every caller, even for the owner of the page. Here modes are stored and never enforced, so after a refusal
// the modes are changed for a moment and the operation is repeated.

import { systemErrorCode } from '../../core/errors.ts'
import { type MemfsStats, type MemfsVolume, setChangeTime } from './volume.ts'

const everything = 0o777

interface Opened {
  readonly path: string
  readonly mode: number
}

/** Runs `act`. If memfs refuses it, runs it again without the mode restrictions of `paths` and all their parents. */
export function regardless<T>(volume: MemfsVolume, paths: readonly string[], act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (!isRefusal(error)) throw error
    const opened = paths.flatMap(path => open(volume, path))
    try {
      return act()
    } finally {
      for (const { path, mode } of opened.toReversed()) close(volume, path, mode)
    }
  }
}

function isRefusal(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes(systemErrorCode(error) ?? '')
}

/** From the root down, because entries of an inaccessible directory cannot even be looked up. */
function open(volume: MemfsVolume, path: string): Opened[] {
  const names = path.split('/').filter(name => name !== '')
  return ['/', ...names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`)].flatMap(place => {
    const stats = volume.lstatSync(place, { throwIfNoEntry: false })
    if (stats === undefined || stats.isSymbolicLink() || (stats.mode & everything) === everything) return []
    setModeAlone(volume, place, everything, stats)
    return [{ path: place, mode: stats.mode & everything }]
  })
}

/** `act` may have removed the entry, or changed its mode. */
function close(volume: MemfsVolume, path: string, mode: number): void {
  const stats = volume.lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined || (stats.mode & everything) !== everything) return
  setModeAlone(volume, path, mode, stats)
}

/** A new mode moves times in memfs. They go back to those of `stats`. */
function setModeAlone(volume: MemfsVolume, path: string, mode: number, stats: MemfsStats): void {
  volume.chmodSync(path, mode)
  const after = volume.lstatSync(path, { throwIfNoEntry: false })
  if (after !== undefined && after.mtimeMs !== stats.mtimeMs)
    volume.utimesSync(path, seconds(stats.mtimeMs), seconds(stats.mtimeMs))
  setChangeTime(volume, stats.ino, stats.ctimeMs)
}

/** memfs truncates to milliseconds, and an integer millisecond as seconds may be slightly too small. */
export function seconds(timeMs: number): number {
  return (timeMs + 0.5) / 1000
}
