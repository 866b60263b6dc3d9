// The script of a worker that converts documents, one at a time. It does nothing if it is not loaded as a worker. It has no files
// and no state, so it can be ended at any time.

import { openParentPort } from '../../core/worker-scope.ts'
import { documentToMarkdown, type ConvertedDocument } from './convert.ts'
import type { DocumentKind } from './kinds.ts'
import { DocumentTrouble, type TroubleKind } from './trouble.ts'

/** A document to convert; `page`, if given, is the only page to read. */
export interface ToDocumentWorker {
  readonly bytes: Uint8Array
  readonly kind: DocumentKind
  readonly page: number | undefined
}

/** The worker has loaded, or the result of a conversion. */
export type FromDocumentWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'converted'; readonly document: ConvertedDocument }
  | { readonly kind: 'trouble'; readonly trouble: TroubleKind; readonly message: string }
  /** A bug. */
  | { readonly kind: 'failed'; readonly message: string }

const copyMaxBytes = 128 * 1024 * 1024

const port = openParentPort<FromDocumentWorker, ToDocumentWorker>()
if (port !== undefined) {
  port.listen(request => void convert(request).then(answer => port.post(answer)))
  port.post({ kind: 'ready' })
}

async function convert({ bytes, kind, page }: ToDocumentWorker): Promise<FromDocumentWorker> {
  const copies = kind === 'pdf' ? limitCopies() : undefined
  try {
    // The caller ends it.
    const { signal } = new AbortController()
    return { kind: 'converted', document: await documentToMarkdown(bytes, kind, { signal, page }) }
  } catch (error) {
    if (copies?.isOver()) {
      const message = `a part of it unpacks to more than ${copyMaxBytes / 1024 / 1024} MB`
      return { kind: 'trouble', trouble: 'too-large', message }
    }
    if (error instanceof DocumentTrouble) return { kind: 'trouble', trouble: error.kind, message: error.message }
    return { kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  } finally {
    copies?.release()
  }
}

/**
 * pdf.js inflates a whole stream into a buffer that it doubles by copying, without a limit. Nothing else runs in this worker, so its
 * buffers are limited here.
 */
function limitCopies(): { readonly isOver: () => boolean; readonly release: () => void } {
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its array below
  const { set } = Uint8Array.prototype
  let isOver = false
  Uint8Array.prototype.set = function (this: Uint8Array, ...args: Parameters<typeof set>) {
    isOver ||= this.length > copyMaxBytes
    if (isOver) throw new RangeError('a stream unpacks to too much')
    set.apply(this, args)
  }
  const release = (): void => {
    Uint8Array.prototype.set = set
  }
  return { isOver: () => isOver, release }
}
