// All or nothing, on a private view; a transaction that was overtaken fails and changes nothing.

import type { VfsBackend, VfsTransaction } from '../../vfs/backend.ts'
import { check, checkEqual, checkFails } from '../check.ts'
import { bytes, path, plant, scene, settle, show, text, type VfsCase } from './context.ts'

type Work<T> = (transaction: VfsTransaction) => T | Promise<T>

function batch<T>(fs: VfsBackend, work: Work<T>, expect: Readonly<Record<string, number>> = {}): Promise<T> {
  if (fs.batch === undefined) throw new Error('it says that it has transactions, and has none')
  return fs.batch(work, { expect: new Map(Object.entries(expect).map(([at, rev]) => [path(at), rev])) })
}

/** Concurrent changes, in words: 'write a 2, rename a b'. */
function perform(fs: VfsBackend | VfsTransaction, script: string): unknown[] {
  return script.split(', ').map(line => {
    const [verb = '', first = '', second = ''] = line.split(' ')
    const at = path(`/${first}`)
    switch (verb) {
      case 'write':
        return fs.write(at, bytes(second))
      case 'mkdir':
        return fs.mkdir(at)
      case 'remove':
        return fs.remove(at, 'file')
      case 'rmdir':
        return fs.remove(at, 'directory')
      case 'rename':
        return fs.rename(at, path(`/${second}`))
      case 'link':
        return fs.link(at, path(`/${second}`))
      case 'symlink':
        return fs.symlink(second, at)
      case 'chmod':
        return fs.setattr(at, { mode: 0o700 })
      default:
        throw new Error(`no such verb: ${verb}`)
    }
  })
}

/** A transaction does `mine`, and before it commits another writer does `theirs`. `stale`: only the result of `theirs` is left. */
type Race = readonly [rule: string, before: string, mine: string, theirs: string, outcome: 'both' | 'stale', after: string]

const races: readonly Race[] = [
  ['another file', 'a=1 b=1', 'write a 2', 'write b 3', 'both', 'a=2 b=3'],
  ['the same file', 'a=1', 'write a 2', 'write a 3', 'stale', 'a=3'],
  ['the same file, to the same content', 'a=1', 'write a 2', 'write a 2', 'stale', 'a=2'],
  ['it was only read by others', 'a=1', 'write a 2', 'write c 1, remove c', 'both', 'a=2'],
  ['a new file by both', '', 'write a 2', 'write a 3', 'stale', 'a=3'],
  ['new files in one directory', 'd/', 'write d/a 2', 'write d/b 3', 'both', 'd/a=2 d/b=3'],
  ['it is gone', 'a=1 b=1', 'write a 2', 'remove a', 'stale', 'b=1'],
  ['it was replaced', 'a=1 b=3', 'write a 2', 'rename b a', 'stale', 'a=3'],
  ['it was moved away', 'a=1', 'write a 2', 'rename a b', 'stale', 'b=1'],
  ['it was moved away and back', 'a=1', 'write a 2', 'rename a b, rename b a', 'both', 'a=2'],
  ['its mode was changed', 'a=1', 'write a 2', 'chmod a', 'stale', 'a=1'],
  ['its directory is gone', 'd/a=1', 'write d/b 2', 'remove d/a, rmdir d', 'stale', ''],
  ['its directory was moved', 'd/a=1', 'write d/a 2', 'rename d e', 'stale', 'e/a=1'],
  ['its directory is a symlink now', 'd/ e/', 'write d/a 2', 'rmdir d, symlink d e', 'stale', 'd->e e/'],
  ['removed by me, written by them', 'a=1', 'remove a', 'write a 3', 'stale', 'a=3'],
  ['removed by both', 'a=1 b=1', 'remove a', 'remove a', 'stale', 'b=1'],
  ['a directory emptied by me, filled by them', 'd/a=1', 'remove d/a, rmdir d', 'write d/b 3', 'stale', 'd/a=1 d/b=3'],
  ['a directory made by both', '', 'mkdir d, write d/a 2', 'mkdir d', 'stale', 'd/'],
  ['moved by me, written by them', 'a=1', 'rename a b', 'write a 3', 'stale', 'a=3'],
  ['the place that I move to is taken', 'a=1', 'rename a b', 'write b 3', 'stale', 'a=1 b=3'],
  ['a file in a directory that I move', 'd/a=1', 'rename d e', 'write d/a 3', 'both', 'e/a=3'],
  ['a file that I wrote after I moved its directory', 'd/a=1', 'rename d e, write e/a 2', 'write d/a 3', 'stale', 'd/a=3'],
  [
    'a file that I wrote after I moved its directory twice',
    'd/a=1',
    'rename d e, rename e f, write f/a 2',
    'write d/a 3',
    'stale',
    'd/a=3',
  ],
  [
    'two directories that I exchanged',
    'd/a=1 e/a=2',
    'rename d x, rename e d, rename x e, write e/a 9',
    'write e/a 3',
    'both',
    'd/a=3 e/a=9',
  ],
  [
    'and wrote into the other one',
    'd/a=1 e/a=2',
    'rename d x, rename e d, rename x e, write e/a 9',
    'write d/a 3',
    'stale',
    'd/a=3 e/a=2',
  ],
  ['a directory that I made anew', 'd/a=1', 'remove d/a, rmdir d, mkdir d, write d/b 2', 'write c 3', 'both', 'c=3 d/b=2'],
  ['by another name of the same file', 'a=1 d/', 'write a 2', 'link a d/b, write d/b 3', 'stale', 'a=3 d/b=3'],
  ['a new name does not change the file', 'a=1', 'write a 2', 'link a b', 'both', 'a=2 b=2'],
  ['a name that I gave to what was written', 'a=1', 'link a b', 'write a 3', 'stale', 'a=3'],
]

