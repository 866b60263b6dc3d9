// The messages from the command `python3` to the worker that runs its program.

export type ProgramSource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'module'; readonly name: string }
  | {
      readonly kind: 'text'
      readonly text: string
      readonly name: '<string>' | '<stdin>'
      /** The first argument that the program sees. */
      readonly argument: string
    }

export interface Program {
  readonly source: ProgramSource
  readonly args: readonly string[]
  /** All arguments of the command. */
  readonly words: readonly string[]
  readonly warnings: readonly string[]
  /** Directories of modules that go first. */
  readonly path: readonly string[]
  /** Nothing is imported from the directory of the program. */
  readonly isIsolated: boolean
  readonly isUnbuffered: boolean
  /** Whether the variables `PYTHON*` count. */
  readonly usesEnvironment: boolean
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export type ToPythonWorker = RunProgram | { readonly kind: 'prepare'; readonly indexUrl: string }

export interface RunProgram {
  readonly kind: 'run'
  readonly program: Program
  /** Answers to calls are written here. */
  readonly memory: SharedArrayBuffer
  /** The URL of the directory with the files of Pyodide. It ends with a slash. */
  readonly indexUrl: string
}
