// Permissions, owners and sticky directories, compared with Linux: the same random calls by the same users, on a real directory and on the
// facade. Only root can call as other users, so without root the comparison is left out; the table below always runs.
import nodeFs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { seeds } from '../../../testing/depth.ts'
import { losesTarget } from '../../../testing/node-fs-subjects.ts'
import { createRandom, type Random } from '../../../testing/random.ts'
import { createVfs } from '../../create-vfs.ts'
import { createTreeStore } from '../../tree/store.ts'
import { treeBackend } from '../../tree/tree-backend.ts'
import type { Vfs } from '../../vfs.ts'
import { toNodeFs } from './index.ts'
import { emptyTree } from '../../../testing/empty-tree.ts'

interface User {
  readonly uid: number
  readonly gid: number
  readonly groups: readonly number[]
}

type Call = readonly [name: string, ...args: readonly unknown[]]
type SyncFs = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>

const root: User = { uid: 0, gid: 0, groups: [] }
const ann: User = { uid: 1001, gid: 1001, groups: [] }
const bob: User = { uid: 1002, gid: 1002, groups: [1001] }
const users = { root, ann, bob }

function memory(): Vfs {
  return createVfs(emptyTree())
}

const facade = (vfs: Vfs, user: User): SyncFs => toNodeFs(vfs, { ...user, umask: 0 }) as unknown as SyncFs

