// Names: links, symlinks, renaming and removing one name.

import { dirname, type VfsPath } from '../../../core/path.ts'
import { statIfAny } from '../../derived/exists.ts'
import { isVfsError } from '../../error.ts'
import { asksForDirectory } from '../../input.ts'
import { call, type Steps } from '../../steps.ts'
import { itself } from '../../verbs.ts'
import { optionsOf, isBytes } from './arguments.ts'
import { checkEncoding } from './encodings.ts'
import { systemError } from './errors.ts'
import { checkLinkType } from './options.ts'
import { isPath, type NodePath, textOfBytes } from './paths.ts'
import { realpathByName } from './realpath.ts'
import {
  asCall,
  checkDirectory,
  checkedPath,
  checkLength,
  type GivenPath,
  lastDots,
  named,
  type NodeSystem,
  used,
} from './system.ts'
import type { VerbContext } from './verb-context.ts'

type Name = string | Uint8Array
export type NameOptions = { readonly encoding: string | null }

export interface NameVerbs {
  link(existing: NodePath, path: NodePath): Steps<void>
  readlink(path: NodePath, options?: unknown): Steps<Name>
  realpath(path: NodePath, options?: unknown): Steps<Name>
  realpathNative(path: NodePath, options?: unknown): Steps<Name>
  rename(from: NodePath, to: NodePath): Steps<void>
  symlink(target: NodePath, path: NodePath, type?: string | null): Steps<void>
  unlink(path: NodePath): Steps<void>
}

