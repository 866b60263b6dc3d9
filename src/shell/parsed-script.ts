// The commands of a script, for code that decides whether to allow them before they run. The result contains only the data needed
// for that; a complete analysis would require a second shell.

/** A word of a command, as written and, if it is constant, as its text. */
export interface ParsedWord {
  /** The text without quotes. Parts that are only known at run time (`$x`, `$(…)`, `*`) are approximately as written. */
  readonly text: string
  /** Whether no part of it is determined at run time. */
  readonly isPlain: boolean
}

/** A redirection of a command. */
export interface ParsedRedirection {
  readonly operator: string
  /** The file descriptor, if one is written. */
  readonly fd: number | undefined
  /** `undefined` for a here-document. */
  readonly target: ParsedWord | undefined
}

/** A simple command of a script, with its words and redirections. */
export interface ParsedCommand {
  /** The command's name first. Empty if there are only assignments. */
  readonly words: readonly ParsedWord[]
  /** Variables that are set for this command only, or for the rest of the script if there are no words. */
  readonly assignments: readonly string[]
  readonly redirections: readonly ParsedRedirection[]
  /** `first`: at the start of the script. `nested`: in a substitution. `later`: after `&&`, `|`, `;`, in a loop, a branch or a function. */
  readonly position: 'first' | 'later' | 'nested'
}

/** The commands of a script, in the order in which they are written. */
export interface ParsedScript {
  /** In source order. */
  readonly commands: readonly ParsedCommand[]
  /** Whether there were more commands than the limit. */
  readonly isCut: boolean
}

/** Returns `undefined` for a script that bash would reject. */
export type ParseScript = (script: string) => Promise<ParsedScript | undefined>
