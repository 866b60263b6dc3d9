// The same steps on Node's filesystem, which here is the kernel's tmpfs, called directly, so that none of our code is involved. Only the
// behaviour of a filesystem's root, and revisions, must be imitated.

import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeSync,
  type Stats,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { basename, dirname, pathNames, rootPath, type VfsPath } from '../../core/path.ts'
import type { EntryKind } from '../../vfs/backend.ts'
import type { Operation, Step } from './operation.ts'
import { describe, short } from './subject.ts'

export interface Done {
  /** Without the steps that are left out for all subjects. */
  readonly operation: Operation
  readonly answer: string
}

export interface Oracle {
  /** `undefined` for a step that would leave the directory, where the same path means something else than at the root of a filesystem. */
  perform(operation: Operation): Done | undefined
  tree(): string
  close(): void
}

/** A directory in memory if there is one. */
export const fastTemporary: string = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** The initial modes of filesystems differ. */
export const rootMode = 0o755

const maxHops = 200

class Refusal extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/** `leavesOut`: steps that are known to differ, given the kind of the entry at their path. */
export function createOracle(leavesOut: (step: Step, kind: EntryKind | undefined) => boolean = () => false): Oracle {
  const root = realpathSync(mkdtempSync(join(fastTemporary, 'fuzz-')))
  chmodSync(root, rootMode)
  const inside = (path: VfsPath): string => (path === rootPath ? root : root + path)

  /** Whether '..' is resolved at the root, on the way to `path` or after it. */
  const escapes = (path: VfsPath): boolean => {
    let place: string[] = []
    const pending = pathNames(path).toReversed()
    for (let hops = 0; hops < maxHops;) {
      const name = pending.pop()
      if (name === undefined) return false
      if (name === '' || name === '.') continue
      if (name === '..') {
        if (place.length === 0) return true
        place.pop()
        continue
      }
      const stats = lstatSync(join(root, ...place, name), { throwIfNoEntry: false })
      if (stats?.isSymbolicLink() === true) {
        hops++
        const target = outside(readlinkSync(join(root, ...place, name)))
        pending.push(...target.split('/').toReversed())
        if (target.startsWith('/')) place = []
      } else if (stats?.isDirectory() !== true) return false
      else place.push(name)
    }
    return false
  }
  const outside = (path: string): string => (path === root || path.startsWith(`${root}/`) ? path.slice(root.length) || '/' : path)

  const means = (todo: Step): boolean =>
    !escapes(todo.at) && !('to' in todo && escapes(todo.to)) && !leavesOut(todo, kindAt(todo.at))

  const kindAt = (path: VfsPath): EntryKind | undefined => {
    let kind: EntryKind | undefined
    codeOf(() => (kind = kindOf(lstatSync(inside(path)))))
    return kind
  }

  const write = (todo: Step & { verb: 'write' }): string => {
    const { at, text, create, append = false, parents = false, mode = 0o644 } = todo
    if (parents && create !== 'never') makeParents(dirname(at))
    const { O_WRONLY, O_CREAT, O_EXCL, O_APPEND, O_TRUNC } = constants
    const creating = create === 'never' ? 0 : create === 'exclusive' ? O_CREAT | O_EXCL : O_CREAT
    const isNew = !existsSync(inside(at))
    const file = openSync(inside(at), O_WRONLY | creating | (append ? O_APPEND : O_TRUNC), mode)
    try {
      if (isNew) fchmodSync(file, mode)
      const bytes = Buffer.from(text)
      if (bytes.length > 0) writeSync(file, bytes)
      return `wrote ${fstatSync(file).size}`
    } finally {
      closeSync(file)
    }
  }

  /** `mkdir -p` as in a shell, one directory at a time. */
  const makeParents = (directory: VfsPath): void => {
    const missing: VfsPath[] = []
    for (let path = directory; path !== rootPath; path = dirname(path)) {
      const code = codeOf(() => statSync(inside(path)))
      if (code === undefined) break
      if (code !== 'ENOENT') throw new Refusal(code)
      missing.push(path)
    }
    for (const path of missing.toReversed()) {
      const code = codeOf(() => {
        mkdirSync(inside(path))
        chmodSync(inside(path), 0o755)
      })
      if (code !== undefined && (code !== 'EEXIST' || codeOf(() => statSync(inside(path))) !== undefined)) {
        throw new Refusal(code === 'EEXIST' ? 'ENOENT' : code)
      }
    }
  }

  const step = (todo: Step): string => {
    const { at } = todo
    switch (todo.verb) {
      case 'write':
        return write(todo)
      case 'write-if': {
        const isThere = codeOf(() => closeSync(openSync(inside(at), constants.O_WRONLY))) === undefined
        // First check whether it could be written at all.
        closeSync(openSync(inside(at), constants.O_WRONLY | constants.O_CREAT))
        if (isThere && todo.rev !== 'current') throw new Refusal('ESTALE')
        if (!isThere && todo.rev === 'old') {
          unlinkSync(realpathSync.native(inside(at)))
          throw new Refusal('ESTALE')
        }
        if (!isThere) chmodSync(inside(at), 0o644)
        return write({ verb: 'write', at, text: todo.text })
      }
      case 'mkdir':
        mkdirSync(inside(at), { mode: todo.mode })
        chmodSync(inside(at), todo.mode)
        return 'made'
      case 'unlink':
        unlinkSync(inside(at))
        return 'removed'
      case 'rmdir':
        if (at === rootPath) throw new Refusal('EBUSY')
        rmdirSync(inside(at))
        return 'removed'
      case 'rename':
      case 'rename-new':
        refuseAsKernel(at, todo.to, todo.verb === 'rename-new')
        renameSync(inside(at), inside(todo.to))
        return 'renamed'
      case 'link':
        linkSync(inside(at), inside(todo.to))
        return 'linked'
      case 'symlink':
        symlinkSync(todo.target.startsWith('/') ? root + todo.target : todo.target, inside(at))
        return 'linked'
      case 'chmod':
        chmodSync(inside(at), todo.mode)
        return 'set'
      case 'utimes': {
        const seconds = todo.mtimeMs / 1000
        if (todo.follow) utimesSync(inside(at), seconds, seconds)
        else lutimesSync(inside(at), seconds, seconds)
        return String(todo.mtimeMs)
      }
      case 'read':
        return readFileSync(inside(at), 'utf8')
      case 'list':
        return readdirSync(inside(at), { withFileTypes: true })
          .map(entry => `${entry.name}:${kindOf(entry)}`)
          .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
          .join('|')
      case 'stat':
        return describe(statOf(statSync(inside(at))))
      case 'lstat':
        return describe(statOf(lstatSync(inside(at))))
      case 'readlink':
        return outside(readlinkSync(inside(at)))
      case 'realpath':
        return outside(realpathSync.native(inside(at)))
    }
  }

  /** What the kernel refuses at a root, or if nothing may be replaced, which Node cannot request. Source: renameat2 in Linux. */
  const refuseAsKernel = (from: VfsPath, to: VfsPath, isNew: boolean): void => {
    const isNoName = (path: VfsPath): boolean => path === rootPath || basename(path) === '..'
    statSync(`${inside(dirname(from))}/`)
    statSync(`${inside(dirname(to))}/`)
    if (isNoName(from)) throw new Refusal('EBUSY')
    if (isNoName(to)) throw new Refusal(isNew ? 'EEXIST' : 'EBUSY')
    lstatSync(inside(from))
    if (isNew && lstatSync(inside(to), { throwIfNoEntry: false }) !== undefined) throw new Refusal('EEXIST')
  }

  const answer = (todo: Step): string => {
    let result = ''
    const code = codeOf(() => {
      result = step(todo)
    })
    return code ?? result
  }

  return {
    perform(operation) {
      if (operation.verb === 'batch') {
        if (!operation.isKept) return { operation, answer: 'refused' }
        const steps: Step[] = []
        const answers: string[] = []
        for (const todo of operation.steps) {
          if (means(todo)) {
            steps.push(todo)
            answers.push(answer(todo))
          }
        }
        return { operation: { ...operation, steps }, answer: answers.join(', ') }
      }
      return means(operation) ? { operation, answer: answer(operation) } : undefined
    },
    tree() {
      const lines: string[] = []
      const firstNames = new Map<number, string>()
      const visit = (directory: string): void => {
        for (const name of readdirSync(root + directory).sort((a, b) => (a < b ? -1 : 1))) {
          const path = `${directory}/${name}`
          const stats = lstatSync(root + path)
          const line = `${JSON.stringify(path)} ${describe(statOf(stats))}`
          if (stats.isDirectory()) {
            lines.push(line)
            visit(path)
          } else if (stats.isSymbolicLink()) lines.push(`${line} -> ${outside(readlinkSync(root + path))}`)
          else {
            if (!firstNames.has(stats.ino)) firstNames.set(stats.ino, path)
            const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(readFileSync(root + path))
            lines.push(`${line} ${JSON.stringify(firstNames.get(stats.ino))} ${short(text)}`)
          }
        }
      }
      visit('')
      return lines.join('\n')
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  }
}

function codeOf(act: () => unknown): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
    throw error
  }
}

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean }): EntryKind {
  return entry.isDirectory() ? 'directory' : entry.isFile() ? 'file' : 'symlink'
}

function statOf(stats: Stats): Parameters<typeof describe>[0] {
  return { kind: kindOf(stats), mode: stats.mode & 0o777, sizeBytes: stats.size, nlink: stats.nlink }
}

function nameOf(entry: string): string {
  return entry.slice(0, entry.lastIndexOf(':'))
}
