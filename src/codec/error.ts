// How reading a packed format fails. Who reads it words what to do next.

export type CodecFault = 'damaged' | 'unsupported' | 'limit'

/** `message` is the end of a sentence about the archive, such as `its table is cut off`. */
export class CodecError extends Error {
  readonly fault: CodecFault

  constructor(fault: CodecFault, message: string) {
    super(message)
    this.name = 'CodecError'
    this.fault = fault
  }
}

export function damaged(why: string): CodecError {
  return new CodecError('damaged', why)
}

export function unsupported(what: string): CodecError {
  return new CodecError('unsupported', what)
}
