// All formats of documents, and how to recognise one by its name, its first bytes and its media type.

import { ownValue } from '../../core/record.ts'

/** A format that has a reader. */
export type DocumentKind = 'pdf' | 'docx' | 'xlsx' | 'pptx' | 'epub' | 'odf' | 'rtf' | 'doc' | 'xls' | 'ppt'

/** By the extension of a file's name, in lower case. */
const kindsByExtension: Readonly<Record<string, DocumentKind>> = {
  pdf: 'pdf',
  docx: 'docx',
  docm: 'docx',
  dotx: 'docx',
  xlsx: 'xlsx',
  xlsm: 'xlsx',
  xltx: 'xlsx',
  pptx: 'pptx',
  pptm: 'pptx',
  ppsx: 'pptx',
  epub: 'epub',
  odt: 'odf',
  ods: 'odf',
  odp: 'odf',
  rtf: 'rtf',
  doc: 'doc',
  dot: 'doc',
  xls: 'xls',
  xlt: 'xls',
  ppt: 'ppt',
  pps: 'ppt',
}

/** The format for the extension of a name. */
function documentKindOfName(name: string): DocumentKind | undefined {
  const [, ending = ''] = /\.([^./]+)$/.exec(name.toLowerCase()) ?? []
  return ownValue(kindsByExtension, ending)
}

/** The container, from the start of a file. Office's packages and books are ZIP files, and all older Office files start alike. */
export type Container = 'zip' | 'compound' | 'pdf' | 'rtf'

/** @param head the first kilobyte of the file */
export function containerOf(head: Uint8Array): Container | undefined {
  const [first, second, third, fourth] = head
  if (first === 0x50 && second === 0x4b && (third === 3 || third === 5) && (fourth === 4 || fourth === 6)) return 'zip'
  if (first === 0xd0 && second === 0xcf && third === 0x11 && fourth === 0xe0) return 'compound'
  const text = new TextDecoder('latin1').decode(head)
  // A PDF may have other data at the start.
  if (text.includes('%PDF-')) return 'pdf'
  return /^\s*\{\\rtf/.test(text) ? 'rtf' : undefined
}

const zipped = new Set<DocumentKind>(['docx', 'xlsx', 'pptx', 'epub', 'odf'])

/**
 * The reader for a file with that name and start; `undefined` if it is not a document. The name only decides between formats with the same
 * container: a `.doc` that contains RTF is RTF.
 */
export function documentKindOf(name: string, head: Uint8Array): DocumentKind | undefined {
  const named = documentKindOfName(name)
  const container = containerOf(head)
  if (named === undefined || container === undefined) return undefined
  if (container === 'pdf' || container === 'rtf') return container
  // A protected .docx is a compound file, which its reader reports.
  if (container === 'compound') return zipped.has(named) ? named : /^(?:doc|xls|ppt)$/.test(named) ? named : undefined
  if (zipped.has(named)) return named
  return named === 'doc' ? 'docx' : named === 'xls' ? 'xlsx' : named === 'ppt' ? 'pptx' : undefined
}