function raceCase([rule, before, mine, theirs, outcome, after]: Race): VfsCase {
  return scene(
    `batch.race: ${rule}`,
    async fs => {
      await plant(fs, before)
      const run = (): Promise<void> =>
        batch(fs, async transaction => {
          perform(transaction, mine)
          await Promise.all(perform(fs, theirs))
        })
      if (outcome === 'both') await run()
      else await checkFails(run, 'ESTALE')
      checkEqual(await show(fs), after, 'the tree')
    },
    ['transactions', 'symlinks', 'hardlinks'],
  )
}

export const batchCases: readonly VfsCase[] = [
  scene(
    'batch.sees-its-own-changes-alone',
    async fs => {
      await plant(fs, 'a=1')
      await batch(fs, async transaction => {
        transaction.write(path('/a'), bytes('2'))
        transaction.mkdir(path('/d'))
        checkEqual(text(transaction.read(path('/a'))), '2', 'seen inside')
        await settle()
        checkEqual(await show(fs), 'a=1', 'seen outside')
      })
      checkEqual(await show(fs), 'a=2 d/', 'seen after')
    },
    ['transactions'],
  ),
  scene(
    'batch.counts-the-names-of-a-symlink',
    async fs => {
      await plant(fs, 'l->a')
      await fs.link(path('/l'), path('/m'))
      await batch(fs, transaction => {
        const count = (): number => transaction.lookup(path('/l'), { follow: false }).nlink
        transaction.link(path('/m'), path('/n'))
        const linked = count()
        transaction.remove(path('/m'), 'file')
        checkEqual([linked, count()], [3, 2], 'nlink')
      })
      checkEqual(await show(fs), 'l->a n->a', 'the tree')
    },
    ['transactions', 'symlinks', 'hardlinks'],
  ),
  scene(
    'batch.sees-no-changes-of-others',
    async fs => {
      await plant(fs, 'a=1')
      await batch(fs, async transaction => {
        await fs.write(path('/a'), bytes('2'))
        await fs.write(path('/b'), bytes('2'))
        checkEqual(text(transaction.read(path('/a'))), '1', 'as it was when the batch began')
        await checkFails(() => transaction.read(path('/b')), 'ENOENT')
      })
    },
    ['transactions'],
  ),
  ...(['throws', 'rejects'] as const).map(how =>
    scene(
      `batch.${how}-and-leaves-no-trace`,
      async fs => {
        await plant(fs, 'a=1')
        const failure = new Error('enough')
        const caught = await batch(fs, transaction => {
          transaction.write(path('/a'), bytes('2'))
          transaction.write(path('/b'), bytes('2'))
          if (how === 'throws') throw failure
          return Promise.reject(failure)
        }).catch((error: unknown) => error)
        check(caught === failure, 'the failure itself comes back')
        checkEqual(await show(fs), 'a=1', 'the tree')
      },
      ['transactions'],
    ),
  ),
  scene(
    'batch.gives-what-work-gives',
    async fs => {
      checkEqual([await batch(fs, () => 1), await batch(fs, async () => 2)], [1, 2], 'results')
    },
    ['transactions'],
  ),
  scene(
    'batch.revisions-inside-stay-true-after',
    async fs => {
      await plant(fs, 'a=1')
      const inside = await batch(fs, async transaction => {
        const stat = transaction.write(path('/a'), bytes('2'))
        await fs.write(path('/other'), bytes('overtakes'))
        return stat
      })
      checkEqual(await fs.lookup(path('/a')), inside, 'the stat of what was written')
    },
    ['transactions'],
  ),
  scene(
    'batch.is-over-when-it-is-over',
    async fs => {
      let kept: VfsTransaction | undefined
      await batch(fs, transaction => {
        kept = transaction
        transaction.write(path('/a'), bytes('1'))
      })
      await checkFails(() => kept?.write(path('/a'), bytes('2')), 'EBADF')
      await checkFails(() => kept?.read(path('/a')), 'EBADF')
      checkEqual(await show(fs), 'a=1', 'the tree')
    },
    ['transactions'],
  ),
  scene(
    'batch.expect',
    async fs => {
      await plant(fs, 'a=1')
      const { rev } = await fs.lookup(path('/a'))
      await batch(fs, transaction => transaction.write(path('/a'), bytes('2')), { '/a': rev, '/missing': 0, '/d/missing': 0 })
      checkEqual(await show(fs), 'a=2', 'all as expected')
      const error = await checkFails(
        () => batch(fs, transaction => transaction.write(path('/b'), bytes('3')), { '/a': rev }),
        'ESTALE',
      )
      check(error.message.includes("'/a'"), `the error names the path: ${error.message}`)
      await checkFails(() => batch(fs, transaction => transaction.write(path('/b'), bytes('3')), { '/a': 0 }), 'ESTALE')
      await checkFails(() => batch(fs, transaction => transaction.write(path('/b'), bytes('3')), { '/missing': 7 }), 'ESTALE')
      checkEqual(await show(fs), 'a=2', 'after three that expected something else')
    },
    ['transactions'],
  ),
  scene(
    'batch.if-rev-inside',
    async fs => {
      await plant(fs, 'a=1')
      await checkFails(() => batch(fs, transaction => transaction.write(path('/a'), bytes('2'), { ifRev: 0 })), 'ESTALE')
      checkEqual(await show(fs), 'a=1', 'the tree')
    },
    ['transactions'],
  ),
  scene(
    'batch.two-at-once-on-different-files',
    async fs => {
      await plant(fs, 'd/a=1 d/b=1')
      await Promise.all(
        ['a', 'b'].map(name =>
          batch(fs, async transaction => {
            await settle()
            transaction.write(path(`/d/${name}`), bytes('2'))
            transaction.write(path(`/d/new-${name}`), bytes('3'))
            await settle()
          }),
        ),
      )
      checkEqual(await show(fs), 'd/a=2 d/b=2 d/new-a=3 d/new-b=3', 'both')
    },
    ['transactions'],
  ),
  scene(
    'batch.two-at-once-on-one-file',
    async fs => {
      await plant(fs, 'n=0')
      const count = (): Promise<void> =>
        batch(fs, async transaction => {
          const value = Number(text(transaction.read(path('/n'))))
          await settle()
          transaction.write(path('/n'), bytes(`${value + 1}`))
        })
      const results = await Promise.allSettled(Array.from({ length: 5 }, count))
      const succeeded = results.filter(result => result.status === 'fulfilled').length
      checkEqual(text(await fs.read(path('/n'))), `${succeeded}`, 'no update is lost')
      checkEqual(succeeded, 1, 'one of five that began together')
    },
    ['transactions'],
  ),
  ...races.map(raceCase),
]
