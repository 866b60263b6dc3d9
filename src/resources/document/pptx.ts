// PowerPoint presentations (ECMA-376, PresentationML): slides in their order, with tables, links and the speaker's notes.

import {
  BlockWriter,
  heading,
  inline,
  listItem,
  numberedItem,
  oneLine,
  paragraph,
  pictureMark,
  table,
  type Run,
} from './markdown.ts'
import { formatNumber } from './numbers.ts'
import { PackageFile } from './package-file.ts'
import { mainPart, relationsOf, type Relation } from './relations.ts'
import type { DocumentPart, DocumentWork, ReadDocument } from './work.ts'
import { allNamed, child, childAt, elementsOf, readTree, textIn, type XmlElement } from './xml.ts'
import { pushAll } from '../../core/many.ts'

/** Throws `DocumentTrouble`. */
export async function readPptx(bytes: Uint8Array, work: DocumentWork): Promise<ReadDocument> {
  const file = new PackageFile(bytes, work)
  const main = await mainPart(file, work, 'ppt/presentation.xml')
  const relations = await relationsOf(file, main, work)
  const root = await readTree(await file.demand(main), work)
  const parts: DocumentPart[] = []
  const authors = await authorsOf(file, relations, work)
  for (const { attributes } of elementsOf(child(root, 'sldIdLst'), 'sldId')) {
    const target = relations.get(attributes['r:id'] ?? attributes['id'] ?? '')?.target
    const number = parts.length + 1
    if (target === undefined || !file.has(target)) continue
    const markdown = await readSlide(file, target, number, authors, work)
    if (!work.takes(markdown)) break
    parts.push({ name: `slide ${number}`, markdown })
  }
  return { parts }
}

/** Names by the numbers that comments have. */
async function authorsOf(
  file: PackageFile,
  relations: ReadonlyMap<string, Relation>,
  work: DocumentWork,
): Promise<ReadonlyMap<string, string>> {
  const part = [...relations.values()].find(({ type }) => type === 'commentAuthors' || type === 'authors')?.target
  const bytes = part === undefined ? undefined : await file.read(part)
  const all = bytes === undefined ? [] : elementsOf(await readTree(bytes, work))
  return new Map(all.map(({ attributes }) => [attributes['id'] ?? '', attributes['name'] ?? '']))
}

/** The comments of a slide and the answers to them. */
function commentLines(comments: XmlElement, authors: ReadonlyMap<string, string>): readonly string[] {
  return elementsOf(comments).flatMap(comment => {
    const answers = allNamed(child(comment, 'replyLst'), 'reply')
    return [comment, ...answers].flatMap((each, index) => {
      const paragraphs = allNamed(child(each, 'txBody'), 'p').map(inner => allNamed(inner, 't').map(textIn).join(''))
      const text = oneLine([textIn(child(each, 'text')), ...paragraphs].join(' '))
      const by = authors.get(each.attributes['authorId'] ?? '') ?? ''
      return text === '' ? [] : [listItem(index === 0 ? 0 : 1, '-', by === '' ? text : `${by}: ${text}`)]
    })
  })
}

async function readSlide(
  file: PackageFile,
  name: string,
  number: number,
  authors: ReadonlyMap<string, string>,
  work: DocumentWork,
): Promise<string> {
  const relations = await relationsOf(file, name, work)
  const root = await readTree(await file.demand(name), work)
  const writer = new BlockWriter()
  const isHidden = /^(?:0|false)$/.test(root.attributes['show'] ?? '1')
  writer.add(`<!-- Slide ${number}${isHidden ? ' (hidden)' : ''} -->`)
  const slide = new SlideText(relations, writer)
  const shapes = childAt(root, 'cSld', 'spTree')
  if (shapes !== undefined) slide.shapes(shapes)
  for (const { type, target } of relations.values()) {
    const bytes = type === 'diagramData' ? await file.read(target) : undefined
    if (bytes === undefined) continue
    for (const point of allNamed(await readTree(bytes, work), 'pt')) slide.paragraphs(child(point, 't'), true)
  }
  const notes = [...relations.values()].find(({ type }) => type === 'notesSlide')?.target
  const noteBytes = notes === undefined ? undefined : await file.read(notes)
  if (noteBytes !== undefined) {
    const own = new BlockWriter()
    const reader = new SlideText(await relationsOf(file, notes ?? '', work), own)
    for (const shape of allNamed(await readTree(noteBytes, work), 'sp')) {
      if (!furniture.has(placeholderOf(shape) ?? '')) reader.paragraphs(child(shape, 'txBody'), false)
    }
    if (own.text !== '') writer.add(`Notes:\n\n${own.text}`)
  }
  const comments: string[] = []
  for (const { type, target } of relations.values()) {
    const bytes = type === 'comments' ? await file.read(target) : undefined
    if (bytes !== undefined) pushAll(comments, commentLines(await readTree(bytes, work), authors))
  }
  if (comments.length > 0) writer.add(`Comments:\n${comments.join('\n')}`)
  return writer.text
}

function placeholderOf(shape: XmlElement): string | undefined {
  const placeholder = childAt(shape, 'nvSpPr', 'nvPr', 'ph')
  return placeholder === undefined ? undefined : (placeholder.attributes['type'] ?? 'obj')
}

/** Placeholders that are repeated on each slide and belong to none. */
const furniture = new Set(['dt', 'ftr', 'sldNum', 'hdr', 'sldImg'])

