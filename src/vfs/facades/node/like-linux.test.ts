// Every call on every kind of path, compared with Linux: the codes of failures, and what the calls leave. The deep run has all calls; the
// quick run has a part of them that its seed chooses.
import nodeFs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isDeep } from '../../../testing/depth.ts'
import { createRandom } from '../../../testing/random.ts'
import { createVfs } from '../../create-vfs.ts'
import { toNodeFs } from './index.ts'
import { emptyTree } from '../../../testing/empty-tree.ts'

type Fs = typeof nodeFs
type Act = (fs: Fs, path: string) => unknown
type ActOnTwo = (fs: Fs, from: string, to: string) => unknown

/** What is at a path before the call; helpers have a name that ends in '.t'. */
const kinds: Readonly<Record<string, (fs: Fs, path: string, name: string) => void>> = {
  nothing: () => {},
  file: (fs, path) => fs.writeFileSync(path, 'data'),
  directory: (fs, path) => fs.mkdirSync(path),
  'full directory': (fs, path) => {
    fs.mkdirSync(path)
    fs.writeFileSync(`${path}/in`, 'x')
  },
  'link to a file': (fs, path, name) => {
    fs.writeFileSync(`${path}.t`, 'data')
    fs.symlinkSync(`${name}.t`, path)
  },
  'link to a directory': (fs, path, name) => {
    fs.mkdirSync(`${path}.t`)
    fs.symlinkSync(`${name}.t`, path)
  },
  'dangling link': (fs, path) => fs.symlinkSync('nothing', path),
  circle: (fs, path, name) => fs.symlinkSync(name, path),
  'file with two names': (fs, path) => {
    fs.writeFileSync(path, 'data')
    fs.linkSync(path, `${path}.t`)
  },
}

const { constants } = nodeFs

const opened =
  (flags: number | string, act: (fs: Fs, fd: number, path: string) => unknown = () => undefined): Act =>
  (fs, path) => {
    const fd = fs.openSync(path, flags, 0o640)
    try {
      return act(fs, fd, path)
    } finally {
      fs.closeSync(fd)
    }
  }

const onPath: Readonly<Record<string, Act>> = {
  chmod: (fs, path) => fs.chmodSync(path, 0o751),
  chown: (fs, path) => fs.chownSync(path, -1, -1),
  lchown: (fs, path) => fs.lchownSync(path, -1, -1),
  mkdir: (fs, path) => fs.mkdirSync(path),
  'mkdir, recursive': (fs, path) => typeof fs.mkdirSync(`${path}/a/b`, { recursive: true }),
  'rm, forced': (fs, path) => fs.rmSync(path, { force: true }),
  rmdir: (fs, path) => fs.rmdirSync(path),
  unlink: (fs, path) => fs.unlinkSync(path),
  symlink: (fs, path) => fs.symlinkSync('elsewhere', path),
  'symlink with a target that is too long': (fs, path) => fs.symlinkSync('t/'.repeat(2048), path),
  readlink: (fs, path) => fs.readlinkSync(path),
  truncate: (fs, path) => fs.truncateSync(path, 2),
  utimes: (fs, path) => fs.utimesSync(path, 5, 7),
  lutimes: (fs, path) => fs.lutimesSync(path, 5, 7),
  stat: (fs, path) => fs.statSync(path).mode,
  lstat: (fs, path) => fs.lstatSync(path).mode,
  readdir: (fs, path) => fs.readdirSync(path).toSorted(),
  opendir: (fs, path) => fs.opendirSync(path).closeSync(),
  readFile: (fs, path) => fs.readFileSync(path, 'utf8'),
  writeFile: (fs, path) => fs.writeFileSync(path, 'new'),
  appendFile: (fs, path) => fs.appendFileSync(path, 'new'),
  realpath: (fs, path) => fs.realpathSync(path),
  'realpath.native': (fs, path) => fs.realpathSync.native(path),
  access: (fs, path) => fs.accessSync(path),
  'open to read': opened(constants.O_RDONLY),
  'open to write': opened(constants.O_WRONLY),
  'open and empty': opened(constants.O_RDWR | constants.O_TRUNC),
  'open or make': opened(constants.O_RDWR | constants.O_CREAT),
  'open a new file': opened(constants.O_RDWR | constants.O_CREAT | constants.O_EXCL),
  'open no link': opened(constants.O_RDONLY | constants.O_NOFOLLOW),
  'open or make, no link': opened(constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW),
  'open a directory': opened(constants.O_RDONLY | constants.O_DIRECTORY),
  'open a directory, no link': opened(constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW),
  'append by descriptor': opened('a', (fs, fd) => fs.writeSync(fd, 'zz', 0)),
  'change an open file': opened('r+', (fs, fd) => {
    fs.writeSync(fd, 'Q', 1)
    fs.ftruncateSync(fd, 3)
    fs.fchmodSync(fd, 0o600)
    fs.futimesSync(fd, 5, 7)
  }),
  'change an open file without its name': opened('r+', (fs, fd, path) => {
    fs.unlinkSync(path)
    fs.writeSync(fd, 'hello', 0)
    fs.fchmodSync(fd, 0o600)
    const { size, nlink, mode } = fs.fstatSync(fd)
    return [fs.readFileSync(fd, 'utf8'), size, nlink, mode]
  }),
}

const onTwo: Readonly<Record<string, ActOnTwo>> = {
  rename: (fs, from, to) => fs.renameSync(from, to),
  link: (fs, from, to) => fs.linkSync(from, to),
  copyFile: (fs, from, to) => fs.copyFileSync(from, to),
}

