// The driver's answer for each kind of file, and how it ends, on a synchronous and on an asynchronous filesystem.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { memory } from '../backends/memory/index.ts'
import { parsePath, type VfsPath } from '../core/path.ts'
import { type LineMatch, searchSteps } from '../search/matcher.ts'
import { seeds } from '../testing/depth.ts'
import { forSeeds } from '../testing/random.ts'
import { createVfs } from '../vfs/create-vfs.ts'
import type { Dirent } from '../vfs/backend.ts'
import { VfsError } from '../vfs/error.ts'
import type { Vfs } from '../vfs/vfs.ts'
import { type FileSource, openFileSource } from './file-source.ts'
import { newestFirst } from './newest-first.ts'
import { type FileAnswer, type SearchDriverOptions, searchFiles } from './search-driver.ts'
import { SearchIndex } from './search-index.ts'
import { compiled } from '../testing/compiled.ts'

interface Named {
  readonly path: VfsPath
}
type Options = SearchDriverOptions<Named, LineMatch[]>

const files = {
  '/match': 'a needle\nhay\nneedles\n',
  '/none': 'hay\n',
  '/binary': new Uint8Array([110, 0, 110]),
  '/large': 'needle'.repeat(100),
  '/empty': '',
}

const withoutSync = (source: FileSource): FileSource => ({
  seq: source.seq,
  lstat: path => source.lstat(path),
  readFile: path => source.readFile(path),
  readdir: path => source.readdir(path),
  dispose: () => source.dispose(),
})

async function search(
  change: (options: Options) => Partial<Options> = () => ({}),
  { isSync = true, isIndexed = false }: { readonly isSync?: boolean; readonly isIndexed?: boolean } = {},
): Promise<{ readonly answers: readonly (readonly [path: string, answer: string])[]; readonly inspected: readonly string[] }> {
  const vfs: Vfs = createVfs(memory({ ...files, '/link': 'x' }))
  await vfs.rm('/link')
  await vfs.symlink('match', '/link')
  const lifetime = new AbortController()
  const index = await SearchIndex.open(vfs, 300, { signal: lifetime.signal })
  const paths = ['/match', '/none', '/binary', '/large', '/empty', '/link', '/missing'].map(path => parsePath(path))
  if (isIndexed) index.offer(paths)
  await index.settled()
  const source = await openFileSource(vfs)
  const answers: [string, string][] = []
  const inspected: string[] = []
  const pattern = compiled('needle')
  const options: Options = {
    source: isSync ? source : withoutSync(source),
    index,
    pattern,
    files: paths.map(path => ({ path })),
    maxFileBytes: 300,
    isTimeOver: () => false,
    signal: new AbortController().signal,
    inspect({ path }, bytes, regions) {
      inspected.push(path)
      const found: LineMatch[] = []
      return { found, steps: searchSteps(bytes, pattern, match => found.push(match) > 0, { regions }) }
    },
    onFile({ path }, answer) {
      answers.push([path, shown(answer)])
      return true
    },
  }
  try {
    await searchFiles({ ...options, ...change(options) })
  } finally {
    await source.dispose()
    lifetime.abort()
  }
  return { answers, inspected }
}

function entryOf(source: FileSource, name: string): Dirent {
  const found = source.sync?.list(parsePath('/')).find(entry => entry.name === name)
  if (found === undefined) throw new Error(`there is no /${name}`)
  return found
}

function shown(answer: FileAnswer<LineMatch[]>): string {
  switch (answer.kind) {
    case 'searched':
      return `lines ${answer.found.map(({ lineNumber }) => lineNumber).join()}${answer.isTimedOut ? ', timed out' : ''}`
    case 'oversized':
      return `oversized ${answer.sizeBytes}`
    default:
      return answer.kind
  }
}

