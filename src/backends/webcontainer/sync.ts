// When the workspace's files live elsewhere, a command in the container works on copies: what the workspace changed goes in before it, and
// what the command changed comes out after it, as one batch. A file that both changed is not decided here: the workspace keeps its own, the
// container's lies beside it, and the command's output says so.

import { childPath, dirname, pathNames, rootPath, type VfsPath } from '../../core/path.ts'
import type { ShellChange } from '../../shell/changes.ts'
import { isVfsError } from '../../vfs/error.ts'
import type { BatchFs, Vfs } from '../../vfs/vfs.ts'
import { buffersOf } from './actions.ts'
import type { ContainerLink } from './link.ts'
import { createLock } from './lock.ts'
import { sameBytes } from './reconcile.ts'
import { runtimeFolder } from './runner.ts'
import { readSnapshot, type SnapshotNode } from './snapshot.ts'
import type { ContainerAction } from './wire.ts'

export interface SyncOptions {
  readonly fs: Vfs
  /** What of the workspace is copied: it is the container's working directory. */
  readonly root: VfsPath
  /** Names of directories that stay where they are, on both sides. */
  readonly exclude: readonly string[]
}

export interface SyncReport {
  readonly changes: readonly ShellChange[]
  /** Each path that both sides changed, and where the container's version lies now; `undefined` where it had removed the file. */
  readonly conflicts: readonly { readonly path: VfsPath; readonly keptAt: VfsPath | undefined }[]
}

export interface FileSync {
  /** Brings the container up to the workspace. Gives the number of changes. */
  push(link: ContainerLink): Promise<number>
  /** Brings the workspace up to the container. Rejects, and changes nothing, if the batch cannot be done. */
  pull(link: ContainerLink): Promise<SyncReport>
}

/** The content of an entry, shared by both sides. Paths are relative to both roots. */
type Content =
  | { readonly kind: 'file'; readonly bytes: Uint8Array }
  | { readonly kind: 'symlink'; readonly target: string }
  | { readonly kind: 'directory' }

type Synced = Content & { readonly rev: number }

/** How often a batch is tried again when somebody writes at the very moment. */
const maxAttempts = 5

export function createFileSync({ fs, root, exclude }: SyncOptions): FileSync {
  /** What both sides held when they last agreed, with the workspace's revision of it. */
  let synced = new Map<string, Synced>()
  let hasBegun = false
  const lock = createLock()
  const isExcluded = (path: string): boolean =>
    path.split('/').some(name => exclude.includes(name)) || path.split('/')[0] === runtimeFolder
  const absolute = (path: string): VfsPath => path.split('/').reduce(childPath, root)

  const containerNow = async (link: ContainerLink): Promise<Map<string, Content>> => {
    const excludes = [runtimeFolder, ...exclude.flatMap(name => [name, `**/${name}`])]
    const found = new Map<string, Content>()
    flatten(readSnapshot(await link.call('snapshot', [excludes])), '', isExcluded, found)
    return found
  }

  const workspaceNow = async (): Promise<Map<string, Synced>> => {
    const found = new Map<string, Synced>()
    for await (const { path, kind } of fs.walk(root, { prune: exclude })) {
      const relative = path.slice(root === rootPath ? 1 : root.length + 1)
      if (isExcluded(relative)) continue
      const entry = await currentOf(fs, path, kind, synced.get(relative))
      if (entry !== undefined) found.set(relative, entry)
    }
    return found
  }

  const push = async (link: ContainerLink): Promise<number> => {
    const now = await workspaceNow()
    // What the container held before the first command is its own; only what the workspace has goes over it.
    const there = hasBegun ? synced : await containerNow(link)
    const actions = actionsBetween(there, now, hasBegun)
    if (actions.length > 0) await link.call('apply', [actions], { transfer: buffersOf(actions) })
    hasBegun = true
    synced = now
    return actions.length
  }

  const pull = async (link: ContainerLink): Promise<SyncReport> => {
    const there = await containerNow(link)
    for (let attempt = 1; ; attempt++) {
      const now = await workspaceNow()
      try {
        const report = await applyToWorkspace(fs, absolute, synced, there, now)
        synced = await agreed(there)
        return report
      } catch (error) {
        if (attempt >= maxAttempts || !isVfsError(error, 'ESTALE')) throw error
      }
    }
  }

  /** What is the same on both sides now. What is not is found again by the next push. */
  const agreed = async (there: ReadonlyMap<string, Content>): Promise<Map<string, Synced>> => {
    const now = await workspaceNow()
    for (const [path, entry] of there) {
      const own = now.get(path)
      if (own !== undefined && isSame(own, entry)) continue
      // As the container has it: a push then sees the difference.
      now.set(path, { ...entry, rev: 0 })
    }
    for (const path of [...now.keys()]) if (!there.has(path)) now.delete(path)
    return now
  }

  return {
    push: link => lock.run(() => push(link)),
    pull: link => lock.run(() => pull(link)),
  }
}

