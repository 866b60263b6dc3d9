// The contract holds on an overlay: on an empty lower filesystem, and with a case's initial files in the lower filesystem.
import { describe, expect, test } from 'vitest'
import { vfsContract, vfsContractRows } from '../testing/vfs-contract/index.ts'
import type { VfsBackend } from './backend.ts'
import { overlay } from './overlay.ts'
import { emptyTree } from '../testing/empty-tree.ts'

function tree(): VfsBackend {
  return emptyTree()
}

/** A backend without a synchronous side. */
function waiting(): VfsBackend {
  const { sync: _sync, batch: _batch, snapshot: _snapshot, watch: _watch, fork: _fork, diff: _diff, ...rest } = tree()
  return { ...rest, caps: { ...rest.caps, sync: false, transactions: false, snapshots: false, watch: 'none' } }
}

describe('the contract holds on an overlay', () => {
  describe('at once', () => {
    for (const row of vfsContractRows(() => overlay(tree()))) test.skipIf(row.isSkipped)(row.name, row.run)
  })
  describe('by waiting', () => {
    for (const row of vfsContractRows(() => overlay(waiting(), waiting()))) test.skipIf(row.isSkipped)(row.name, row.run)
  })
  describe('with a lower that has to be waited for', () => {
    for (const row of vfsContractRows(() => overlay(waiting()))) test.skipIf(row.isSkipped)(row.name, row.run)
  })
})

/**
 * A row of the contract creates a tree, lists it, and acts. This is the lower filesystem while the tree is created. From the first listing
 * of the root on it is an overlay over it, so that a row's initial files are in the lower filesystem.
 */
function plantedBelow(open: () => VfsBackend): VfsBackend {
  const lower = open()
  let current = lower
  const list: VfsBackend['list'] = path => {
    if (current === lower && path === '/') current = overlay(lower)
    return current.list(path)
  }
  return {
    caps: lower.caps,
    list,
    lookup: (path, options) => current.lookup(path, options),
    read: (path, range) => current.read(path, range),
    write: (path, data, options) => current.write(path, data, options),
    mkdir: (path, options) => current.mkdir(path, options),
    remove: (path, kind) => current.remove(path, kind),
    rename: (from, to, options) => current.rename(from, to, options),
    link: (existing, path) => current.link(existing, path),
    symlink: (target, path) => current.symlink(target, path),
    readlink: path => current.readlink(path),
    realpath: path => current.realpath(path),
    setattr: (path, attributes) => current.setattr(path, attributes),
    flush: () => current.flush(),
    close: () => current.close(),
  }
}

describe.each([
  ['at once', tree],
  ['by waiting', waiting],
] as const)('the rows of the contract hold on what lies in the lower, %s', (_how, open) => {
  const kinds = [
    'lookup.',
    'list.',
    'read.',
    'write.',
    'mkdir.',
    'remove.',
    'rename.',
    'rename-matrix.',
    'link.',
    'symlink',
    'realpath.',
    'paths.',
  ]
  const cases = vfsContract.filter(({ id }) => kinds.some(kind => id.startsWith(kind)))
  const deviations = [
    { case: 'link.shares-content-both-ways', why: 'two names that a file has in the lower are two files after the first write' },
    ...(open === tree
      ? [{ case: 'write.if-rev', why: 'its first revision is the bare lower’s, and the overlay counts its own' }]
      : []),
  ]
  for (const row of vfsContractRows(() => plantedBelow(open), { cases, deviations }))
    test.skipIf(row.isSkipped)(row.name, row.run)
})

test('an upper layer that cannot hold symlinks is refused', () => {
  const poor = tree()
  expect(() => overlay(tree(), { ...poor, caps: { ...poor.caps, symlinks: 'none' } })).toThrow('ENOTSUP')
})
