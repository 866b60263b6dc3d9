// A sed script as a flat list of commands: a block is a jump past its end if its address does not match.

import type { Regex } from '../../regex/regex.ts'

export type Address =
  | { readonly kind: 'line'; readonly line: number }
  | { readonly kind: 'step'; readonly first: number; readonly step: number }
  | { readonly kind: 'last' }
  /** `undefined`: the empty regex, which reuses the last one. */
  | { readonly kind: 'pattern'; readonly regex: Regex | undefined }

export type RangeEnd =
  | Address
  /** `addr1,+N`: the N lines after the first one too. */
  | { readonly kind: 'more'; readonly count: number }
  /** `addr1,~N`: up to the next line whose number is a multiple of N. */
  | { readonly kind: 'multiple'; readonly of: number }

export interface Selection {
  readonly start: Address
  readonly end: RangeEnd | undefined
}

export interface CaseChange {
  /** Upper case, lower case or unchanged, until the next `\U`, `\L` or `\E`. */
  readonly lasting?: 'U' | 'L' | 'E'
  /** Changes the next character only. */
  readonly once?: 'u' | 'l'
}

export type ReplacementPart = string | { readonly group: number } | CaseChange

export interface Substitution {
  readonly regex: Regex | undefined
  readonly replacement: readonly ReplacementPart[]
  /** The number of the first match that is replaced. */
  readonly from: number
  readonly isGlobal: boolean
  readonly prints: number
  readonly file: string | undefined
}

export type Action =
  | { readonly kind: 'block'; end: number }
  | { readonly kind: 'block-end' }
  | { readonly kind: 'substitute'; readonly substitution: Substitution }
  | { readonly kind: 'translate'; readonly characters: ReadonlyMap<string, string> }
  | { readonly kind: 'text'; readonly where: 'a' | 'i' | 'c'; readonly text: string }
  | { readonly kind: 'read-file' | 'read-line' | 'write' | 'write-line'; readonly file: string }
  | { readonly kind: 'branch'; readonly when: 'b' | 't' | 'T'; readonly label: string; target: number }
  | { readonly kind: 'quit'; readonly isSilent: boolean; readonly code: number }
  | { readonly kind: 'list'; readonly width: number | undefined }
  | { readonly kind: 'simple'; readonly letter: SimpleLetter }

export type SimpleLetter = 'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | 'z' | '=' | 'F'

export interface Command {
  readonly selection: Selection | undefined
  readonly isNegated: boolean
  readonly action: Action
}

export interface Script {
  readonly commands: readonly Command[]
  /** The script begins with `#n`, which has the effect of -n. */
  readonly isQuiet: boolean
}

export class ScriptError extends Error {
  override readonly name = 'ScriptError'
  readonly exitCode: number
  /** The files of `w` before the error, which are created anyway, because each one is opened when it is parsed. */
  files: readonly string[] = []

  constructor(message: string, exitCode: number = 1) {
    super(message)
    this.exitCode = exitCode
  }
}
