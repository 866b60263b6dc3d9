// `cp` and `cpSync` of everything onto, into and through everything, with every combination of options: as Node. A failure names its case.
import nodeFs, { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { seeds } from '../../../testing/depth.ts'
import { forSeeds, type Random } from '../../../testing/random.ts'
import { createVfs } from '../../create-vfs.ts'
import { toNodeFs } from './index.ts'
import { emptyTree } from '../../../testing/empty-tree.ts'

type Fs = typeof nodeFs

const base = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

const kinds: Readonly<Record<string, (fs: Fs, path: string) => void>> = {
  nothing() {},
  file: (fs, path) => fs.writeFileSync(path, `file ${base(path)}`),
  directory(fs, path) {
    fs.mkdirSync(path)
    fs.writeFileSync(`${path}/x`, `in ${base(path)}`)
  },
  'a link to a file'(fs, path) {
    fs.writeFileSync(`${path}_file`, 'target')
    fs.symlinkSync(`${base(path)}_file`, path)
  },
  'a link to a directory'(fs, path) {
    fs.mkdirSync(`${path}_directory`)
    fs.symlinkSync(`${base(path)}_directory`, path)
  },
  'a link to nothing': (fs, path) => fs.symlinkSync(`nothing_${base(path)}`, path),
  'a link to the shared directory': (fs, path) => linkToShared(fs, path, 'shared'),
  'a link into the shared directory': (fs, path) => linkToShared(fs, path, 'shared/file'),
  'a link to the same nothing': (fs, path) => linkToShared(fs, path, 'shared/nothing'),
  'a link to itself': (fs, path) => fs.symlinkSync(base(path), path),
}

function linkToShared(fs: Fs, path: string, target: string): void {
  const shared = `${dirname(path)}/shared`
  fs.mkdirSync(shared, { recursive: true })
  fs.writeFileSync(`${shared}/file`, '')
  fs.symlinkSync(target, path)
}

const options = ['force', 'errorOnExist', 'dereference', 'recursive', 'verbatimSymlinks'] as const
const targets = ['', '/x', '/new/x'] as const

interface Case {
  readonly source: string
  readonly target: string
  readonly below: (typeof targets)[number]
  readonly given: Readonly<Record<string, boolean>>
  readonly isSynchronous: boolean
}

function randomCase(random: Random): Case {
  const given = Object.fromEntries(options.map(name => [name, random.chance(0.5)]))
  if (given['dereference'] === true) given['verbatimSymlinks'] = false
  return {
    source: random.pick(Object.keys(kinds)),
    target: random.pick(Object.keys(kinds)),
    below: random.pick(targets),
    given,
    isSynchronous: random.chance(0.5),
  }
}

/** Both are looked at at the same time, and either may fail first. */
function isRace({ source, target, isSynchronous }: Case): boolean {
  return (
    !isSynchronous &&
    ['nothing', 'a link to nothing', 'a link to the same nothing', 'a link to itself'].includes(source) &&
    target !== 'nothing'
  )
}

/** Node copies a directory into itself until the path is too long, if the copy's own directory is still missing. */
function isEndless({ source, target, below, given }: Case): boolean {
  return source === target && source.startsWith('a link to the shared') && below === '/new/x' && given['dereference'] === true
}

async function outcome(fs: Fs, root: string, { source, target, below, given, isSynchronous }: Case): Promise<string> {
  const [from, to] = [`${root}/a`, `${root}/b`]
  kinds[source]?.(fs, from)
  kinds[target]?.(fs, to)
  try {
    if (isSynchronous) fs.cpSync(from, to + below, given)
    else await fs.promises.cp(from, to + below, given)
    return `done: ${shown(fs, root, root)}`
  } catch (error) {
    const { code, syscall, path } = error as NodeJS.ErrnoException
    return `${code} ${syscall} ${String(path)}: ${shown(fs, root, root)}`.replaceAll(root, '')
  }
}

function shown(fs: Fs, root: string, directory: string): string {
  const names = fs.readdirSync(directory).toSorted()
  const items = names.map(name => {
    const path = `${directory}/${name}`
    const stats = fs.lstatSync(path)
    if (stats.isSymbolicLink()) return `${name}->${fs.readlinkSync(path).replace(root, '')}`
    return stats.isDirectory() ? `${name}/(${shown(fs, root, path)})` : `${name}=${fs.readFileSync(path, 'utf8')}`
  })
  return items.join(' ')
}

test('as Node', { timeout: 600_000 }, async () => {
  await forSeeds(seeds({ quick: 200, deep: 4_000 }), async random => {
    const tried = randomCase(random)
    if (isRace(tried) || isEndless(tried)) return
    const root = mkdtempSync(join(tmpdir(), 'node-facade-'))
    try {
      const ours = toNodeFs(createVfs(emptyTree()), { umask: process.umask() }) as unknown as Fs
      ours.mkdirSync(root, { recursive: true })
      const expected = await outcome(nodeFs, root, tried)
      expect(await outcome(ours, root, tried), JSON.stringify(tried)).toBe(expected)
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  })
})
