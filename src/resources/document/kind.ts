// Documents: `report.pdf`, `report.pdf:page 3`, `costs.xlsx:sheet 2026`, `talk.pptx:slide 4`.

import { ToolError } from '../../core/errors.ts'
import type { Resource, ResourceAddress, ResourceContext, ResourceSource } from '../kind.ts'
import { documentMaxBytes, type ConvertedDocument } from './convert.ts'
import { documentWorkers } from './document-workers.ts'
import { claimedBytes } from '../kind.ts'
import { documentKindOf, type DocumentKind } from './kinds.ts'
import { DocumentTrouble, type TroubleKind } from './trouble.ts'

/** `:raw` shows the text of the file, if it is text, such as RTF. */
export const isPlainWhenRaw = true

/** A plain text with the extension `.doc` stays a text. */
export function claims(head: Uint8Array, { display }: ResourceSource): boolean {
  return documentKindOf(display, head) !== undefined
}

export async function open(address: ResourceAddress, context: ResourceContext): Promise<Resource | undefined> {
  const { source, inner } = address
  if (source === undefined) return undefined
  const head = await source.read({ start: 0, end: Math.min(claimedBytes, source.sizeBytes) })
  const kind = documentKindOf(source.display, head)
  if (kind === undefined) return undefined
  const wanted = parsePart(inner)
  if (inner !== '' && wanted === undefined) return undefined
  try {
    const page = kind === 'pdf' && wanted?.noun === 'page' ? Number(wanted.name) : undefined
    const document = await convert(source, kind, page, context)
    const shown = wanted === undefined ? document : partOf(document, wanted)
    if (shown === undefined) return undefined
    return {
      kind: 'text',
      noun: 'document',
      display: address.text,
      text: shown.markdown === '' ? '(The document has no text.)' : shown.markdown,
      notes: document.notes,
      details: { format: kind },
    }
  } catch (error) {
    throw error instanceof DocumentTrouble ? explained(error, source) : error
  }
}

export async function missing({ source, inner, text }: ResourceAddress, context: ResourceContext): Promise<ToolError> {
  const details = { path: text }
  if (source === undefined) return new ToolError('ENOENT', `${text} does not exist.`, { details })
  const head = await source.read({ start: 0, end: Math.min(claimedBytes, source.sizeBytes) })
  const kind = documentKindOf(source.display, head)
  if (kind === undefined) {
    return new ToolError('ENOENT', `${source.display} is not a document, so it has no ${inner}.`, {
      nextStep: `Read it without: ${source.display}`,
      details,
    })
  }
  const { parts } = await convert(source, kind, undefined, context).catch((error: unknown) => {
    throw error instanceof DocumentTrouble ? explained(error, source) : error
  })
  const names = parts.flatMap(({ name }) => name ?? [])
  const shown = names.length > 12 ? [...names.slice(0, 6), '…', names.at(-1)] : names
  return new ToolError('ENOENT', `${source.display} has no ${inner}.`, {
    nextStep: names.length === 0 ? `It has no parts. Read it whole: ${source.display}` : `It has: ${shown.join(', ')}.`,
    details,
  })
}

interface PartAddress {
  readonly noun: string
  readonly name: string
}

function parsePart(inner: string): PartAddress | undefined {
  const [, noun, name] = /^(page|sheet|slide|chapter)[ =:]\s*(.+)$/i.exec(inner) ?? []
  return noun === undefined || name === undefined ? undefined : { noun: noun.toLowerCase(), name }
}

/** By name, and sheets also by number. */
function partOf({ parts }: ConvertedDocument, { noun, name }: PartAddress): { readonly markdown: string } | undefined {
  const those = parts.filter(part => part.name?.startsWith(`${noun} `))
  const exact = those.find(part => part.name === `${noun} ${name}`)
  const alike = those.find(part => part.name?.toLowerCase() === `${noun} ${name.toLowerCase()}`)
  return exact ?? alike ?? (noun === 'sheet' && /^\d+$/.test(name) ? those[Number(name) - 1] : undefined)
}

/** A document is read page by page, and often with several selectors, so the conversion is kept. */
async function convert(
  source: ResourceSource,
  kind: DocumentKind,
  page: number | undefined,
  { cache, signal, host }: ResourceContext,
): Promise<ConvertedDocument> {
  if (source.sizeBytes > documentMaxBytes)
    throw new DocumentTrouble('too-large', `it is larger than ${documentMaxBytes / 1024 / 1024} MB`)
  const key = source.stored === undefined ? undefined : `document ${source.stored.path} ${source.stored.rev} ${page ?? ''}`
  const known = key === undefined ? undefined : (cache.get(key) as ConvertedDocument | undefined)
  if (known !== undefined) return known
  const document = await documentWorkers(host.startWorker).convert(await source.read(), kind, { signal, page })
  if (key !== undefined) cache.set(key, document, document.markdown.length * 4)
  return document
}

const codes: Readonly<Record<TroubleKind, readonly [code: string, nextStep: string]>> = {
  damaged: ['document-damaged', 'Ask the user for another copy of it.'],
  encrypted: ['document-encrypted', 'Ask the user for a copy without protection.'],
  'too-large': ['document-too-large', 'Ask the user for a part of it, or for its text.'],
  'too-slow': ['document-too-slow', 'Read single pages of a PDF, such as :page 1. Otherwise ask the user for its text.'],
  unsupported: ['document-unsupported', 'Ask the user to save it as PDF, DOCX, XLSX or text.'],
}

function explained(trouble: DocumentTrouble, { display }: ResourceSource): ToolError {
  const [code, nextStep] = codes[trouble.kind]
  return new ToolError(code, `Cannot read ${display}: ${trouble.message}.`, {
    nextStep,
    details: { path: display },
    cause: trouble,
  })
}
