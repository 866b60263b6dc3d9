// Copies changes out of the container: a command's changes become one batch, and no change of the workspace in the meantime is lost.

import { dirname, pathNames, type VfsPath } from '../../core/path.ts'
import type { ShellChange } from '../../shell/changes.ts'
import type { BatchFs, Vfs } from '../../vfs/vfs.ts'
import { compareDepth, isSame, type Content, type Synced } from './contents.ts'

export interface SyncReport {
  readonly changes: readonly ShellChange[]
  /** Each path that both sides changed, and the path of the container's version; `undefined` where the container had removed the file. */
  readonly conflicts: readonly { readonly path: VfsPath; readonly keptAt: VfsPath | undefined }[]
}

export async function applyToWorkspace(
  fs: Vfs,
  absolute: (path: string) => VfsPath,
  synced: ReadonlyMap<string, Synced>,
  there: ReadonlyMap<string, Content>,
  now: ReadonlyMap<string, Synced>,
): Promise<SyncReport> {
  const changes: ShellChange[] = []
  const conflicts: { path: VfsPath; keptAt: VfsPath | undefined }[] = []
  const expect: Record<string, number> = {}
  const work: ((batch: BatchFs) => Promise<void>)[] = []
  const paths = [...new Set([...synced.keys(), ...there.keys()])]
  /** Directories of the container that cannot keep their path, because the workspace created another entry there, and their new paths. */
  const asides = new Map<string, VfsPath>()
  const redirected = (path: string): VfsPath | undefined => {
    for (const [from, to] of asides) if (path.startsWith(`${from}/`)) return `${to}${path.slice(from.length)}` as VfsPath
    return undefined
  }
  /** Whether the workspace changed something below `path`. */
  const hasNews = (path: string): boolean =>
    [...now].some(([inner, content]) => {
      if (!inner.startsWith(`${path}/`)) return false
      const before = synced.get(inner)
      return before === undefined || !isSame(before, content)
    })
  for (const path of paths.toSorted((a, b) => compareDepth(b, a))) {
    const [before, after, own] = [synced.get(path), there.get(path), now.get(path)]
    if (after !== undefined || before === undefined) continue
    if (own === undefined) continue
    const place = absolute(path)
    if (!isSame(own, before)) {
      conflicts.push({ path: place, keptAt: undefined })
      continue
    }
    changes.push({ type: 'delete', path: place, kind: before.kind })
    if (before.kind === 'directory') work.push(batch => removeIfEmpty(batch, place))
    else {
      if (own.kind === 'file') expect[place] = own.rev
      work.push(batch => batch.rm(place))
    }
  }
  for (const path of paths.toSorted(compareDepth)) {
    const [before, after, own] = [synced.get(path), there.get(path), now.get(path)]
    if (after === undefined || (before !== undefined && isSame(before, after)) || (own !== undefined && isSame(own, after)))
      continue
    const aside = redirected(path)
    if (aside !== undefined) {
      work.push(batch => put(batch, aside, after))
      continue
    }
    const place = absolute(path)
    // Both sides changed it since they were last equal. Removing it in the workspace is a change too.
    const isConflict =
      before === undefined
        ? own !== undefined
        : own === undefined || !isSame(own, before) || (after.kind !== 'directory' && hasNews(path))
    if (isConflict && own === undefined && after.kind === 'directory') continue
    if (isConflict) {
      const keptAt = freeName(place, absolute, now, there)
      conflicts.push({ path: place, keptAt })
      if (after.kind === 'directory') asides.set(path, keptAt)
      work.push(batch => put(batch, keptAt, after))
      continue
    }
    changes.push({ type: before === undefined ? 'create' : 'modify', path: place, kind: after.kind })
    if (own === undefined) expect[place] = 0
    else if (own.kind === 'file') expect[place] = own.rev
    const isInTheWay = own !== undefined && (own.kind !== after.kind || own.kind === 'symlink')
    work.push(async batch => {
      if (isInTheWay) await batch.rm(place, { recursive: true, force: true })
      await put(batch, place, after)
    })
  }
  if (work.length > 0) {
    await fs.batch(
      async batch => {
        for (const step of work) await step(batch)
      },
      { expect },
    )
  }
  return { changes: changes.toSorted((a, b) => (a.path < b.path ? -1 : 1)), conflicts }
}

async function put(batch: BatchFs, path: VfsPath, content: Content): Promise<void> {
  if (content.kind === 'directory') return await batch.mkdir(path, { recursive: true })
  if (content.kind === 'file') {
    await batch.writeFile(path, content.bytes, { parents: true })
    return
  }
  if (!(await batch.exists(dirname(path)))) await batch.mkdir(dirname(path), { recursive: true })
  await batch.symlink(content.target, path)
}

/** A directory that contains new files of the workspace stays. */
async function removeIfEmpty(batch: BatchFs, path: VfsPath): Promise<void> {
  if ((await batch.readdir(path)).length === 0) await batch.rm(path, { emptyDirectory: true })
}

function freeName(
  place: VfsPath,
  absolute: (path: string) => VfsPath,
  now: ReadonlyMap<string, unknown>,
  there: ReadonlyMap<string, unknown>,
): VfsPath {
  const taken = new Set([...now.keys(), ...there.keys()].map(absolute))
  for (let count = 1; ; count++) {
    const candidate = `${place}.from-container${count === 1 ? '' : `-${count}`}` as VfsPath
    if (!taken.has(candidate)) return candidate
  }
}

/** The text about conflicts in the command's output; '' if there are none. */
export function conflictMessage({ conflicts }: SyncReport, root: VfsPath): string {
  const shown = (path: VfsPath): string => path.slice(pathNames(root).length === 0 ? 1 : root.length + 1)
  return conflicts
    .map(({ path, keptAt }) =>
      keptAt === undefined
        ? `anchorage: ${shown(path)} was changed in the workspace while a command removed it; it was kept.\n`
        : `anchorage: ${shown(path)} was changed in the workspace and by a command; the workspace's version was kept, the command's is ${shown(keptAt)}.\n`,
    )
    .join('')
}
