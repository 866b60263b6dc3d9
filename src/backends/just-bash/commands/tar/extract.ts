// Extracts archives. An archive is untrusted: neither a name with `..`, nor a link that points outside, nor a file behind such a
// link may reach anything outside the directory, so the real path of every parent directory is checked.

import type { CommandContext } from '../command.ts'
import { isThere, makeParents, refuseOutside, type Files } from '../inside-directory.ts'
import type { TarOptions } from './options.ts'
import { placer } from './placement.ts'
import { transformer } from './transform.ts'

export interface Member {
  readonly header: {
    readonly name: string
    readonly size: number
    readonly type?: string
    readonly mode?: number
    readonly mtime?: Date | undefined
    readonly linkname?: string
    readonly uname?: string
    readonly gname?: string
    readonly uid?: number
    readonly gid?: number
  }
  readonly data?: Uint8Array
}

export interface Extracted {
  readonly shown: readonly Member['header'][]
  readonly problems: readonly string[]
}

export async function extractMembers(
  members: readonly Member[],
  options: TarOptions,
  { fs, cwd, signal }: CommandContext,
): Promise<Extracted> {
  const { directory, keepOld, keepsNow } = options
  const place = placer(options)
  const transform = transformer(options.transforms)
  const asked = fs.resolvePath(cwd, directory)
  if (!(await fs.exists(asked)) || !(await fs.stat(asked)).isDirectory)
    throw new Error(`${directory}: Cannot open: No such directory`)
  const base = await fs.realpath(asked)
  const shown: Member['header'][] = []
  const problems: string[] = []
  const knownParents = new Set<string>()
  // Creating the entries of a directory changes its timestamp, so directory timestamps are set last.
  const directories: { readonly path: string; readonly header: Member['header'] }[] = []
  for (const { header: stored, data } of members) {
    signal.throwIfAborted()
    const header = keepsNow ? { ...stored, mtime: undefined } : stored
    try {
      const name = place(header.name, 'member')
      if (name === '') continue
      const { linkname = '' } = header
      const target = header.type === 'link' ? place(linkname, 'link') : transform(linkname, 'symlink')
      const path = `${base === '/' ? '' : base}/${name}`
      await makeParents(fs, base, name, knownParents)
      if (keepOld && (await isThere(fs, path))) throw new Error('Cannot open: File exists')
      await put(fs, base, path, { ...header, linkname: target }, data)
      if (header.type === 'symlink') knownParents.clear()
      if (header.type === 'directory') directories.push({ path, header })
      shown.push(options.showsTransformed ? { ...stored, name } : stored)
    } catch (error) {
      problems.push(`${header.name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  for (const { path, header } of directories.toReversed()) await applyAttributes(fs, path, header)
  return { shown, problems }
}

async function put(fs: Files, base: string, path: string, header: Member['header'], data: Uint8Array | undefined): Promise<void> {
  const { type = 'file', linkname = '' } = header
  if (type === 'directory') {
    const isLink = (await isThere(fs, path)) && (await fs.lstat(path)).isSymbolicLink
    if (isLink) await fs.rm(path)
    await fs.mkdir(path, { recursive: true })
    return
  }
  // Never writes through an existing symbolic link: the link itself is replaced.
  if (await isThere(fs, path)) {
    if ((await fs.lstat(path)).isDirectory) throw new Error('Cannot open: Is a directory')
    await fs.rm(path)
  }
  if (type === 'symlink') await fs.symlink(linkname, path)
  else if (type === 'link') {
    const existing = `${base}/${linkname}`
    await refuseOutside(fs, base, existing)
    await fs.link(existing, path)
  } else if (type === 'file' || type === 'contiguous-file') {
    await fs.writeFile(path, data ?? new Uint8Array())
    await applyAttributes(fs, path, header)
  } else throw new Error(`entries of type ${type} are not supported; skipped`)
}

async function applyAttributes(fs: Files, path: string, { mode, mtime }: Member['header']): Promise<void> {
  if (mode !== undefined) await fs.chmod(path, mode & 0o777)
  if (mtime !== undefined) await fs.utimes(path, mtime, mtime)
}
