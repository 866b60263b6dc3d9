// The message from the command `js` to the worker that runs its program.

/** Where the text of the program comes from. */
export type ProgramSource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'text'; readonly text: string; readonly name: '[eval]' | '[stdin]' }

export interface Program {
  readonly source: ProgramSource
  /** As a program, as one whose last value is printed, or only to find errors in its syntax. */
  readonly purpose: 'run' | 'print' | 'check'
  /** `auto` is an ECMAScript module if the text cannot be anything else. */
  readonly inputType: 'auto' | 'module' | 'commonjs'
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export type ToJsWorker = {
  readonly kind: 'run'
  readonly program: Program
  /** Answers to calls are written here. */
  readonly memory: SharedArrayBuffer
  /** The URL of the engine's WebAssembly module. */
  readonly wasmUrl: string
}
