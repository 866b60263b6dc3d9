// Performs a step on a filesystem behind our port and returns the result as text, for comparison.

import { childPath, rootPath, type VfsPath } from '../../core/path.ts'
import type { Stat, VfsBackend, VfsSync } from '../../vfs/backend.ts'
import { isVfsError } from '../../vfs/error.ts'
import type { Operation, Step } from './operation.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

type Primitives = VfsBackend | VfsSync

/** The code of the error, or the result. */
export async function perform(fs: VfsBackend, operation: Operation, prefersSync: boolean): Promise<string> {
  if (operation.verb !== 'batch') return answer(() => step(prefersSync ? (fs.sync ?? fs) : fs, operation))
  const { steps, isKept } = operation
  const { batch } = fs
  if (batch === undefined) throw new Error('the subject has no transactions')
  const answers: string[] = []
  const refusal = new Error('refused')
  try {
    await batch(async transaction => {
      for (const inner of steps) answers.push(await answer(() => step(transaction, inner)))
      if (!isKept) throw refusal
    })
  } catch (error) {
    if (error !== refusal) throw error
    return 'refused'
  }
  return answers.join(', ')
}

async function answer(act: () => Promise<string>): Promise<string> {
  try {
    return await act()
  } catch (error) {
    if (isVfsError(error)) return error.code
    throw error
  }
}

async function step(fs: Primitives, todo: Step): Promise<string> {
  const { at } = todo
  switch (todo.verb) {
    case 'write': {
      const { text, verb: _verb, at: _at, ...options } = todo
      return `wrote ${(await fs.write(at, encoder.encode(text), options)).sizeBytes}`
    }
    case 'write-if': {
      const rev = await revAt(fs, at)
      const ifRev = todo.rev === 'missing' ? 0 : todo.rev === 'current' ? rev : rev + 1_000_000
      return `wrote ${(await fs.write(at, encoder.encode(todo.text), { ifRev })).sizeBytes}`
    }
    case 'mkdir':
      await fs.mkdir(at, { mode: todo.mode })
      return 'made'
    case 'unlink':
      await fs.remove(at, 'file')
      return 'removed'
    case 'rmdir':
      await fs.remove(at, 'directory')
      return 'removed'
    case 'rename':
    case 'rename-new':
      await fs.rename(at, todo.to, todo.verb === 'rename' ? {} : { noReplace: true })
      return 'renamed'
    case 'link':
      await fs.link(at, todo.to)
      return 'linked'
    case 'symlink':
      await fs.symlink(todo.target, at)
      return 'linked'
    case 'chmod':
      await fs.setattr(at, { mode: todo.mode })
      return 'set'
    case 'utimes':
      await fs.setattr(at, { mtimeMs: todo.mtimeMs, follow: todo.follow })
      return String((await fs.lookup(at, { follow: todo.follow })).mtimeMs)
    case 'read':
      return decoder.decode(await fs.read(at))
    case 'list':
      return (await fs.list(at)).map(entry => `${entry.name}:${entry.kind}`).join('|')
    case 'stat':
      return describe(await fs.lookup(at))
    case 'lstat':
      return describe(await fs.lookup(at, { follow: false }))
    case 'readlink':
      return fs.readlink(at)
    case 'realpath':
      return fs.realpath(at)
  }
}

async function revAt(fs: Primitives, at: VfsPath): Promise<number> {
  try {
    return (await fs.lookup(at)).rev
  } catch (error) {
    if (isVfsError(error)) return 0
    throw error
  }
}

export function describe({ kind, mode, sizeBytes, nlink }: Pick<Stat, 'kind' | 'mode' | 'sizeBytes' | 'nlink'>): string {
  const bits = mode.toString(8)
  return kind === 'file'
    ? `file ${bits} ${sizeBytes} bytes ${nlink} names`
    : kind === 'directory'
      ? `directory ${bits}`
      : 'symlink'
}

/** Everything that is there; a file with several names says which is its first. */
export async function treeOf(fs: VfsBackend): Promise<string> {
  const lines: string[] = []
  const firstNames = new Map<number, string>()
  const visit = async (directory: VfsPath): Promise<void> => {
    for (const { name } of await fs.list(directory)) {
      const path = childPath(directory, name)
      const stat = await fs.lookup(path, { follow: false })
      const line = `${JSON.stringify(path)} ${describe(stat)}`
      if (stat.kind === 'directory') {
        lines.push(line)
        await visit(path)
      } else if (stat.kind === 'symlink') lines.push(`${line} -> ${await fs.readlink(path)}`)
      else {
        if (!firstNames.has(stat.ino)) firstNames.set(stat.ino, path)
        lines.push(`${line} ${JSON.stringify(firstNames.get(stat.ino))} ${short(decoder.decode(await fs.read(path)))}`)
      }
    }
  }
  await visit(rootPath)
  return lines.join('\n')
}

export function short(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 20)}…${text.length}` : text)
}