/** Each row: rule, calls by user, and the code of the last one, or what it gives. */
const rows: readonly (readonly [rule: string, calls: readonly (readonly [keyof typeof users, ...Call])[], result: unknown])[] = [
  [
    'a private file is not read',
    [
      ['root', 'writeFile', '/f', 'x', { mode: 0o600 }],
      ['ann', 'readFile', '/f'],
    ],
    'EACCES',
  ],
  [
    'root reads it',
    [
      ['ann', 'writeFile', '/f', 'x', { mode: 0 }],
      ['root', 'readFile', '/f', 'utf8'],
    ],
    'x',
  ],
  [
    'a group reads it',
    [
      ['ann', 'writeFile', '/f', 'x', { mode: 0o640 }],
      ['bob', 'readFile', '/f', 'utf8'],
    ],
    'x',
  ],
  [
    'the owner has no more than the owner bits',
    [
      ['ann', 'writeFile', '/f', 'x', { mode: 0o077 }],
      ['ann', 'readFile', '/f'],
    ],
    'EACCES',
  ],
  [
    'a directory that may not be searched',
    [
      ['ann', 'mkdir', '/d', 0o600],
      ['ann', 'writeFile', '/d/f', 'x'],
    ],
    'EACCES',
  ],
  [
    'a directory that may not be listed',
    [
      ['root', 'mkdir', '/d', 0o711],
      ['ann', 'readdir', '/d'],
    ],
    'EACCES',
  ],
  [
    "'.' in a directory that may not be searched",
    [
      ['root', 'mkdir', '/d', 0o744],
      ['ann', 'stat', '/d/.'],
    ],
    'EACCES',
  ],
  [
    'what is named by way of a file is no directory, whatever the other name is',
    [
      ['ann', 'writeFile', '/f', ''],
      ['ann', 'rename', '/f/.', '/none/d'],
    ],
    'ENOTDIR',
  ],
  [
    'an empty directory is removed without being read',
    [
      ['ann', 'mkdir', '/d', 0],
      ['ann', 'rm', '/d', { recursive: true }],
    ],
    undefined,
  ],
  [
    'only the owner changes a mode',
    [
      ['ann', 'writeFile', '/f', ''],
      ['bob', 'chmod', '/f', 0o777],
    ],
    'EPERM',
  ],
  [
    'only the owner sets times',
    [
      ['ann', 'writeFile', '/f', '', { mode: 0o666 }],
      ['bob', 'utimes', '/f', 1, 1],
    ],
    'EPERM',
  ],
  [
    'only root gives files away',
    [
      ['ann', 'writeFile', '/f', ''],
      ['ann', 'chown', '/f', 1002, -1],
    ],
    'EPERM',
  ],
  [
    'an owner gives a file to another own group',
    [
      ['bob', 'writeFile', '/f', ''],
      ['bob', 'chown', '/f', -1, 1001],
    ],
    undefined,
  ],
  [
    'sticky: others remove nothing',
    [
      ['root', 'mkdir', '/t', 0o1777],
      ['ann', 'writeFile', '/t/f', ''],
      ['bob', 'unlink', '/t/f'],
    ],
    'EPERM',
  ],
  [
    'sticky: others replace nothing',
    [
      ['root', 'mkdir', '/t', 0o1777],
      ['ann', 'writeFile', '/t/f', ''],
      ['bob', 'writeFile', '/t/g', ''],
      ['bob', 'rename', '/t/g', '/t/f'],
    ],
    'EPERM',
  ],
  [
    'nothing is created in a directory of others',
    [
      ['root', 'mkdir', '/d', 0o755],
      ['ann', 'symlink', 'x', '/d/l'],
    ],
    'EACCES',
  ],
  [
    'a dot at the end does not get into a directory that may not be searched',
    [
      ['root', 'mkdir', '/d', 0o700],
      ['ann', 'symlink', 'x', '/d/.'],
    ],
    'EACCES',
  ],
  [
    'a listing of all levels does not go where it may not',
    [
      ['root', 'mkdir', '/d', 0o755],
      ['root', 'mkdir', '/d/e', 0o744],
      ['root', 'mkdir', '/d/e/f', 0o755],
      ['ann', 'readdir', '/d', { recursive: true }],
    ],
    ['e', 'e/f'],
  ],
  [
    'a listing of all levels with types says where it may not go',
    [
      ['root', 'mkdir', '/d', 0o755],
      ['root', 'mkdir', '/d/e', 0o711],
      ['ann', 'readdir', '/d', { recursive: true, withFileTypes: true }],
    ],
    'EACCES',
  ],
  [
    'a second name for a directory: first the rights to make a name',
    [
      ['root', 'mkdir', '/d', 0o755],
      ['root', 'mkdir', '/own', 0o755],
      ['root', 'chown', '/own', 1001, -1],
      ['ann', 'link', '/own/', '/d/n'],
    ],
    'EACCES',
  ],
  [
    'a second name for a directory of others',
    [
      ['root', 'mkdir', '/d', 0o755],
      ['ann', 'link', '/d/', '/d/n'],
    ],
    'EPERM',
  ],
  [
    'a second name for the directory behind a link',
    [
      ['root', 'mkdir', '/d'],
      ['root', 'symlink', 'd', '/l'],
      ['root', 'link', '/l/', '/n'],
    ],
    'EPERM',
  ],
  [
    'slashes behind a dot at the end',
    [
      ['root', 'mkdir', '/d', 0o700],
      ['ann', 'chown', '/d/.//', -1, 1002],
    ],
    'EACCES',
  ],
  [
    'a rename looks up the first directory before it measures the second path',
    [
      ['root', 'mkdir', '/d', 0o700],
      ['ann', 'rename', '/d/e/f', `/${'x/'.repeat(2100)}`],
    ],
    'EACCES',
  ],
  [
    'a file that is to be made as a directory is refused before any name is looked up',
    [
      ['root', 'mkdir', '/d', 0o700],
      ['ann', 'open', `/d/${'x'.repeat(300)}`, nodeFs.constants.O_CREAT | nodeFs.constants.O_DIRECTORY],
    ],
    'EINVAL',
  ],
  [
    'cp reads no file that may not be read',
    [
      ['root', 'writeFile', '/f', 'x', { mode: 0o600 }],
      ['ann', 'cp', '/f', '/g'],
    ],
    'EACCES',
  ],
  [
    'cp replaces no file in a directory of others',
    [
      ['root', 'mkdir', '/d', 0o755],
      ['root', 'writeFile', '/d/f', 'x', { mode: 0o666 }],
      ['ann', 'writeFile', '/f', ''],
      ['ann', 'cp', '/f', '/d/f'],
    ],
    'EACCES',
  ],
  [
    'cp lists no directory that may not be listed',
    [
      ['root', 'mkdir', '/d', 0o711],
      ['ann', 'cp', '/d', '/e', { recursive: true }],
    ],
    'EACCES',
  ],
  [
    'cp leaves the mode of a directory that may not be written until everything is in it',
    [
      ['ann', 'mkdir', '/d', 0o777],
      ['ann', 'writeFile', '/d/f', 'x'],
      ['ann', 'chmod', '/d', 0o555],
      ['ann', 'cp', '/d', '/e', { recursive: true }],
      ['ann', 'stat', '/e'],
    ],
    expect.objectContaining({ mode: 0o040555, uid: ann.uid }),
  ],
  [
    'an empty copy keeps the bits that run it as its owner',
    [
      ['root', 'writeFile', '/f', '', { mode: 0o4755 }],
      ['ann', 'copyFile', '/f', '/g'],
      ['ann', 'stat', '/g'],
    ],
    expect.objectContaining({ mode: 0o104755 }),
  ],
  [
    'a refused rm -r removes nothing',
    [
      ['ann', 'mkdir', '/d', 0o777],
      ['ann', 'writeFile', '/d/f', ''],
      ['ann', 'mkdir', '/d/e', 0o755],
      ['ann', 'writeFile', '/d/e/f', ''],
      ['bob', 'rm', '/d', { recursive: true }],
      ['bob', 'readFile', '/d/f', 'utf8'],
    ],
    '',
  ],
]

