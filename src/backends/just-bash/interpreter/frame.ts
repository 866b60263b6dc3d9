// A running function or a file that is read by `source`.

export interface Frame {
  readonly name: string
  readonly source: string
  /** The line of the call. */
  readonly line: number
  /** Whether a trap of the caller does not apply here. It still sees the commands as `$BASH_COMMAND` afterwards. */
  readonly hidesTraps?: boolean
}
