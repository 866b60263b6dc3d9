// What a host may ask of the interceptor of atomic's `bash`.

import type { ParsedScript } from '../../../shell/parsed-script.ts'

/** A host's own rule: a regular expression (JavaScript). */
export interface InterceptorRule {
  readonly pattern: string
  /** The tool, by its own name, that should be used instead; the rule counts only when the model has it. */
  readonly tool: string
  readonly message?: string | undefined
  /** What the pattern is held against: the whole script (the default), or each command of it by itself, its words joined by spaces. */
  readonly against?: 'script' | 'each-command' | undefined
}

/** One way to see the same call. */
export interface InterceptorForm {
  /**
   * `original`: as the model wrote it. `without-cd`: behind a leading `cd somewhere &&`, unless the call names its directory itself.
   * `without-prefix`: with `sudo`, `env X=1`, `command` and their like taken off each command; its script is still the original one.
   */
  readonly kind: 'original' | 'without-cd' | 'without-prefix'
  readonly script: string
  /** `undefined` where it cannot be read as bash; it would fail anyway. */
  readonly parsed: ParsedScript | undefined
}

/** A call of `bash` that the interceptor judges. */
export interface InterceptorRequest {
  readonly forms: readonly InterceptorForm[]
  /** As the call gave it. */
  readonly cwd: string | undefined
  readonly env: Readonly<Record<string, string>>
  /** What the rules say. */
  readonly rule: { readonly tool: string; readonly rule: string; readonly message: string } | undefined
}

/** `undefined`: as the rules say. */
export type InterceptorAnswer =
  | undefined
  | { readonly kind: 'allow' }
  | {
      readonly kind: 'block'
      /** By its own name; named to the model when it has that tool. */
      readonly tool?: string
      readonly message: string
    }

/** Options of the interceptor, which answers a shell command that does the work of a tool with the name of that tool. */
export interface BashInterceptorOptions {
  readonly enabled: boolean
  /** Tried before the built-in ones. */
  readonly rules?: readonly InterceptorRule[] | undefined
  /**
   * Which commands the built-in rules judge. `first` (the default): the one that the script begins with, or begins with after a leading
   * `cd`. `anywhere`: every one, behind `&&` and `|`, in loops and substitutions, and behind `sudo`, `env` and their like.
   */
  readonly scope?: 'first' | 'anywhere' | undefined
  /** Hears of every command before it runs and has the last word. A function, so it cannot be sent to a worker. */
  readonly handler?: ((request: InterceptorRequest) => InterceptorAnswer | Promise<InterceptorAnswer>) | undefined
}
