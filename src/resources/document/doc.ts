// Word documents of 1997 to 2003 ([MS-DOC]): the text pieces, with paragraphs, tables and links. Formatting is not read.

import { CompoundFile } from './compound-file.ts'
import { linkOfField, textOfEquation } from './field-codes.ts'
import { BlockWriter, paragraph, table } from './markdown.ts'
import { DocumentTrouble } from './trouble.ts'
import type { DocumentWork, ReadDocument } from './work.ts'

const wordMagic = 0xa5ec
/** The first version that has the table of pieces at this position. */
const firstVersion = 0x00c1
const encryptedFlag = 0x0100
const secondTableFlag = 0x0200
const pieceTableOffset = 0x01a2

/** Throws `DocumentTrouble`. */
export async function readDoc(bytes: Uint8Array, work: DocumentWork): Promise<ReadDocument> {
  const file = new CompoundFile(bytes)
  const main = file.demand('WordDocument')
  const view = viewOf(main)
  if (view.getUint16(0, true) !== wordMagic) throw new DocumentTrouble('damaged', 'it does not begin as Word documents do')
  if (view.getUint16(2, true) < firstVersion) throw new DocumentTrouble('unsupported', 'it is from a Word older than Word 97')
  const flags = view.getUint16(10, true)
  if ((flags & encryptedFlag) !== 0) throw new DocumentTrouble('encrypted', 'it is protected by a password')
  const tables = file.demand((flags & secondTableFlag) === 0 ? '0Table' : '1Table')
  const start = view.getUint32(pieceTableOffset, true)
  const length = view.getUint32(pieceTableOffset + 4, true)
  const text = pieces(main, pieceTable(tables.subarray(start, start + length)))
  const writer = new BlockWriter()
  const [body = '', ...others] = stories(view, text)
  await write(body, writer, work)
  for (const [index, title] of storyTitles.entries()) {
    const lines = (others[index] ?? '').split('\r').map(clean).filter(Boolean)
    if (title !== undefined && lines.length > 0) writer.add(`${title}:\n${lines.map(line => `- ${line}`).join('\n')}`)
  }
  if (writer.text !== '') {
    work.notes.push(
      'Headings and lists of this old format are shown as paragraphs, and text that tracked changes deleted is shown',
    )
  }
  return { parts: [{ markdown: writer.text }] }
}

/** Of what follows the text; `undefined` for headers and macros, which are not shown. */
const storyTitles = ['Footnotes', undefined, undefined, 'Comments', 'Endnotes', 'Text boxes'] as const
const storyLengthsOffset = 0x4c

/** The text of the document, and what follows it: one string, whose lengths are in a list. */
function stories(view: DataView, text: string): readonly string[] {
  let at = 0
  return [...storyTitles, undefined].map((_title, index) => {
    const start = at
    at += Math.max(0, view.getInt32(storyLengthsOffset + index * 4, true))
    return text.slice(start, at)
  })
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Skips the changes of single properties before the table of pieces. */
function pieceTable(clx: Uint8Array): Uint8Array {
  const view = viewOf(clx)
  let at = 0
  while (at + 5 <= clx.length) {
    const kind = clx[at]
    if (kind === 2) return clx.subarray(at + 5, at + 5 + view.getUint32(at + 1, true))
    if (kind !== 1) break
    at += 3 + view.getUint16(at + 1, true)
  }
  throw new DocumentTrouble('damaged', 'the list of its pieces is missing')
}

const compressedFlag = 0x40000000

function pieces(main: Uint8Array, tableOfPieces: Uint8Array): string {
  const view = viewOf(tableOfPieces)
  const count = Math.floor((tableOfPieces.length - 4) / 12)
  const parts: string[] = []
  for (let index = 0; index < count; index++) {
    const characters = view.getUint32(index * 4 + 4, true) - view.getUint32(index * 4, true)
    const place = view.getUint32((count + 1) * 4 + index * 8 + 2, true)
    const isCompressed = (place & compressedFlag) !== 0
    const offset = isCompressed ? (place & ~compressedFlag) / 2 : place
    const bytes = main.subarray(offset, offset + Math.max(0, characters) * (isCompressed ? 1 : 2))
    parts.push(new TextDecoder(isCompressed ? 'windows-1252' : 'utf-16le').decode(bytes))
  }
  return parts.join('')
}

/** Paragraphs end with a return, cells with a bell; an empty cell at the end of a row marks the row. */
async function write(text: string, writer: BlockWriter, work: DocumentWork): Promise<void> {
  let rows: string[][] = []
  let row: string[] = []
  let cell: string[] = []
  const endTable = (): void => {
    if (row.length > 0) rows.push(row)
    if (rows.length > 0) writer.add(table(rows))
    rows = []
    row = []
  }
  for (const [whole, content = '', end = ''] of text.matchAll(/([^\r\x07\f]*)([\r\x07\f]|$)/g)) {
    if (whole === '') break
    await work.pause()
    const shown = clean(content)
    if (!work.takes(shown)) break
    if (end === '\x07') {
      // The mark of a row directly follows the mark of its last cell.
      if (content === '' && cell.length === 0 && row.length > 0) {
        rows.push(row)
        row = []
      } else {
        row.push([...cell, shown].filter(Boolean).join('\n'))
        cell = []
      }
      continue
    }
    // The paragraphs of a cell come before its mark: only the end of a cell shows that they were in one.
    if (row.length > 0) {
      cell.push(shown)
      continue
    }
    endTable()
    writer.add(paragraph(shown))
    if (end === '\f') writer.add('<!-- page break -->')
  }
  endTable()
  if (cell.length > 0) writer.add(paragraph(cell.join('\n\n')))
}

/** Without the codes of fields, of which only the result is shown, and without marks of pictures and notes. */
function clean(text: string): string {
  let shown = text
  for (let round = 0; round < 5 && shown.includes('\x13'); round++) {
    shown = shown.replace(/\x13([^\x13\x14\x15]*)(?:\x14([^\x13\x15]*))?\x15/g, (_field, code: string, result = '') => {
      const target = linkOfField(code)
      if (result === '') return textOfEquation(code) ?? ''
      return target === undefined ? String(result) : `[${String(result)}](${target})`
    })
  }
  return shown
    .replace(/[\x0b]/g, '\n')
    .replace(/\x1e/g, '-')
    .replace(/\xa0/g, ' ')
    .replace(/[\x00-\x08\x0e-\x1f]/g, '')
    .trim()
}
