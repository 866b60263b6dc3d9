// The commands whose paths the shell remembers, for `hash` and `type`.

/** A command that was found in `PATH`. */
export interface HashedCommand {
  readonly path: string
  readonly hits: number
}
