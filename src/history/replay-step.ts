// Carries a recorded step out backwards on a state of the files. First the state is made to be as the step left it, because others may have
// changed the same entries after the step without a record; then every entry becomes what it was before.

import { childPath, rootPath, type VfsPath } from '../core/path.ts'
import type { VfsTransaction } from '../vfs/backend.ts'
import { makeParents, putEntry, removeEntries } from './look.ts'
import type { RecordedChange, RecordedEntry, StepRecord } from './step-record.ts'

/** Makes every entry of the step as the step left it. Returns whether something was different. */
export function toAfter(files: VfsTransaction, { moves, changes }: StepRecord): boolean {
  const kept = new Map<VfsPath, RecordedEntry>()
  for (const { to, entry } of moves) kept.set(to, entry)
  for (const { path, after } of changes) if (after !== undefined) kept.set(path, after)
  let isChanged = false
  const gone = [...moves.map(({ from }) => from), ...changes.flatMap(({ path, after }) => (after === undefined ? [path] : []))]
  for (const path of gone) if (!kept.has(path)) isChanged = removeEntries(files, path) || isChanged
  const made = new Set(changes.filter(({ before, after }) => before === undefined && after !== undefined).map(({ path }) => path))
  for (const [path, entry] of [...kept].toSorted(([a], [b]) => depth(a) - depth(b))) {
    isChanged = putEntry(files, path, entry) || isChanged
    if (!made.has(path) || entry.kind !== 'directory') continue
    // What else is in a directory that the step made came later.
    for (const { name } of files.list(path)) {
      const inside = childPath(path, name)
      if (!kept.has(inside)) isChanged = removeEntries(files, inside) || isChanged
    }
  }
  return isChanged
}

/** Takes the step back. The entries must be as it left them. */
export function toBefore(files: VfsTransaction, { moves, changes }: StepRecord): void {
  const isInPlace = (change: RecordedChange): boolean => change.before !== undefined && change.after !== undefined
  for (const { path, before, after } of changes) if (before !== undefined && after !== undefined) putEntry(files, path, before)
  const leaving = [
    ...changes
      .filter(change => change.after !== undefined && !isInPlace(change))
      .map(({ path }) => ({ path, leave: () => void removeEntries(files, path) })),
    ...moves.map(({ to }, index) => ({ path: to, leave: () => files.rename(to, aside(index)) })),
  ]
  for (const { leave } of leaving.toSorted((a, b) => depth(b.path) - depth(a.path))) leave()
  const coming = [
    ...changes.flatMap(({ path, before, after }) =>
      before !== undefined && after === undefined ? [{ path, come: () => void putEntry(files, path, before) }] : [],
    ),
    ...moves.map(({ from }, index) => ({
      path: from,
      come: () => {
        removeEntries(files, from)
        makeParents(files, from)
        files.rename(aside(index), from)
      },
    })),
  ]
  for (const { come } of coming.toSorted((a, b) => depth(a.path) - depth(b.path))) come()
}

function aside(index: number): VfsPath {
  return childPath(rootPath, `.anchorage-aside.${index}`)
}

function depth(path: VfsPath): number {
  return path.split('/').length
}
