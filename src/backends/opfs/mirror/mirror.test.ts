// The mirror over fake browser directories: it follows changes, continues after a crash at any moment, and is never ahead of the log.
import { describe, expect, test } from 'vitest'
import { childPath, parsePath, rootPath, type VfsPath } from '../../../core/path.ts'
import { FakeDirectory } from '../../../testing/opfs/fake-directory.ts'
import { changeSomething } from '../../../testing/opfs/log-session.ts'
import { seeds } from '../../../testing/depth.ts'
import { forSeeds } from '../../../testing/random.ts'
import type { FullSyncBackend, VfsBackend, VfsSync } from '../../../vfs/backend.ts'
import { isVfsError } from '../../../vfs/error.ts'
import { createTreeStore } from '../../../vfs/tree/store.ts'
import { treeBackend } from '../../../vfs/tree/tree-backend.ts'
import { mirrorMatcher, withMirror } from './attach.ts'
import { manifestName } from './manifest.ts'
import { Mirror, type MirrorReport } from './mirror.ts'

const path = parsePath
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

function tree(): FullSyncBackend {
  const store = createTreeStore(Date.now)
  const backend = treeBackend(() => store)
  return { ...backend, sync: store.fs }
}

function filesOf(fs: VfsSync, at: VfsPath = rootPath): Record<string, string> {
  const found: Record<string, string> = {}
  for (const { name, kind } of fs.list(at)) {
    if (kind === 'directory') Object.assign(found, filesOf(fs, childPath(at, name)))
    else if (kind === 'file') found[childPath(at, name)] = new TextDecoder().decode(fs.read(childPath(at, name)))
  }
  return found
}

function removeAll(fs: VfsSync, at: VfsPath): void {
  for (const { name, kind } of fs.list(at)) {
    const entry = childPath(at, name)
    if (kind === 'directory') removeAll(fs, entry)
    fs.remove(entry, kind === 'directory' ? 'directory' : 'file')
  }
}

function realFiles(disk: FakeDirectory): Record<string, string> {
  return Object.fromEntries(Object.entries(disk.shown()).filter(([name]) => !name.startsWith(`/${manifestName}`)))
}

async function mirrored(fs: VfsBackend, disk: FakeDirectory, globs: readonly string[] = ['**']): Promise<Mirror> {
  const options = { matches: mirrorMatcher({ globs, directory: 'x' }), onPass: () => {}, onProblem: () => {}, idleMs: 60_000 }
  return await Mirror.open(fs, disk.handle, options)
}

test('files that match, and no others; links and empty directories have none', async () => {
  const [fs, disk] = [tree(), new FakeDirectory()]
  fs.sync.write(path('/dist/deep/a.js'), bytes('a'), { parents: true })
  fs.sync.write(path('/src/a.ts'), bytes('ts'), { parents: true })
  fs.sync.write(path('/README.md'), bytes('read'))
  fs.sync.symlink('README.md', path('/link.md'))
  fs.sync.mkdir(path('/dist/empty'))
  const mirror = await mirrored(fs, disk, ['dist/**', '*.md'])
  expect(await mirror.flush()).toEqual({ writtenCount: 2, removedCount: 0, failed: [] })
  expect(realFiles(disk)).toEqual({ '/dist/deep/a.js': 'a', '/README.md': 'read' })
  expect(await mirror.flush()).toEqual({ writtenCount: 0, removedCount: 0, failed: [] })

  fs.sync.write(path('/README.md'), bytes('r'))
  fs.sync.rename(path('/dist/deep'), path('/dist/deeper'))
  expect(await mirror.flush()).toEqual({ writtenCount: 2, removedCount: 1, failed: [] })
  expect(realFiles(disk)).toEqual({ '/dist/deeper/a.js': 'a', '/README.md': 'r' })

  // A file replaces a directory, and a directory replaces a file.
  fs.sync.remove(path('/dist/deeper/a.js'), 'file')
  fs.sync.remove(path('/dist/deeper'), 'directory')
  fs.sync.write(path('/dist/deeper'), bytes('file'))
  expect((await mirror.flush()).failed).toEqual([])
  expect(realFiles(disk)).toEqual({ '/dist/deeper': 'file', '/README.md': 'r' })
  fs.sync.remove(path('/dist/deeper'), 'file')
  fs.sync.write(path('/dist/deeper/b'), bytes('b'), { parents: true })
  expect((await mirror.flush()).failed).toEqual([])
  expect(realFiles(disk)).toEqual({ '/dist/deeper/b': 'b', '/README.md': 'r' })
  await mirror.end()
})

test('a name that the browser does not take is told, and hinders nothing', async () => {
  const [fs, disk] = [tree(), new FakeDirectory()]
  fs.sync.write(path('/a\\b'), bytes('x'))
  fs.sync.write(path('/c'), bytes('y'))
  const mirror = await mirrored(fs, disk)
  expect(await mirror.flush()).toMatchObject({
    writtenCount: 1,
    failed: [{ path: '/a\\b', reason: expect.stringContaining('TypeError') }],
  })
  expect(realFiles(disk)).toEqual({ '/c': 'y' })
  await mirror.end()
})

test('the log comes first', async () => {
  const [inner, disk] = [tree(), new FakeDirectory()]
  let flushedRev = 0
  const fs: VfsBackend = {
    ...inner,
    async flush() {
      flushedRev = inner.sync.lookup(path('/a')).rev
      // Changes continue while the disk is slow.
      inner.sync.write(path('/a'), bytes(`${flushedRev + 1}`))
    },
  }
  inner.sync.write(path('/a'), bytes('first'))
  const mirror = await mirrored(fs, disk)
  for (let round = 0; round < 5; round++) {
    const before = new TextDecoder().decode(inner.sync.read(path('/a')))
    await mirror.flush()
    expect(realFiles(disk)).toEqual({ '/a': before })
  }
  await mirror.end()
})

