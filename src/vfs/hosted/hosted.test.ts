// How a batch behaves when its host fails in the middle: once at each call that changes something.
import { Volume } from 'memfs'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { memfsHost } from '../../backends/memfs/memfs-host.ts'
import { nodeHost } from '../../backends/node/node-host.ts'
import { parsePath } from '../../core/path.ts'
import { fastTemporary } from '../../testing/fuzz/oracle.ts'
import { treeOf } from '../../testing/fuzz/subject.ts'
import type { VfsBackend, VfsCaps, VfsTransaction } from '../backend.ts'
import type { HostFs } from './host.ts'
import { hostedBackend } from './hosted-backend.ts'

const at = parsePath
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const caps: VfsCaps = {
  sync: true,
  persistent: false,
  readonly: false,
  symlinks: 'native',
  hardlinks: true,
  mode: true,
  mtime: 'exact',
  atomicWrite: true,
  atomicRename: true,
  transactions: true,
  snapshots: false,
  watch: 'hint',
  ranges: true,
  caseSensitive: true,
  maxNameBytes: 255,
  maxFileBytes: 2 ** 31 - 1,
}

const changing = ['write', 'mkdir', 'symlink', 'link', 'unlink', 'rmdir', 'rename', 'setattr'] as const

class DiskFull extends Error {
  readonly code = 'ENOSPC'
  readonly syscall = 'write'
}

/** `host`, whose `failing`th change from now on fails once. */
function failing(host: HostFs): { readonly host: HostFs; failAt(change: number): void; readonly count: () => number } {
  let count = 0
  let failAt = Infinity
  const wrapped: HostFs = { ...host }
  for (const name of changing) {
    const original: (...args: never[]) => void = host[name]
    Object.assign(wrapped, {
      [name]: (...args: never[]) => {
        if (++count === failAt) throw new DiskFull('the disk is full')
        original(...args)
      },
    })
  }
  return {
    host: wrapped,
    failAt(change) {
      count = 0
      failAt = change
    },
    count: () => count,
  }
}

/** Every kind of operation in one batch. */
function work(transaction: VfsTransaction): void {
  transaction.write(at('/a'), bytes('new'))
  transaction.write(at('/shared-1'), bytes('new'))
  transaction.write(at('/log'), bytes('more'), { append: true })
  transaction.write(at('/x/y/z'), bytes('new'), { parents: true })
  transaction.remove(at('/d/f'), 'file')
  transaction.remove(at('/d/l'), 'file')
  transaction.remove(at('/d'), 'directory')
  transaction.symlink('a', at('/d'))
  transaction.link(at('/a'), at('/a-too'))
  transaction.rename(at('/e'), at('/empty'))
  transaction.rename(at('/b'), at('/c'))
  transaction.rename(at('/c'), at('/empty/c'))
  transaction.setattr(at('/log'), { mode: 0o600, mtimeMs: 1_000_000_000_000 })
}

function plant(fs: VfsBackend): void {
  const { sync } = fs
  if (sync === undefined) throw new Error('a host is synchronous')
  for (const directory of ['/d', '/e', '/empty']) sync.mkdir(at(directory))
  for (const file of ['/a', '/b', '/c', '/log', '/shared-1', '/d/f', '/e/f']) sync.write(at(file), bytes(`old ${file}`))
  sync.link(at('/shared-1'), at('/shared-2'))
  sync.symlink('../a', at('/d/l'))
}

interface Kind {
  readonly name: string
  readonly open: () => { readonly host: HostFs; readonly left: () => readonly string[]; readonly close: () => void }
}

const kinds: readonly Kind[] = [
  {
    name: 'memfs',
    open() {
      const volume = new Volume()
      return { host: memfsHost(volume, act => act()), left: () => volume.readdirSync('/').map(String), close() {} }
    },
  },
  {
    name: 'node',
    open() {
      const directory = mkdtempSync(join(fastTemporary, 'hosted-'))
      return {
        host: nodeHost(directory, { isDurable: false, maxFileBytes: caps.maxFileBytes }),
        left: () => readdirSync(directory),
        close: () => rmSync(directory, { recursive: true }),
      }
    },
  },
]

describe.each(kinds)('$name', ({ open }) => {
  async function play(failAt: number): Promise<{ before: string; after: string; error: unknown; changes: number; told: number }> {
    const { host, left, close } = open()
    const unreliable = failing(host)
    const { backend } = hostedBackend(unreliable.host, caps, Date.now)
    try {
      plant(backend)
      const revOf = (path: string): number => backend.sync.lookup(at(path)).rev
      const revs = ['/', '/a', '/shared-2', '/d', '/e', '/empty'].map(revOf)
      const before = await treeOf(backend)
      let told = 0
      backend.watch(at('/'), batch => (told += batch.changes.length))
      unreliable.failAt(failAt)
      const error = await backend.batch(work).then(
        () => undefined,
        (failure: unknown) => failure,
      )
      const changes = unreliable.count()
      unreliable.failAt(Infinity)
      await backend.flush()
      expect(left().filter(name => name.startsWith('.anchorage'))).toEqual([])
      if (error !== undefined) expect(['/', '/a', '/shared-2', '/d', '/e', '/empty'].map(revOf)).toEqual(revs)
      return { before, after: await treeOf(backend), error, changes, told }
    } finally {
      close()
    }
  }

  test('a batch that meets a full disk leaves no trace, wherever it meets it', async () => {
    const whole = await play(Infinity)
    expect(whole.error).toBeUndefined()
    expect(whole.after).not.toBe(whole.before)
    expect(whole.changes).toBeGreaterThan(13)
    let undone = 0
    for (let failAt = 1; failAt <= whole.changes; failAt++) {
      const { before, after, error, told } = await play(failAt)
      // The last calls only remove backups: the batch is done, and they are tried again later.
      if (error === undefined) {
        expect(after).toBe(whole.after)
        expect(told).toBe(whole.told)
        continue
      }
      expect(error, `change ${failAt}`).toMatchObject({ code: 'ENOSPC' })
      expect(after, `change ${failAt}`).toBe(before)
      expect(told).toBe(0)
      undone++
    }
    expect(undone).toBeGreaterThanOrEqual(13)
  })
})