describe('every file gets one answer, in order', () => {
  const all = [
    ['/match', 'lines 1,3'],
    ['/none', 'lines '],
    ['/binary', 'binary'],
    ['/large', 'oversized 600'],
    ['/empty', 'lines '],
    ['/link', 'none'],
    ['/missing', 'none'],
  ]
  // A search that pauses looks at the next file alone.
  beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(performance.now()))
  afterEach(() => vi.restoreAllMocks())

  test.each([{ isSync: true }, { isSync: false }])('without an index: %o', async ways => {
    expect((await search(undefined, ways)).answers).toEqual(all)
  })

  test.each([{ isSync: true }, { isSync: false }])('the index rules out what cannot match: %o', async ways => {
    const { answers, inspected } = await search(undefined, { ...ways, isIndexed: true })
    const ruledOut = new Set(['/none', '/empty'])
    expect(answers).toEqual(all.map(([path = '', answer]) => [path, ruledOut.has(path) ? 'none' : answer]))
    expect(inspected).toEqual(['/match'])
  })

  test('without an index, files without the text are ruled out together if that is asked for', async () => {
    const { answers, inspected } = await search(() => ({ rulesOutFiles: true }))
    const ruledOut = new Set(['/none', '/empty', '/binary'])
    expect(answers).toEqual(all.map(([path = '', answer]) => [path, ruledOut.has(path) ? 'none' : answer]))
    expect(inspected).toEqual(['/match'])
  })

  test('an index that can rule out nothing leaves it to the files', async () => {
    const digits = compiled('[A-Z]{3,}_[0-9]+x')
    const { inspected } = await search(() => ({ pattern: digits }), { isIndexed: true })
    expect(inspected).toEqual(['/match', '/none', '/binary', '/empty'])
    const swept = await search(() => ({ pattern: digits, rulesOutFiles: true }), { isIndexed: true })
    expect(swept.inspected).toEqual([])
    expect(swept.answers.map(([path]) => path)).toEqual(all.map(([path]) => path))
  })

  test('listed entries are searched where the index has places', async () => {
    const regions: unknown[] = []
    const { answers } = await search(
      options => ({
        files: options.files.slice(0, 3),
        dirents: ['match', 'none', 'binary'].map(name => entryOf(options.source, name)),
        inspect(file, bytes, places) {
          regions.push(places)
          return options.inspect(file, bytes, places)
        },
      }),
      { isIndexed: true },
    )
    expect(answers).toEqual([
      ['/match', 'lines 1,3'],
      ['/none', 'none'],
      ['/binary', 'binary'],
    ])
    expect(regions).toEqual([[{ start: 0, end: 21, lineNumber: 1 }]])
  })

  test('without a pattern, the index rules out nothing', async () => {
    const { inspected } = await search(() => ({ pattern: undefined }), { isIndexed: true })
    expect(inspected).toEqual(['/match', '/none', '/binary', '/empty'])
  })
})

test('a file that the filesystem refuses to read costs no other', async () => {
  const { answers } = await search(
    ({ source }) => ({
      source: {
        ...withoutSync(source),
        readFile: path => (path === '/match' ? Promise.reject(new VfsError('ENOTSUP', 'open', { path })) : source.readFile(path)),
      },
    }),
    { isSync: false },
  )
  expect(answers.slice(0, 2)).toEqual([
    ['/match', 'unreadable'],
    ['/none', 'lines '],
  ])
})

test('ends when `onFile` has enough', async () => {
  let count = 0
  const { inspected } = await search(() => ({ onFile: () => ++count < 2 }))
  expect([count, inspected]).toEqual([2, ['/match', '/none']])
})

test('the time may be over before a file or within it', async () => {
  let asked = 0
  const { answers } = await search(() => ({
    isTimeOver: () => ++asked > 1,
    inspect: () => ({
      found: [{ lineNumber: 1, start: 0, end: 1 }],
      steps: (function* () {
        yield undefined
        throw new Error('unreachable: it went on after its time')
      })(),
    }),
  }))
  expect(answers.slice(0, 2)).toEqual([
    ['/match', 'lines 1, timed out'],
    ['/none', 'timed-out'],
  ])
})

test('hears an abort between two files', async () => {
  const controller = new AbortController()
  controller.abort(new Error('enough'))
  await expect(search(() => ({ signal: controller.signal }))).rejects.toThrow('enough')
})