/** `alphaLcParenR` and the like: the letters or digits, and what is around them. */
function automaticNumber(number: number, type: string): string {
  const [, name = ''] = /^(alphaLc|alphaUc|romanLc|romanUc)/.exec(type) ?? []
  const shown = formatNumber(number, automaticFormats[name] ?? 'decimal')
  if (type.endsWith('ParenBoth')) return `(${shown})`
  return type.endsWith('ParenR') ? `${shown})` : `${shown}.`
}

const automaticFormats: Readonly<Record<string, string>> = {
  alphaLc: 'lowerLetter',
  alphaUc: 'upperLetter',
  romanLc: 'lowerRoman',
  romanUc: 'upperRoman',
}

class SlideText {
  readonly #relations: ReadonlyMap<string, Relation>
  readonly #writer: BlockWriter

  constructor(relations: ReadonlyMap<string, Relation>, writer: BlockWriter) {
    this.#relations = relations
    this.#writer = writer
  }

  shapes(parent: XmlElement): void {
    // The title comes first, wherever it is in the file.
    const shapes = elementsOf(parent)
    const isTitle = (shape: XmlElement): boolean => /^(?:title|ctrTitle)$/.test(placeholderOf(shape) ?? '')
    for (const shape of [...shapes.filter(isTitle), ...shapes.filter(each => !isTitle(each))]) this.#shape(shape)
  }

  paragraphs(body: XmlElement | undefined, isList: boolean): void {
    // The last number of each depth.
    const numbers: (number | undefined)[] = []
    for (const each of elementsOf(body, 'p')) {
      const text = inline(this.#runs(each))
      if (text.trim() === '') continue
      const properties = child(each, 'pPr')
      const depth = Math.min(8, Number(properties?.attributes['lvl'] ?? 0) || 0)
      const automatic = child(properties, 'buAutoNum')
      const number =
        automatic === undefined ? undefined : (numbers[depth] ?? Number(automatic.attributes['startAt'] ?? 1) - 1) + 1
      // A paragraph without a number ends the count of its depth and of deeper ones.
      numbers.length = depth
      numbers[depth] = number
      const hasBullet = child(properties, 'buChar') !== undefined || (isList && child(properties, 'buNone') === undefined)
      if (automatic !== undefined && number !== undefined) {
        this.#writer.add(numberedItem(depth, automaticNumber(number, automatic.attributes['type'] ?? ''), text), true)
      } else if (hasBullet) this.#writer.add(listItem(depth, '-', text), true)
      else this.#writer.add(paragraph(text))
    }
  }

  #shape(shape: XmlElement): void {
    switch (shape.name) {
      case 'sp': {
        const kind = placeholderOf(shape)
        const body = child(shape, 'txBody')
        if (kind !== undefined && furniture.has(kind)) return
        if (kind === 'title' || kind === 'ctrTitle') {
          const title = elementsOf(body, 'p').map(each => inline(this.#runs(each).map(({ text, link }) => ({ text, link }))))
          const text = title.join(' ').trim()
          if (text !== '') this.#writer.add(heading(1, text))
        } else if (kind === 'subTitle') this.paragraphs(body, false)
        else this.paragraphs(body, kind === 'obj' || kind === 'body')
        return
      }
      case 'grpSp':
        return this.shapes(shape)
      case 'pic': {
        const { descr = '', title = '' } = childAt(shape, 'nvPicPr', 'cNvPr')?.attributes ?? {}
        return this.#writer.add(pictureMark(descr || title))
      }
      case 'graphicFrame': {
        const [found] = allNamed(shape, 'tbl')
        if (found !== undefined) return this.#table(found)
        const { descr = '', title = '', name = '' } = childAt(shape, 'nvGraphicFramePr', 'cNvPr')?.attributes ?? {}
        if (allNamed(shape, 'chart').length > 0) this.#writer.add(`[chart: ${descr || title || name}]`)
        return
      }
      case 'AlternateContent':
        return this.shapes(child(shape, 'Choice') ?? shape)
    }
  }

  #table(element: XmlElement): void {
    const rows = elementsOf(element, 'tr').map(row =>
      elementsOf(row, 'tc').map(cell => {
        const { hMerge = '0', vMerge = '0' } = cell.attributes
        if (hMerge === '1' || vMerge === '1') return ''
        return elementsOf(child(cell, 'txBody'), 'p')
          .map(each => inline(this.#runs(each)))
          .join('\n')
      }),
    )
    this.#writer.add(table(rows))
  }

  #runs(element: XmlElement): Run[] {
    return elementsOf(element).flatMap((each): Run[] => {
      if (each.name === 'br') return [{ text: '\n' }]
      if (each.name === 'AlternateContent' || each.name === 'm') return [{ text: allNamed(each, 't').map(textIn).join('') }]
      if (each.name !== 'r' && each.name !== 'fld') return []
      const properties = child(each, 'rPr')
      const link = this.#relations.get(child(properties, 'hlinkClick')?.attributes['id'] ?? '')
      return [
        {
          text: textIn(child(each, 't')),
          isBold: /^(?:1|true)$/.test(properties?.attributes['b'] ?? ''),
          isItalic: /^(?:1|true)$/.test(properties?.attributes['i'] ?? ''),
          link: link?.type === 'hyperlink' ? link.target : undefined,
        },
      ]
    })
  }
}
