// Random changes of an overlay over files from a server that is slow, fails, sends wrong bytes or is gone, beside the same changes of a
// copy in memory. A change that fails with EIO has changed nothing, and everything else is as in the copy. A failure names its seed.

import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { seeds } from '../../testing/depth.ts'
import { createRandom, type Random } from '../../testing/random.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import { isVfsError } from '../../vfs/error.ts'
import { overlay } from '../../vfs/overlay.ts'
import { isRecord } from '../../core/record.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { memory } from '../memory/index.ts'
import { http, type HttpFetch, type HttpManifest } from './index.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const stallMs = 1_000
const files: Readonly<Record<string, string>> = Object.fromEntries(
  ['a', 'b', 'd/a', 'd/b', 'd/e/a', 'd/e/b', 'empty'].map(name => [
    name,
    name === 'empty' ? '' : `${name}\n`.repeat(name === 'b' ? 30_000 : 3),
  ]),
)
const links: Readonly<Record<string, string>> = { l: 'a', 'd/l': '../d/e', gone: 'none' }
const manifest: HttpManifest = {
  version: 1,
  files: {
    ...Object.fromEntries(
      Object.entries(files).map(([name, text]) => [
        name,
        { sizeBytes: text.length, sha256: createHash('sha256').update(text).digest('hex'), mode: 0o640, mtimeMs: 5_000 },
      ]),
    ),
    ...Object.fromEntries(Object.entries(links).map(([name, symlink]) => [name, { symlink }])),
    'bare/': null,
  },
}

const later = <T>(waitMs: number, value: () => T): Promise<T> =>
  new Promise(resolve => {
    setTimeout(() => resolve(value()), waitMs)
  })

/** A server whose next answers are chosen at random. `faults` counts the answers that are not right. */
class Server {
  readonly #random: Random
  isGone = false
  isWell = false
  faults = 0

  constructor(random: Random) {
    this.#random = random
  }

  readonly fetch: HttpFetch = async (url, { signal }) => {
    const text = files[new URL(url).pathname.slice(1)] ?? ''
    if (this.isWell) return new Response(text)
    const way = this.isGone
      ? 'offline'
      : this.#random.pick(['right', 'right', 'slow', 'failing', 'missing', 'wrong', 'cut', 'silent', 'offline'] as const)
    if (way !== 'right' && way !== 'slow') this.faults++
    switch (way) {
      case 'right':
        return new Response(text)
      case 'slow':
        return await later(stallMs / 2, () => new Response(text))
      case 'failing':
        return new Response('busy', { status: 503 })
      case 'missing':
        return new Response('none', { status: 404 })
      case 'wrong':
        return new Response(text.replaceAll('a', 'x'))
      case 'cut':
        return new Response(text.slice(0, -1))
      case 'silent':
        return await new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')))
        })
      case 'offline':
        throw new TypeError('fetch failed')
    }
  }
}

interface Step {
  readonly text: string
  readonly act: (fs: Vfs) => Promise<unknown>
}

const places = [
  ...Object.keys(files),
  ...Object.keys(links),
  'bare',
  'd',
  'd/e',
  'd/l/a',
  'new',
  'd/new',
  'bare/x',
  'bare/x/y',
].map(name => `/${name}`)