function flatten(node: SnapshotNode, at: string, isExcluded: (path: string) => boolean, found: Map<string, Content>): void {
  if (node.kind !== 'directory') return
  for (const [name, child] of node.children) {
    const path = at === '' ? name : `${at}/${name}`
    if (isExcluded(path)) continue
    if (child.kind === 'directory') found.set(path, { kind: 'directory' })
    else found.set(path, child)
    flatten(child, path, isExcluded, found)
  }
}

/** Reads only what has another revision than before. `undefined` for what is gone meanwhile. */
async function currentOf(fs: Vfs, path: string, kind: Content['kind'], before: Synced | undefined): Promise<Synced | undefined> {
  try {
    const { rev } = await fs.lstat(path)
    if (before !== undefined && before.kind === kind && before.rev === rev) return before
    if (kind === 'directory') return { kind, rev }
    if (kind === 'symlink') return { kind, rev, target: await fs.readlink(path) }
    return { kind, rev, bytes: await fs.readFile(path) }
  } catch (error) {
    if (isVfsError(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

/** What makes the container hold `now`. What it has alone is removed only when both sides once agreed on it. */
function actionsBetween(
  there: ReadonlyMap<string, Content>,
  now: ReadonlyMap<string, Content>,
  isComplete: boolean,
): ContainerAction[] {
  const removals: ContainerAction[] = []
  for (const [path, entry] of [...there].toSorted(deepestFirst)) {
    const own = now.get(path)
    const isInTheWay = own !== undefined && (own.kind !== entry.kind || (own.kind === 'symlink' && !isSame(own, entry)))
    if (isInTheWay || (own === undefined && isComplete))
      removals.push({ kind: entry.kind === 'directory' ? 'remove-directory' : 'remove-file', path })
  }
  const removed = new Set(removals.map(({ path }) => path))
  const additions: ContainerAction[] = []
  for (const [path, own] of [...now].toSorted(([a], [b]) => compareDepth(a, b))) {
    const entry = removed.has(path) ? undefined : there.get(path)
    if (entry !== undefined && isSame(entry, own)) continue
    if (own.kind === 'directory') additions.push({ kind: 'mkdir', path })
    else if (own.kind === 'symlink') additions.push({ kind: 'symlink', path, target: own.target })
    else additions.push({ kind: 'write', path, bytes: own.bytes.slice() })
  }
  return [...removals, ...additions]
}

async function applyToWorkspace(
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
  /** Directories of the container whose place the workspace took for something else, and where they go instead. */
  const asides = new Map<string, VfsPath>()
  const redirected = (path: string): VfsPath | undefined => {
    for (const [from, to] of asides) if (path.startsWith(`${from}/`)) return `${to}${path.slice(from.length)}` as VfsPath
    return undefined
  }
  /** The workspace changed something below `path`. */
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
    // Both sides changed it since they agreed. That the workspace removed it is a change too.
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

/** A directory that the workspace put something into stays. */
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

function isSame(a: Content, b: Content): boolean {
  if (a.kind === 'file' && b.kind === 'file') return a.bytes === b.bytes || sameBytes(a.bytes, b.bytes)
  if (a.kind === 'symlink' && b.kind === 'symlink') return a.target === b.target
  return a.kind === b.kind
}

function compareDepth(a: string, b: string): number {
  const difference = a.split('/').length - b.split('/').length
  return difference === 0 ? (a < b ? -1 : 1) : difference
}

function deepestFirst([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return compareDepth(b, a)
}

/** What the command's output says of conflicts; '' for none. */
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
