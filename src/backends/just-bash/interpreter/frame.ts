// A running function or a file that is read by `source`.

export interface Frame {
  readonly name: string
  readonly source: string
  /** The line of the call. */
  readonly line: number
}
