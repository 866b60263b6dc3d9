// A content that another tab holds: whoever can wait has it brought and asks again; whoever cannot is told so.

import { VfsError } from './error.ts'

export class ContentElsewhere extends VfsError {
  /** Brings it here. Throws `VfsError`. */
  readonly load: () => Promise<void>

  constructor(load: () => Promise<void>) {
    super('EAGAIN', 'read', { hint: 'another tab has this content; read the file by promise, and it is brought here' })
    this.load = load
  }
}
