// Functions that read, compared with Node's.
import { expect, test } from 'vitest'
import { codeOf, compareWithNode, kindOf, type NodeFsRow } from '../../../testing/node-fs-comparison.ts'
import type { NodeFsPromises } from './index.ts'

const sorted = (names: readonly unknown[]): readonly string[] => names.map(String).toSorted()

const read: readonly NodeFsRow[] = [
  ['readFile: bytes', 'f=abc', (fs, r) => fs.readFile(`${r}/f`)],
  ['readFile: utf8', 'f=aé☃😀', (fs, r) => fs.readFile(`${r}/f`, 'utf8')],
  ['readFile: { encoding }', 'f=abc', (fs, r) => fs.readFile(`${r}/f`, { encoding: 'utf8' })],
  ['readFile: null', 'f=abc', (fs, r) => fs.readFile(`${r}/f`, null)],
  ['readFile: empty', 'f=', (fs, r) => fs.readFile(`${r}/f`)],
  ['readFile: a link', 'f=abc l->f', (fs, r) => fs.readFile(`${r}/l`, 'utf8')],
  ['readFile: a URL', 'f=abc', (fs, r) => fs.readFile(new URL(`file://${r}/f`), 'utf8')],
  ['readFile: a path in bytes', 'f=abc', (fs, r) => fs.readFile(Buffer.from(`${r}/f`), 'utf8')],
  ['readFile: missing', '', (fs, r) => fs.readFile(`${r}/f`)],
  ['readFile: a directory', 'd/', (fs, r) => fs.readFile(`${r}/d`)],
  ['readFile: a directory, to write it too', 'd/', (fs, r) => fs.readFile(`${r}/d`, { flag: 'r+' })],
  ['readFile: the encoding is checked before a number', '', fs => fs.readFile(0 as never, 'nope')],
  ['readFile: a number', '', fs => fs.readFile(0 as never, { flag: 'nope' })],
  ['readFile: below a file', 'f=a', (fs, r) => fs.readFile(`${r}/f/g`)],
  ['readFile: a circle', 'a->b b->a', (fs, r) => fs.readFile(`${r}/a`)],
  ['readFile: a name that is too long', '', (fs, r) => fs.readFile(`${r}/${'n'.repeat(256)}`)],
  ['readFile: an empty path', '', fs => fs.readFile('')],
  ['readFile: an unknown encoding', 'f=abc', async (fs, r) => codeOf(fs.readFile(`${r}/f`, 'utf-9'))],
  ['readFile: a null byte', '', async (fs, r) => codeOf(fs.readFile(`${r}/a\0b`))],
  ['readFile: no path', '', async fs => codeOf(Reflect.apply(fs.readFile, fs, []))],
  ...['latin1', 'binary', 'ascii', 'base64', 'base64url', 'hex', 'utf16le', 'ucs2', 'UTF-8'].map((encoding): NodeFsRow => [
    `readFile: ${encoding}`,
    '',
    async (fs, r) => {
      await fs.writeFile(`${r}/f`, new Uint8Array([0, 65, 127, 128, 195, 169, 255, 251, 239]))
      return fs.readFile(`${r}/f`, encoding)
    },
  ]),
  ['stat: the facts', 'f=abc', async (fs, r) => facts(await fs.stat(`${r}/f`))],
  ['stat: a directory', 'd/', async (fs, r) => kindOf(await fs.stat(`${r}/d`))],
  ['stat: follows', 'd/ l->d', async (fs, r) => kindOf(await fs.stat(`${r}/l`))],
  ['lstat: does not', 'd/ l->d', async (fs, r) => kindOf(await fs.lstat(`${r}/l`))],
  [
    'lstat: type bits of a link',
    'l->abc',
    async (fs, r) => {
      const s = await fs.lstat(`${r}/l`)
      return [s.mode, s.size]
    },
  ],
  ['stat: type bits of a directory', 'd/', async (fs, r) => (await fs.stat(`${r}/d`)).mode],
  ['stat: missing', '', (fs, r) => fs.stat(`${r}/f`)],
  ['lstat: missing', '', (fs, r) => fs.lstat(`${r}/f`)],
  ['stat: a file with a slash', 'f=a', (fs, r) => fs.stat(`${r}/f/`)],
  ['access: there', 'f=a', (fs, r) => fs.access(`${r}/f`)],
  ['access: missing', '', (fs, r) => fs.access(`${r}/f`)],
  ['access: not executable', 'f=a', (fs, r) => fs.access(`${r}/f`, fs.constants.X_OK)],
  ['access: a directory is', 'd/', (fs, r) => fs.access(`${r}/d`, fs.constants.X_OK)],
  ['access: readable and writable', 'f=a', (fs, r) => fs.access(`${r}/f`, fs.constants.R_OK | fs.constants.W_OK)],
  ['readdir: names', 'b=1 a=1 c/d=1', async (fs, r) => (await fs.readdir(r)).toSorted()],
  ['readdir: in bytes', 'é=1', (fs, r) => fs.readdir(r, { encoding: 'buffer' })],
  [
    'readdir: recursive, through links',
    'd/g=1 d/e/h=1 l->d m->g',
    async (fs, r) => sorted(await fs.readdir(r, { recursive: true })),
  ],
  [
    'readdir: recursive with kinds, not through links',
    'd/g=1 l->d',
    async (fs, r) =>
      sorted((await fs.readdir(r, { recursive: true, withFileTypes: true })).map(entry => `${entry.parentPath}/${entry.name}`)),
  ],
  ['readdir: in hex', 'ab=1', (fs, r) => fs.readdir(r, 'hex')],
  [
    'readdir: kinds',
    'f=1 d/ l->f',
    async (fs, r) =>
      (await fs.readdir(r, { withFileTypes: true }))
        .map(e => `${e.name} ${kindOf(e)} ${e.parentPath.slice(r.length)}`)
        .toSorted(),
  ],
  ['readdir: all', 'd/e/f=1 d/g=1 h=1', async (fs, r) => (await fs.readdir(r, { recursive: true })).toSorted()],
  [
    'readdir: all, with a slash',
    'd/e/f=1 d/g=1 h=1',
    async (fs, r) => (await fs.readdir(`${r}/`, { recursive: true })).toSorted(),
  ],
  ['readdir: all, by a link', 'd/e/f=1 l->d', async (fs, r) => (await fs.readdir(`${r}/l`, { recursive: true })).toSorted()],
  [
    'readdir: all, with kinds',
    'd/e/f=1 d/g=1',
    async (fs, r) =>
      (await fs.readdir(r, { recursive: true, withFileTypes: true }))
        .map(e => `${`${e.parentPath}/${e.name}`.slice(r.length)} ${kindOf(e)}`)
        .toSorted(),
  ],
  ['readdir: missing', '', (fs, r) => fs.readdir(`${r}/d`)],
  ['readdir: a file', 'f=1', (fs, r) => fs.readdir(`${r}/f`)],
  [
    'opendir: entries',
    'f=1 d/',
    async (fs, r) => {
      const names = []
      for await (const e of await fs.opendir(r)) names.push(`${e.name} ${kindOf(e)}`)
      return names.toSorted()
    },
  ],
  [
    'opendir: read to the end',
    'f=1',
    async (fs, r) => {
      const dir = await fs.opendir(r)
      const got = [(await dir.read())?.name, await dir.read(), await dir.read(), dir.path]
      await dir.close()
      return got
    },
  ],
  [
    'opendir: closed',
    'f=1',
    async (fs, r) => {
      const dir = await fs.opendir(r)
      await dir.close()
      return codeOf((async () => dir.read())())
    },
  ],
  ['opendir: missing', '', (fs, r) => fs.opendir(`${r}/d`)],
  ['opendir: a file', 'f=1', (fs, r) => fs.opendir(`${r}/f`)],
  ['readlink', 'l->a/../b', (fs, r) => fs.readlink(`${r}/l`)],
  ['readlink: in bytes', 'l->é', (fs, r) => fs.readlink(`${r}/l`, { encoding: 'buffer' })],
  ['readlink: a file', 'f=1', (fs, r) => fs.readlink(`${r}/f`)],
  ['readlink: missing', '', (fs, r) => fs.readlink(`${r}/f`)],
  ['realpath', 'd/f=1 l->d', (fs, r) => fs.realpath(`${r}/l/../l/f`)],
  ['realpath: missing', '', (fs, r) => fs.realpath(`${r}/f`)],
]

function facts(stat: Awaited<ReturnType<NodeFsPromises['stat']>>): unknown {
  const { size, mode, nlink, blksize, rdev, dev, ino, mtimeMs, mtime } = stat
  const isNumber = [dev, ino, mtimeMs, stat.ctimeMs, stat.atimeMs, stat.birthtimeMs, stat.uid, stat.gid, stat.blocks].every(
    Number.isFinite,
  )
  const isDates = [mtime, stat.atime, stat.ctime, stat.birthtime].every(date => date instanceof Date && date.getTime() > 0)
  return [
    size,
    mode,
    nlink,
    blksize,
    rdev,
    isNumber,
    isDates,
    stat.isFIFO(),
    stat.isSocket(),
    stat.isBlockDevice(),
    stat.isCharacterDevice(),
  ]
}

test.each(read)('as Node: %s', async (_rule, tree, act) => {
  const { node, ours } = await compareWithNode(tree, act)
  expect(ours).toEqual(node)
})
