// Checks that a list of differences turns an earlier tree into a later one, and makes random histories to test it.

import { childPath, dirname, isInside, rootPath, type VfsPath } from '../core/path.ts'
import type { Difference, EntryKind, VfsSync } from '../vfs/backend.ts'
import { isVfsError, type VfsErrorCode } from '../vfs/error.ts'
import type { Random } from './random.ts'
import { bytes, text } from './vfs-contract/context.ts'

export interface Item {
  readonly kind: EntryKind
  readonly content: string
}

/** Every path below the root, with what a reader would see. */
export function contentOf(fs: Pick<VfsSync, 'lookup' | 'list' | 'read' | 'readlink'>): Map<VfsPath, Item> {
  const found = new Map<VfsPath, Item>()
  const visit = (directory: VfsPath): void => {
    for (const { name, kind } of fs.list(directory)) {
      const at = childPath(directory, name)
      const { mode } = fs.lookup(at, { follow: false })
      found.set(at, {
        kind,
        content: `${mode} ${kind === 'file' ? text(fs.read(at)) : kind === 'symlink' ? fs.readlink(at) : ''}`,
      })
      if (kind === 'directory') visit(at)
    }
  }
  visit(rootPath)
  return found
}

/** Throws if `told` does not explain every difference between the two trees. */
export function checkExplains(before: Map<VfsPath, Item>, after: Map<VfsPath, Item>, told: readonly Difference[]): void {
  const of = (type: Difference['type']): Map<VfsPath, Difference> =>
    new Map(told.filter(difference => difference.type === type).map(difference => [difference.path, difference]))
  const [created, moved, deleted] = [of('create'), of('move'), of('delete')]
  const changed = new Set([...of('modify').keys(), ...of('attributes').keys()])
  const origins = new Set<VfsPath>()
  const originOf = (at: VfsPath): VfsPath | undefined => {
    if (at === rootPath) return at
    const { oldPath } = moved.get(at) ?? {}
    if (oldPath !== undefined) return oldPath
    if (created.has(at)) return undefined
    const parent = originOf(dirname(at))
    if (parent === undefined) throw new Error(`${at} is in a new directory and is not told`)
    return childPath(parent, at.slice(at.lastIndexOf('/') + 1))
  }
  for (const [at, item] of after) {
    const origin = originOf(at)
    if (origin === undefined) continue
    origins.add(origin)
    const old = before.get(origin)
    if (old?.kind !== item.kind) throw new Error(`${at} comes from ${origin}, which was no ${item.kind}`)
    if ((old.content !== item.content) !== changed.has(at) && old.content !== item.content)
      throw new Error(`${at} changed in silence`)
  }
  for (const at of before.keys()) {
    const isDeleted = [...deleted.keys()].some(gone => isInside(at, gone))
    if (!origins.has(at) && !isDeleted) throw new Error(`${at} vanished in silence`)
    if (deleted.has(at) && origins.has(at)) throw new Error(`${at} is told to be gone and is not`)
  }
  for (const at of [...created.keys(), ...moved.keys(), ...changed])
    if (at !== rootPath && !after.has(at)) throw new Error(`${at} is told and not there`)
  for (const at of deleted.keys()) if (!before.has(at)) throw new Error(`${at} is told to be gone and never was`)
}

export function removeAll(fs: VfsSync, at: VfsPath): void {
  for (const { name, kind } of fs.list(at)) {
    if (kind === 'directory') removeAll(fs, childPath(at, name))
    else fs.remove(childPath(at, name), 'file')
  }
  fs.remove(at, 'directory')
}

const verbs = ['write', 'append', 'mkdir', 'remove', 'rmdir', 'rename', 'rename', 'rename', 'link', 'symlink', 'chmod'] as const

/** One random operation; returns the code of its failure, if it failed. The same random numbers do the same to any filesystem. */
export function randomStep(random: Random, fs: VfsSync, without: readonly string[] = []): VfsErrorCode | undefined {
  const randomPath = (): VfsPath => {
    let at = rootPath
    for (let depth = 1 + random.below(3); depth > 0; depth--) at = childPath(at, random.pick(['a', 'b', 'c']))
    return at
  }
  const [at, to] = [randomPath(), randomPath()]
  try {
    const verb = random.pick(verbs)
    if (without.includes(verb)) return undefined
    switch (verb) {
      case 'write':
        fs.write(at, bytes(`${random.below(100)}`))
        return undefined
      case 'append':
        fs.write(at, bytes('+'), { append: true })
        return undefined
      case 'mkdir':
        fs.mkdir(at)
        return undefined
      case 'remove':
        fs.remove(at, 'file')
        return undefined
      case 'rmdir':
        removeAll(fs, at)
        return undefined
      case 'rename':
        fs.rename(at, to)
        return undefined
      case 'link':
        fs.link(at, to)
        return undefined
      case 'symlink':
        fs.symlink(to, at)
        return undefined
      case 'chmod':
        fs.setattr(at, { mode: random.below(0o1000) })
        return undefined
    }
  } catch (error) {
    if (!isVfsError(error)) throw error
    return error.code
  }
}