test.each(rows)('%s', (_rule, calls, expected) => {
  const vfs = memory()
  facade(vfs, root)['chmodSync']?.('/', 0o777)
  const results = calls.map(([user, ...call]) => outcome(facade(vfs, users[user]), call))
  expect(results.at(-1)).toEqual(expected)
})

test.each([
  ['ann', 'appendFile', 'x', 0o666],
  ['ann', 'truncate', 0, 0o666],
  ['ann', 'appendFile', '', 0o2666],
  ['root', 'appendFile', 'x', 0o2666],
] as const)('%s calls %s(%j) on a file of a group that runs with its rights: mode %i', (user, name, value, mode) => {
  const vfs = memory()
  const fs = facade(vfs, root)
  outcome(fs, ['writeFile', '/f', 'text'])
  outcome(fs, ['chmod', '/f', 0o2666])
  outcome(facade(vfs, users[user]), [name, '/f', value])
  expect(outcome(fs, ['stat', '/f'])).toMatchObject({ mode: 0o100000 | mode })
})

test('a new file keeps the bits that it is created with, an emptied one loses them', () => {
  const vfs = memory()
  facade(vfs, root)['chmodSync']?.('/', 0o777)
  const fs = facade(vfs, ann) as unknown as typeof nodeFs
  const modeAfterOpen = (): number => {
    fs.closeSync(fs.openSync('/f', 'w', 0o4755))
    return fs.statSync('/f').mode & 0o7777
  }
  expect([modeAfterOpen(), modeAfterOpen()]).toEqual([0o4755, 0o755])
})

test('cp creates missing directories with the umask of the process', () => {
  const fs = toNodeFs(memory(), { umask: 0 }) as unknown as typeof nodeFs
  fs.writeFileSync('/f', 'x')
  fs.cpSync('/f', '/new/f')
  expect(fs.statSync('/new').mode & 0o777).toBe(0o777)
})