const endings = ['', '/', '/.', '/..', '/x', '/in', '//in/', '/../o', `/${'n'.repeat(256)}`] as const
const endingsOfTwo = ['', '/', '/.', '/..', '/in', '/../a'] as const

interface Case {
  readonly name: string
  readonly plant: (fs: Fs, top: string) => void
  readonly act: (fs: Fs, top: string) => unknown
  /** Where it fails with this code, nothing is changed here, and Node may remove the target. */
  readonly changesNothingAt?: 'EISDIR'
}

function* casesOnPath(): Generator<Case> {
  for (const [kind, make] of Object.entries(kinds))
    for (const [call, act] of Object.entries(onPath))
      for (const ending of endings) {
        // Node makes the directories before the name that is too long; here nothing is made.
        if (call === 'mkdir, recursive' && ending.length > 255 && /nothing|dangling/.test(kind)) continue
        yield {
          name: `${call}: ${kind}${ending}`,
          plant: (fs, top) => make(fs, `${top}/o`, 'o'),
          act: (fs, top) => act(fs, `${top}/o${ending}`),
        }
      }
}

function* casesOnTwo(): Generator<Case> {
  for (const [kind, make] of Object.entries(kinds))
    for (const [otherKind, makeOther] of Object.entries(kinds))
      for (const [call, act] of Object.entries(onTwo))
        for (const [ending, otherEnding] of endingsOfTwo.flatMap(one => [
          [one, ''],
          ['', one],
        ])) {
          yield {
            name: `${call}: ${kind}${ending} to ${otherKind}${otherEnding}`,
            plant(fs, top) {
              make(fs, `${top}/a`, 'a')
              makeOther(fs, `${top}/b`, 'b')
            },
            act: (fs, top) => act(fs, `${top}/a${ending}`, `${top}/b${otherEnding}`),
            // libuv empties and removes what it cannot replace by a directory.
            ...(call === 'copyFile' ? { changesNothingAt: 'EISDIR' } : {}),
          }
        }
}

const oldTime = 1000

/** Everything at `path` and below, with whether it was changed. */
function shown(fs: Fs, path: string): unknown {
  const stat = fs.lstatSync(path)
  const { uid, gid, nlink, mtimeMs, mode } = stat
  const time = mtimeMs > 1e12 ? 'now' : mtimeMs
  if (stat.isSymbolicLink()) return ['link', uid, gid, nlink, time, fs.readlinkSync(path)]
  const facts = [mode.toString(8), uid, gid, nlink, time]
  if (!stat.isDirectory()) return [...facts, fs.readFileSync(path, 'utf8')]
  const names = fs.readdirSync(path).toSorted()
  return [...facts, Object.fromEntries(names.map(name => [name, shown(fs, `${path}/${name}`)]))]
}

function age(fs: Fs, path: string): void {
  if (fs.lstatSync(path).isDirectory()) for (const name of fs.readdirSync(path)) age(fs, `${path}/${name}`)
  fs.lutimesSync(path, oldTime, oldTime)
}

function outcome(fs: Fs, top: string, { plant, act }: Pick<Case, 'plant' | 'act'>): readonly [gives: unknown, tree: unknown] {
  plant(fs, top)
  age(fs, top)
  let gives: unknown
  try {
    gives = act(fs, top)
  } catch (error) {
    gives = error instanceof Error && 'code' in error ? error.code : error
  }
  return [gives, shown(fs, top)]
}

function facade(top: string): Fs {
  const vfs = createVfs(emptyTree())
  const fs = toNodeFs(vfs, { uid: 0, gid: 0, umask: process.umask() }) as unknown as Fs
  fs.mkdirSync(top, { recursive: true })
  fs.chmodSync(top, 0o700)
  return fs
}

const isRoot = process.platform === 'linux' && process.getuid?.() === 0
if (!isRoot) console.warn('calls are not compared with Linux: owners are those of root')
const quickShare = 40

test.runIf(isRoot).each([
  ['one path', casesOnPath],
  ['two paths', casesOnTwo],
])('calls with %s (needs root)', (_name, cases) => {
  const random = createRandom(17)
  const parent = nodeFs.mkdtempSync(join(tmpdir(), 'like-linux-'))
  try {
    for (const one of cases()) {
      if (!isDeep && random.below(quickShare) !== 0) continue
      const top = nodeFs.mkdtempSync(`${parent}/c-`)
      const [code, tree] = outcome(nodeFs, top, one)
      const isDeclared = code !== undefined && code === one.changesNothingAt
      const left = isDeclared ? outcome(facade(top), top, { ...one, act: () => {} })[1] : tree
      expect.soft(outcome(facade(top), top, one), one.name).toEqual([code, left])
      nodeFs.rmSync(top, { recursive: true })
    }
  } finally {
    nodeFs.rmSync(parent, { recursive: true })
  }
})

test.each(['', '/'])('a symlink cannot be changed by way of its target%s', ending => {
  const fs = facade('/top')
  fs.writeFileSync('/top/f', '')
  fs.mkdirSync('/top/d')
  fs.symlinkSync('d', '/top/l')
  fs.lchownSync(`/top/l${ending}`, 5, 6)
  expect([fs.lstatSync('/top/l').uid, fs.statSync('/top/d').uid]).toEqual(ending === '' ? [5, 0] : [0, 5])
})
