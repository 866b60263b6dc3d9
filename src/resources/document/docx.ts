// Word documents (ECMA-376, WordprocessingML): paragraphs, headings, lists, tables, links, footnotes and comments as Markdown.

import { DocxStyles } from './docx-styles.ts'
import { linkOfField, ruby, textOfEquation } from './field-codes.ts'
import { BlockWriter, heading, inline, nestedTable, numberedItem, paragraph, pictureMark, table, type Run } from './markdown.ts'
import { PackageFile } from './package-file.ts'
import { mainPart, relationsOf, type Relation } from './relations.ts'
import type { DocumentWork, ReadDocument } from './work.ts'
import { allNamed, child, childAt, elementsOf, readBlocks, readTree, textIn, type XmlElement } from './xml.ts'

/** Throws `DocumentTrouble`. */
export async function readDocx(bytes: Uint8Array, work: DocumentWork): Promise<ReadDocument> {
  const file = new PackageFile(bytes, work)
  const main = await mainPart(file, work, 'word/document.xml')
  const folder = main.slice(0, main.lastIndexOf('/') + 1)
  const styles = await DocxStyles.of(file, folder, work)
  const writer = new BlockWriter()
  const body = new WordText(styles, await relationsOf(file, main, work))
  await readBlocks(await file.demand(main), work, {
    isBlock: (_name, parents) => parents.at(-1) === 'body',
    onBlock: block => work.takes(body.write(block, writer)),
  })
  body.finish(writer)
  for (const name of body.foreignParts) work.notes.push(`${name}, which is a part in another format, is not shown`)
  for (const [part, mark] of [
    ['footnotes', ''],
    ['endnotes', 'e'],
  ] as const) {
    await writeNotes(file, `${folder}${part}.xml`, mark, styles, work, writer)
  }
  await writeComments(file, `${folder}comments.xml`, styles, work, writer)
  return { parts: [{ markdown: writer.text }] }
}

async function writeNotes(
  file: PackageFile,
  name: string,
  mark: string,
  styles: DocxStyles,
  work: DocumentWork,
  writer: BlockWriter,
): Promise<void> {
  const bytes = await file.read(name)
  if (bytes === undefined) return
  const words = new WordText(styles, await relationsOf(file, name, work))
  await readBlocks(bytes, work, {
    isBlock: (_name, parents) => parents.length === 1,
    onBlock(note) {
      const { type = 'normal', id = '' } = note.attributes
      const text = type === 'normal' ? words.blocks(note).trim() : ''
      if (text !== '' && work.takes(text)) writer.add(`[^${mark}${id}]: ${text.replaceAll('\n', '\n    ')}`, true)
    },
  })
}

async function writeComments(
  file: PackageFile,
  name: string,
  styles: DocxStyles,
  work: DocumentWork,
  writer: BlockWriter,
): Promise<void> {
  const bytes = await file.read(name)
  if (bytes === undefined) return
  const words = new WordText(styles, new Map())
  for (const comment of elementsOf(await readTree(bytes, work), 'comment')) {
    const { id = '', author = '' } = comment.attributes
    const text = words.blocks(comment).trim()
    if (text !== '' && work.takes(text))
      writer.add(`[^c${id}]: Comment${author === '' ? '' : ` by ${author}`}: ${text.replaceAll('\n', '\n    ')}`, true)
  }
}

/** The shown text of a field, and the target of a link; fields can be nested. */
interface Field {
  instruction: string
  isShown: boolean
}

/** Elements that only contain others. */
const transparent = new Set(
  'sdt sdtContent customXml smartTag ins moveTo AlternateContent Choice dir bdo oMathPara oMath'.split(' '),
)

class WordText {
  readonly #styles: DocxStyles
  readonly #relations: ReadonlyMap<string, Relation>
  readonly #fields: Field[] = []
  /** Of paragraphs whose mark was deleted: they continue in the next one. */
  #joined: Run[] = []
  /** Names of parts that are not Word's XML. */
  readonly foreignParts: string[] = []

  constructor(styles: DocxStyles, relations: ReadonlyMap<string, Relation>) {
    this.#styles = styles
    this.#relations = relations
  }

  write(block: XmlElement, writer: BlockWriter): string {
    const before = writer.text.length
    this.#block(block, writer)
    return writer.text.slice(before)
  }

