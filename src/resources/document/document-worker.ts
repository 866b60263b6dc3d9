// The script of the worker that converts documents, one at a time. Loaded as anything else than a worker it does nothing. It has no files
// and no state, so it can be ended at any instant.

import { openParentPort } from '../../core/worker-scope.ts'
import { documentToMarkdown, type ConvertedDocument } from './convert.ts'
import type { DocumentKind } from './kinds.ts'
import { DocumentTrouble, type TroubleKind } from './trouble.ts'

export interface ToDocumentWorker {
  readonly bytes: Uint8Array
  readonly kind: DocumentKind
  readonly page: number | undefined
}

export type FromDocumentWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'converted'; readonly document: ConvertedDocument }
  | { readonly kind: 'trouble'; readonly trouble: TroubleKind; readonly message: string }
  /** A bug. */
  | { readonly kind: 'failed'; readonly message: string }

const port = openParentPort<FromDocumentWorker, ToDocumentWorker>()
if (port !== undefined) {
  port.listen(request => void convert(request).then(answer => port.post(answer)))
  port.post({ kind: 'ready' })
}

async function convert({ bytes, kind, page }: ToDocumentWorker): Promise<FromDocumentWorker> {
  try {
    // It is ended from outside.
    const { signal } = new AbortController()
    return { kind: 'converted', document: await documentToMarkdown(bytes, kind, { signal, page }) }
  } catch (error) {
    if (error instanceof DocumentTrouble) return { kind: 'trouble', trouble: error.kind, message: error.message }
    return { kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
