// Empties the upper layer after its changes were applied, except for those that could not be applied.

import { childPath, dirname, isInside, rootPath, type VfsPath } from '../../core/path.ts'
import { removeTree } from '../derived/remove-tree.ts'
import { call, type Primitives, type Steps } from '../steps.ts'
import { isLeft } from './conflicts.ts'
import { type Container, readContainers } from './containers.ts'
import { basesOf, entriesOf, graveyard, keptDirectory, keptOf, type Layers, namesIn } from './layers.ts'

function* emptySteps(upper: Primitives): Steps<void> {
  for (const name of yield* namesIn(upper, rootPath)) yield* removeTree(upper, childPath(rootPath, name), { recursive: true })
}

/** `left` as `leftBecauseOf` found it: all directories on the way to each are in place. */
export function* pruneSteps(layers: Layers, left: readonly VfsPath[]): Steps<void> {
  if (left.length === 0) return yield* emptySteps(layers.upper)
  const { root, all } = yield* readContainers(layers)
  yield* pruneDirectory(layers, root, left)
  for (const { at, origin } of all.filter(each => dirname(each.at) === graveyard)) {
    if (origin === undefined || !isLeft(left, origin)) yield* removeTree(layers.upper, at, { recursive: true })
  }
  for (const [ino, origin] of yield* keptOf(layers)) {
    if (!isLeft(left, origin)) yield* call(layers.upper, 'remove', childPath(keptDirectory, `${ino}`), 'file')
  }
}

function* pruneDirectory({ upper }: Layers, root: Container, left: readonly VfsPath[]): Steps<void> {
  const pending = [root]
  for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
    const { at, path, children } = current
    if (path === undefined) continue
    const entries = entriesOf(at)
    const { mtimeMs } = yield* call(upper, 'lookup', entries)
    for (const name of yield* namesIn(upper, entries)) {
      const [entry, shown] = [childPath(entries, name), childPath(path, name)]
      if (left.includes(shown)) continue
      const child = children.find(each => each.at === entry)
      if (child !== undefined && left.some(each => isInside(each, shown))) pending.push(child)
      else yield* removeTree(upper, entry, { recursive: true })
    }
    for (const name of yield* namesIn(upper, basesOf(at))) {
      if (!left.includes(childPath(path, name))) yield* call(upper, 'remove', childPath(basesOf(at), name), 'file')
    }
    yield* call(upper, 'setattr', entries, { mtimeMs })
  }
}
