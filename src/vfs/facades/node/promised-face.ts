// `fs.promises`.

import { isVfsError } from '../../error.ts'
import { asksForDirectory, vfsPath } from '../../input.ts'
import { run, runNow, type Steps } from '../../steps.ts'
import { optionsOf } from './arguments.ts'
import { started } from './callbacks.ts'
import { constants } from './constants.ts'
import type { DescriptorVerbs } from './descriptor-verbs.ts'
import { collected, isIterableData, type NodeData } from './encodings.ts'
import { nodeError, ownError } from './errors.ts'
import { temporaryDirectory } from './extras.ts'
import { NodeFileHandle } from './file-handle.ts'
import { glob } from './glob.ts'
import { nameAsNode } from './parameters.ts'
import type { PathVerbs } from './path-verbs.ts'
import type { NodePath } from './paths.ts'
import { nodeStats } from './stats.ts'
import type { NodeSystem } from './system.ts'
import type { NodeFsPromises } from './types.ts'
import { watched, watchPath } from './watch.ts'

export type AnyVerb = (...args: never[]) => Steps<unknown>

export function promisedFace(system: NodeSystem, paths: PathVerbs, descriptors: DescriptorVerbs): NodeFsPromises {
  const { on } = system
  const { sync } = on
  const face: Record<string, unknown> = { constants }
  for (const [name, verb] of Object.entries<AnyVerb>({ ...paths })) {
    if (name !== 'exists' && name !== 'realpathNative') face[name] = async (...args: never[]) => await run(on, verb(...args))
  }
  const put = (name: 'writeFile' | 'appendFile') => async (path: NodePath | NodeFileHandle, data: NodeData, given?: unknown) => {
    const { encoding } = optionsOf<{ encoding: string | null }>(given)
    if (path instanceof NodeFileHandle) return path.writeFile(data, given as { encoding?: string | null })
    const bytes = isIterableData(data) ? await collected(data, encoding) : data
    const steps = paths[name](path, bytes, given)
    await started([given])
    await run(on, steps)
  }
  Object.assign(face, {
    writeFile: put('writeFile'),
    appendFile: put('appendFile'),
    async readFile(path: NodePath | NodeFileHandle, given?: unknown) {
      if (path instanceof NodeFileHandle) return path.readFile(given as { encoding?: string | null })
      const steps = paths.readFile(path, given)
      await started([given])
      return run(on, steps)
    },
    open: async (path: NodePath, flags?: unknown, mode?: unknown) =>
      new NodeFileHandle(system, descriptors, await run(on, paths.open(path, flags, mode))),
    realpath: async (path: NodePath, given?: unknown) => run(on, paths.realpathNative(path, given)),
    stat: statFace('stat'),
    lstat: statFace('lstat'),
    watch: (path: NodePath, given?: unknown) =>
      watchPath(
        system,
        () => {
          const steps = watched(system, path)
          return sync === undefined ? run(on, steps) : runNow(steps)
        },
        given,
      ),
    async *glob(pattern: unknown, given?: unknown) {
      yield* await run(on, glob(system, pattern, given))
    },
    // macOS only, as in Node.
    lchmod: async () => {
      throw ownError('ERR_METHOD_NOT_IMPLEMENTED', 'The lchmod() method is not implemented')
    },
    mkdtempDisposable: async (prefix: NodePath, given?: unknown) =>
      await run(
        on,
        temporaryDirectory(system, paths, prefix, given, 'asyncDispose', steps => run(on, steps)),
      ),
  })
  nameAsNode(face, true)
  return face as unknown as NodeFsPromises

  // Written by hand: git gets two stats of each file, and running steps costs as much as the stat.
  function statFace(syscall: 'stat' | 'lstat') {
    const options = syscall === 'stat' ? undefined : ({ follow: false } as const)
    return async (path: NodePath, given?: unknown): Promise<unknown> => {
      if (sync === undefined || given !== undefined || system.rights.user !== undefined)
        return run(on, paths[syscall](path, given))
      const { shown, text } = system.given(path)
      if (asksForDirectory(text) || text.length > 1000) return run(on, paths[syscall](path))
      try {
        return nodeStats(sync.lookup(vfsPath(text, syscall), options))
      } catch (error) {
        if (isVfsError(error, 'ENAMETOOLONG')) return run(on, paths[syscall](path))
        throw nodeError({ syscall, path: shown }, error)
      }
    }
  }
}