describe('a crash', () => {
  test('at any change of the disk is made good by the next opening', async () => {
    await forSeeds(seeds({ quick: 10, deep: 150 }), async random => {
      const [fs, disk] = [tree(), new FakeDirectory()]
      for (let life = 0; life < 12; life++) {
        const left = life % 3 === 2 ? Infinity : random.below(60)
        disk.left = left
        try {
          const mirror = await mirrored(fs, disk, ['a/**', 'b', '*/c', 'é💾/**'])
          for (let round = 0; round < 4; round++) {
            for (let count = random.below(8); count > 0; count--) {
              try {
                changeSomething(fs.sync, random)
              } catch (error) {
                if (!isVfsError(error)) throw error
              }
            }
            const { failed } = await mirror.flush()
            if (left === Infinity) expect(failed).toEqual([])
          }
          if (left === Infinity) {
            const matches = mirrorMatcher({ globs: ['a/**', 'b', '*/c', 'é💾/**'], directory: 'x' })
            const expected = Object.entries(filesOf(fs.sync)).filter(([name]) => matches(name.slice(1)))
            expect(realFiles(disk)).toEqual(Object.fromEntries(expected))
            await mirror.end()
          }
        } catch (error) {
          if (left === Infinity) throw error
          expect(error).toMatchObject({ name: expect.stringMatching(/InvalidStateError|VfsError/) })
        }
        disk.revive()
        // A file that was being written when the tab ended may be deleted before the next tab looks.
        if (random.chance(0.5)) removeAll(fs.sync, rootPath)
      }
    })
  })

  test('before a directory of a new path was made leaves none of its parents', async () => {
    const [fs, disk] = [tree(), new FakeDirectory()]
    for (let left = 0; left < 30; left++) {
      fs.sync.write(path('/a/b/c'), bytes('c'), { parents: true })
      disk.left = left
      const first = await mirrored(fs, disk)
        .then(mirror => mirror.flush())
        .catch(() => undefined)
      disk.revive()
      removeAll(fs.sync, rootPath)
      const next = await mirrored(fs, disk)
      await next.flush()
      expect(realFiles(disk), `after ${left} changes of the disk; ${first === undefined ? 'ended' : 'whole'}`).toEqual({})
      await next.end()
    }
  })

  test('a file whose directory became a link to another one is removed', async () => {
    const [fs, disk] = [tree(), new FakeDirectory()]
    fs.sync.write(path('/a/b'), bytes('old'), { parents: true })
    const mirror = await mirrored(fs, disk)
    await mirror.flush()
    removeAll(fs.sync, rootPath)
    fs.sync.write(path('/c/b'), bytes('new'), { parents: true })
    fs.sync.symlink('c', path('/a'))
    expect(await mirror.flush()).toEqual({ writtenCount: 1, removedCount: 1, failed: [] })
    expect(realFiles(disk)).toEqual({ '/c/b': 'new' })
    await mirror.end()
  })

  test('a file whose directory became a circle of links is removed', async () => {
    const [fs, disk] = [tree(), new FakeDirectory()]
    fs.sync.write(path('/a/b'), bytes('b'), { parents: true })
    const mirror = await mirrored(fs, disk)
    await mirror.flush()
    removeAll(fs.sync, rootPath)
    fs.sync.symlink('a', path('/a'))
    expect(await mirror.flush()).toEqual({ writtenCount: 0, removedCount: 1, failed: [] })
    expect(realFiles(disk)).toEqual({})
    await mirror.end()
  })

  test('many changes of one file do not make the list of files grow for ever', async () => {
    const [fs, disk] = [tree(), new FakeDirectory()]
    const mirror = await mirrored(fs, disk)
    for (let round = 0; round < 2_500; round++) {
      fs.sync.write(path('/a'), bytes(String(round)))
      await mirror.flush()
    }
    await mirror.end()
    const lists = Object.entries(disk.shown()).filter(([name]) => name.startsWith(`/${manifestName}`))
    expect(lists).toHaveLength(2)
    for (const [, text] of lists) expect(text.split('\n').length).toBeLessThan(2_100)
    const again = await mirrored(fs, disk)
    expect(await again.flush()).toMatchObject({ writtenCount: 0, removedCount: 0 })
    await again.end()
  })
})

test('a store whose mirror cannot be had works without it, and says so', async () => {
  const fs = tree()
  const problems: string[] = []
  const reports: MirrorReport[] = []
  const listeners = {
    onMirror: (report: MirrorReport) => reports.push(report),
    onProblem: ({ code }: { code: string }) => problems.push(code),
  }
  const settings = { globs: ['**'], directory: 'x/y' }
  const without = await withMirror(fs, undefined, settings, listeners)
  await expect(without.flush()).rejects.toMatchObject({ code: 'ENOTSUP' })
  expect(problems).toEqual(['ENOTSUP'])
  expect(await without.backend.list(rootPath)).toEqual([])
  expect(() => mirrorMatcher({ globs: ['{'.repeat(3_000)], directory: 'x' })).toThrow('longer')

  const disk = new FakeDirectory()
  const first = await withMirror(fs, disk.handle, settings, listeners)
  await first.backend.write(path('/a'), bytes('1'))
  await first.flush()
  expect(reports).toEqual([{ writtenCount: 1, removedCount: 0, failed: [] }])
  const second = await withMirror(tree(), disk.handle, settings, listeners)
  await expect(second.flush()).rejects.toMatchObject({ code: 'EBUSY' })
  expect(problems).toEqual(['ENOTSUP', 'EBUSY'])
  await first.backend.close()
  await expect(first.flush()).rejects.toMatchObject({ code: 'EBADF' })
})
