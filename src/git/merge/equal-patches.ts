// Commits with the same changes as a commit of another history, at any position in the files: a rebase leaves them out.

import { diffLines } from '../../text/git-diff/diff-lines.ts'
import { lineAt, type LineTable } from '../../text/git-diff/lines.ts'
import { diffTrees } from '../diff/tree-diff.ts'
import { decodeText } from '../../shell/byte-text.ts'
import type { Repository } from '../repository.ts'
import { modes, type ObjectId } from '../store/object-format.ts'

/** Those of `commits` whose changes one of `others` has too. */
export async function commitsWithTwin(
  repository: Repository,
  commits: readonly ObjectId[],
  others: readonly ObjectId[],
): Promise<ReadonlySet<ObjectId>> {
  if (commits.length === 0 || others.length === 0) return new Set()
  // Comparing which files changed needs no content, and distinguishes most commits.
  const paths = new Map<string, ObjectId[]>()
  for (const oid of others) {
    const key = await changedPaths(repository, oid)
    if (key !== undefined) paths.set(key, [...(paths.get(key) ?? []), oid])
  }
  const found = new Set<ObjectId>()
  for (const oid of commits) {
    const key = await changedPaths(repository, oid)
    const alike = key === undefined ? undefined : paths.get(key)
    if (alike === undefined) continue
    const own = await patchText(repository, oid)
    for (const other of alike) {
      if ((await patchText(repository, other)) !== own) continue
      found.add(oid)
      break
    }
  }
  return found
}

async function treesOf(repository: Repository, oid: ObjectId): Promise<readonly [ObjectId | undefined, ObjectId] | undefined> {
  const { parents, tree } = await repository.objects.readCommit(oid)
  if (parents.length > 1) return undefined
  const [parent] = parents
  return [parent === undefined ? undefined : await repository.treeOf(parent), tree]
}

async function changedPaths(repository: Repository, oid: ObjectId): Promise<string | undefined> {
  const trees = await treesOf(repository, oid)
  if (trees === undefined) return undefined
  const changes = await diffTrees(repository, ...trees)
  return changes.length === 0 ? undefined : changes.map(({ path }) => path).join('\0')
}

async function patchText(repository: Repository, oid: ObjectId): Promise<string> {
  const trees = await treesOf(repository, oid)
  const parts: string[] = []
  for (const { path, before, after } of trees === undefined ? [] : await diffTrees(repository, ...trees)) {
    parts.push(`${path} ${before?.mode ?? 0} ${after?.mode ?? 0}`)
    const bytes = async (side: typeof before): Promise<Uint8Array> =>
      side === undefined || side.mode === modes.submodule ? new Uint8Array() : repository.objects.readBlob(side.oid)
    const [old, now] = [await bytes(before), await bytes(after)]
    if ([old, now].some(content => content.includes(0))) {
      parts.push(`${before?.oid ?? ''} ${after?.oid ?? ''}`)
      continue
    }
    const diff = diffLines(old, now)
    for (const edit of diff.edits) {
      pushLines(parts, ' ', diff.before, edit.beforeStart - 3, edit.beforeStart)
      pushLines(parts, '-', diff.before, edit.beforeStart, edit.beforeEnd)
      pushLines(parts, '+', diff.after, edit.afterStart, edit.afterEnd)
      pushLines(parts, ' ', diff.before, edit.beforeEnd, edit.beforeEnd + 3)
    }
  }
  return parts.join('\n')
}

/** Blanks are ignored. */
function pushLines(parts: string[], sign: string, table: LineTable, start: number, end: number): void {
  for (let line = Math.max(0, start); line < Math.min(end, table.count); line++) {
    parts.push(sign + decodeText(lineAt(table, line)).replaceAll(/\s/g, ''))
  }
}
