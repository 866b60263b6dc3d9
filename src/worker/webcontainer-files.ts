// The driver's operations on the container's filesystem, in the page, through the published client only.

import type { FileSystemTree, WebContainer } from '@webcontainer/api'
import { runtimeFolder } from '../backends/webcontainer/runner.ts'
import type { ContainerAction, ContainerEntry } from '../backends/webcontainer/wire.ts'
import { VfsError } from '../vfs/error.ts'
import { pooled } from './webcontainer-pool.ts'

/** A failed call, and its path. */
export class ContainerCallError extends Error {
  readonly path: string

  constructor(path: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.path = path
  }
}

type Files = WebContainer['fs']

export async function listDirectories(fs: Files, paths: readonly string[]): Promise<ContainerEntry[][]> {
  return await pooled(paths, async path =>
    about(path, async () => {
      const entries = await fs.readdir(at(path), { withFileTypes: true })
      return entries.map(entry => ({
        name: entry.name,
        kind: entry.isDirectory() ? ('directory' as const) : entry.isFile() ? ('file' as const) : ('other' as const),
      }))
    }),
  )
}

export async function readFiles(fs: Files, paths: readonly string[]): Promise<Uint8Array[]> {
  return await pooled(paths, path => about(path, () => fs.readFile(at(path))))
}

export interface ActionContext {
  readonly container: WebContainer
  /** Files may be replaced by `rename`. */
  readonly renameReplaces: boolean
  readonly isCancelled: () => boolean
  /** Creates the folder for our files again if it is missing. */
  readonly ensureFolder: () => Promise<void>
}

let temporaries = 0

/** Adjacent writes run together, everything else one after the other. */
export async function applyActions(actions: readonly ContainerAction[], context: ActionContext): Promise<void> {
  for (let index = 0; index < actions.length;) {
    if (context.isCancelled()) throw new VfsError('ECANCELED', 'apply', { hint: 'the caller cancelled it' })
    const writes = writesFrom(actions, index)
    if (writes.length > 1) {
      await pooled(writes, action => about(action.path, () => apply(action, context)))
      index += writes.length
      continue
    }
    const action = actions[index]
    if (action !== undefined) await about(action.path, () => apply(action, context))
    index++
  }
}

function writesFrom(actions: readonly ContainerAction[], start: number): readonly ContainerAction[] {
  const paths = new Set<string>()
  for (const action of actions.slice(start)) {
    if (action.kind !== 'write' || paths.has(action.path)) break
    paths.add(action.path)
  }
  return actions.slice(start, start + paths.size)
}

async function apply(action: ContainerAction, context: ActionContext): Promise<void> {
  const { fs } = context.container
  switch (action.kind) {
    case 'write':
      return await write(action.path, action.bytes, context)
    case 'mkdir':
      await fs.mkdir(at(action.path))
      return
    case 'symlink':
      return await link(action.path, action.target, context.container)
    case 'remove-file':
      return await fs.rm(at(action.path))
    case 'remove-directory':
      await refuseFull(fs, action.path)
      return await fs.rm(at(action.path), { recursive: true })
    case 'rename':
      return await rename(action.from, action.path, context)
  }
}

async function write(path: string, bytes: Uint8Array, context: ActionContext): Promise<void> {
  const {
    container: { fs },
    renameReplaces,
  } = context
  // A script may be executable, and only writing in place keeps its mode: the client cannot set one.
  const isScript = bytes[0] === 0x23 && bytes[1] === 0x21
  if (!renameReplaces || isScript) return await fs.writeFile(at(path), bytes)
  const temporary = `${runtimeFolder}/w${++temporaries}`
  try {
    await fs.writeFile(at(temporary), bytes)
  } catch {
    await context.ensureFolder()
    await fs.writeFile(at(temporary), bytes)
  }
  try {
    await fs.rename(at(temporary), at(path))
  } catch (error) {
    await fs.rm(at(temporary), { force: true })
    throw error
  }
}

/** The client can create links only as a part of a tree that is mounted. */
async function link(path: string, target: string, container: WebContainer): Promise<void> {
  const end = path.lastIndexOf('/')
  const tree: FileSystemTree = Object.fromEntries([[path.slice(end + 1), { file: { symlink: target } }]])
  await container.mount(tree, end === -1 ? {} : { mountPoint: path.slice(0, end) })
}

async function rename(from: string, to: string, { container: { fs }, renameReplaces }: ActionContext): Promise<void> {
  const kind = await kindAt(fs, to)
  if (kind === 'directory') {
    await refuseFull(fs, to)
    await fs.rm(at(to), { recursive: true })
  } else if (kind !== undefined && !renameReplaces) await fs.rm(at(to))
  await fs.rename(at(from), at(to))
}

/** The client has no stat, so the kind is read from the parent directory's listing. */
async function kindAt(fs: Files, path: string): Promise<ContainerEntry['kind'] | undefined> {
  const end = path.lastIndexOf('/')
  const [entries] = await listDirectories(fs, [path.slice(0, Math.max(0, end))])
  return entries?.find(({ name }) => name === path.slice(end + 1))?.kind
}

/** `rm` removes a directory only together with its entries, which may include entries that we have not seen. */
async function refuseFull(fs: Files, path: string): Promise<void> {
  if ((await fs.readdir(at(path))).length > 0) throw new VfsError('ENOTEMPTY', 'rmdir', { path: `/${path}` })
}

/** Whether a rename replaces an existing file is not documented, so it is tried. */
export async function probeRename(fs: Files): Promise<boolean> {
  const [one, two] = [`${runtimeFolder}/probe-1`, `${runtimeFolder}/probe-2`]
  await fs.writeFile(one, '1')
  await fs.writeFile(two, '2')
  try {
    await fs.rename(one, two)
    return (await fs.readFile(two, 'utf-8')) === '1' && !(await fs.readdir(runtimeFolder)).includes('probe-1')
  } catch {
    // After any error, the rename did not replace the file.
    return false
  } finally {
    await fs.rm(one, { force: true })
    await fs.rm(two, { force: true })
  }
}

function at(path: string): string {
  return path === '' ? '.' : path
}

async function about<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new ContainerCallError(path, error)
  }
}
