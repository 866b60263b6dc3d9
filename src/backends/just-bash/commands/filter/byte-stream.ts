// Operations on byte strings (one character per byte) of a stream: a window of it, and rows of equal width.

/** The part of a stream that begins after `skip` bytes and is at most `length` bytes long. */
export class ByteWindow {
  private skip: number
  private left: number

  constructor(skip: number, length: number) {
    this.skip = skip
    this.left = length
  }

  /** Whether all bytes to skip have been read. */
  get hasBegun(): boolean {
    return this.skip === 0
  }

  /** Whether the window is complete. */
  get isOver(): boolean {
    return this.left <= 0
  }

  take(bytes: string): string {
    const part = bytes.slice(this.skip, this.skip + this.left)
    this.skip = Math.max(0, this.skip - bytes.length)
    this.left -= part.length
    return part
  }
}

/** Formats rows of `width` bytes. A sequence of identical rows is shown as one row and a `*`, unless `showsAll` is set. */
export class Rows {
  sizeBytes = 0
  private rest = ''
  private before: string | undefined
  private isRepeating = false
  private readonly width: number
  private readonly showsAll: boolean
  private readonly show: (row: string, at: number) => string

  constructor(width: number, showsAll: boolean, show: (row: string, at: number) => string) {
    this.width = width
    this.showsAll = showsAll
    this.show = show
  }

  /** The rows that `bytes` complete, formatted. */
  take(bytes: string): string {
    const given = this.rest + bytes
    const whole = given.length - (given.length % this.width)
    this.rest = given.slice(whole)
    let shown = ''
    for (let at = 0; at < whole; at += this.width) shown += this.row(given.slice(at, at + this.width))
    return shown
  }

  /** The last row, which may be shorter than `width`. */
  end(): string {
    const row = this.rest
    this.rest = ''
    return row === '' ? '' : this.row(row)
  }

  private row(row: string): string {
    const at = this.sizeBytes
    this.sizeBytes += row.length
    const isEqual = !this.showsAll && row === this.before
    const shown = !isEqual ? this.show(row, at) : this.isRepeating ? '' : '*\n'
    this.isRepeating = isEqual
    this.before = row
    return shown
  }
}