  /** The blocks in a note or a cell. */
  blocks(parent: XmlElement): string {
    const outer = this.#joined
    this.#joined = []
    const writer = new BlockWriter()
    for (const block of elementsOf(parent)) {
      if (block.name === 'tbl') writer.add(nestedTable(this.#rows(block)))
      else this.#block(block, writer)
    }
    this.finish(writer)
    this.#joined = outer
    return writer.text
  }

  /** Writes what is left when no paragraph follows. */
  finish(writer: BlockWriter): void {
    writer.add(paragraph(inline(this.#joined)))
    this.#joined = []
  }

  #block(block: XmlElement, writer: BlockWriter): void {
    if (block.name === 'p') this.#paragraph(block, writer)
    else if (block.name === 'tbl') writer.add(table(this.#rows(block)))
    else if (block.name === 'altChunk')
      this.foreignParts.push(this.#relations.get(block.attributes['id'] ?? '')?.target ?? 'A part')
    else if (transparent.has(block.name)) for (const inner of elementsOf(block)) this.#block(inner, writer)
  }

  #paragraph(element: XmlElement, writer: BlockWriter): void {
    const properties = child(element, 'pPr')
    const runs: Run[] = this.#joined
    this.#joined = []
    const boxes: XmlElement[] = []
    this.#runs(element, {}, runs, boxes)
    if (isRemoved(child(properties, 'rPr'))) this.#joined = runs
    else this.#text(properties, runs, writer)
    for (const box of boxes) for (const inner of elementsOf(box)) this.#block(inner, writer)
  }

  #text(properties: XmlElement | undefined, runs: readonly Run[], writer: BlockWriter): void {
    const level = this.#styles.headingLevel(properties)
    const plain = runs.map(({ text }) => text).join('')
    if (plain.trim() === '') return
    const item = this.#styles.listMarker(properties)
    if (level !== undefined) {
      const number = item === undefined || item.marker === '-' ? '' : `${item.marker} `
      writer.add(heading(level, number + inline(runs.map(({ text, link }) => ({ text, link })))))
    } else if (item !== undefined) writer.add(numberedItem(item.depth, item.marker, inline(runs)), true)
    else if (this.#styles.isCode(properties)) writer.add(`\`\`\`\n${plain}\n\`\`\``)
    else if (this.#styles.isQuotation(properties)) writer.add(`> ${inline(runs).trim().replaceAll('\n', '\n> ')}`)
    else writer.add(paragraph(inline(runs)))
  }

  #runs(parent: XmlElement, look: Omit<Run, 'text'>, runs: Run[], boxes: XmlElement[]): void {
    for (const element of elementsOf(parent)) {
      if (element.name === 'r') this.#run(element, look, runs, boxes)
      else if (element.name === 'hyperlink') this.#runs(element, { ...look, link: this.#linkOf(element) }, runs, boxes)
      else if (element.name === 'fldSimple') {
        this.#runs(element, { ...look, link: linkOfField(element.attributes['instr'] ?? '') ?? look.link }, runs, boxes)
      } else if (transparent.has(element.name)) this.#runs(element, look, runs, boxes)
      else if (element.name === 't') runs.push({ ...look, text: textIn(element) })
      // Formulas are nested in many ways; only their letters are shown.
      else if (/^(?:f|num|den|sup|sub|e|rad|d|nary|sSup|sSub|sSubSup|acc|bar|m|mr|func|fName|lim)$/.test(element.name)) {
        if (element.name === 'den') runs.push({ ...look, text: '/' })
        if (element.name === 'sup' && parent.name === 'sSup') runs.push({ ...look, text: '^' })
        this.#runs(element, look, runs, boxes)
      }
    }
  }

  #linkOf({ attributes }: XmlElement): string | undefined {
    const target = this.#relations.get(attributes['id'] ?? '')?.target
    const anchor = attributes['anchor']
    if (target === undefined) return anchor === undefined ? undefined : `#${anchor}`
    return anchor === undefined ? target : `${target}#${anchor}`
  }

  #run(run: XmlElement, look: Omit<Run, 'text'>, runs: Run[], boxes: XmlElement[]): void {
    const properties = child(run, 'rPr')
    if (isOn(child(properties, 'vanish'))) return
    const field = this.#fields.findLast(({ isShown }) => isShown)
    const own: Omit<Run, 'text'> = {
      ...look,
      isBold: isOn(child(properties, 'b')),
      isItalic: isOn(child(properties, 'i')),
      isStruck: isOn(child(properties, 'strike')) || isOn(child(properties, 'dstrike')),
      link: look.link ?? (field === undefined ? undefined : linkOfField(field.instruction)),
    }
    for (const element of elementsOf(run)) this.#piece(element, own, runs, boxes)
  }

  #piece(element: XmlElement, look: Omit<Run, 'text'>, runs: Run[], boxes: XmlElement[]): void {
    const isHidden = this.#isHidden
    const say = (text: string): void => {
      if (!isHidden) runs.push({ ...look, text })
    }
    switch (element.name) {
      case 't':
        return say(textIn(element))
      case 'instrText': {
        const field = this.#fields.at(-1)
        if (field !== undefined && !field.isShown) field.instruction += textIn(element)
        return
      }
      case 'fldChar':
        return this.#fieldMark(element, text => runs.push({ ...look, text }))
      case 'ruby': {
        const textOf = (name: string): string => {
          const inner: Run[] = []
          this.#runs(child(element, name) ?? element, {}, inner, [])
          return inner.map(({ text }) => text).join('')
        }
        return say(ruby(textOf('rubyBase'), textOf('rt')))
      }
      case 'tab':
      case 'ptab':
        return say('\t')
      case 'br':
        return say(element.attributes['type'] === 'page' ? '\n<!-- page break -->\n' : '\n')
      case 'cr':
        return say('\n')
      case 'noBreakHyphen':
        return say('-')
      case 'sym': {
        const code = Number.parseInt(element.attributes['char'] ?? '', 16)
        // Symbol fonts use a private range above the ordinary one.
        return say(
          Number.isNaN(code) ? '' : String.fromCodePoint(code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code & 0xffff),
        )
      }
      case 'footnoteReference':
        return say(`[^${element.attributes['id'] ?? ''}]`)
      case 'endnoteReference':
        return say(`[^e${element.attributes['id'] ?? ''}]`)
      case 'commentReference':
        return say(`[^c${element.attributes['id'] ?? ''}]`)
      case 'AlternateContent':
        for (const inner of elementsOf(child(element, 'Choice'))) this.#piece(inner, look, runs, boxes)
        return
      case 'drawing':
      case 'pict':
      case 'object': {
        const found = allNamed(element, 'txbxContent')
        boxes.push(...found)
        if (found.length > 0) return
        const {
          descr = '',
          title = '',
          alt = '',
        } = (allNamed(element, 'docPr')[0] ?? allNamed(element, 'shape')[0])?.attributes ?? {}
        return say(pictureMark(descr || title || alt))
      }
    }
  }

  get #isHidden(): boolean {
    return this.#fields.some(({ isShown }) => !isShown)
  }

  #fieldMark(mark: XmlElement, write: (text: string) => void): void {
    const { fldCharType: type } = mark.attributes
    if (type === 'begin') {
      if (!this.#isHidden) write(textOfControl(child(mark, 'ffData')))
      this.#fields.push({ instruction: '', isShown: false })
    } else if (type === 'separate') {
      const field = this.#fields.at(-1)
      if (field !== undefined) field.isShown = true
    } else if (type === 'end') {
      const field = this.#fields.pop()
      // Without a result.
      if (field?.isShown === false && !this.#isHidden) write(textOfEquation(field.instruction) ?? '')
    }
  }

  #rows(element: XmlElement): string[][] {
    const rows: string[][] = []
    const visit = (parent: XmlElement): void => {
      for (const inner of elementsOf(parent)) {
        if (inner.name === 'tr') {
          if (!isRemoved(child(inner, 'trPr'))) rows.push(this.#row(inner))
        } else if (transparent.has(inner.name)) visit(inner)
      }
    }
    visit(element)
    return rows
  }

  #row(row: XmlElement): string[] {
    const cells: string[] = []
    const skipped = Number(childAt(row, 'trPr', 'gridBefore')?.attributes['val'] ?? 0)
    for (let index = 0; index < Math.min(skipped, 64); index++) cells.push('')
    const visit = (parent: XmlElement): void => {
      for (const cell of elementsOf(parent)) {
        if (transparent.has(cell.name)) visit(cell)
        if (cell.name !== 'tc') continue
        const properties = child(cell, 'tcPr')
        const merge = child(properties, 'vMerge')
        const isContinued = merge !== undefined && (merge.attributes['val'] ?? 'continue') === 'continue'
        cells.push(isContinued ? '' : this.blocks(cell))
        const span = Number(child(properties, 'gridSpan')?.attributes['val'] ?? 1)
        for (let index = 1; index < Math.min(span, 64); index++) cells.push('')
      }
    }
    visit(row)
    return cells
  }
}

function isOn(element: XmlElement | undefined): boolean {
  return element !== undefined && !/^(?:0|false|off|none)$/.test(element.attributes['val'] ?? '1')
}

/** Whether the properties of a paragraph's mark or of a row say that tracked changes deleted or moved it. */
function isRemoved(properties: XmlElement | undefined): boolean {
  return child(properties, 'del') !== undefined || child(properties, 'moveFrom') !== undefined
}

/** What a box or a list of a form shows; its field has no result. */
function textOfControl(data: XmlElement | undefined): string {
  const box = child(data, 'checkBox')
  if (box !== undefined) return isOn(child(box, 'checked') ?? child(box, 'default')) ? '☒' : '☐'
  const list = child(data, 'ddList')
  const index = Number((child(list, 'result') ?? child(list, 'default'))?.attributes['val'] ?? 0)
  return elementsOf(list, 'listEntry')[index]?.attributes['val'] ?? ''
}
