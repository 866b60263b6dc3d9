// The text of a document as it is shown.

import { documentToMarkdown } from '../../resources/document/convert.ts'
import type { DocumentKind } from '../../resources/document/kinds.ts'

const { signal } = new AbortController()

export async function markdown(kind: DocumentKind, bytes: Uint8Array): Promise<string> {
  return (await documentToMarkdown(bytes, kind, { signal })).markdown
}
