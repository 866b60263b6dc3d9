// Permission bits and times: stored, and never enforced.

import { check, checkEqual } from '../check.ts'
import { bytes, fails, gives, path, plant, row, scene, text, type VfsCase } from './context.ts'

const timeMs = 1_234_567_890_000

export const setattrCases: readonly VfsCase[] = [
  row('setattr.missing', '', fs => fs.setattr(path('/f'), { mode: 0o600 }), fails('ENOENT'), ['mode']),
  row(
    'setattr.keeps-content',
    'f=abc',
    async fs => {
      await fs.setattr(path('/f'), { mode: 0o600 })
      return text(await fs.read(path('/f')))
    },
    gives('abc'),
    ['mode'],
  ),
  scene(
    'setattr.mode',
    async fs => {
      await plant(fs, 'f=1 d/')
      await fs.setattr(path('/f'), { mode: 0o751 })
      await fs.setattr(path('/d'), { mode: 0o700 })
      checkEqual([(await fs.lookup(path('/f'))).mode, (await fs.lookup(path('/d'))).mode], [0o751, 0o700], 'modes')
    },
    ['mode'],
  ),
  scene(
    'setattr.mtime',
    async fs => {
      await plant(fs, 'f=1 d/')
      await fs.setattr(path('/f'), { mtimeMs: timeMs })
      await fs.setattr(path('/d'), { mtimeMs: timeMs + 1 })
      checkEqual([(await fs.lookup(path('/f'))).mtimeMs, (await fs.lookup(path('/d'))).mtimeMs], [timeMs, timeMs + 1], 'times')
    },
    ['mtime'],
  ),
  scene(
    'setattr.follows-a-symlink',
    async fs => {
      await plant(fs, 'f=1 l->f')
      await fs.setattr(path('/l'), { mode: 0o751 })
      checkEqual((await fs.lookup(path('/f'))).mode, 0o751, 'the mode of the target')
    },
    ['mode', 'symlinks'],
  ),
  scene(
    'setattr.can-stop-at-a-symlink',
    async fs => {
      await plant(fs, 'f=1 l->f')
      const before = await fs.lookup(path('/f'))
      await fs.setattr(path('/l'), { mtimeMs: timeMs, follow: false })
      checkEqual((await fs.lookup(path('/l'), { follow: false })).mtimeMs, timeMs, 'the time of the link')
      checkEqual((await fs.lookup(path('/f'))).mtimeMs, before.mtimeMs, 'the time of the target')
    },
    ['mtime', 'symlinks'],
  ),
  scene(
    'setattr.a-write-moves-the-time-on',
    async fs => {
      await plant(fs, 'f=1')
      await fs.setattr(path('/f'), { mtimeMs: timeMs })
      check((await fs.write(path('/f'), bytes('2'))).mtimeMs > timeMs, 'a write is later')
    },
    ['mtime'],
  ),
  scene(
    'setattr.mode-is-not-enforced',
    async fs => {
      await plant(fs, 'f=1')
      await fs.setattr(path('/f'), { mode: 0 })
      checkEqual(text(await fs.read(path('/f'))), '1', 'a file without permissions')
    },
    ['mode', 'transactions'],
  ),
]
