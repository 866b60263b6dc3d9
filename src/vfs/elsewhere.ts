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

/** The result of `act`, for which contents of other tabs are fetched. */
export async function withContents<T>(act: () => T | Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof ContentElsewhere)) throw error
      await error.load()
    }
  }
}
