// What a rename preserves and reports; rename-matrix.ts covers what may replace what.

import { check, checkEqual } from '../check.ts'
import { clockTick, fails, leaves, path, plant, row, scene, show, type VfsCase } from './context.ts'

export const renameCases: readonly VfsCase[] = [
  row('rename.no-replace', 'a=1', fs => fs.rename(path('/a'), path('/b'), { noReplace: true }), leaves('b=1')),
  row('rename.no-replace-when-there', 'a=1 b=2', fs => fs.rename(path('/a'), path('/b'), { noReplace: true }), fails('EEXIST')),
  scene('rename.error-names-both', async fs => {
    const error = await fs.rename(path('/a'), path('/b')).then(
      () => undefined,
      (failure: unknown) => failure,
    )
    check(error instanceof Error && error.message.includes("'/a' -> '/b'"), `the message names both paths: ${String(error)}`)
  }),
  scene(
    'rename.keeps-mode-and-time',
    async fs => {
      await plant(fs, 'a=1')
      await fs.setattr(path('/a'), { mode: 0o755, mtimeMs: 1_000_000_000_000 })
      await fs.rename(path('/a'), path('/b'))
      const { mode, mtimeMs } = await fs.lookup(path('/b'))
      checkEqual([mode, mtimeMs], [0o755, 1_000_000_000_000], 'mode and mtimeMs')
    },
    ['mode', 'mtime'],
  ),
  scene(
    'rename.change-time-moves',
    async fs => {
      await plant(fs, 'a=1')
      const before = await fs.lookup(path('/a'))
      await clockTick()
      await fs.rename(path('/a'), path('/b'))
      check((await fs.lookup(path('/b'))).ctimeMs > before.ctimeMs, 'the ctime of a renamed file must grow')
    },
    ['mtime'],
  ),
  scene(
    'rename.second-name-of-the-same-file',
    async fs => {
      await plant(fs, 'a=1')
      await fs.link(path('/a'), path('/b'))
      await fs.rename(path('/a'), path('/b'))
      checkEqual(await show(fs), 'a=1 b=1', 'POSIX says that nothing happens')
    },
    ['hardlinks'],
  ),
]
