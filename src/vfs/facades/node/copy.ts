// `fs.cp`: files and trees, with Node's own codes for what does not fit together.

import { isVfsError, VfsError } from '../../error.ts'
import type { Stat } from '../../backend.ts'
import type { Vfs } from '../../vfs.ts'
import { ownError } from './errors.ts'

/** Options of `cp`. */
export interface CopyOptions {
  readonly recursive?: boolean
  /** Default true: replace files that are there. */
  readonly force?: boolean
  /** With `force: false`: a file that is there is an error instead of being left as it is. */
  readonly errorOnExist?: boolean
  readonly preserveTimestamps?: boolean
  /** Copy what symlinks point at. */
  readonly dereference?: boolean
  /** Keep the targets of symlinks as they are; else relative ones are made absolute. */
  readonly verbatimSymlinks?: boolean
  readonly filter?: (source: string, destination: string) => boolean | Promise<boolean>
}

export async function copyPath(vfs: Vfs, from: string, to: string, options: CopyOptions): Promise<void> {
  const source = await statOf(vfs, from, options)
  if (source === undefined) throw new VfsError('ENOENT', 'lstat', { path: from })
  const refuse = (code: string, why: string): Error =>
    ownError(code, `${why}: cp returned EINVAL ${to}`, { syscall: 'cp', path: to })
  const target = await statOf(vfs, to, options)
  if (target !== undefined && target.ino === source.ino) throw refuse('ERR_FS_CP_EINVAL', 'src and dest cannot be the same')
  if (source.kind === 'directory') {
    if (options.recursive !== true) {
      throw ownError('ERR_FS_EISDIR', `Recursive option not enabled, cannot copy a directory: cp returned EISDIR ${from}`, {
        syscall: 'cp',
        path: from,
      })
    }
    const top = await vfs.realpath(from)
    if (`${await realParent(vfs, to)}/`.startsWith(`${top}/`))
      throw refuse('ERR_FS_CP_EINVAL', `cannot copy ${from} to a subdirectory of self ${to}`)
  }
  const pending: (readonly [from: string, to: string])[] = [[from, to]]
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [at, goal] = pair
    if (options.filter !== undefined && !(await options.filter(at, goal))) continue
    const stat = await statOf(vfs, at, options)
    if (stat === undefined) continue
    if (stat.kind !== 'directory') await copyEntry(vfs, at, goal, stat, options)
    else {
      await makeTarget(vfs, goal, stat)
      for (const { name } of (await vfs.readdir(at)).toReversed()) pending.push([`${at}/${name}`, `${goal}/${name}`])
    }
  }
}

/** The directory that `path` is or will be in, real, and its name. */
async function realParent(vfs: Vfs, path: string): Promise<string> {
  const parts = path.split('/').filter(part => part !== '')
  for (let count = parts.length; count > 0; count--) {
    const above = `/${parts.slice(0, count).join('/')}`
    if (await vfs.exists(above)) return [await vfs.realpath(above), ...parts.slice(count)].join('/')
  }
  return path
}

async function statOf(vfs: Vfs, path: string, { dereference }: CopyOptions): Promise<Stat | undefined> {
  try {
    return await (dereference === true ? vfs.stat(path) : vfs.lstat(path))
  } catch (error) {
    if (isVfsError(error, 'ENOENT')) return undefined
    throw error
  }
}

async function makeTarget(vfs: Vfs, path: string, { mode }: Stat): Promise<void> {
  const there = await statOf(vfs, path, {})
  if (there === undefined) {
    await vfs.mkdir(path, { recursive: true, mode })
  } else if (there.kind !== 'directory') {
    throw ownError('ERR_FS_CP_DIR_TO_NON_DIR', `Cannot overwrite non-directory with directory: cp returned EISDIR ${path}`, {
      syscall: 'cp',
      path,
    })
  }
}

async function copyEntry(vfs: Vfs, from: string, to: string, stat: Stat, options: CopyOptions): Promise<void> {
  const there = await statOf(vfs, to, {})
  if (there?.kind === 'directory') {
    throw ownError('ERR_FS_CP_NON_DIR_TO_DIR', `Cannot overwrite directory with non-directory: cp returned ENOTDIR ${to}`, {
      syscall: 'cp',
      path: to,
    })
  }
  if (there !== undefined && options.force === false) {
    if (options.errorOnExist !== true) return
    throw ownError('ERR_FS_CP_EEXIST', `Target already exists: cp returned EEXIST ${to}`, { syscall: 'cp', path: to })
  }
  await vfs.mkdir(to.slice(0, to.lastIndexOf('/')) || '/', { recursive: true })
  if (stat.kind === 'symlink') {
    const target = await vfs.readlink(from)
    if (there !== undefined) await vfs.rm(to)
    const isKept = options.verbatimSymlinks === true || target.startsWith('/')
    await vfs.symlink(isKept ? target : `${from.slice(0, from.lastIndexOf('/'))}/${target}`, to)
    return
  }
  if (there !== undefined) await vfs.rm(to)
  await vfs.writeFile(to, await vfs.readFile(from), { mode: stat.mode })
  if (options.preserveTimestamps === true) await vfs.utimes(to, stat.mtimeMs)
}
