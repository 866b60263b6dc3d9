// memfs enforces mode bits for every caller, even for the owner of the page. Here modes are stored and never enforced, so after a refusal
// the modes are changed for a moment and the operation is repeated.

import { systemErrorCode } from '../../core/errors.ts'
import type { MemfsVolume } from './volume.ts'

const everything = 0o777

interface Opened {
  readonly path: string
  readonly mode: number
  readonly mtimeMs: number
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
      for (const { path, mode, mtimeMs } of opened.toReversed()) close(volume, path, mode, mtimeMs)
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
    volume.chmodSync(place, everything)
    return [{ path: place, mode: stats.mode & everything, mtimeMs: stats.mtimeMs }]
  })
}

/** `act` may have removed the entry, or changed its mode. */
function close(volume: MemfsVolume, path: string, mode: number, mtimeMs: number): void {
  const stats = volume.lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined || (stats.mode & everything) !== everything) return
  // Changing a mode updates memfs's modification time, so restore it, unless `act` changed it.
  volume.chmodSync(path, mode)
  volume.utimesSync(path, seconds(mtimeMs), seconds(mtimeMs))
}

/** memfs truncates to milliseconds, and an integer millisecond as seconds may be slightly too small. */
export function seconds(timeMs: number): number {
  return (timeMs + 0.5) / 1000
}
