// The host with its ledger. Each change is recorded at once, with its effect on the parent directories.

import { dirname, type VfsPath } from '../../core/path.ts'
import type { Stat } from '../backend.ts'
import { VfsError } from '../error.ts'
import { overwritten } from '../patch.ts'
import type { Disk } from './disk.ts'
import type { HostFs, HostStat } from './host.ts'
import type { Ledger } from './ledger.ts'

export interface LiveDisk extends Disk {
  readonly host: HostFs
  readonly ledger: Ledger
  /** Changes the host at `paths` without a visible change of their directories. */
  quietly(paths: readonly VfsPath[], act: () => void): void
  /** Records `stat` as the stat of the entry at `path`. */
  adopt(path: VfsPath, stat: Stat): void
  /** Callers see it as removed, but it can be put back: it is at `aside`, which is hidden from them. */
  putAside(path: VfsPath, aside: VfsPath): void
  /** Removes what was put aside. */
  discard(aside: VfsPath): void
}

export function liveDisk(host: HostFs, ledger: Ledger): LiveDisk {
  const existing = (path: VfsPath): HostStat => {
    const found = host.lstat(path)
    if (found === undefined) throw gone(path)
    return found
  }
  /** `act` adds or removes names in the directories of `changed`. Its effect on the directories of `quiet` is hidden. */
  const around = <T>(changed: readonly VfsPath[], quiet: readonly VfsPath[], act: () => T): T => {
    const changing = new Set(changed.map(dirname))
    const parents = [...new Set([...changing, ...quiet.map(dirname)])].map(path => ({
      path,
      before: ledger.seen(existing(path)),
    }))
    const result = act()
    for (const { path, before } of parents) {
      if (changing.has(path)) ledger.changed(existing(path), before, 'entries')
      else ledger.adopt(existing(path), before)
    }
    return result
  }
  const release = (node: HostStat): void => {
    if (node.kind === 'directory' || node.nlink <= 1) ledger.forget(node.key)
    else ledger.expectNames(node)
  }

  return {
    host,
    ledger,
    isPlainDirectory: path => host.isPlainDirectory(path),
    lstat(path) {
      const found = host.lstat(path)
      if (found === undefined) return undefined
      const stat = ledger.seen(found)
      return found.isSpecial === true ? { ...stat, isSpecial: true } : stat
    },
    list: path => host.list(path).sort((a, b) => (a.name < b.name ? -1 : 1)),
    read: (path, start, end) => host.read(path, start, end),
    readlink: path => host.readlink(path),

    write(path, bytes, { mode, append, at, isAside }) {
      const found = host.lstat(path)
      const old = found !== undefined && isAside === true ? { ...found, nlink: found.nlink - 1 } : found
      const before = old === undefined ? undefined : ledger.seen(old)
      const mtimeMs = Math.max(ledger.stamps.nowMs(), (before?.mtimeMs ?? 0) + 1)
      let content = bytes
      if (at !== undefined && before !== undefined && host.patch !== undefined) {
        // It adds and removes no names, so the directory need not be looked up.
        if (host.patch(path, bytes, { at, mtimeMs })) return ledger.changed(existing(path), before, 'content')
        content = overwritten(host.read(path, 0, Infinity), bytes, at)
      }
      return around(old === undefined ? [path] : [], [path], () => {
        host.write(path, content, { mode: old?.mode ?? mode, append, existing: old, mtimeMs })
        const written = existing(path)
        if (old === undefined || before === undefined) return ledger.made(written)
        if (old.key !== written.key) release(old)
        return ledger.changed(written, before, 'content')
      })
    },

    mkdir: (path, mode) =>
      around([path], [], () => {
        host.mkdir(path, mode)
        return ledger.made(existing(path))
      }),

    symlink: (target, path) =>
      around([path], [], () => {
        host.symlink(target, path)
        return ledger.made(existing(path))
      }),

    link: (from, path) =>
      around([path], [], () => {
        const file = existing(from)
        const before = ledger.seen(file)
        host.link(from, path)
        return ledger.named(existing(path), before)
      }),

    unlink(path) {
      const old = existing(path)
      ledger.seen(old)
      around([path], [], () => host.unlink(path))
      release(old)
    },

    rmdir(path) {
      const old = existing(path)
      around([path], [], () => host.rmdir(path))
      release(old)
    },

    rename(from, to) {
      const before = ledger.seen(existing(from))
      const replaced = host.lstat(to)
      if (replaced !== undefined) ledger.seen(replaced)
      around([from, to], [], () => host.rename(from, to))
      if (replaced !== undefined) release(replaced)
      ledger.named(existing(to), before)
    },

    setattr(path, attributes) {
      const before = ledger.seen(existing(path))
      host.setattr(path, attributes)
      return ledger.changed(existing(path), before, 'attributes', attributes)
    },

    quietly(paths, act) {
      around([], paths, act)
    },

    adopt(path, stat) {
      ledger.adopt(existing(path), stat)
    },

    putAside(path, aside) {
      const before = ledger.seen(existing(path))
      around([path], [aside], () => host.rename(path, aside))
      ledger.adopt(existing(aside), before)
    },

    discard(aside) {
      const node = existing(aside)
      around([], [aside], () => host.unlink(aside))
      release(node)
    },
  }
}

/** Another program was faster than the operation that has just read the entry. */
function gone(path: VfsPath): VfsError {
  return new VfsError('ESTALE', 'stat', { path, hint: 'it was removed meanwhile; look again and retry' })
}
