// Random operations on the tree and on a model that is too simple to be wrong: a map from real path to entry. Half of them run in
// transactions, some of which fail; snapshots that are taken in between must not change.
import { expect, test } from 'vitest'
import { childPath, dirname, isInside, parsePath, type VfsPath } from '../../core/path.ts'
import { seeds } from '../../testing/depth.ts'
import { forSeeds, type Random } from '../../testing/random.ts'
import type { Snapshot, VfsSync } from '../backend.ts'
import { isVfsError } from '../error.ts'
import { createTreeStore } from './store.ts'
import { treeBackend } from './tree-backend.ts'

type Model = Map<VfsPath, string | null>
type Operation = readonly [
  verb: 'write' | 'append' | 'mkdir' | 'remove' | 'rmdir' | 'rename',
  at: VfsPath,
  to: VfsPath,
  content: string,
]

const names = ['a', 'b', 'c', '__proto__']
const encoder = new TextEncoder()
const decoder = new TextDecoder()

function randomPath(random: Random): VfsPath {
  let path = parsePath('/')
  for (let depth = 1 + random.below(3); depth > 0; depth--) path = childPath(path, random.pick(names))
  return path
}

function randomOperation(random: Random): Operation {
  const verb = random.pick(['write', 'write', 'append', 'mkdir', 'mkdir', 'remove', 'rmdir', 'rename', 'rename'] as const)
  return [verb, randomPath(random), randomPath(random), `${random.below(1_000)}`]
}

function apply(fs: VfsSync, [verb, at, to, content]: Operation): void {
  switch (verb) {
    case 'write':
      fs.write(at, encoder.encode(content))
      return
    case 'append':
      fs.write(at, encoder.encode(content), { append: true })
      return
    case 'mkdir':
      fs.mkdir(at)
      return
    case 'remove':
      fs.remove(at, 'file')
      return
    case 'rmdir':
      fs.remove(at, 'directory')
      return
    case 'rename':
      fs.rename(at, to)
  }
}

/** `null` is a directory. Returns the model after the operation, or `undefined` if the operation must fail. */
function expected(model: Model, [verb, at, to, content]: Operation): Model | undefined {
  const isDirectory = (path: VfsPath): boolean => path === '/' || model.get(path) === null
  const isEmpty = (path: VfsPath): boolean => ![...model.keys()].some(key => key !== path && isInside(key, path))
  const next = new Map(model)
  const there = model.get(at)
  if (!isDirectory(dirname(at))) return undefined
  switch (verb) {
    case 'write':
    case 'append':
      if (there === null) return undefined
      return next.set(at, verb === 'append' ? (there ?? '') + content : content)
    case 'mkdir':
      return there === undefined ? next.set(at, null) : undefined
    case 'remove':
      if (typeof there !== 'string') return undefined
      next.delete(at)
      return next
    case 'rmdir':
      if (there !== null || !isEmpty(at)) return undefined
      next.delete(at)
      return next
    case 'rename': {
      const target = model.get(to)
      if (there === undefined || !isDirectory(dirname(to))) return undefined
      if (at === to) return next
      if (there === null && isInside(to, at)) return undefined
      if (target === null && (there !== null || !isEmpty(to))) return undefined
      if (typeof target === 'string' && there === null) return undefined
      for (const [path, entry] of model) {
        if (!isInside(path, at)) continue
        next.delete(path)
        next.set(parsePath(to + path.slice(at.length)), entry)
      }
      return next
    }
  }
}

function contentOf(fs: Pick<VfsSync, 'list' | 'read'>): Model {
  const found: Model = new Map()
  const visit = (directory: VfsPath): void => {
    for (const { name, kind } of fs.list(directory)) {
      const path = childPath(directory, name)
      found.set(path, kind === 'directory' ? null : decoder.decode(fs.read(path)))
      if (kind === 'directory') visit(path)
    }
  }
  visit(parsePath('/'))
  return found
}

const sorted = (model: Model): [string, string | null][] => [...model].sort(([a], [b]) => (a < b ? -1 : 1))

function succeeds(act: () => void): boolean {
  try {
    act()
    return true
  } catch (error) {
    if (isVfsError(error)) return false
    throw error
  }
}

const seedCount = seeds({ quick: 50, deep: 2000 })
test('the tree, its snapshots and its books agree with the model', { timeout: 600_000 }, async () => {
  let failures = 0
  let done = 0
  await forSeeds(seedCount, async random => {
    const store = createTreeStore(() => 0)
    const backend = treeBackend(() => store)
    let model: Model = new Map()
    const snapshots: [Snapshot, Model][] = []
    const step = (fs: VfsSync): void => {
      const operation = randomOperation(random)
      const after = expected(model, operation)
      const isDone = succeeds(() => apply(fs, operation))
      if (isDone !== (after !== undefined)) throw new Error(`${operation.join(' ')} ${isDone ? 'must fail' : 'must succeed'}`)
      model = after ?? model
      if (isDone) done++
      else failures++
    }
    for (let round = 0; round < 24; round++) {
      if (random.chance(0.3)) snapshots.push([backendSnapshot(backend), model])
      if (random.chance(0.5)) step(store.fs)
      else {
        const before = model
        const isRefused = random.chance(0.3)
        const overtaker = random.chance(0.3)
        const run = backend.batch?.(async transaction => {
          for (let count = 1 + random.below(5); count > 0; count--) step(transaction)
          // A path that no operation uses, so that it forces a merge and never a conflict.
          if (overtaker) store.fs.write(parsePath('/overtaker'), encoder.encode('x'))
          if (isRefused) throw new Error('refused')
        })
        await (isRefused ? run?.catch(() => undefined) : run)
        if (isRefused) model = before
        if (overtaker) model = new Map(model).set(parsePath('/overtaker'), 'x')
      }
      expect(sorted(contentOf(store.fs))).toEqual(sorted(model))
    }
    for (const [snapshot, then] of snapshots) expect(sorted(contentOf(snapshot.fs))).toEqual(sorted(then))
    const bytes = [...model.values()].reduce((sum, content) => sum + (content?.length ?? 0), 0)
    expect(await backend.usage?.()).toEqual({ bytes, nodes: model.size })
  })
  // A stream that mostly fails, or never does, would prove little.
  expect(done).toBeGreaterThan(5 * seedCount)
  expect(failures).toBeGreaterThan(5 * seedCount)
})

function backendSnapshot(backend: ReturnType<typeof treeBackend>): Snapshot {
  if (backend.snapshot === undefined) throw new Error('a tree has snapshots')
  return backend.snapshot()
}