test('the owner of an open file without a name is checked too', () => {
  const vfs = memory()
  facade(vfs, root)['chmodSync']?.('/', 0o777)
  const fs = facade(vfs, ann) as unknown as typeof nodeFs
  const fd = fs.openSync('/f', 'w')
  fs.unlinkSync('/f')
  expect(() => fs.fchownSync(fd, -1, 4711)).toThrow(/^EPERM/)
  expect(() => fs.fchownSync(fd, 0, -1)).toThrow(/^EPERM/)
  expect(fs.fstatSync(fd).uid).toBe(ann.uid)
})

test('a descriptor keeps its file, whatever another user does to the name', () => {
  const vfs = memory()
  const other = facade(vfs, root) as unknown as typeof nodeFs
  other.chmodSync('/', 0o777)
  const fs = facade(vfs, ann) as unknown as typeof nodeFs
  fs.writeFileSync('/f', 'old')
  fs.writeFileSync('/g', 'kept')
  const [moved, removed] = [fs.openSync('/f', 'r+'), fs.openSync('/g', 'r+')]
  other.renameSync('/f', '/h')
  other.unlinkSync('/g')
  other.writeFileSync('/f', 'new')
  other.writeFileSync('/g', 'new')
  for (const fd of [moved, removed]) fs.fchmodSync(fd, 0o600)
  fs.writeSync(moved, 'OLD')
  expect(['/f', '/g', '/h'].map(path => [other.readFileSync(path, 'utf8'), other.statSync(path).mode & 0o777])).toEqual([
    ['new', 0o666],
    ['new', 0o666],
    ['OLD', 0o600],
  ])
  expect(fs.readFileSync(removed, 'utf8')).toBe('kept')
  for (const fd of [moved, removed]) fs.closeSync(fd)
})

test('without a user nothing is enforced, and nobody owns new files', () => {
  const fs = toNodeFs(memory())
  fs.writeFileSync?.('/f.txt', 'x')
  fs.chmodSync?.('/f.txt', 0)
  expect(fs.readFileSync?.('/f.txt', 'utf8')).toBe('x')
  expect(fs.statSync?.('/f.txt').uid).toBe(0)
})

function outcome(fs: SyncFs, [name, ...args]: Call): unknown {
  try {
    return fs[`${name}Sync`]?.(...args)
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
}

/** Runs `act` as `user` on the machine. */
function asUser<T>({ uid, gid, groups }: User, act: () => T): T {
  process.setgroups?.([...groups])
  process.setegid?.(gid)
  process.seteuid?.(uid)
  try {
    return act()
  } finally {
    process.seteuid?.(0)
    process.setegid?.(0)
    process.setgroups?.([])
  }
}

const names = ['a', 'b', 'd', 'd/x', 'd/y', 'e', 'e/z', 'e/l', 'l', 'e/z/q', 'd/x/w']
const modes = [0o777, 0o755, 0o700, 0o644, 0o600, 0, 0o1777, 0o2775, 0o4755, 0o6777, 0o2745, 0o666, 0o111, 0o444, 0o311]
const ids = [-1, 0, 1001, 1002]

function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[random.below(items.length)]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}

function randomCall(random: Random, top: string): Call {
  const path = (): string => top + pick(random, names)
  const mode = (): number => pick(random, modes)
  const ending = (): string => pick(random, ['', '/', '/.'])
  return pick<() => Call>(random, [
    () => ['mkdir', top + pick(random, ['d', 'e', 'd/x', 'e/z']), mode()],
    () => ['mkdir', top + pick(random, ['d', 'e', 'd/x', 'e/z']), mode()],
    () => ['writeFile', path(), 'hello', { mode: mode() }],
    () => ['writeFile', path(), 'x', { mode: mode(), flag: pick(random, ['w', 'wx', 'a', 'r+']) }],
    () => ['readFile', path(), 'utf8'],
    () => ['chmod', path(), mode()],
    () => ['chown', path(), pick(random, ids), pick(random, ids)],
    () => ['lchown', path(), pick(random, ids), pick(random, ids)],
    () => ['unlink', path()],
    () => ['rmdir', path()],
    () => ['rename', path(), path()],
    () => ['link', path(), path()],
    () => ['symlink', pick(random, ['a', 'e/../d', 'e', 'none', `${top}d`, 'l']), path()],
    () => ['readlink', path()],
    () => ['truncate', path(), 3],
    () => ['utimes', path(), 1, 2],
    () => ['lutimes', path(), 1, 2],
    () => ['readdir', path()],
    () => ['stat', path()],
    () => ['realpath', path()],
    () => ['mkdir', path() + ending(), { recursive: true, mode: mode() }],
    () => ['mkdir', top + pick(random, ['d/x/w/v', 'd/../b', 'e/z/q/r', 'l/u/v']), { recursive: true, mode: mode() }],
    () => ['unlink', path() + ending()],
    () => ['rmdir', path() + ending()],
    () => ['copyFile', top + pick(random, ['a', 'b', 'd/y', 'l']), path(), random.below(2)],
  ])()
}

