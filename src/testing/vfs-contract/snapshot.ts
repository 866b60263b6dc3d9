// A snapshot does not change, whatever happens to the filesystem afterwards.

import type { Snapshot, VfsBackend } from '../../vfs/backend.ts'
import { check, checkEqual, checkFails } from '../check.ts'
import { bytes, path, plant, scene, settle, text, type VfsCase } from './context.ts'

function take(fs: VfsBackend): Snapshot {
  if (fs.snapshot === undefined) throw new Error('it says that it has snapshots, and has none')
  return fs.snapshot()
}

const needs = ['snapshots', 'hardlinks', 'symlinks'] as const

export const snapshotCases: readonly VfsCase[] = [
  scene(
    'snapshot.stays-as-it-was',
    async fs => {
      await plant(fs, 'd/e/f=1 g=1 l->g')
      await fs.link(path('/g'), path('/h'))
      const { fs: then } = take(fs)
      const before = then.lookup(path('/d/e/f'))
      await fs.write(path('/d/e/f'), bytes('2'))
      await fs.write(path('/d/e/new'), bytes('2'))
      await fs.write(path('/h'), bytes('2'))
      await fs.setattr(path('/d'), { mode: 0o700 })
      await fs.remove(path('/l'), 'file')
      await fs.rename(path('/d'), path('/x'))
      checkEqual(text(then.read(path('/d/e/f'))), '1', 'content')
      checkEqual(text(then.read(path('/g'))), '1', 'content of a file with two names')
      checkEqual(then.lookup(path('/d/e/f')), before, 'a stat')
      checkEqual(then.lookup(path('/d')).mode, 0o755, 'a mode')
      checkEqual(
        then.list(path('/d/e')).map(entry => entry.name),
        ['f'],
        'a listing',
      )
      checkEqual(then.readlink(path('/l')), 'g', 'a symlink')
      checkEqual(then.realpath(path('/l')), '/g', 'a real path')
      await checkFails(() => then.lookup(path('/x')), 'ENOENT')
    },
    needs,
  ),
  scene(
    'snapshot.appends-do-not-show',
    async fs => {
      await fs.write(path('/f'), bytes('1'), { append: true })
      const snapshots = [take(fs)]
      for (const more of ['2', '3', '4']) {
        await fs.write(path('/f'), bytes(more), { append: true })
        snapshots.push(take(fs))
      }
      checkEqual(
        snapshots.map(({ fs: then }) => text(then.read(path('/f')))),
        ['1', '12', '123', '1234'],
        'each its own',
      )
    },
    needs,
  ),
  scene(
    'snapshot.two-continuations-of-one-append',
    async fs => {
      await fs.write(path('/f'), bytes('a'), { append: true })
      await fs.write(path('/f'), bytes('b'), { append: true })
      const failed = await fs
        .batch?.(transaction => {
          transaction.write(path('/f'), bytes('X'), { append: true })
          throw new Error('enough')
        })
        .catch((error: unknown) => error)
      check(failed instanceof Error, 'the batch failed')
      await fs.write(path('/f'), bytes('c'), { append: true })
      checkEqual(text(await fs.read(path('/f'))), 'abc', 'nothing of the batch')
    },
    ['snapshots', 'transactions'],
  ),
  scene(
    'snapshot.seq-is-that-of-the-last-change',
    async fs => {
      const seqs: number[] = []
      fs.watch?.(path('/'), batch => seqs.push(...batch.changes.map(change => change.seq)))
      await plant(fs, 'a=1 b=1')
      const { seq } = take(fs)
      await fs.write(path('/c'), bytes('1'))
      await settle()
      checkEqual(seq, seqs[1], 'the number to watch on from')
    },
    ['snapshots', 'watch'],
  ),
]