describe('newest first', () => {
  test.each([true, false])('equal times keep their order, and what is gone comes last (synchronous: %s)', async isSync => {
    const vfs = createVfs(memory({ '/a': '', '/b': '', '/c': '', '/d': '' }))
    for (const [path, mtimeMs] of [
      ['/a', 1],
      ['/b', 3],
      ['/c', 3],
      ['/d', 2],
    ] as const)
      await vfs.utimes(path, mtimeMs)
    const source = await openFileSource(vfs)
    const paths = ['/gone', '/a', '/b', '/c', '/d'].map(path => ({ path: parsePath(path) }))
    const sorted = await newestFirst(paths, isSync ? source : withoutSync(source), new AbortController().signal)
    await source.dispose()
    expect(sorted.map(({ path }) => path)).toEqual(['/b', '/c', '/d', '/a', '/gone'])
  })

  test('hears an abort', async () => {
    const vfs = createVfs(memory({ '/a': '' }))
    const source = await openFileSource(vfs)
    await expect(newestFirst([{ path: parsePath('/a') }], source, AbortSignal.abort(new Error('enough')))).rejects.toThrow(
      'enough',
    )
    await source.dispose()
  })
})

test('what an index leaves is swept without losing a line, whatever was indexed', async () => {
  let swept = 0
  await forSeeds(seeds({ quick: 10, deep: 300 }), async random => {
    const word = (): string =>
      random.chance(0.1) ? random.pick(['needle', 'need', 'xneedlex', 'hay', '\u00e9']) : String(random.below(1e6))
    const content = (): Uint8Array => {
      const lines = Array.from({ length: random.below(random.chance(0.1) ? 1000 : 30) }, () =>
        Array.from({ length: random.chance(0.003) ? 20_000 : random.below(6) }, word).join(' '),
      )
      const text = (random.chance(0.1) ? '\0' : '') + lines.join(random.pick(['\n', '\n', '\r\n', '\r']))
      return new TextEncoder().encode(text)
    }
    const tree = Object.fromEntries(Array.from({ length: 60 }, (_, number) => [`/f${number}`, content()]))
    const vfs = createVfs(memory(tree))
    const lifetime = new AbortController()
    const index = await SearchIndex.open(vfs, 100_000_000, { signal: lifetime.signal })
    const paths = Object.keys(tree).map(path => parsePath(path))
    index.offer(paths.filter(() => random.chance(0.9)))
    await index.settled()
    const source = await openFileSource(vfs)
    const pattern = compiled(random.pick(['needle', '(?i)NEEDLE', 'needle \\w+', 'needle|xhay', 'hay needle']))
    const found = async (usesIndex: boolean): Promise<readonly string[]> => {
      const lines: string[] = []
      await searchFiles<Named, LineMatch[]>({
        source,
        index: usesIndex ? index : await SearchIndex.open(vfs, 0, { signal: lifetime.signal }),
        pattern,
        files: paths.map(path => ({ path })),
        maxFileBytes: 100_000_000,
        rulesOutFiles: usesIndex,
        isTimeOver: () => false,
        signal: lifetime.signal,
        inspect(_file, bytes, regions) {
          const matches: LineMatch[] = []
          return { found: matches, steps: searchSteps(bytes, pattern, match => matches.push(match) > 0, { regions }) }
        },
        onFile({ path }, answer) {
          if (answer.kind === 'none') swept++
          if (answer.kind === 'searched') lines.push(...answer.found.map(({ lineNumber }) => `${path}:${lineNumber}`))
          return true
        },
      })
      return lines
    }
    const expected = await found(false)
    expect(await found(true), pattern.source).toEqual(expected)
    // What was not indexed, and was swept, is offered to the index.
    await index.settled()
    expect(paths.filter(path => index.blocks.query(pattern).candidate(path).kind === 'unknown' && !isKnown(index, path))).toEqual(
      [],
    )
    await source.dispose()
    lifetime.abort()
  })
  expect(swept).toBeGreaterThan(100)
})

const isKnown = (index: SearchIndex, path: VfsPath): boolean => index.blocks.unknownIn([{ path }]).length === 0
