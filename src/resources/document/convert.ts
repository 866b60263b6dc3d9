// Converts any document to Markdown. Loads the reader of its format on first use.

import { unreachable } from '../../core/errors.ts'
import { containerOf, type DocumentKind } from './kinds.ts'
import { DocumentTrouble } from './trouble.ts'
import { DocumentWork, type DocumentPart, type ReadDocument } from './work.ts'

/** Larger files are refused before anything is read. */
export const documentMaxBytes: number = 64 * 1024 * 1024

/** Options of {@link documentToMarkdown}. */
export interface ConvertOptions {
  readonly signal: AbortSignal
  /** Only this page of a PDF, from 1; other pages are not read. */
  readonly page?: number | undefined
}

/** A document that was read. */
export interface ConvertedDocument {
  /** The whole text. */
  readonly markdown: string
  /** Its pages, sheets, slides or chapters; one without a name if the document has none. */
  readonly parts: readonly DocumentPart[]
  /** Sentences about content that is not shown. */
  readonly notes: readonly string[]
}

/** Reads a document. Throws {@link DocumentTrouble}, or the signal's reason. */
export async function documentToMarkdown(
  bytes: Uint8Array,
  kind: DocumentKind,
  { signal, page }: ConvertOptions,
): Promise<ConvertedDocument> {
  signal.throwIfAborted()
  if (bytes.length > documentMaxBytes)
    throw new DocumentTrouble('too-large', `it is larger than ${documentMaxBytes / 1024 / 1024} MB`)
  const work = new DocumentWork(signal)
  try {
    const { parts } = await read(bytes, kind, work, page)
    return { markdown: parts.map(({ markdown }) => markdown).join('\n\n'), parts, notes: work.notes }
  } catch (error) {
    if (error instanceof DocumentTrouble || signal.aborted) throw error
    // Readers use offsets from the file: a wrong one causes a RangeError.
    if (error instanceof RangeError)
      throw new DocumentTrouble('damaged', 'it points at places that it does not have', { cause: error })
    throw error
  }
}

async function read(bytes: Uint8Array, kind: DocumentKind, work: DocumentWork, page: number | undefined): Promise<ReadDocument> {
  switch (kind) {
    case 'pdf':
      return (await import('./pdf.ts')).readPdf(bytes, work, page)
    case 'docx':
    case 'xlsx':
    case 'pptx':
    case 'epub':
    case 'odf': {
      // Office puts a package with a password into a container of the older kind.
      if (containerOf(bytes.subarray(0, 1024)) === 'compound')
        throw new DocumentTrouble('encrypted', 'it is protected by a password')
      return readPackage(bytes, kind, work)
    }
    case 'rtf':
      return (await import('./rtf.ts')).readRtf(bytes, work)
    case 'doc':
      return (await import('./doc.ts')).readDoc(bytes, work)
    case 'xls':
      return (await import('./xls.ts')).readXls(bytes, work)
    case 'ppt':
      return (await import('./ppt.ts')).readPpt(bytes, work)
    default:
      return unreachable(kind)
  }
}

async function readPackage(
  bytes: Uint8Array,
  kind: 'docx' | 'xlsx' | 'pptx' | 'epub' | 'odf',
  work: DocumentWork,
): Promise<ReadDocument> {
  switch (kind) {
    case 'docx':
      return (await import('./docx.ts')).readDocx(bytes, work)
    case 'xlsx':
      return (await import('./xlsx.ts')).readXlsx(bytes, work)
    case 'pptx':
      return (await import('./pptx.ts')).readPptx(bytes, work)
    case 'epub':
      return (await import('./epub.ts')).readEpub(bytes, work)
    case 'odf':
      return (await import('./odf.ts')).readOdf(bytes, work)
    default:
      return unreachable(kind)
  }
}
