// Events for watchers: one change for each operation, after it happened, and the changes of a batch together.

import type { VfsBackend } from '../../vfs/backend.ts'
import type { ChangeBatch, WatchOptions } from '../../vfs/backend.ts'
import { check, checkEqual } from '../check.ts'
import { bytes, path, plant, scene, settle, show, type VfsCase } from './context.ts'

/** Starts watching. `told` returns the events so far as text, one item per batch. */
function listen(
  fs: VfsBackend,
  at: string,
  options?: WatchOptions,
): { told(): Promise<string[]>; end(): void; batches: ChangeBatch[] } {
  if (fs.watch === undefined) throw new Error('it says that it can be watched, and cannot')
  const batches: ChangeBatch[] = []
  const end = fs.watch(path(at), batch => batches.push(batch), options)
  const told = async (): Promise<string[]> => {
    await settle()
    return batches.map(describe)
  }
  return { told, end, batches }
}

function describe({ changes, overflow }: ChangeBatch): string {
  const items = changes.map(
    ({ type, kind, path: at, oldPath }) => `${type} ${kind} ${oldPath === undefined ? '' : `${oldPath} -> `}${at}`,
  )
  return [...(overflow ? ['overflow'] : []), ...items].join(', ')
}

/** Rule, tree, action, and the events for a watcher of '/'. */
type Told = readonly [rule: string, before: string, act: (fs: VfsBackend) => Promise<unknown>, told: readonly string[]]

const tellings: readonly Told[] = [
  ['a new file', '', fs => fs.write(path('/f'), bytes('1')), ['create file /f']],
  ['new content', 'f=1', fs => fs.write(path('/f'), bytes('2')), ['modify file /f']],
  ['the same content', 'f=1', fs => fs.write(path('/f'), bytes('1')), ['modify file /f']],
  ['a new directory', '', fs => fs.mkdir(path('/d')), ['create directory /d']],
  ['a symlink', '', fs => fs.symlink('f', path('/l')), ['create symlink /l']],
  ['a second name', 'f=1', fs => fs.link(path('/f'), path('/g')), ['create file /g']],
  ['a second name of a symlink', 'l->f', fs => fs.link(path('/l'), path('/m')), ['create symlink /m']],
  ['a removed file', 'f=1', fs => fs.remove(path('/f'), 'file'), ['delete file /f']],
  ['a removed directory', 'd/', fs => fs.remove(path('/d'), 'directory'), ['delete directory /d']],
  ['attributes', 'f=1', fs => fs.setattr(path('/f'), { mode: 0o700 }), ['attributes file /f']],
  ['a rename', 'f=1', fs => fs.rename(path('/f'), path('/g')), ['move file /f -> /g']],
  ['a full directory is one rename', 'd/e/f=1 d/g=2', fs => fs.rename(path('/d'), path('/x')), ['move directory /d -> /x']],
  ['a rename to itself is nothing', 'f=1', fs => fs.rename(path('/f'), path('/f')), []],
  ['a write by symlink, told by the real name', 'd/f=1 l->d', fs => fs.write(path('/l/f'), bytes('2')), ['modify file /d/f']],
  ['parents', '', fs => fs.write(path('/d/f'), bytes('1'), { parents: true }), ['create directory /d', 'create file /d/f']],
  ['a failure is nothing', 'f=1', fs => fs.mkdir(path('/f')).catch(() => undefined), []],
]

