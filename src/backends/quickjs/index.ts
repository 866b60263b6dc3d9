// The program `js` for a shell: JavaScript on the files that the shell sees. Nothing of the engine is loaded before it is called.

import { checkArguments } from '../../core/argument.ts'
import type { ShellCommandDefinition } from '../../shell/commands.ts'
import type { WebWorkerLike } from '../../core/start-worker.ts'
import { ProgramWorkers } from '../../shell/program-workers.ts'
import type { ToJsWorker } from './protocol.ts'
import { startJsWorker } from './spawn.ts'

/** Options of `js`. */
export interface JsOptions {
  /** The name of the command, for a host that wants its agents to call `node`. Default `js`. */
  readonly name?: string | undefined
  /**
   * The URL of `quickjs-wasi/quickjs.wasm`, for a bundler that does not support `new URL('quickjs-wasi/quickjs.wasm', import.meta.url)`.
   */
  readonly wasmUrl?: string | undefined
  /** Creates the worker, for a bundler that does not support `new Worker(new URL(…))`; its script is `anchorage/shell/js/worker`. */
  readonly worker?: (() => WebWorkerLike) | undefined
}

const limits = { maxIdle: 2, maxPrograms: 100 }

/**
 * The command `js [OPTIONS] [FILE] [ARGUMENTS]` for `shell: justBash({ commands: [js()] })`. It runs JavaScript in QuickJS, in a worker, with
 * Node's most used modules over the guarded files of the shell. It needs the package `quickjs-wasi`, which is loaded with the first call
 * (about 330 kB gzipped), and memory that threads share: Node, or a page that is cross-origin isolated. Elsewhere it ends with an error.
 *
 * @example
 * const workspace = await createWorkspace({ fs: memory(), shell: justBash({ commands: [js(), js({ name: 'node' })] }) })
 */
export function js(options: JsOptions = {}): ShellCommandDefinition {
  checkArguments('js', [options], [['name', 'wasmUrl', 'worker']])
  const { name = 'js', wasmUrl, worker } = options
  const workers = new ProgramWorkers<ToJsWorker>({ start: startWorker => startJsWorker(startWorker, worker), ...limits })
  return {
    name,
    help:
      `Runs JavaScript in QuickJS, not Node (\`${name} -e CODE\`, \`-p CODE\`, \`${name} FILE ARGS\`, program on stdin): CommonJS and ES modules; ` +
      'fs, path, os, util, events, assert, url, readline, Buffer, process; no network, child processes, packages with native code or TypeScript.',
    run: async context => (await import('./run.ts')).run(context, { workers, wasmUrl }),
    dispose: () => workers.dispose(),
  }
}
