// A `Vfs` for libraries that take Node's `fs`: the same calls, results and failures, over any filesystem. It needs neither Node nor its
// types, so that such a library runs in a page. The tests compare it with Node's.

import type { Vfs } from '../../vfs.ts'
import { asksForDirectory, vfsPath } from '../../input.ts'
import { run, runNow, type Steps } from '../../steps.ts'
import { checkFunction, checkInteger, invalidType, optionsOf } from './arguments.ts'
import { callbackFace, type CallbackVerb } from './callbacks.ts'
import { constants } from './constants.ts'
import { descriptorVerbs } from './descriptor-verbs.ts'
import { NodeDir } from './directory.ts'
import { collected, isIterableData, type NodeData } from './encodings.ts'
import { nodeError } from './errors.ts'
import { NodeFileHandle } from './file-handle.ts'
import { pathVerbs } from './path-verbs.ts'
import { type NodePath, pathText } from './paths.ts'
import { NodeDirent, NodeStats } from './stats.ts'
import { readStream, writeStream } from './streams.ts'
import { type NodeFsOptions, NodeSystem } from './system.ts'
import type { NodeFs, NodeFsPromises, NodeFsSync } from './types.ts'
import { missingStats, NodeWatcher, parseWatchOptions, StatWatcher, watched, watchPath } from './watch.ts'

export type { NodeFsOptions } from './system.ts'

type AnyVerb = (...args: never[]) => Steps<unknown>

/**
 * `vfs` with the interface of `node:fs`: `promises`, callbacks, descriptors, streams and watchers. The synchronous functions
 * (`readFileSync` and so on) exist if the filesystem is synchronous, as `memory()` is in the same thread.
 *
 * Failures are Node's (`code`, `errno`, `syscall`, `path`, `dest`). A descriptor or handle holds its file and not a path: it follows a
 * rename, and keeps the content of a file that is removed or replaced.
 *
 * Not supported: devices, pipes, sockets, `glob`, and times below a millisecond. Permissions and owners are stored and not enforced.
 *
 * ```ts
 * import { createWorkspace } from 'anchorage'
 * import { memory } from 'anchorage/fs/memory'
 * import { toNodeFs } from 'anchorage/fs/node-facade'
 *
 * const workspace = await createWorkspace({ fs: memory({ 'a.txt': 'hello' }) })
 * const fs = toNodeFs(workspace.fs, { workingDirectory: workspace.root })
 * const text = await fs.promises.readFile('a.txt', 'utf8')
 * await workspace.dispose()
 * ```
 */
