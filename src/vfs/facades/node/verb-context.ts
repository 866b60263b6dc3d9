// How a function that takes a path becomes steps: the path is checked when the function is called, resolved when the steps run, and shown
// in errors as it was given.

import type { VfsPath } from '../../../core/path.ts'
import type { Attributes, Stat } from '../../backend.ts'
import { call, type Steps } from '../../steps.ts'
import { encoded } from './encodings.ts'
import type { NodePath } from './paths.ts'
import { factsOfNew } from './rights.ts'
import { asCall, type GivenPath, named, type NodeSystem, used } from './system.ts'

export class VerbContext {
  readonly system: NodeSystem
  /** Whether the functions answer at once. In a few errors Node's synchronous functions differ from the others. */
  readonly isSynchronous: boolean
  /** Whether a number in place of a path is a descriptor. Node's promise functions take none. */
  readonly takesDescriptors: boolean

  constructor(system: NodeSystem, face: 'synchronous' | 'callback' | 'promise') {
    this.system = system
    this.isSynchronous = face === 'synchronous'
    this.takesDescriptors = face !== 'promise'
  }

  /** For a path whose symlinks are followed. */
  onUsed<T>(syscall: string, path: NodePath, act: (path: VfsPath, given: GivenPath) => Steps<T>, name = 'path'): Steps<T> {
    const { system } = this
    const given = system.given(path, name)
    return asCall({ syscall, path: given.shown }, function* () {
      return yield* act(yield* used(system, given, syscall), given)
    })
  }

  /** For a name that is itself changed. */
  onNamed<T>(syscall: string, path: NodePath, act: (path: VfsPath, given: GivenPath) => Steps<T>): Steps<T> {
    const { system } = this
    const given = system.given(path)
    return asCall({ syscall, path: given.shown }, function* () {
      return yield* act(yield* named(system, given, syscall), given)
    })
  }

  onTwo(
    syscall: string,
    from: NodePath,
    to: NodePath,
    names: readonly [string, string],
    act: (from: GivenPath, to: GivenPath) => Steps<void>,
  ): Steps<void> {
    const [source, target] = [this.system.given(from, names[0]), this.system.given(to, names[1])]
    return asCall({ syscall, path: source.shown, dest: target.shown }, () => act(source, target))
  }

  /** Runs `make`, which creates `path` with a mode, after the check of its parent; then the new entry gets its owner. */
  *creating<T>(path: VfsPath, kind: Stat['kind'], mode: number, syscall: string, make: (mode: number) => Steps<T>): Steps<T> {
    const { on, rights } = this.system
    const { user } = rights
    const parent = yield* rights.create(path, syscall)
    if (parent === undefined || user === undefined) return yield* make(mode)
    const facts = factsOfNew(user, parent, kind, mode)
    const made = yield* make(facts.mode)
    const given: Attributes = { uid: facts.uid, gid: facts.gid, follow: false }
    if ((yield* this.system.caps(path)).owners === true) yield* call(on, 'setattr', path, given)
    return made
  }

  nameAs(name: string, encoding: string | null | undefined): string | Uint8Array {
    return encoding === 'utf8' || !encoding ? name : this.system.shown(encoded(name, 'utf8'), encoding)
  }
}
