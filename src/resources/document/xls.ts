// Excel workbooks of 1997 to 2003 ([MS-XLS], BIFF8): each sheet as a table, with the stored values of formulas.

import { cellFormat, shownNumber, type CellFormat } from './cell-values.ts'
import { CompoundFile } from './compound-file.ts'
import { sheetTable, type Cell } from './spreadsheet-table.ts'
import { DocumentTrouble } from './trouble.ts'
import type { DocumentPart, DocumentWork, ReadDocument } from './work.ts'
import { SegmentedText, unicodeText } from './xls-text.ts'

const types = {
  bof: 0x809,
  eof: 0x0a,
  boundSheet: 0x85,
  sharedTexts: 0xfc,
  continuation: 0x3c,
  format: 0x41e,
  cellLook: 0xe0,
  dateMode: 0x22,
  password: 0x2f,
  sharedLabel: 0xfd,
  label: 0x204,
  richLabel: 0xd6,
  number: 0x203,
  rk: 0x27e,
  manyRk: 0xbd,
  truthOrError: 0x205,
  formula: 0x06,
  textOfFormula: 0x207,
  comment: 0x1c,
  link: 0x1b8,
} as const
const biff8 = 0x0600
const sheetMaxCells = 400_000

interface BiffRecord {
  readonly type: number
  readonly start: number
  readonly end: number
}

interface Sheet {
  readonly name: string
  readonly offset: number
  readonly isHidden: boolean
  readonly isTable: boolean
}

/** Throws `DocumentTrouble`. */
export async function readXls(bytes: Uint8Array, work: DocumentWork): Promise<ReadDocument> {
  const file = new CompoundFile(bytes)
  if (!file.has('Workbook') && file.has('Book'))
    throw new DocumentTrouble('unsupported', 'it is from an Excel older than Excel 97')
  const workbook = await WorkbookReader.of(file.demand('Workbook'), work)
  const parts: DocumentPart[] = []
  for (const sheet of workbook.sheets) {
    const content = sheet.isTable ? sheetTable(await workbook.cells(sheet, work)) : '(a chart)'
    const markdown = `## ${sheet.name}${sheet.isHidden ? ' (hidden)' : ''}\n\n${content === '' ? '(empty)' : content}`
    if (!work.takes(markdown)) break
    parts.push({ name: `sheet ${sheet.name}`, markdown })
  }
  if (workbook.hasMore) work.notes.push('Comments and links of this old format are not shown')
  return { parts }
}