export function toNodeFs(vfs: Vfs, options: NodeFsOptions = {}): NodeFs {
  const system = new NodeSystem(vfs, options)
  const { on } = system
  const { sync } = on
  const paths = pathVerbs(system)
  const descriptors = descriptorVerbs(system)
  const verbs = { path: paths, descriptor: descriptors }
  const promised = promisedFace()
  const all: Readonly<Record<string, AnyVerb>> = { ...paths, ...descriptors }
  const callbacks = callbackFace(system, all as Readonly<Record<string, CallbackVerb>>, promised)
  const polled = new Map<string, StatWatcher>()

  const fs = {
    ...callbacks,
    ...(sync === undefined ? {} : synchronousFace()),
    promises: promised,
    constants,
    createReadStream: (path: NodePath, given?: unknown) => readStream(system, verbs, path, given),
    createWriteStream: (path: NodePath, given?: unknown) => writeStream(system, verbs, path, given),
    watch(path: NodePath, given?: unknown, listener?: unknown): NodeWatcher {
      const heard = typeof given === 'function' ? given : listener
      const settings = parseWatchOptions(typeof given === 'function' ? undefined : given)
      const watcher = new NodeWatcher()
      if (heard !== undefined) {
        checkFunction('listener', heard)
        watcher.on('change', heard as () => void)
      }
      const steps = watched(system, path)
      if (sync !== undefined) watcher.start(system, runNow(steps), settings)
      else {
        run(on, steps).then(
          target => watcher.start(system, target, settings),
          (error: unknown) => watcher.fail(error),
        )
      }
      return watcher
    },
    watchFile(path: NodePath, ...args: readonly unknown[]): StatWatcher {
      const text = system.given(path, 'filename').text
      const listener = args.at(-1)
      if (typeof listener !== 'function') throw invalidType('listener', 'of type function', listener)
      const { interval = 5007 } = optionsOf<{ interval: number }>(args.length > 1 ? args[0] : {})
      checkInteger('interval', interval, 0)
      const watcher = polled.get(text) ?? new StatWatcher(() => promised.stat(path).catch(missingStats), interval)
      polled.set(text, watcher)
      watcher.listen(listener)
      return watcher
    },
    unwatchFile(path: NodePath, listener?: unknown): void {
      const text = system.given(path, 'filename').text
      const watcher = polled.get(text)
      if (watcher === undefined) return
      if (typeof listener === 'function') watcher.off('change', listener as () => void)
      else watcher.removeAllListeners('change')
      if (watcher.listenerCount('change') > 0) return
      watcher.stop()
      polled.delete(text)
    },
    Stats: NodeStats,
    Dirent: NodeDirent,
    Dir: NodeDir,
    F_OK: constants.F_OK,
    R_OK: constants.R_OK,
    W_OK: constants.W_OK,
    X_OK: constants.X_OK,
  }
  // Built by name from the tables of functions; the types are in types.ts.
  return fs as unknown as NodeFs

  function promisedFace(): NodeFsPromises {
    const face: Record<string, unknown> = { constants }
    for (const [name, verb] of Object.entries<AnyVerb>({ ...paths })) {
      if (name !== 'exists') face[name] = async (...args: never[]) => await run(on, verb(...args))
    }
    const put =
      (name: 'writeFile' | 'appendFile') => async (path: NodePath | NodeFileHandle, data: NodeData, given?: unknown) => {
        const { encoding } = optionsOf<{ encoding: string | null }>(given)
        if (path instanceof NodeFileHandle) return path.writeFile(data, encoding ?? null)
        await run(on, paths[name](pathOf(path), isIterableData(data) ? await collected(data, encoding) : data, given))
      }
    Object.assign(face, {
      writeFile: put('writeFile'),
      appendFile: put('appendFile'),
      readFile: async (path: NodePath | NodeFileHandle, given?: unknown) =>
        path instanceof NodeFileHandle
          ? path.readFile(optionsOf<{ encoding: string | null }>(given).encoding ?? null)
          : run(on, paths.readFile(pathOf(path), given)),
      open: async (path: NodePath, flags?: unknown, mode?: unknown) =>
        new NodeFileHandle(system, descriptors, await run(on, paths.open(path, flags, mode))),
      truncate: async (path: NodePath, length?: number | null) => run(on, paths.truncate(pathOf(path), length)),
      stat: statFace('stat'),
      lstat: statFace('lstat'),
      watch: (path: NodePath, given?: unknown) =>
        watchPath(
          system,
          () => {
            const steps = watched(system, path)
            return sync === undefined ? run(on, steps) : runNow(steps)
          },
          parseWatchOptions(given),
        ),
    })
    return face as unknown as NodeFsPromises
  }

  /** The promise functions take no descriptors. */
  function pathOf(path: NodePath): NodePath {
    pathText(path)
    return path
  }

  // Written by hand: git asks for two stats of each file, and running steps costs as much as the stat.
  function statFace(syscall: 'stat' | 'lstat') {
    const options = syscall === 'stat' ? undefined : ({ follow: false } as const)
    return async (path: NodePath, given?: unknown): Promise<unknown> => {
      if (sync === undefined || given !== undefined) return run(on, paths[syscall](path, given))
      const { shown, text } = system.given(path)
      if (asksForDirectory(text) || text.length > 1000) return run(on, paths[syscall](path))
      try {
        return new NodeStats(sync.lookup(vfsPath(text, syscall), options))
      } catch (error) {
        throw nodeError({ syscall, path: shown }, error)
      }
    }
  }

  function synchronousFace(): NodeFsSync {
    const face: Record<string, unknown> = {}
    for (const [name, verb] of Object.entries(all)) {
      if (name !== 'statfs') face[`${name}Sync`] = (...args: never[]) => runNow(verb(...args))
    }
    Object.assign(face, {
      openSync: (path: NodePath, flags?: unknown, mode?: unknown) => runNow(paths.open(path, flags, mode)).number,
      fsyncSync: (fd: number) => flushNow(descriptors.fstat(fd)),
      fdatasyncSync: (fd: number) => flushNow(descriptors.fstat(fd)),
    })
    const realpathSync = face['realpathSync'] as object
    Object.assign(realpathSync, { native: realpathSync })
    return face as unknown as NodeFsSync
  }

  /** Synchronous storage is durable when this returns; for the rest, wait for the function in `promises`. */
  function flushNow(check: Steps<unknown>): void {
    runNow(check)
    vfs.flush().catch(() => undefined)
  }
}

export type { CallbackCall, NodeFs, NodeFsPromises, NodeFsSync } from './types.ts'
export type { NodeFsError } from './errors.ts'
export type { CopyOptions } from './copy.ts'
export type { ReaddirOptions, ReaddirResult } from './directory.ts'
export type { NodeData } from './encodings.ts'
export type { OpenMode } from './flags.ts'
export type { NodePath } from './paths.ts'
export type { NodeStatFs } from './stats.ts'
export type { NodeStream } from './streams.ts'
export type { WatchEvent, WatchFileOptions } from './watch.ts'
export { BigIntStats } from './stats.ts'
export { NodeDir, NodeDirent, NodeFileHandle, NodeStats, NodeWatcher }
