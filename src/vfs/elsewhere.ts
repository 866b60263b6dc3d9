// The error for a content that only another tab has. An asynchronous caller loads the content and tries again; a synchronous one gets the
// error.

import { VfsError } from './error.ts'

export class ContentElsewhere extends VfsError {
  /** Fetches the content. Throws `VfsError`. */
  readonly load: () => Promise<void>

  constructor(load: () => Promise<void>) {
    super('EAGAIN', 'read', { hint: 'another tab has this content; read the file with a promise, which fetches it' })
    this.load = load
  }
}