class WorkbookReader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly sheets: Sheet[] = []
  readonly #texts: string[] = []
  readonly #codes = new Map<number, string>()
  readonly #looks: number[] = []
  #is1904 = false
  /** Comments or links, which are not read. */
  hasMore = false

  private constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  static async of(bytes: Uint8Array, work: DocumentWork): Promise<WorkbookReader> {
    const reader = new WorkbookReader(bytes)
    await reader.#readGlobals(work)
    return reader
  }

  async cells(sheet: Sheet, work: DocumentWork): Promise<readonly Cell[]> {
    const cells: Cell[] = []
    let waiting: { readonly row: number; readonly column: number } | undefined
    for (const record of this.#records(sheet.offset)) {
      await work.pause()
      const { type, start, end } = record
      if (type === types.textOfFormula && waiting !== undefined) {
        cells.push({ ...waiting, text: unicodeText(this.#bytes.subarray(start, end)) })
        waiting = undefined
        continue
      }
      if (type === types.comment || type === types.link) this.hasMore = true
      if (!cellTypes.has(type)) continue
      const [row, column, look] = [0, 2, 4].map(at => this.#view.getUint16(start + at, true)) as [number, number, number]
      if (type === types.manyRk) {
        for (let at = start + 4, index = 0; at + 8 <= end; at += 6, index++) {
          const text = this.#number(rkNumber(this.#view.getUint32(at + 2, true)), this.#view.getUint16(at, true))
          cells.push({ row, column: column + index, text })
        }
      } else if (type === types.formula && this.#view.getUint16(start + 12, true) === 0xffff && this.#bytes[start + 6] === 0) {
        waiting = { row, column }
      } else cells.push({ row, column, text: this.#text(type, start, end, look) })
      if (cells.length < sheetMaxCells) continue
      work.notes.push(`The sheet ${sheet.name} is cut after ${sheetMaxCells.toLocaleString('en-US')} cells`)
      break
    }
    return cells.sort((a, b) => a.row - b.row || a.column - b.column)
  }

  async #readGlobals(work: DocumentWork): Promise<void> {
    let shared: Uint8Array[] | undefined
    let isFirst = true
    for (const { type, start, end } of this.#records(0)) {
      await work.pause()
      if (isFirst && (type !== types.bof || this.#view.getUint16(start, true) !== biff8))
        throw new DocumentTrouble('unsupported', 'it is from an Excel older than Excel 97')
      isFirst = false
      const content = this.#bytes.subarray(start, end)
      if (type === types.continuation) shared?.push(content)
      else if (shared !== undefined && this.#texts.length === 0) this.#readTexts(shared)
      if (type === types.password) throw new DocumentTrouble('encrypted', 'it is protected by a password')
      if (type === types.sharedTexts) shared = [content]
      else if (type !== types.continuation) this.#readGlobal(type, start, content)
    }
    if (shared !== undefined && this.#texts.length === 0) this.#readTexts(shared)
  }

  #readGlobal(type: number, start: number, content: Uint8Array): void {
    if (type === types.boundSheet) {
      this.sheets.push({
        offset: this.#view.getUint32(start, true),
        isHidden: ((content[4] ?? 0) & 3) !== 0,
        // Others are charts and macros.
        isTable: content[5] === 0,
        name: unicodeText(content.subarray(6), 1),
      })
    } else if (type === types.format) this.#codes.set(this.#view.getUint16(start, true), unicodeText(content.subarray(2)))
    else if (type === types.cellLook) this.#looks.push(this.#view.getUint16(start + 2, true))
    else if (type === types.dateMode) this.#is1904 = this.#view.getUint16(start, true) === 1
  }

  #readTexts(segments: readonly Uint8Array[]): void {
    const reader = new SegmentedText(segments)
    reader.uint32()
    const count = reader.uint32()
    for (let index = 0; index < count && !reader.isAtEnd; index++) this.#texts.push(reader.text())
  }

  #text(type: number, start: number, end: number, look: number): string {
    switch (type) {
      case types.sharedLabel:
        return this.#texts[this.#view.getUint32(start + 6, true)] ?? ''
      case types.label:
      case types.richLabel:
        return unicodeText(this.#bytes.subarray(start + 6, end))
      case types.number:
        return this.#number(this.#view.getFloat64(start + 6, true), look)
      case types.rk:
        return this.#number(rkNumber(this.#view.getUint32(start + 6, true)), look)
      case types.truthOrError:
        return truthOrError(this.#bytes[start + 6] ?? 0, this.#bytes[start + 7] === 1)
      default: {
        // A formula: its value is a number, or shows where the value is.
        if (this.#view.getUint16(start + 12, true) !== 0xffff) return this.#number(this.#view.getFloat64(start + 6, true), look)
        const kind = this.#bytes[start + 6]
        return kind === 1 || kind === 2 ? truthOrError(this.#bytes[start + 8] ?? 0, kind === 2) : ''
      }
    }
  }

  #number(value: number, look: number): string {
    const id = this.#looks[look] ?? 0
    const format: CellFormat = cellFormat(id, this.#codes.get(id))
    return shownNumber(value, format, this.#is1904)
  }

  /** The records from `offset` to the end of their part, without nested parts such as charts. */
  *#records(offset: number): Generator<BiffRecord> {
    let depth = 0
    for (let at = offset; at + 4 <= this.#bytes.length;) {
      const type = this.#view.getUint16(at, true)
      const start = at + 4
      const end = start + this.#view.getUint16(at + 2, true)
      if (end > this.#bytes.length) throw new DocumentTrouble('damaged', 'it ends in the middle of a record')
      if (type === types.bof) depth++
      if (depth <= 1) yield { type, start, end }
      if (type === types.eof && --depth <= 0) return
      at = end
    }
  }
}

const cellTypes = new Set<number>([
  types.sharedLabel,
  types.label,
  types.richLabel,
  types.number,
  types.rk,
  types.manyRk,
  types.truthOrError,
  types.formula,
])

/** Thirty bits of a number and two that show how to read them. */
function rkNumber(bits: number): number {
  let value: number
  if ((bits & 2) !== 0) value = bits >> 2
  else {
    const view = new DataView(new ArrayBuffer(8))
    view.setUint32(4, bits & 0xfffffffc, true)
    value = view.getFloat64(0, true)
  }
  return (bits & 1) === 0 ? value : value / 100
}

const errors: Readonly<Record<number, string>> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
}

function truthOrError(value: number, isError: boolean): string {
  if (isError) return errors[value] ?? '#ERROR!'
  return value === 0 ? 'FALSE' : 'TRUE'
}
