// The program `python3` for a shell: Python on the files that the shell sees. Nothing of the engine is loaded before it is called.

import { checkArguments } from '../../core/argument.ts'
import type { WebWorkerLike } from '../../core/start-worker.ts'
import type { ShellCommandDefinition } from '../../shell/commands.ts'
import { ProgramWorkers } from '../../shell/program-workers.ts'
import type { ToPythonWorker } from './protocol.ts'
import { startPythonWorker } from './spawn.ts'

/** Options of `python3`. */
export interface PythonOptions {
  /** The name of the command. Default `python3`. Give `python` too if your agents call it: `[python3(), python3({ name: 'python' })]`. */
  readonly name?: string | undefined
  /**
   * The directory from which the files of the package `pyodide` are served. A page must name it, and serve `pyodide.mjs`, `pyodide.asm.mjs`,
   * `pyodide.asm.wasm`, `python_stdlib.zip` and `pyodide-lock.json` there. Node finds the package by itself.
   */
  readonly indexUrl?: string | undefined
  /** Creates the worker, for a bundler that does not support `new Worker(new URL(…))`; its script is `anchorage/shell/python/worker`. */
  readonly worker?: (() => WebWorkerLike) | undefined
}

// An idle worker takes about 200 MB. Firefox keeps the memory of each interpreter until the worker ends, and has none left after about 35.
const limits = { maxIdle: 1, maxPrograms: 16 }

/**
 * The command `python3 [OPTIONS] [-c CODE | -m MODULE | FILE | -] [ARGUMENTS]` for `shell: justBash({ commands: [python3()] })`. It runs
 * CPython (Pyodide) in a worker, with the standard library, over the guarded files of the shell. It needs the package `pyodide`, which is
 * loaded with the first call (about 6.3 MB gzipped), and memory that threads share: Node, or a page that is cross-origin isolated.
 * Elsewhere it ends with an error.
 *
 * @example
 * const workspace = await createWorkspace({ fs: memory(), shell: justBash({ commands: [python3(), python3({ name: 'python' })] }) })
 */
export function python3(options: PythonOptions = {}): ShellCommandDefinition {
  checkArguments('python3', [options], [['name', 'indexUrl', 'worker']])
  const { name = 'python3', indexUrl, worker } = options
  const workers = new ProgramWorkers<ToPythonWorker>({
    start: startWorker => startPythonWorker(startWorker, worker),
    prepare: ({ indexUrl: url }) => ({ kind: 'prepare', indexUrl: url }),
    ...limits,
  })
  return {
    name,
    help:
      `Runs Python 3.14 (\`${name} -c CODE\`, \`-m MODULE\`, \`${name} FILE ARGS\`, program on stdin) with most of its standard library; ` +
      'no network, child processes, threads or packages from pip.',
    run: async context => (await import('./run.ts')).run(context, { workers, indexUrl }),
    dispose: () => workers.dispose(),
  }
}
