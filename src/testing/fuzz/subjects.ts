// Every filesystem that claims POSIX rules.

import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parsePath } from '../../core/path.ts'
import { memfs } from '../../backends/memfs/index.ts'
import { memory } from '../../backends/memory/index.ts'
import { node } from '../../backends/node/index.ts'
import type { Dirent, VfsBackend, VfsSync } from '../../vfs/backend.ts'
import { asynchronous } from '../../vfs/asynchronous.ts'
import { atRoot } from '../../vfs/at-root.ts'
import { mountBackends } from '../../vfs/mount.ts'
import { overlay } from '../../vfs/overlay.ts'
import type { Operation } from './operation.ts'
import { fastTemporary } from './oracle.ts'
import type { KnownDifference, Subject } from './run.ts'

function inDirectory(whole: VfsBackend): VfsBackend {
  whole.sync?.mkdir(parsePath('/d'))
  whole.sync?.mkdir(parsePath('/d/e'))
  return atRoot(whole, '/d/e')
}

/** A second filesystem is mounted at a name that no stream uses, so every path goes through the table and yet all is one tree. */
function mountTable(): VfsBackend {
  const elsewhere = 'mounted-elsewhere'
  const table = mountBackends({ '/': memory(), [`/${elsewhere}`]: memory() })
  const without = (entries: readonly Dirent[]): Dirent[] => entries.filter(({ name }) => name !== elsewhere)
  const hiding = (fs: VfsSync): VfsSync => ({ ...fs, list: path => without(fs.list(path)) })
  const { sync, batch } = table
  if (sync === undefined || batch === undefined) throw new Error('a table of filesystems in memory answers at once')
  const hidden = hiding(sync)
  return {
    ...table,
    ...asynchronous(hidden),
    sync: hidden,
    batch: (work, options) => batch(transaction => work(hiding(transaction)), options),
  }
}

const applyEvery = 10

/**
 * An overlay whose changes are applied to the lower layer after every few operations, so that most entries are in the lower layer, some in
 * the upper one, and some in both. Applying is asynchronous, so there is no synchronous side.
 */
function appliedOverlay(): VfsBackend {
  const whole = overlay(memory())
  const { batch, sync: _sync, ...rest } = whole
  if (batch === undefined) throw new Error('an overlay in memory has transactions')
  let operations = 0
  const afterApplying = async <T>(act: () => Promise<T>): Promise<T> => {
    if (++operations % applyEvery === 0) await whole.apply()
    return act()
  }
  return {
    ...rest,
    caps: { ...whole.caps, sync: false },
    batch: (work, options) => afterApplying(() => batch(work, options)),
    lookup: (path, options) => afterApplying(() => whole.lookup(path, options)),
    list: path => afterApplying(() => whole.list(path)),
    read: (path, range) => afterApplying(() => whole.read(path, range)),
    // Applying assigns new revisions, so one that was just read would be outdated.
    write: (path, data, options) =>
      options?.ifRev === undefined ? afterApplying(() => whole.write(path, data, options)) : whole.write(path, data, options),
    mkdir: (path, options) => afterApplying(() => whole.mkdir(path, options)),
    remove: (path, kind) => afterApplying(() => whole.remove(path, kind)),
    rename: (from, to, options) => afterApplying(() => whole.rename(from, to, options)),
    link: (existing, path) => afterApplying(() => whole.link(existing, path)),
    symlink: (target, path) => afterApplying(() => whole.symlink(target, path)),
    readlink: path => afterApplying(() => whole.readlink(path)),
    realpath: path => afterApplying(() => whole.realpath(path)),
    setattr: (path, attributes) => afterApplying(() => whole.setattr(path, attributes)),
  }
}

const enoughToApply: readonly Operation[] = Array.from({ length: applyEvery }, () => ({ verb: 'stat', at: parsePath('/a') }))

const partedLinks: KnownDifference = {
  why: 'two names that one file of the lower has are two files after the first write',
  isMetBy: step => step.verb === 'link',
  stream: [
    { verb: 'write', at: parsePath('/a'), text: 'x' },
    { verb: 'link', at: parsePath('/a'), to: parsePath('/b') },
    ...enoughToApply,
    { verb: 'write', at: parsePath('/a'), text: 'y' },
    { verb: 'read', at: parsePath('/b') },
  ],
}

export const subjects: readonly Subject[] = [
  { name: 'memory', open: () => memory() },
  { name: 'mount table', open: mountTable },
  { name: 'overlay', open: () => overlay(memory()) },
  { name: 'overlay, applied', open: appliedOverlay, differences: [partedLinks] },
  { name: 'a directory of an overlay', open: () => inDirectory(overlay(memory())) },
  { name: 'a directory of memory', open: () => inDirectory(memory()) },
  { name: 'memfs', open: () => memfs() },
  {
    name: 'node',
    open() {
      const directory = mkdtempSync(join(fastTemporary, 'fuzz-node-'))
      const backend = node(directory, { durability: 'flush' })
      return {
        ...backend,
        async close() {
          await backend.close()
          rmSync(directory, { recursive: true, force: true })
        },
      }
    },
  },
]