function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(String).toSorted((a, b) => (a < b ? -1 : 1))
  if (typeof value !== 'object' || value === null) return value
  const { mode, uid, gid, size, nlink } = value as nodeFs.Stats
  return (mode & 0o170000) === 0o100000 ? [mode, uid, gid, size, nlink] : [mode, uid, gid, nlink]
}

const isRoot = process.platform === 'linux' && process.getuid?.() === 0
if (!isRoot) console.warn('permissions are not compared with Linux: only root can call as other users')

test.runIf(isRoot).each(Array.from({ length: seeds({ quick: 3, deep: 120 }) }, (_, index) => index + 1))(
  '60 calls by three users, seed %i (needs root)',
  seed => {
    const random = createRandom(seed)
    const umask = process.umask(0)
    const top = `${nodeFs.mkdtempSync(join(tmpdir(), 'permissions-'))}/`
    try {
      nodeFs.chmodSync(top, 0o777)
      const vfs = memory()
      const fs = facade(vfs, root)
      fs['mkdirSync']?.(top, { recursive: true })
      fs['chmodSync']?.(top, 0o777)
      const done: string[] = []
      for (let count = 0; count < 60; count++) {
        const user = pick(random, Object.values(users))
        const call = randomCall(random, top)
        done.push(`${user.uid} ${JSON.stringify(call).replaceAll(top, '')}`)
        if (call[0] === 'copyFile' && losesTarget(fs as unknown as typeof nodeFs, call[1])) continue
        const node = asUser(user, () => comparable(outcome(nodeFs as unknown as SyncFs, call)))
        const ours = comparable(outcome(facade(vfs, user), call))
        expect(ours, `seed ${seed}\n${done.slice(-12).join('\n')}`).toEqual(node)
      }
    } finally {
      nodeFs.rmSync(top, { recursive: true, force: true })
      process.umask(umask)
    }
  },
)

test('a rename changes the status of what is renamed, under all of its names', async () => {
  let nowMs = 1000
  const store = createTreeStore(() => nowMs)
  const fs = toNodeFs(createVfs(treeBackend(() => store)), root) as unknown as typeof nodeFs
  fs.mkdirSync('/d')
  fs.writeFileSync('/f', 'x')
  fs.linkSync('/f', '/other')
  fs.symlinkSync('f', '/l')
  nowMs = 5000
  for (const name of ['d', 'f', 'l']) fs.renameSync(`/${name}`, `/${name}2`)
  expect(['d2', 'f2', 'l2', 'other'].map(name => fs.lstatSync(`/${name}`).ctimeMs)).toEqual([5000, 5000, 5000, 5000])
  expect(['d2', 'f2', 'l2', 'other'].every(name => fs.lstatSync(`/${name}`).mtimeMs < 2000)).toBe(true)
})

test('a path that is too long is refused before anything is looked for', () => {
  const fs = toNodeFs(memory(), root) as unknown as typeof nodeFs
  expect(() => fs.renameSync(`/${'x/'.repeat(2100)}`, '/a')).toThrow(/^ENAMETOOLONG/)
})
