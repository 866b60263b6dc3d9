// PowerPoint presentations of 1997 to 2003 ([MS-PPT]): the texts of each slide, its title first.

import { CompoundFile } from './compound-file.ts'
import { BlockWriter, heading, listItem, paragraph } from './markdown.ts'
import { DocumentTrouble } from './trouble.ts'
import type { DocumentPart, DocumentWork, ReadDocument } from './work.ts'

const headBytes = 8
const depthMax = 32
const types = {
  slide: 1006,
  slideListWithText: 4080,
  slidePersist: 1011,
  textHeader: 3999,
  textChars: 4000,
  textBytes: 4008,
  document: 1000,
  persistDirectory: 6002,
} as const
/** Kinds of text ([MS-PPT] 2.13.33) that are titles, and those that are lists. */
const titles = new Set([0, 6])
const lists = new Set([1, 7, 8])
const notesKind = 2

/** The record of a slide can only be found through a number and a directory. */
interface Slide {
  readonly persistId: number | undefined
  readonly writer: BlockWriter
}

interface BoxText {
  readonly slideStart: number | undefined
  readonly text: string
  readonly kind: number
}

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
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength)
  let slides: Slide[] = []
  const boxes: BoxText[] = []
  const startOf = new Map<number, number>()
  let isInSlides = false
  let textKind = 4
  let [slideStart, slideEnd] = [0, 0]
  for (const record of recordsOf(stream)) {
    await work.pause()
    // The list of slides contains their texts in order; list 0 is for slides, others are for masters and notes.
    if (record.type === types.slideListWithText) isInSlides = record.instance === 0
    else if (record.type === types.slidePersist && isInSlides)
      slides.push({
        persistId: record.end - record.start < 4 ? undefined : view.getUint32(record.start, true),
        writer: new BlockWriter(),
      })
    else if (record.type === types.persistDirectory) readDirectory(view, record, startOf)
    else if (record.type === types.slide) [slideStart, slideEnd, isInSlides] = [record.start - headBytes, record.end, false]
    else if (record.type === types.textHeader) textKind = stream[record.start] ?? 4
    else if (record.type === types.textChars || record.type === types.textBytes) {
      const content = stream.subarray(record.start, record.end)
      const text = new TextDecoder(record.type === types.textChars ? 'utf-16le' : 'latin1').decode(content)
      const slide = isInSlides ? slides.at(-1) : undefined
      if (slide === undefined) boxes.push({ slideStart: record.start < slideEnd ? slideStart : undefined, text, kind: textKind })
      else addText(slide.writer, text, textKind)
    }
    // A file that was saved several times also contains older versions; the last one is valid.
    if (record.type === types.document) [isInSlides, slides] = [false, []]
  }
  const loose = addBoxes(slides, boxes, startOf)
  const parts: DocumentPart[] = []
  for (const [index, { writer }] of slides.entries()) {
    const markdown = [`<!-- Slide ${index + 1} -->`, writer.text].filter(Boolean).join('\n\n')
    if (!work.takes(markdown)) break
    parts.push({ name: `slide ${index + 1}`, markdown })
  }
  const others = new BlockWriter()
  for (const text of new Set(loose)) {
    const shown = clean(text)
    // Masters contain the same words in every file: instructions, and placeholders for numbers and dates.
    if (shown !== '' && !/^(?:\*|Click to edit|Second level|Third level|Fourth level|Fifth level|___PPT)/.test(shown))
      others.add(paragraph(shown))
  }
  if (others.text !== '' && work.takes(others.text)) parts.push({ markdown: `<!-- Text boxes and notes -->\n\n${others.text}` })
  return { parts }
}

/** Adds the text in a slide's own boxes. Returns the texts of masters, notes and other places. */
function addBoxes(slides: readonly Slide[], boxes: readonly BoxText[], startOf: ReadonlyMap<number, number>): readonly string[] {
  const writers = new Map(slides.map(({ persistId, writer }) => [startOf.get(persistId ?? -1), writer]))
  const starts = new Set(startOf.values())
  const loose: string[] = []
  for (const { slideStart, text, kind } of boxes) {
    const writer = slideStart === undefined ? undefined : writers.get(slideStart)
    const isOutdated = slideStart !== undefined && starts.size > 0 && !starts.has(slideStart)
    if (writer !== undefined) addText(writer, text, kind)
    else if (!isOutdated) loose.push(text)
  }
  return loose
}

/** Runs of positions: the number of the first and their count share one word. */
function readDirectory(view: DataView, { start, end }: RecordHead, startOf: Map<number, number>): void {
  for (let at = start; at + 4 <= end;) {
    const head = view.getUint32(at, true)
    const [first, count] = [head & 0xfffff, head >>> 20]
    at += 4
    for (let index = 0; index < count && at + 4 <= end; index++, at += 4) startOf.set(first + index, view.getUint32(at, true))
  }
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

/** Every record that contains data or other records, outermost first. */
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