function stepOf(random: Random): Step {
  const at = random.pick(places)
  const to = random.pick(places)
  const text = random.pick(['', 'new\n', 'x'.repeat(70_000)])
  const bytes = random.below(20)
  const shown = `${text.slice(0, 3)}(${text.length})`
  return random.pick<Step>([
    { text: `read ${at}`, act: fs => fs.readText(at) },
    { text: `read ${at} in part`, act: fs => fs.readFile(at, { start: bytes, end: bytes + 9 }) },
    { text: `list ${at}`, act: fs => fs.readdir(at) },
    {
      text: `stat ${at}`,
      act: async fs => {
        const { kind, sizeBytes, mode } = await fs.stat(at)
        return [kind, sizeBytes, mode]
      },
    },
    { text: `write ${at} ${shown}`, act: fs => fs.writeFile(at, text) },
    { text: `append ${at} ${shown}`, act: fs => fs.writeFile(at, text, { append: true }) },
    { text: `edit ${at}`, act: async fs => fs.writeFile(at, `${await fs.readText(at)}!`) },
    { text: `mkdir ${at}`, act: fs => fs.mkdir(at) },
    { text: `remove ${at}`, act: fs => fs.rm(at) },
    { text: `remove all of ${at}`, act: fs => fs.rm(at, { recursive: true }) },
    { text: `rename ${at} ${to}`, act: fs => fs.rename(at, to) },
    { text: `rename ${at} ${to}`, act: fs => fs.rename(at, to) },
    { text: `copy ${at} ${to}`, act: fs => fs.copy(at, to) },
    { text: `link ${at} ${to}`, act: fs => fs.link(at, to) },
    { text: `symlink ${at} ${to}`, act: fs => fs.symlink(at, to) },
    { text: `chmod ${at} ${bytes}`, act: fs => fs.chmod(at, 0o600 + bytes) },
  ])
}

/** Everything but times, revisions and inode numbers. */
async function whole(fs: Vfs): Promise<string> {
  const lines: string[] = []
  for await (const { path, kind } of fs.walk('/')) {
    const { mode, sizeBytes, nlink } = await fs.lstat(path)
    const content = kind === 'file' ? await fs.readText(path) : kind === 'symlink' ? await fs.readlink(path) : ''
    lines.push([path, kind, mode, kind === 'directory' ? '' : sizeBytes, nlink, content].join(' '))
  }
  return lines.sort().join('\n')
}

async function answerOf({ act }: Step, fs: Vfs): Promise<unknown> {
  try {
    const value = await act(fs)
    return { is: isRecord(value) && 'ino' in value ? 'done' : value }
  } catch (error) {
    if (!isVfsError(error)) throw error
    return { fails: error.code }
  }
}

/** The time passes until `work` has ended. */
async function passing<T>(work: Promise<T>): Promise<T> {
  let isOver = false
  const watched = work.finally(() => {
    isOver = true
  })
  watched.catch(() => {})
  while (!isOver) {
    await vi.advanceTimersByTimeAsync(stallMs / 4)
    await new Promise(resolve => {
      setImmediate(resolve)
    })
  }
  return await watched
}

async function copyInMemory(): Promise<Vfs> {
  const fs = createVfs(memory())
  for (const [name, text] of Object.entries(files)) {
    await fs.mkdir(`/${name}`.replace(/\/[^/]*$/, '/'), { recursive: true })
    await fs.writeFile(`/${name}`, text, { mode: 0o640 })
  }
  for (const [name, target] of Object.entries(links)) await fs.symlink(target, `/${name}`)
  await fs.mkdir('/bare')
  return fs
}

const stepsEach = 25

test.each(Array.from({ length: seeds({ quick: 4, deep: 100 }) }, (_, index) => index + 1))('changes of seed %i', async seed => {
  const random = createRandom(seed)
  const server = new Server(random)
  const over = overlay(http({ manifest, base: 'http://files.example/', fetch: server.fetch, stallMs }))
  const fs = createVfs(over)
  let model = await copyInMemory()
  const played: string[] = []
  for (let count = 0; count < stepsEach; count++) {
    if (random.chance(0.1)) server.isGone = !server.isGone
    if (random.chance(0.03)) {
      played.push('drop')
      await passing(over.drop())
      model = await copyInMemory()
    }
    const step = stepOf(random)
    const { faults } = server
    const found = await passing(answerOf(step, fs))
    const isExcused = server.faults > faults && JSON.stringify(found) === '{"fails":"EIO"}'
    played.push(isExcused ? `${step.text}: EIO` : step.text)
    if (!isExcused) expect(found, `seed ${seed}: ${played.join(', ')}`).toEqual(await answerOf(step, model))
  }
  server.isWell = true
  expect(await passing(whole(fs)), `seed ${seed}: ${played.join(', ')}`).toBe(await whole(model))
})
