// A `Vfs` for libraries that take Node's `fs`: the same calls, results and failures, over any filesystem. It needs neither Node nor its
// types, so that such a library runs in a page. The tests compare it with Node's.

import { checkOptions } from '../../../core/argument.ts'
import { checkMember } from '../../../core/errors.ts'
import type { Vfs } from '../../vfs.ts'
import { run, runNow } from '../../steps.ts'
import { checkFunction, checkInteger, parseTime } from './arguments.ts'
import { callbackFace, type CallbackVerb } from './callbacks.ts'
import { constants } from './constants.ts'
import { descriptorVerbs } from './descriptor-verbs.ts'
import { NodeDir } from './directory.ts'
import { fileAsBlob } from './extras.ts'
import { NodeFileHandle } from './file-handle.ts'
import { glob } from './glob.ts'
import { nameAsNode } from './parameters.ts'
import { pathVerbs } from './path-verbs.ts'
import type { NodePath } from './paths.ts'
import { promisedFace } from './promised-face.ts'
import { BigIntStats, NodeDirent, NodeStats } from './stats.ts'
import { streamClasses, webReadStream, webWriteStream } from './streams.ts'
import { synchronousFace } from './synchronous-face.ts'
import { type NodeFsOptions, NodeSystem } from './system.ts'
import type { NodeFs } from './types.ts'
import { missingStats, NodeWatcher, parseWatchOptions, StatWatcher, type StatWatchOptions, watched } from './watch.ts'

export type { BufferClass, NodeFsOptions } from './system.ts'

/**
 * `vfs` with the interface of `node:fs`: `promises`, callbacks, descriptors, streams and watchers. The synchronous functions
 * (`readFileSync` and so on) exist if the filesystem is synchronous, as `memory()` is in the same thread.
 *
 * Failures are Node's (`code`, `errno`, `syscall`, `path`, `dest`). A descriptor or handle holds its file and not a path: it follows a
 * rename, and keeps the content of a file that is removed or replaced.
 *
 * Not supported: devices, pipes, sockets, and times below a microsecond. Permissions and owners are stored; they are enforced if `options`
 * say who the user is (`uid`).
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
  checkMember('toNodeFs', vfs, 'readdir', 'workspace.fs')
  checkOptions('toNodeFs', options, { workingDirectory: 1, umask: 1, uid: 1, gid: 1, groups: 1, Buffer: 1 })
  const system = new NodeSystem(vfs, options)
  const { on } = system
  const { sync } = on
  const paths = pathVerbs(system, 'callback')
  const descriptors = descriptorVerbs(system)
  const verbs = { path: paths, descriptor: descriptors }
  const promised = promisedFace(system, pathVerbs(system, 'promise'), descriptors)
  const polled = new Map<string, StatWatcher>()
  const classes = streamClasses(() => fs)
  const createReadStream = (path: NodePath, given?: unknown): unknown =>
    classes === undefined ? webReadStream(system, verbs, path, given) : new classes.ReadStream(path, given as object)
  const createWriteStream = (path: NodePath, given?: unknown): unknown =>
    classes === undefined ? webWriteStream(system, verbs, path, given) : new classes.WriteStream(path, given as object)
  system.streams = {
    read: (path, given) => createReadStream(path as NodePath, given),
    write: (path, given) => createWriteStream(path as NodePath, given),
  }

  const fs = {
    ...callbackFace(system, {
      ...paths,
      ...descriptors,
      glob: (...args: never[]) => glob(system, ...(args as unknown as [unknown])),
    } as unknown as Readonly<Record<string, CallbackVerb>>),
    ...(sync === undefined
      ? {}
      : { lchmodSync: undefined, ...synchronousFace(system, pathVerbs(system, 'synchronous'), descriptors) }),
    promises: promised,
    constants: Object.freeze(constants),
    createReadStream,
    createWriteStream,
    ...(classes === undefined ? {} : { ...classes, FileReadStream: classes.ReadStream, FileWriteStream: classes.WriteStream }),
    openAsBlob: (path: NodePath, given?: unknown) => run(on, fileAsBlob(paths, path, given)),
    // macOS only, as in Node.
    lchmod: undefined,
    _toUnixTimestamp: (time: unknown) => parseTime(time, 'time') / 1000,
    watch(path: NodePath, given?: unknown, listener?: unknown): NodeWatcher {
      const heard = typeof given === 'function' ? given : listener
      const settings = parseWatchOptions(typeof given === 'function' ? undefined : given, false)
      const watcher = new NodeWatcher()
      if (heard) {
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
      const text = system.given(path).text
      const [options] = args
      const hasOptions = typeof options === 'object' && options !== null
      const listener = hasOptions ? args[1] : options
      checkFunction('listener', listener)
      const given: Partial<StatWatchOptions> = hasOptions ? options : {}
      if ('interval' in given) checkInteger('interval', given.interval, 0, 2 ** 32 - 1)
      const { bigint = false } = given
      const look = async (): Promise<NodeStats | BigIntStats> => {
        try {
          return await promised.stat(path, { bigint } as { bigint: false })
        } catch {
          return missingStats(bigint)
        }
      }
      const watcher = polled.get(text) ?? new StatWatcher(look, given)
      polled.set(text, watcher)
      watcher.listen(listener)
      return watcher
    },
    unwatchFile(path: NodePath, listener?: unknown): void {
      const text = system.given(path).text
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
  nameAsNode(fs, false)
  // Built by name from the tables of functions; the types are in types.ts.
  return fs as unknown as NodeFs
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
