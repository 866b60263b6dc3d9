// Rich Text Format (RTF 1.9): a reader of groups and control words that keeps text, headings, tables, links and footnotes.

import { linkOfField, textOfEquation } from './field-codes.ts'
import { BlockWriter, heading, inline, listItem, numberedItem, paragraph, type Run } from './markdown.ts'
import { charsetName, decodeCodePage } from './rtf-code-pages.ts'
import { RtfTables } from './rtf-table.ts'
import { characters, initialState, settings, skipped, type State } from './rtf-words.ts'
import { DocumentTrouble } from './trouble.ts'
import type { DocumentWork, ReadDocument } from './work.ts'

interface OpenNote {
  readonly depth: number
  readonly runs: Run[]
  readonly index: number
  /** A comment can be in a footnote. */
  readonly outer: OpenNote | undefined
}

const groupsMax = 1_000
const wordPattern = /\\(?:([a-zA-Z]{1,32})(-?\d{1,10})? ?|'([0-9a-fA-F]{2})|([^a-zA-Z]))|[{}]|[^\\{}\r\n]+|[\r\n]+|\\$/g
const wordsBetweenPauses = 5_000

/** Throws `DocumentTrouble`. */
export async function readRtf(bytes: Uint8Array, work: DocumentWork): Promise<ReadDocument> {
  // Each byte as one character: bytes beyond ASCII are decoded with the code page in the file.
  const source = new TextDecoder('latin1').decode(bytes)
  if (!/^\s*\{\\rtf/.test(source)) throw new DocumentTrouble('damaged', 'it does not begin as RTF does')
  const reader = new RtfReader(work)
  const pattern = new RegExp(wordPattern)
  let count = 0
  for (let match = pattern.exec(source); match !== null && !reader.isFull; match = pattern.exec(source)) {
    const [token, word, number, hex, symbol] = match
    if (++count % wordsBetweenPauses === 0) await work.pause()
    if (token === '{') reader.open()
    else if (token === '}') reader.close()
    else if (hex !== undefined) reader.bytes(String.fromCharCode(Number.parseInt(hex, 16)))
    else if (word !== undefined) {
      reader.word(word, number === undefined ? undefined : Number(number))
      // This many bytes of binary data, such as a picture.
      if (word === 'bin') pattern.lastIndex += Math.max(0, Number(number ?? 0))
    } else if (symbol !== undefined) reader.symbol(symbol)
    else if (!/^[\r\n]/.test(token)) reader.bytes(token)
  }
  return { parts: [{ markdown: reader.finish() }] }
}

class RtfReader {
  readonly #work: DocumentWork
  readonly #writer = new BlockWriter()
  readonly #notes: { readonly mark: string; text: string }[] = []
  readonly #tables = new RtfTables()
  readonly #headings = new Map<number, number>()
  readonly #codePages = new Map<number, string>()
  readonly #stack: State[] = []
  #state: State = { ...initialState }
  #runs: Run[] = []
  #pendingBytes: number[] = []
  #toSkip = 0
  #isStarred = false
  #listMarker: string | undefined
  #instruction = ''
  #styleName = ''
  #author = ''
  #font = 0
  #note: OpenNote | undefined
  isFull = false

  constructor(work: DocumentWork) {
    this.#work = work
  }

  open(): void {
    this.#flushBytes()
    if (this.#stack.length >= groupsMax) throw new DocumentTrouble('damaged', 'its groups are nested too deeply')
    this.#stack.push({ ...this.#state })
    this.#isStarred = false
  }

  close(): void {
    this.#flushBytes()
    const { sink, style } = this.#state
    const before = this.#stack.pop()
    if (before === undefined) return
    if (sink === 'style-name' && this.#styleName.includes(';')) this.#endStyle(style)
    if (this.#note !== undefined && this.#stack.length < this.#note.depth) {
      const note = this.#notes[this.#note.index]
      if (note !== undefined) note.text += inline(this.#runs).trim()
      this.#runs = this.#note.runs
      this.#note = this.#note.outer
    }
    this.#state = before
    this.#isStarred = false
  }

  symbol(symbol: string): void {
    if (symbol === '*') {
      this.#isStarred = true
      return
    }
    if (symbol === '~') return this.#text('\u00a0')
    if (symbol === '_') return this.#text('-')
    if (symbol === '\r' || symbol === '\n') return this.word('par', undefined)
    if (/[\\{}]/.test(symbol)) this.bytes(symbol)
  }

  /** Text in the file: bytes of the current code page. */
  bytes(text: string): void {
    for (let index = 0; index < text.length; index++) {
      if (this.#toSkip > 0) this.#toSkip--
      else this.#pendingBytes.push(text.charCodeAt(index) & 0xff)
    }
  }

  word(word: string, number: number | undefined): void {
    if (word === 'u') return this.#unicode(number ?? 0)
    this.#flushBytes()
    this.#toSkip = 0
    const isStarred = this.#isStarred
    this.#isStarred = false
    // What is skipped has no effect on the page.
    if (this.#state.isSkipped) return
    const character = characters.get(word)
    if (character !== undefined) return this.#text(character)
    const setting = settings.get(word)
    if (setting !== undefined) {
      Object.assign(this.#state, setting(number, this.#state))
      return
    }
    switch (word) {
      case 'par':
        // The end of a paragraph can be deleted too: then the next one continues it.
        if (!this.#state.isDeleted) this.#paragraph()
        return
      case 'sect':
        return this.#paragraph()
      case 'page':
        this.#paragraph()
        return this.#write('<!-- page break -->')
      case 'cell':
      case 'nestcell':
        this.#paragraph(this.#depthOf(word))
        return this.#tables.endCell(this.#depthOf(word))
      case 'row':
      case 'nestrow':
        return this.#tables.endRow(this.#depthOf(word))
      case 'trowd':
        if (this.#state.sink !== 'nested-row') this.#tables.startEdges()
        return
      case 'cellx':
        if (this.#state.sink !== 'nested-row') this.#tables.edge(number ?? 0)
        return
      case 'cs':
      case 'ds':
      case 'ts':
        if (this.#state.sink === 'style-name') this.#state.style = undefined
        return
      case 'outlinelevel': {
        const level = (number ?? 0) + 1
        const { sink, style } = this.#state
        if (sink !== 'style-name') this.#state.level = level
        else if (style !== undefined) this.#headings.set(style, level)
        return
      }
      case 'f':
        return this.#useFont(number ?? 0)
      case 'fcharset':
        if (this.#state.sink === 'fonts') this.#codePages.set(this.#font, charsetName(number ?? 0))
        return
      case 'fldinst':
        this.#state.sink = 'instruction'
        this.#instruction = ''
        return
      case 'fldrslt':
        this.#state.sink = 'page'
        this.#state.link = linkOfField(this.#instruction) ?? this.#state.link
        this.#text(textOfEquation(this.#instruction) ?? '')
        this.#instruction = ''
        return
      case 'listtext':
      case 'pntext':
        this.#state.sink = 'list-text'
        this.#listMarker = ''
        return
      case 'footnote':
        return this.#openNote(String(this.#notes.length + 1), '')
      case 'atnauthor':
        this.#state.sink = 'author'
        this.#author = ''
        return
      case 'annotation':
        this.#openNote(`c${this.#notes.length + 1}`, `Comment${this.#author === '' ? '' : ` by ${this.#author}`}: `)
        this.#author = ''
        return
      default:
        if (skipped.has(word) || (isStarred && !/^(?:shpinst|shptxt)$/.test(word))) this.#state.isSkipped = true
    }
  }

  finish(): string {
    this.#flushBytes()
    this.#paragraph()
    this.#endTable()
    for (const { mark, text } of this.#notes) this.#writer.add(`[^${mark}]: ${text}`, true)
    return this.#writer.text
  }

  #openNote(mark: string, start: string): void {
    if (this.#state.isDeleted || this.#state.isHidden) {
      this.#state.isSkipped = true
      return
    }
    this.#text(`[^${mark}]`)
    this.#note = { depth: this.#stack.length, runs: this.#runs, index: this.#notes.length, outer: this.#note }
    this.#notes.push({ mark, text: start })
    this.#runs = []
  }

  /** Tables in cells have separate words for the end of a cell and of a row. */
  #depthOf(word: string): number {
    return word.startsWith('nest') ? Math.max(2, this.#state.tableDepth) : 1
  }

  #unicode(code: number): void {
    this.#flushBytes()
    this.#text(String.fromCharCode(code & 0xffff))
    this.#toSkip = this.#state.fallback
  }

  #flushBytes(): void {
    if (this.#pendingBytes.length === 0) return
    const bytes = Uint8Array.from(this.#pendingBytes)
    this.#pendingBytes = []
    this.#text(decodeCodePage(bytes.every(byte => byte < 0x80) ? 'latin1' : this.#state.codePage, bytes))
  }

  #text(text: string): void {
    const { isSkipped, isHidden, isDeleted, sink, isBold, isItalic, isStruck, link } = this.#state
    if (isSkipped) return
    if (sink === 'instruction') this.#instruction += text
    else if (sink === 'list-text') this.#listMarker = (this.#listMarker ?? '') + text
    else if (sink === 'style-name') this.#styleName += text
    else if (sink === 'author') this.#author += text
    else if (sink === 'page' && !isHidden && !isDeleted) this.#runs.push({ text, isBold, isItalic, isStruck, link })
  }

  #endStyle(style: number | undefined): void {
    const name = this.#styleName
    this.#styleName = ''
    if (style === undefined) return
    const [, level] = /^\s*heading (\d)/i.exec(name) ?? []
    if (level !== undefined) this.#headings.set(style, Number(level))
    else if (/^\s*title;/i.test(name)) this.#headings.set(style, 1)
  }

  #useFont(font: number): void {
    this.#font = font
    const codePage = this.#codePages.get(font)
    if (codePage !== undefined && this.#state.sink !== 'fonts') this.#state.codePage = codePage
  }

  #paragraph(depth = this.#state.tableDepth): void {
    if (this.#note !== undefined) {
      this.#runs.push({ text: ' ' })
      return
    }
    const text = inline(this.#runs)
    const plain = this.#runs.map(run => run.text).join('')
    this.#runs = []
    const marker = this.#listMarker?.trim() ?? ''
    const isItem = this.#listMarker !== undefined
    this.#listMarker = undefined
    if (depth === 0) this.#endTable()
    if (plain.trim() === '') return
    const { style, listDepth } = this.#state
    const level = this.#state.level ?? this.#headings.get(style ?? 0)
    const isNumber = /\p{N}/u.test(marker) || /\p{L}[^\p{L}]|[^\p{L}]\p{L}/u.test(marker)
    const isHeading = level !== undefined && level <= 9
    if (depth > 0) this.#tables.add(depth, isItem ? numberedItem(0, isNumber ? marker : '-', text) : text.trim())
    else if (isHeading) this.#write(heading(level, isNumber ? `${marker} ${plain}` : plain))
    else if (isItem) this.#write(isNumber ? numberedItem(listDepth, marker, text) : listItem(listDepth, '-', text), true)
    else this.#write(paragraph(text))
  }

  #endTable(): void {
    const text = this.#tables.end()
    if (text !== '') this.#write(text)
  }

  #write(block: string, isItem = false): void {
    if (this.#work.takes(block)) this.#writer.add(block, isItem)
    else this.isFull = true
  }
}
