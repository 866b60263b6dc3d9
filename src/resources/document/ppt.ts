// PowerPoint presentations of 1997 to 2003 ([MS-PPT]): the texts of each slide, its title first.

import { CompoundFile } from './compound-file.ts'
import { BlockWriter, heading, listItem, paragraph } from './markdown.ts'
import { DocumentTrouble } from './trouble.ts'
import type { DocumentPart, DocumentWork, ReadDocument } from './work.ts'

const headBytes = 8
const depthMax = 32
const types = {
  slideListWithText: 4080,
  slidePersist: 1011,
  textHeader: 3999,
  textChars: 4000,
  textBytes: 4008,
  document: 1000,
} as const
/** Kinds of text ([MS-PPT] 2.13.33) that are titles, and those that are lists. */
const titles = new Set([0, 6])
const lists = new Set([1, 7, 8])
const notesKind = 2

interface RecordHead {
  readonly version: number
  readonly instance: number
  readonly type: number
  readonly start: number
  readonly end: number
}

/** Throws `DocumentTrouble`. */
export async function readPpt(bytes: Uint8Array, work: DocumentWork): Promise<ReadDocument> {
  const file = new CompoundFile(bytes)
  const stream = file.demand('PowerPoint Document')
  if (file.has('EncryptedSummary')) throw new DocumentTrouble('encrypted', 'it is protected by a password')
  const slides: BlockWriter[] = []
  const loose: string[] = []
  let isInSlides = false
  let textKind = 4
  for (const record of recordsOf(stream)) {
    await work.pause()
    // The list of slides holds their texts in order; list 0 is that of the slides, others are masters and notes.
    if (record.type === types.slideListWithText) isInSlides = record.instance === 0
    else if (record.type === types.slidePersist && isInSlides) slides.push(new BlockWriter())
    else if (record.type === types.textHeader) textKind = stream[record.start] ?? 4
    else if (record.type === types.textChars || record.type === types.textBytes) {
      const content = stream.subarray(record.start, record.end)
      const text = new TextDecoder(record.type === types.textChars ? 'utf-16le' : 'latin1').decode(content)
      const slide = isInSlides ? slides.at(-1) : undefined
      if (slide === undefined) loose.push(text)
      else addText(slide, text, textKind)
    }
    if (record.type === types.document) isInSlides = false
  }
  const parts: DocumentPart[] = []
  for (const [index, slide] of slides.entries()) {
    const markdown = [`<!-- Slide ${index + 1} -->`, slide.text].filter(Boolean).join('\n\n')
    if (!work.takes(markdown)) break
    parts.push({ name: `slide ${index + 1}`, markdown })
  }
  const others = new BlockWriter()
  for (const text of new Set(loose)) {
    const shown = clean(text)
    // Masters bring the same words in every file: where to click, and placeholders for numbers and dates.
    if (shown !== '' && !/^(?:\*|Click to edit|Second level|Third level|Fourth level|Fifth level|___PPT)/.test(shown))
      others.add(paragraph(shown))
  }
  if (others.text !== '' && work.takes(others.text)) parts.push({ markdown: `<!-- Text boxes and notes -->\n\n${others.text}` })
  return { parts }
}

function addText(slide: BlockWriter, text: string, kind: number): void {
  if (kind === notesKind) return
  if (titles.has(kind)) {
    const title = clean(text).replaceAll('\n', ' ')
    if (title !== '') slide.add(heading(1, title))
    return
  }
  for (const line of clean(text).split('\n')) {
    if (line.trim() !== '') slide.add(lists.has(kind) ? listItem(0, '-', line) : paragraph(line), lists.has(kind))
  }
}

function clean(text: string): string {
  return text
    .replace(/[\r\x0b]/g, '\n')
    .replace(/[\x00-\x08\x0c\x0e-\x1f]/g, '')
    .trim()
}

/** Every record that holds data or others, outermost first. */
function* recordsOf(bytes: Uint8Array): Generator<RecordHead> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const ends = [bytes.length]
  for (let at = 0; at + headBytes <= bytes.length;) {
    while (ends.length > 1 && at >= (ends.at(-1) ?? 0)) ends.pop()
    const head = view.getUint16(at, true)
    const start = at + headBytes
    const end = Math.min(start + view.getUint32(at + 4, true), ends.at(-1) ?? bytes.length)
    const record = { version: head & 15, instance: head >>> 4, type: view.getUint16(at + 2, true), start, end }
    yield record
    const isContainer = record.version === 15 && ends.length < depthMax
    if (isContainer) ends.push(end)
    at = isContainer ? start : Math.max(end, start)
  }
}
