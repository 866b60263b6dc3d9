// What a script would run, for those who judge commands before they run. Only what they need: a rule that understood everything would be
// a second shell.

/** A word of a command, as written and, where it is fixed, as its text. */
export interface ParsedWord {
  /** Without quotes; what is only known when it runs (`$x`, `$(…)`, `*`) stands there as it was written, more or less. */
  readonly text: string
  /** Nothing in it waits for the run. */
  readonly isPlain: boolean
}

/** A redirection of a command. */
export interface ParsedRedirection {
  readonly operator: string
  /** As written; most leave it out. */
  readonly fd: number | undefined
  /** `undefined` for a here-document. */
  readonly target: ParsedWord | undefined
}

/** A simple command of a script, with its words and redirections. */
export interface ParsedCommand {
  /** The command's name first. Empty for assignments alone. */
  readonly words: readonly ParsedWord[]
  /** Names that are set for this command only, or for the rest when there are no words. */
  readonly assignments: readonly string[]
  readonly redirections: readonly ParsedRedirection[]
  /** `first`: the script begins with it. `nested`: inside a substitution. `later`: behind `&&`, `|`, `;`, in a loop, a branch or a function. */
  readonly position: 'first' | 'later' | 'nested'
}

/** The commands of a script, in the order in which they are written. */
export interface ParsedScript {
  /** In the order in which they are written. */
  readonly commands: readonly ParsedCommand[]
  /** There were more than are looked at. */
  readonly isCut: boolean
}

/** `undefined` for what bash itself would refuse. */
export type ParseScript = (script: string) => Promise<ParsedScript | undefined>
