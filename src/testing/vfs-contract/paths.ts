// Names are opaque to the filesystem: only '/' and, as whole names, '.' and '..' have a meaning.

import { checkEqual } from '../check.ts'
import { bytes, fails, gives, path, row, scene, text, type VfsCase } from './context.ts'

const names = [
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  '...',
  '.hidden',
  'a b',
  "it's",
  'tab\there',
  'new\nline',
  '*?[x]',
  '\\',
  '-rf',
  'é',
  'e\u0301',
  '💾',
  'A',
  'a',
  '\uFEFFbom',
  '%2F',
  'con',
]

export const pathCases: readonly VfsCase[] = [
  ...names.map(name =>
    scene(`paths.name ${JSON.stringify(name)}`, async fs => {
      const directory = path(`/d-${name}`)
      await fs.mkdir(directory)
      await fs.write(path(`/d-${name}/${name}`), bytes(name))
      await fs.write(path(`/${name}`), bytes('top'))
      checkEqual(
        (await fs.list(directory)).map(entry => entry.name),
        [name],
        'its listing',
      )
      checkEqual(text(await fs.read(path(`/d-${name}/${name}`))), name, 'its content')
      await fs.remove(path(`/${name}`), 'file')
      checkEqual(
        (await fs.list(path('/'))).map(entry => entry.name),
        [`d-${name}`],
        'the root',
      )
    }),
  ),
  row('paths.missing-proto', '', fs => fs.lookup(path('/__proto__')), fails('ENOENT')),
  row(
    'paths.longest-name',
    '',
    async fs => {
      await fs.write(path(`/${'n'.repeat(255)}`), bytes('x'))
      return (await fs.list(path('/')))[0]?.name.length
    },
    gives(255),
  ),
  row('paths.dot-dot-above-root', 'f=1', async fs => text(await fs.read(path('/../../f'))), gives('1')),
  row('paths.dot-dot-of-a-file', 'f=1 g=2', fs => fs.read(path('/f/../g')), fails('ENOTDIR')),
  row('paths.dot-dot-of-nothing', 'g=2', fs => fs.read(path('/d/../g')), fails('ENOENT')),
  row(
    'paths.dot-dot-as-last-name',
    'd/e/ f=1',
    async fs => (await fs.list(path('/d/e/..'))).map(entry => entry.name),
    gives(['e']),
  ),
  row('paths.remove-by-dot-dot', 'd/e/', fs => fs.remove(path('/d/e/..'), 'directory'), fails('ENOTEMPTY')),
  row('paths.rename-by-dot-dot', 'd/e/', fs => fs.rename(path('/d/e/..'), path('/x')), fails('EBUSY')),
  scene('paths.hundred-deep', async fs => {
    let at = ''
    for (let depth = 0; depth < 100; depth++) await fs.mkdir(path((at += '/d')))
    await fs.write(path(`${at}/f`), bytes('deep'))
    checkEqual(text(await fs.read(path(`${at}/f`))), 'deep', 'its content')
  }),
]
