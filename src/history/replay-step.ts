// Reverts a recorded step on a state of the files. Others may have changed the same entries later without a record, so the
// entries are first restored to the state after the step, and then to the state before.

import { childPath, rootPath, type VfsPath } from '../core/path.ts'
import type { VfsTransaction } from '../vfs/backend.ts'
import { makeParents, putEntry, removeEntries } from './look.ts'
import type { RecordedChange, RecordedEntry, StepRecord } from './step-record.ts'

/** Restores every entry to the state after the step. Returns whether any was different. */
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
    // Other entries in a directory that the step created are newer than the step.
    for (const { name } of files.list(path)) {
      const inside = childPath(path, name)
      if (!kept.has(inside)) isChanged = removeEntries(files, inside) || isChanged
    }
  }
  return isChanged
}

/** Reverts the step. The entries must be in the state after it. */
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
