// The functions that answer at once, for filesystems that can.

import { runNow } from '../../steps.ts'
import { checkDescriptor, invalidType } from './arguments.ts'
import type { DescriptorVerbs } from './descriptor-verbs.ts'
import { temporaryDirectory } from './extras.ts'
import { glob } from './glob.ts'
import type { PathVerbs } from './path-verbs.ts'
import type { NodePath } from './paths.ts'
import type { AnyVerb } from './promised-face.ts'
import type { NodeSystem } from './system.ts'
import type { NodeFsSync } from './types.ts'

export function synchronousFace(system: NodeSystem, paths: PathVerbs, descriptors: DescriptorVerbs): NodeFsSync {
  const face: Record<string, unknown> = {}
  for (const [name, verb] of Object.entries<AnyVerb>({ ...paths, ...descriptors })) {
    if (name === 'realpathNative') continue
    face[`${name}Sync`] = (...args: never[]) => runNow(verb(...args))
  }
  const realpathSync = (...args: Parameters<PathVerbs['realpath']>): unknown => runNow(paths.realpath(...args))
  Object.assign(face, {
    cpSync: (from: NodePath, to: NodePath, given?: unknown) => runNow(paths.cp(from, to, withPlainFilter(given))),
    readSync(fd: number, buffer: unknown, ...rest: readonly unknown[]) {
      const [options] = rest
      // Only this function of Node refuses null as an offset in options.
      if (
        rest.length === 1 &&
        typeof options === 'object' &&
        options !== null &&
        'offset' in options &&
        options.offset === null
      ) {
        throw invalidType('offset', 'of type number', null)
      }
      return runNow(descriptors.read(fd, buffer, ...(rest as [])))
    },
    existsSync: (path: NodePath) => runNow(paths.exists(path)),
    openSync: (path: NodePath, flags?: unknown, mode?: unknown) => runNow(paths.open(path, flags, mode)).number,
    fsyncSync: (fd: number) => flushNow(fd, 'fsync'),
    fdatasyncSync: (fd: number) => flushNow(fd, 'fdatasync'),
    globSync: (pattern: unknown, given?: unknown) => runNow(glob(system, pattern, given)),
    mkdtempDisposableSync: (prefix: NodePath, given?: unknown) =>
      runNow(temporaryDirectory(system, paths, prefix, given, 'dispose', runNow)),
    realpathSync: Object.assign(realpathSync, {
      native: (...args: Parameters<PathVerbs['realpath']>) => runNow(paths.realpathNative(...args)),
    }),
  })
  return face as unknown as NodeFsSync

  /** Synchronous storage is durable when this returns; for the rest, wait for the function in `promises`. */
  function flushNow(fd: unknown, syscall: string): void {
    system.open.get(checkDescriptor(fd), syscall)
    system.vfs.flush().catch(() => undefined)
  }
}

/** The options of `cp` with a filter that may not return a promise. */
function withPlainFilter(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  if (!Object.hasOwn(given, 'filter') || !('filter' in given) || typeof given.filter !== 'function') return given
  const { filter } = given
  return {
    ...given,
    filter: (...names: readonly string[]): unknown => {
      const isCopied: unknown = Reflect.apply(filter, undefined, names)
      if (!(isCopied instanceof Promise)) return isCopied
      const message = 'Expected boolean to be returned from the "filter" function but got an instance of Promise.'
      throw Object.assign(new TypeError(message), { code: 'ERR_INVALID_RETURN_VALUE' })
    },
  }
}
