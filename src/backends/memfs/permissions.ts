// memfs refuses what mode bits forbid, to everyone, the owner of the page included. Here modes are stored and never enforced, so what
// was refused is opened for a moment and tried again.

import { systemErrorCode } from '../../core/errors.ts'
import type { MemfsVolume } from './volume.ts'

const everything = 0o777

interface Opened {
  readonly path: string
  readonly mode: number
  readonly mtimeMs: number
}

/** Runs `act`; if memfs forbids it, again with the modes of `paths` and of all directories above them out of the way. */
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

/** From the root down, since what lies in a closed directory cannot even be looked at. */
function open(volume: MemfsVolume, path: string): Opened[] {
  const names = path.split('/').filter(name => name !== '')
  return ['/', ...names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`)].flatMap(place => {
    const stats = volume.lstatSync(place, { throwIfNoEntry: false })
    if (stats === undefined || stats.isSymbolicLink() || (stats.mode & everything) === everything) return []
    volume.chmodSync(place, everything)
    return [{ path: place, mode: stats.mode & everything, mtimeMs: stats.mtimeMs }]
  })
}

/** `act` may have taken it away, or given it another mode. */
function close(volume: MemfsVolume, path: string, mode: number, mtimeMs: number): void {
  const stats = volume.lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined || (stats.mode & everything) !== everything) return
  // Changing a mode moves memfs's time of modification, and nothing was modified: unless something was.
  volume.chmodSync(path, mode)
  volume.utimesSync(path, seconds(mtimeMs), seconds(mtimeMs))
}

/** memfs cuts off what is below a millisecond, and a whole millisecond in seconds may be a little below itself. */
export function seconds(timeMs: number): number {
  return (timeMs + 0.5) / 1000
}