export const watchCases: readonly VfsCase[] = [
  ...tellings.map(([rule, before, act, told]) =>
    scene(
      `watch.tells: ${rule}`,
      async fs => {
        await plant(fs, before)
        await settle()
        const watcher = listen(fs, '/')
        await act(fs)
        checkEqual(await watcher.told(), told, 'what it was told')
      },
      ['watch', 'transactions', 'symlinks'],
    ),
  ),
  scene(
    'watch.tells-after-and-not-during',
    async fs => {
      const heard: string[] = []
      fs.watch?.(path('/'), () => heard.push('heard'))
      fs.sync?.write(path('/f'), bytes('1'))
      heard.push('written')
      await settle()
      checkEqual(heard, ['written', 'heard'], 'the order')
    },
    ['watch', 'sync'],
  ),
  scene(
    'watch.tells-a-batch-at-once',
    async fs => {
      await plant(fs, 'a=1')
      await settle()
      const watcher = listen(fs, '/')
      await fs.batch?.(async transaction => {
        transaction.write(path('/a'), bytes('2'))
        transaction.mkdir(path('/d'))
        await settle()
        checkEqual(watcher.batches.length, 0, 'nothing before the commit')
        transaction.rename(path('/a'), path('/d/a'))
      })
      checkEqual(await watcher.told(), ['modify file /a, create directory /d, move file /a -> /d/a'], 'one batch')
    },
    ['watch', 'transactions'],
  ),
  scene(
    'watch.tells-who',
    async fs => {
      const forCommands = fs.as?.('shell')
      if (forCommands === undefined) throw new Error('it tells changes, and not whose they are')
      const watcher = listen(fs, '/')
      const another = listen(forCommands, '/')
      await fs.write(path('/a'), bytes('1'))
      await forCommands.write(path('/d/b'), bytes('1'), { parents: true })
      await forCommands.rename(path('/d/b'), path('/c'))
      await forCommands.batch?.(transaction => {
        transaction.write(path('/c'), bytes('2'))
        transaction.write(path('/e'), bytes('2'))
      })
      await forCommands.as?.('another').remove(path('/e'), 'file')
      await fs.batch?.(transaction => transaction.write(path('/a'), bytes('2')))
      await settle()
      const told = (of: typeof watcher): readonly string[] =>
        of.batches.flatMap(({ changes }) => changes.map(({ path: at, origin }) => `${at} ${origin ?? 'own'}`))
      const whole = ['/a own', '/d shell', '/d/b shell', '/c shell', '/c shell', '/e shell', '/e another', '/a own']
      checkEqual(told(watcher), whole, 'what a watcher is told')
      checkEqual(told(another), whole, 'who watches makes no difference')
      checkEqual(await show(fs), 'a=2 c=2 d/', 'the tree, which is one')
    },
    ['watch', 'transactions'],
  ),
  scene(
    'watch.tells-who: at once',
    async fs => {
      const { sync } = fs.as?.('shell') ?? fs
      if (sync === undefined) throw new Error('what acts under a name has lost its synchronous side')
      const watcher = listen(fs, '/')
      sync.write(path('/a'), bytes('1'))
      sync.mkdir(path('/d'))
      await settle()
      checkEqual(
        watcher.batches.flatMap(({ changes }) => changes.map(({ path: at, origin }) => `${at} ${origin ?? 'own'}`)),
        ['/a shell', '/d shell'],
        'what a watcher is told',
      )
    },
    ['watch', 'sync', 'transactions'],
  ),
  scene(
    'watch.tells-nothing-of-a-failed-batch',
    async fs => {
      const watcher = listen(fs, '/')
      await fs
        .batch?.(transaction => {
          transaction.write(path('/a'), bytes('2'))
          throw new Error('enough')
        })
        .catch(() => undefined)
      checkEqual(await watcher.told(), [], 'what it was told')
    },
    ['watch', 'transactions'],
  ),
  scene(
    'watch.numbers-rise',
    async fs => {
      const watcher = listen(fs, '/')
      await plant(fs, 'a=1 b=2 d/e/f=3')
      await watcher.told()
      const seqs = watcher.batches.flatMap(batch => batch.changes.map(change => change.seq))
      check(
        seqs.length === 5 && seqs.every((seq, index) => index === 0 || seq === (seqs[index - 1] ?? 0) + 1),
        `one by one: ${seqs.join(', ')}`,
      )
    },
    ['watch'],
  ),
  scene(
    'watch.only-below',
    async fs => {
      await plant(fs, 'd/e/ dd/ f=1')
      await settle()
      const [deep, flat] = [listen(fs, '/d'), listen(fs, '/d', { recursive: false })]
      await plant(fs, 'd/e/x=1 d/y=1 dd/z=1')
      await fs.write(path('/f'), bytes('2'))
      checkEqual(await deep.told(), ['create file /d/e/x', 'create file /d/y'], 'all levels')
      checkEqual(await flat.told(), ['create file /d/y'], 'one level')
    },
    ['watch', 'transactions'],
  ),
  scene(
    'watch.a-file',
    async fs => {
      await plant(fs, 'f=1 g=1')
      await settle()
      const watcher = listen(fs, '/f')
      await fs.write(path('/g'), bytes('2'))
      await fs.write(path('/f'), bytes('2'))
      checkEqual(await watcher.told(), ['modify file /f'], 'what it was told')
    },
    ['watch', 'transactions'],
  ),
  scene(
    'watch.what-lies-above-is-moved',
    async fs => {
      await plant(fs, 'd/e/f=1')
      await settle()
      const watcher = listen(fs, '/d/e')
      await fs.rename(path('/d'), path('/x'))
      await fs.rename(path('/x'), path('/d'))
      checkEqual(await watcher.told(), ['move directory /d -> /x', 'move directory /x -> /d'], 'what it was told')
    },
    ['watch', 'transactions'],
  ),
  scene(
    'watch.ends',
    async fs => {
      const watcher = listen(fs, '/')
      await fs.write(path('/f'), bytes('1'))
      await settle()
      watcher.end()
      watcher.end()
      await fs.write(path('/f'), bytes('2'))
      checkEqual(await watcher.told(), ['create file /f'], 'what it was told')
    },
    ['watch', 'transactions'],
  ),
  scene(
    'watch.replays-what-came-since',
    async fs => {
      const first = listen(fs, '/')
      await plant(fs, 'a=1 b=1 c=1')
      await first.told()
      const seqs = first.batches.flatMap(batch => batch.changes.map(change => change.seq))
      const since = listen(fs, '/', { sinceSeq: seqs[0] ?? 0 })
      await fs.write(path('/d'), bytes('1'))
      checkEqual(await since.told(), ['create file /b, create file /c', 'create file /d'], 'the missed ones first, together')
      const upToDate = listen(fs, '/', { sinceSeq: (seqs[2] ?? 0) + 1 })
      checkEqual(await upToDate.told(), [], 'nothing missed')
      const fromTheFuture = listen(fs, '/', { sinceSeq: 1_000_000 })
      checkEqual(await fromTheFuture.told(), ['overflow'], 'a number that was never given')
    },
    ['watch', 'snapshots'],
  ),
  scene(
    'watch.says-when-it-has-forgotten',
    async fs => {
      // Batches, because 20,000 commits take a stored filesystem many seconds.
      for (let round = 0; round < 201; round++)
        await fs.batch?.(transaction => {
          for (let count = 0; count < 100; count++) transaction.write(path(`/f${count}`), bytes(''))
        })
      await settle()
      const watcher = listen(fs, '/', { sinceSeq: 1 })
      await watcher.told()
      const [first] = watcher.batches
      check(first?.overflow === true && first.changes.length >= 10_000, 'the last ten thousand, and that there were more')
    },
    ['watch', 'snapshots', 'transactions'],
  ),
  scene(
    'watch.a-listener-may-write',
    async fs => {
      let count = 0
      fs.watch?.(path('/'), () => {
        if (++count < 3) void fs.write(path(`/f${count}`), bytes(''))
      })
      await fs.write(path('/f'), bytes(''))
      // A filesystem that another tab has open takes longer to write.
      for (let turn = 0; turn < 5_000 && (await show(fs)) !== 'f= f1= f2='; turn++) {
        await new Promise<void>(resolve => void setTimeout(resolve, 2))
      }
      checkEqual(await show(fs), 'f= f1= f2=', 'the tree')
    },
    ['watch', 'transactions'],
  ),
]
