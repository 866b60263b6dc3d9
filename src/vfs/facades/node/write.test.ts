// Functions that change something, compared with Node's.
import { expect, test } from 'vitest'
import { codeOf, compareWithNode, type NodeFsRow } from '../../../testing/node-fs-comparison.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const write: readonly NodeFsRow[] = [
  ...['.', 'd/..', 'd/', 'none/.', 'd'].map((to): NodeFsRow => [
    `copyFile: to ${to}, which must not exist`,
    'f=abc d/g=x',
    (fs, r) => fs.copyFile(`${r}/f`, `${r}/${to}`, fs.constants.COPYFILE_EXCL),
  ]),
  [
    'appendFile: nothing, which leaves the file as it is',
    'f=abc',
    async (fs, r) => {
      await fs.utimes(`${r}/f`, 5, 7)
      const { ino } = await fs.stat(`${r}/f`)
      await fs.appendFile(`${r}/f`, '')
      await fs.appendFile(`${r}/g`, '')
      const after = await fs.stat(`${r}/f`)
      return [after.mtimeMs, after.ino === ino]
    },
  ],
  ...['e/', 'd/', 'none/', 'l/', 'none'].flatMap(from =>
    ['none/x', 'e/x', 'none/', 'e/', 'd/', 'new/', 'd', 'e'].map((to): NodeFsRow => [
      `rename: ${from} to ${to}`,
      'd/ e=text l->e',
      (fs, r) => fs.rename(`${r}/${from}`, `${r}/${to}`),
    ]),
  ),
  ...['d/.', 'd/./', 'dl/.', 'none/.', '.', ''].flatMap(name =>
    [{ recursive: true }, { recursive: true, force: true }].map((options): NodeFsRow => [
      `rm: ${name} with ${JSON.stringify(options)}`,
      'd/f=abc dl->d',
      (fs, r) => fs.rm(`${r}/${name}`, options),
    ]),
  ),
  ...['n/', 'n//', 'n/m/', 'n//m', 'n/./m', './n', 'd/n//', 'd/'].map((name): NodeFsRow => [
    `mkdir: the first directory of ${name}`,
    'd/',
    (fs, r) => fs.mkdir(`${r}/${name}`, { recursive: true }),
  ]),
  ['writeFile: text in no encoding', 'f=abc', (fs, r) => fs.writeFile(`${r}/f`, 'x', 'buffer')],
  ['appendFile: text in no encoding', 'f=abc', (fs, r) => fs.appendFile(`${r}/f`, 'x', 'buffer')],
  ['writeFile: text', '', (fs, r) => fs.writeFile(`${r}/f`, 'é')],
  ['writeFile: bytes', '', (fs, r) => fs.writeFile(`${r}/f`, bytes('abc'))],
  ['writeFile: a view of more', '', (fs, r) => fs.writeFile(`${r}/f`, new DataView(bytes('abcdef').buffer, 2, 2))],
  ['writeFile: words', '', (fs, r) => fs.writeFile(`${r}/f`, new Uint16Array([0x4241, 0x4443]))],
  ['writeFile: an encoding', '', (fs, r) => fs.writeFile(`${r}/f`, '616263', 'hex')],
  ['writeFile: base64url', '', (fs, r) => fs.writeFile(`${r}/f`, 'YWJj', { encoding: 'base64url' })],
  [
    'writeFile: utf16le',
    '',
    async (fs, r) => {
      await fs.writeFile(`${r}/f`, 'aé', 'utf16le')
      return fs.readFile(`${r}/f`)
    },
  ],
  ['writeFile: half of a pair', '', (fs, r) => fs.writeFile(`${r}/f`, 'a\ud800')],
  [
    'writeFile: chunks',
    '',
    (fs, r) =>
      fs.writeFile(
        `${r}/f`,
        (async function* () {
          yield 'a'
          yield bytes('b')
        })(),
      ),
  ],
  ['writeFile: replaces', 'f=abcdef', (fs, r) => fs.writeFile(`${r}/f`, 'x')],
  ['writeFile: mode, less the umask', '', (fs, r) => fs.writeFile(`${r}/f`, 'x', { mode: 0o777 })],
  ['writeFile: mode of an old file stays', 'f=1', (fs, r) => fs.writeFile(`${r}/f`, 'x', { mode: 0o777 })],
  ['writeFile: wx', '', (fs, r) => fs.writeFile(`${r}/f`, 'x', { flag: 'wx' })],
  ['writeFile: wx when there', 'f=1', (fs, r) => fs.writeFile(`${r}/f`, 'x', { flag: 'wx' })],
  ['writeFile: a', 'f=1', (fs, r) => fs.writeFile(`${r}/f`, 'x', { flag: 'a' })],
  ['writeFile: r+', 'f=abc', (fs, r) => fs.writeFile(`${r}/f`, 'x', { flag: 'r+' })],
  ['writeFile: r+ when missing', '', (fs, r) => fs.writeFile(`${r}/f`, 'x', { flag: 'r+' })],
  ['writeFile: through a dangling link', 'l->f', (fs, r) => fs.writeFile(`${r}/l`, 'x')],
  ['writeFile: a directory', 'd/', (fs, r) => fs.writeFile(`${r}/d`, 'x')],
  ['writeFile: missing directory', '', (fs, r) => fs.writeFile(`${r}/d/f`, 'x')],
  ['writeFile: no data', '', async (fs, r) => codeOf(Reflect.apply(fs.writeFile, fs, [`${r}/f`, 7]))],
  ['appendFile', 'f=1', (fs, r) => fs.appendFile(`${r}/f`, 'x')],
  ['appendFile: makes it', '', (fs, r) => fs.appendFile(`${r}/f`, 'x')],
  ['appendFile: a directory', 'd/', (fs, r) => fs.appendFile(`${r}/d`, 'x')],
  ['truncate: shorter', 'f=abc', (fs, r) => fs.truncate(`${r}/f`, 1)],
  [
    'truncate: longer',
    'f=abc',
    async (fs, r) => {
      await fs.truncate(`${r}/f`, 5)
      return fs.readFile(`${r}/f`)
    },
  ],
  ['truncate: to nothing', 'f=abc', (fs, r) => fs.truncate(`${r}/f`)],
  ['truncate: missing', '', (fs, r) => fs.truncate(`${r}/f`)],
  ['mkdir', '', (fs, r) => fs.mkdir(`${r}/d`)],
  [
    'mkdir: mode',
    '',
    async (fs, r) => {
      await fs.mkdir(`${r}/d`, 0o777)
      return (await fs.stat(`${r}/d`)).mode
    },
  ],
  ['mkdir: there', 'd/', (fs, r) => fs.mkdir(`${r}/d`)],
  ['mkdir: missing parent', '', (fs, r) => fs.mkdir(`${r}/d/e`)],
  ['mkdir: recursive gives the first', 'a/', (fs, r) => fs.mkdir(`${r}/a/b/c`, { recursive: true })],
  ['mkdir: recursive when there', 'a/b/', (fs, r) => fs.mkdir(`${r}/a/b`, { recursive: true })],
  ['mkdir: recursive on a file', 'a=1', (fs, r) => fs.mkdir(`${r}/a`, { recursive: true })],
  ['mkdir: recursive below a file', 'a=1', (fs, r) => fs.mkdir(`${r}/a/b`, { recursive: true })],
  [
    'mkdtemp',
    '',
    async (fs, r) => {
      const path = await fs.mkdtemp(`${r}/t-`)
      await fs.rmdir(path)
      return path.slice(0, -6)
    },
  ],
  ['mkdtemp: missing parent', '', (fs, r) => codeOf(fs.mkdtemp(`${r}/d/t-`))],
  [
    'mkdtemp: an error names the directory that was tried',
    '',
    async (fs, r) => {
      try {
        return await fs.mkdtemp(`${r}/d/t-`)
      } catch (error) {
        const { message, path = '' } = error as Error & { readonly path?: string }
        return [path.slice(0, -6), path.endsWith('XXXXXX'), message.replace(path, path.slice(0, -6))]
      }
    },
  ],
  ['rm: a file', 'f=1', (fs, r) => fs.rm(`${r}/f`)],
  ['rm: a directory', 'd/', (fs, r) => fs.rm(`${r}/d`)],
  ['rm: recursive', 'd/e/f=1 g=1', (fs, r) => fs.rm(`${r}/d`, { recursive: true })],
  ['rm: a link and not the directory', 'd/f=1 l->d', (fs, r) => fs.rm(`${r}/l`, { recursive: true })],
  [
    'rm: nothing by the name of a link that asks for the directory',
    'd/f=1 l->d',
    (fs, r) => fs.rm(`${r}/l/`, { recursive: true }),
  ],
  ['rm: missing', '', (fs, r) => fs.rm(`${r}/f`)],
  ['rm: missing, forced', '', (fs, r) => fs.rm(`${r}/f`, { force: true })],
  ['rm: missing, recursive', '', (fs, r) => fs.rm(`${r}/f`, { recursive: true })],
  ['rmdir: empty', 'd/', (fs, r) => fs.rmdir(`${r}/d`)],
  ['rmdir: not empty', 'd/f=1', (fs, r) => fs.rmdir(`${r}/d`)],
  ['rmdir: a file', 'f=1', (fs, r) => fs.rmdir(`${r}/f`)],
  ['rmdir: missing', '', (fs, r) => fs.rmdir(`${r}/d`)],
  ['unlink', 'f=1', (fs, r) => fs.unlink(`${r}/f`)],
  ['unlink: a link', 'f=1 l->f', (fs, r) => fs.unlink(`${r}/l`)],
  ['unlink: a directory', 'd/', (fs, r) => fs.unlink(`${r}/d`)],
  ['unlink: missing', '', (fs, r) => fs.unlink(`${r}/f`)],
  ['rename', 'f=1', (fs, r) => fs.rename(`${r}/f`, `${r}/g`)],
  ['rename: over a file', 'f=1 g=2', (fs, r) => fs.rename(`${r}/f`, `${r}/g`)],
  ['rename: over a directory', 'f=1 d/', (fs, r) => fs.rename(`${r}/f`, `${r}/d`)],
  ['rename: over a full directory', 'a/f=1 b/g=1', (fs, r) => fs.rename(`${r}/a`, `${r}/b`)],
  ['rename: into itself', 'a/f=1', (fs, r) => fs.rename(`${r}/a`, `${r}/a/b`)],
  ['rename: missing', '', (fs, r) => fs.rename(`${r}/a`, `${r}/b`)],
  ['rename: missing directory', 'a=1', (fs, r) => fs.rename(`${r}/a`, `${r}/d/b`)],
  [
    'link',
    'f=1',
    async (fs, r) => {
      await fs.link(`${r}/f`, `${r}/g`)
      return (await fs.stat(`${r}/f`)).nlink
    },
  ],
  ['link: there', 'f=1 g=2', (fs, r) => fs.link(`${r}/f`, `${r}/g`)],
  ['link: missing', '', (fs, r) => fs.link(`${r}/f`, `${r}/g`)],
  ['link: a directory', 'd/', (fs, r) => fs.link(`${r}/d`, `${r}/e`)],
  ['symlink', '', (fs, r) => fs.symlink('x/y', `${r}/l`)],
  ['symlink: there', 'f=1', (fs, r) => fs.symlink('x', `${r}/f`)],
  ['chmod', 'f=1', (fs, r) => fs.chmod(`${r}/f`, 0o751)],
  ['chmod: missing', '', (fs, r) => fs.chmod(`${r}/f`, 0o751)],
  [
    'utimes: seconds',
    'f=1',
    async (fs, r) => {
      await fs.utimes(`${r}/f`, 1, 1234.5)
      const s = await fs.stat(`${r}/f`)
      return [s.mtimeMs, s.mtime.getTime()]
    },
  ],
  [
    'utimes: a Date',
    'f=1',
    async (fs, r) => {
      await fs.utimes(`${r}/f`, new Date(5), new Date(1_700_000_000_123))
      return Math.round((await fs.stat(`${r}/f`)).mtimeMs)
    },
  ],
  ['utimes: an invalid Date', 'f=1', (fs, r) => fs.utimes(`${r}/f`, new Date(Number.NaN), 5)],
  ['lutimes: an invalid Date', 'f=1', (fs, r) => fs.lutimes(`${r}/f`, 5, new Date(Number.NaN))],
  ['utimes: missing', '', (fs, r) => fs.utimes(`${r}/f`, 1, 1)],
  ['copyFile', 'f=1', (fs, r) => fs.copyFile(`${r}/f`, `${r}/g`)],
  [
    'copyFile: keeps the mode',
    'f=1',
    async (fs, r) => {
      await fs.chmod(`${r}/f`, 0o755)
      await fs.copyFile(`${r}/f`, `${r}/g`)
    },
  ],
  ['copyFile: what a link points at', 'f=1 l->f', (fs, r) => fs.copyFile(`${r}/l`, `${r}/g`)],
  ['copyFile: exclusive', 'f=1 g=2', (fs, r) => fs.copyFile(`${r}/f`, `${r}/g`, fs.constants.COPYFILE_EXCL)],
  ['copyFile: missing', '', (fs, r) => fs.copyFile(`${r}/f`, `${r}/g`)],
  ['cp: a file', 'f=1', (fs, r) => fs.cp(`${r}/f`, `${r}/g`)],
  ['cp: into a new directory', 'f=1', (fs, r) => fs.cp(`${r}/f`, `${r}/a/b/g`)],
  ['cp: a tree', 'd/e/f=1 d/g=2', (fs, r) => fs.cp(`${r}/d`, `${r}/x`, { recursive: true })],
  ['cp: merges', 'd/f=1 x/g=2 x/f=3', (fs, r) => fs.cp(`${r}/d`, `${r}/x`, { recursive: true })],
  ['cp: a tree, not recursive', 'd/f=1', (fs, r) => codeOf(fs.cp(`${r}/d`, `${r}/x`))],
  ['cp: into itself', 'd/f=1', (fs, r) => codeOf(fs.cp(`${r}/d`, `${r}/d/x`, { recursive: true }))],
  ['cp: onto itself', 'f=1', (fs, r) => codeOf(fs.cp(`${r}/f`, `${r}/f`))],
  ['cp: a directory onto a file', 'd/f=1 x=2', (fs, r) => codeOf(fs.cp(`${r}/d`, `${r}/x`, { recursive: true }))],
  ['cp: a file onto a directory', 'f=1 d/', (fs, r) => codeOf(fs.cp(`${r}/f`, `${r}/d`))],
  ['cp: not forced', 'f=1 g=2', (fs, r) => fs.cp(`${r}/f`, `${r}/g`, { force: false })],
  ['cp: an error if there', 'f=1 g=2', (fs, r) => codeOf(fs.cp(`${r}/f`, `${r}/g`, { force: false, errorOnExist: true }))],
  ['cp: a relative link is made absolute', 'd/f=1 d/l->f', (fs, r) => fs.cp(`${r}/d`, `${r}/x`, { recursive: true })],
  ['cp: or kept', 'd/f=1 d/l->f', (fs, r) => fs.cp(`${r}/d`, `${r}/x`, { recursive: true, verbatimSymlinks: true })],
  ['cp: what links point at', 'd/f=1 d/l->f', (fs, r) => fs.cp(`${r}/d`, `${r}/x`, { recursive: true, dereference: true })],
  [
    'cp: filtered',
    'd/f=1 d/g=1',
    (fs, r) => fs.cp(`${r}/d`, `${r}/x`, { recursive: true, filter: source => !source.endsWith('g') }),
  ],
  [
    'cp: keeps times',
    'f=1',
    async (fs, r) => {
      await fs.utimes(`${r}/f`, 1, 5)
      await fs.cp(`${r}/f`, `${r}/g`, { preserveTimestamps: true })
      return (await fs.stat(`${r}/g`)).mtimeMs
    },
  ],
  ['cp: a file that is named as a directory', 'f=1', (fs, r) => fs.cp(`${r}/f/`, `${r}/g`)],
  ['cp: a file to a new name that ends in a slash', 'f=1', (fs, r) => fs.cp(`${r}/f`, `${r}/g/`)],
  ['cp: a link to a new name that ends in a slash', 'f=1 l->f', (fs, r) => fs.cp(`${r}/l`, `${r}/g/`)],
  ['cp: a file to a file that is named as a directory', 'f=1 g=2', (fs, r) => fs.cp(`${r}/f`, `${r}/g/`)],
  ['cp: the directory that a link leads to', 'd/f=1 l->d', (fs, r) => fs.cp(`${r}/l/`, `${r}/g`, { recursive: true })],
  ['writeFile: the data is checked before a number', '', fs => fs.writeFile(1 as never, null as never, 'latin1')],
  ['writeFile: a number', '', fs => fs.writeFile(1 as never, 'x', { flag: 'nope' })],
  ['truncate: a number', '', fs => fs.truncate(1 as never, 'x' as never)],
  ['cp: missing', '', (fs, r) => codeOf(fs.cp(`${r}/f`, `${r}/g`))],
]

test.each(write)('as Node: %s', async (_rule, tree, act) => {
  const { node, ours } = await compareWithNode(tree, act)
  expect(ours).toEqual(node)
})