/** The directory in which a path is looked up: with '.' as the last name it is the path itself. */
function parentOf(system: NodeSystem, { text }: GivenPath): Steps<VfsPath> {
  const above = text.replace(/[^/]+\/*$/, '')
  checkLength(text, 'rename')
  return checkedPath(system, above === '' ? '/' : above, 'rename')
}

/** Whether the last name is '.' or '..'. */
function isDotted({ text }: GivenPath): boolean {
  return /(^|\/)\.\.?\/*$/.test(text)
}

export function nameVerbs(context: VerbContext): NameVerbs {
  const { system } = context
  const { on, open, rights } = system
  return {
    link: (existing, path) =>
      context.onTwo('link', existing, path, ['existingPath', 'newPath'], function* (source, target) {
        const from = yield* used(system, source, 'link', false)
        if (rights.user !== undefined) yield* call(on, 'lookup', from, { follow: false })
        const to = yield* targetName(source, target, from, 'link')
        if (isDotted(target)) yield* call(on, 'lookup', from, { follow: false })
        yield* lastDots(system, target, 'link')
        const failing = { syscall: 'link', path: source.shown, dest: target.shown }
        if (asksForDirectory(source.text)) {
          yield* call(on, 'lookup', from)
          yield* checkDirectory(on, dirname(to), 'link')
          if ((yield* statIfAny(on, to, { follow: false })) !== undefined) throw systemError('EEXIST', failing)
        }
        if (asksForDirectory(target.text) && (yield* statIfAny(on, to, { follow: false })) === undefined) {
          yield* call(on, 'lookup', from, { follow: false })
          yield* checkDirectory(on, dirname(to), 'link')
          throw systemError('ENOENT', failing)
        }
        if (rights.user !== undefined && (yield* statIfAny(on, to, { follow: false })) === undefined) {
          const stat = yield* call(on, 'lookup', from, { follow: asksForDirectory(source.text) })
          if ((yield* statIfAny(on, dirname(to)))?.kind === 'directory') rights.link(from, stat)
          yield* rights.create(to, 'link')
        }
        // A directory cannot have a second name, and a path that ends in '/' leads to a directory.
        if (asksForDirectory(source.text)) throw systemError('EPERM', failing)
        yield* open.linking(from, to, () => call(on, 'link', from, to))
      }),
    readlink(path, given) {
      const { encoding } = optionsOf<NameOptions>(given)
      checkEncoding(encoding)
      const target = system.given(path, 'oldPath')
      return context.onNamed('readlink', path, function* () {
        const at = yield* used(system, target, 'readlink', false)
        if (asksForDirectory(target.text)) {
          yield* call(on, 'lookup', at)
          throw systemError('EINVAL', { syscall: 'readlink', path: target.text })
        }
        return context.nameAs(yield* call(on, 'readlink', at), encoding)
      })
    },
    realpath(path, given) {
      const { encoding } = optionsOf<NameOptions>(given)
      checkEncoding(encoding)
      // Node converts any other value to text.
      const target = system.given(textIfNoPath(path))
      return asCall({ syscall: 'lstat', path: target.shown }, function* () {
        return context.nameAs(yield* realpathByName(system, target), encoding)
      })
    },
    realpathNative(path, given) {
      const { encoding } = optionsOf<NameOptions>(given)
      checkEncoding(encoding)
      return context.onUsed('realpath', path, function* (at) {
        return context.nameAs(yield* call(on, 'realpath', at), encoding)
      })
    },
    rename: (from, to) =>
      context.onTwo('rename', from, to, ['oldPath', 'newPath'], function* (source, target) {
        const failing = { syscall: 'rename', path: source.shown, dest: target.shown }
        checkLength(source.text, 'rename')
        // Linux finds both parents before it looks up either name.
        if (rights.user !== undefined)
          for (const given of [source, target]) yield* rights.searchParent(yield* parentOf(system, given), 'rename')
        // Linux looks up both parents before the entries, and the last names as text before both. 86 characters may be 256 bytes.
        const isOdd = ({ text }: GivenPath): boolean => text.length > 1000 || /(^|\/)\.{0,2}\/*$|[^/]{86}/.test(text)
        if (source.text !== '' && [source, target].some(isOdd)) {
          yield* checkDirectory(on, yield* parentOf(system, source), 'rename')
          if (target.text === '') throw systemError('ENOENT', failing)
          yield* checkDirectory(on, yield* parentOf(system, target), 'rename')
          if (isDotted(source) || isDotted(target)) throw systemError('EBUSY', failing)
        }
        const at = yield* named(system, source, 'rename')
        const goal = yield* targetName(source, target, at, 'rename')
        yield* itself(on, source.text, 'rename')
        if (asksForDirectory(target.text)) {
          const moved = yield* call(on, 'lookup', at, { follow: false })
          if (moved.kind !== 'directory') throw systemError('ENOTDIR', failing)
          if ((yield* statIfAny(on, goal, { follow: false }))?.kind === 'symlink') throw systemError('ENOTDIR', failing)
        }
        yield* rights.rename(at, goal)
        yield* open.renaming(at, goal, () => call(on, 'rename', at, goal))
      }),
    symlink(target, path, type) {
      const steps = context.onTwo('symlink', target, path, ['target', 'path'], function* (source, goal) {
        if (source.shown === '') throw systemError('ENOENT', { syscall: 'symlink', path: '', dest: goal.shown })
        checkLength(source.shown, 'symlink')
        const at = yield* named(system, goal, 'symlink')
        yield* lastDots(system, goal, 'symlink')
        yield* checkDirectory(on, dirname(at), 'symlink')
        if (asksForDirectory(goal.text) && (yield* statIfAny(on, at, { follow: false })) === undefined)
          throw systemError('ENOENT', { syscall: 'symlink', path: source.shown, dest: goal.shown })
        const make = (): Steps<void> => call(on, 'symlink', source.shown, at)
        if (rights.user === undefined || (yield* statIfAny(on, at, { follow: false })) !== undefined) yield* make()
        else yield* context.creating(at, 'symlink', 0o777, 'symlink', make)
      })
      checkLinkType(type)
      return steps
    },
    unlink: path =>
      context.onNamed('unlink', path, function* (at, given) {
        const failing = { syscall: 'unlink', path: given.shown }
        if ((yield* lastDots(system, given, 'unlink')) !== undefined) throw systemError('EISDIR', failing)
        const stat = yield* call(on, 'lookup', at, { follow: false })
        // Linux looks at the slash before the permissions.
        if (asksForDirectory(given.text)) throw systemError(stat.kind === 'directory' ? 'EISDIR' : 'ENOTDIR', failing)
        yield* rights.remove(at, stat, 'unlink')
        yield* open.removing(at, () => call(on, 'remove', at, 'file'))
      }),
  }

  /** Linux finds out that the last name of the target is too long only after it has found the source, which is at `at`. */
  function* targetName(source: GivenPath, target: GivenPath, at: VfsPath, syscall: string): Steps<VfsPath> {
    try {
      return yield* named(system, target, syscall)
    } catch (error) {
      if (isVfsError(error, 'ENAMETOOLONG')) {
        for (const { text } of [source, target]) checkLength(text, syscall)
        yield* call(on, 'lookup', at, { follow: false })
      }
      throw error
    }
  }
}

function textIfNoPath(path: unknown): NodePath {
  if (isBytes(path)) return textOfBytes(path)
  if (isPath(path)) return path
  if (typeof path === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string')
  return String(path)
}
