// A directory entry that find visits. At first only its name and type are known; a test that needs more reads its status.

import type { CommandStat } from '../text-files.ts'
import type { Files } from '../inside-directory.ts'
import { checkFileName } from '../../errno.ts'

export interface Kind {
  readonly isFile: boolean
  readonly isDirectory: boolean
  readonly isSymbolicLink: boolean
}

export interface Entry {
  /** The path as printed: it begins with the starting point as given on the command line. */
  readonly shown: string
  readonly path: string
  readonly start: string
  readonly depth: number
  /** The type of a symbolic link itself, unless links are followed. */
  readonly kind: Kind
  readonly stat: () => Promise<CommandStat>
}

export async function startEntry(fs: Files, start: string, path: string, follows: boolean): Promise<Entry> {
  const found = await statOf(fs, path, follows)
  if (!found.isDirectory) checkFileName(start)
  return { shown: start, path, start, depth: 0, kind: found, stat: () => Promise.resolve(found) }
}

export async function childEntries(fs: Files, parent: Entry, follows: boolean): Promise<readonly Entry[]> {
  const children = await fs.readdirWithFileTypes(parent.path)
  const entries: Entry[] = []
  for (const child of children) {
    const path = `${parent.path === '/' ? '' : parent.path}/${child.name}`
    const shown = `${parent.shown}${parent.shown.endsWith('/') ? '' : '/'}${child.name}`
    let known: Promise<CommandStat> | undefined
    const stat = (): Promise<CommandStat> => (known ??= statOf(fs, path, follows))
    const kind = follows && child.isSymbolicLink ? await stat() : child
    entries.push({ shown, path, start: parent.start, depth: parent.depth + 1, kind, stat })
  }
  return entries
}

/** With -L, a broken symbolic link has the status of the link itself. */
async function statOf(fs: Files, path: string, follows: boolean): Promise<CommandStat> {
  return follows && (await fs.exists(path)) ? fs.stat(path) : fs.lstat(path)
}

/** The letter of the file type: `f`, `d`, `l` or `c`. */
export function letterOf({ isDirectory, isSymbolicLink, isFile }: Kind): string {
  return isSymbolicLink ? 'l' : isDirectory ? 'd' : isFile ? 'f' : 'c'
}

export function nameOf({ shown }: Entry): string {
  const plain = shown.replace(/(?<=.)\/+$/, '')
  return plain === '/' ? plain : plain.slice(plain.lastIndexOf('/') + 1)
}
