// Options of a host for the interceptor of atomic's `bash`.

import type { ParsedScript } from '../../../shell/parsed-script.ts'

/** A rule of the host: a regular expression (JavaScript). */
export interface InterceptorRule {
  readonly pattern: string
  /** The tool to use instead, by its original name; the rule applies only if the model has that tool. */
  readonly tool: string
  readonly message?: string | undefined
  /** The text to match: the whole script (the default), or each of its commands, with its words joined by spaces. */
  readonly against?: 'script' | 'each-command' | undefined
}

/** One reading of a call. */
export interface InterceptorForm {
  /**
   * `original`: as the model wrote it. `without-cd`: the part after a leading `cd somewhere &&`, unless the call names its directory.
   * `without-prefix`: without `sudo`, `env X=1`, `command` and similar prefixes of each command; its script is the original one.
   */
  readonly kind: 'original' | 'without-cd' | 'without-prefix'
  readonly script: string
  /** `undefined` if the script is not valid bash; it would fail anyway. */
  readonly parsed: ParsedScript | undefined
}

/** A call of `bash` that the interceptor judges. */
export interface InterceptorRequest {
  readonly forms: readonly InterceptorForm[]
  /** The directory that the call names. */
  readonly cwd: string | undefined
  readonly env: Readonly<Record<string, string>>
  /** The verdict of the rules. */
  readonly rule: { readonly tool: string; readonly rule: string; readonly message: string } | undefined
}

/** `undefined`: the verdict of the rules stands. */
export type InterceptorAnswer =
  | undefined
  | { readonly kind: 'allow' }
  | {
      readonly kind: 'block'
      /** By its original name; the model is told of it if it has that tool. */
      readonly tool?: string
      readonly message: string
    }

/** Options of the interceptor, which answers a shell command that does the work of a tool with the name of that tool. */
export interface BashInterceptorOptions {
  readonly enabled: boolean
  /** Tried before the built-in ones. */
  readonly rules?: readonly InterceptorRule[] | undefined
  /**
   * The commands that the built-in rules judge. `first` (the default): the first command of the script, also after a leading `cd`.
   * `anywhere`: every command, also behind `&&` and `|`, in loops and substitutions, and behind `sudo`, `env` and similar prefixes.
   */
  readonly scope?: 'first' | 'anywhere' | undefined
  /** Called with every command before it runs, and decides. A function, so it cannot be sent to a worker. */
  readonly handler?: ((request: InterceptorRequest) => InterceptorAnswer | Promise<InterceptorAnswer>) | undefined
}
