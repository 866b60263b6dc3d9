// PDF through pdf.js: the text of each page in reading order, its headings by their size, its links.

import { nextTurn } from '../../core/pause.ts'
import { inline, type Run } from './markdown.ts'
import { takeStrayRejections } from './stray-rejections.ts'
import { DocumentTrouble } from './trouble.ts'
import type { DocumentPart, DocumentWork, ReadDocument } from './work.ts'

/** A page takes some tens of milliseconds; further pages are listed instead of read. */
const readMaxMs = 20_000

/** A piece of text from pdf.js. */
interface TextItem {
  readonly str: string
  readonly transform: readonly number[]
  readonly width: number
  readonly height: number
  readonly hasEOL: boolean
  readonly dir: string
}

interface Link {
  readonly url: string
  readonly rect: readonly number[]
}

/** @param only read just this page, from 1. Throws `DocumentTrouble`. */
export async function readPdf(bytes: Uint8Array, work: DocumentWork, only?: number): Promise<ReadDocument> {
  const release = takeStrayRejections()
  try {
    return await readPages(bytes, work, only)
  } finally {
    // The remaining work rejects after the last answer.
    await nextTurn()
    await nextTurn()
    release()
  }
}

async function readPages(bytes: Uint8Array, work: DocumentWork, only: number | undefined): Promise<ReadDocument> {
  const { getDocumentProxy } = await import('./engine.ts')
  let pdf: Awaited<ReturnType<typeof getDocumentProxy>>
  try {
    // pdf.js takes the bytes over.
    pdf = await getDocumentProxy(bytes.slice(), { isEvalSupported: false, verbosity: 0, stopAtErrors: false })
  } catch (error) {
    throw troubleOf(error)
  }
  try {
    const parts: DocumentPart[] = []
    const empty: number[] = []
    const untilMs = performance.now() + readMaxMs
    for (let number = only ?? 1; number <= (only ?? pdf.numPages) && number <= pdf.numPages; number++) {
      if (performance.now() > untilMs) {
        work.notes.push(
          `Only the first ${number - 1} of ${pdf.numPages} pages were read in time. Add :page ${number} for the next`,
        )
        break
      }
      await work.pause()
      const text = await readPage(await pdf.getPage(number), work)
      if (text === '') empty.push(number)
      const markdown = `<!-- Page ${number} -->${text === '' ? '' : `\n\n${text}`}`
      if (!work.takes(markdown)) break
      parts.push({ name: `page ${number}`, markdown })
    }
    if (empty.length > 0) {
      const which =
        empty.length === parts.length ? (parts.length === 1 ? 'The page has' : 'The pages have') : `Page ${pageList(empty)} has`
      work.notes.push(
        `${which} no text; ${empty.length === 1 ? 'it may be a picture' : 'they may be pictures'} of text, which is not recognised`,
      )
    }
    return { parts }
  } catch (error) {
    if (work.signal.aborted || error instanceof DocumentTrouble) throw error
    throw troubleOf(error)
  } finally {
    await pdf.loadingTask.destroy()
  }
}

function pageList(numbers: readonly number[]): string {
  const shown = numbers.slice(0, 10).join(', ')
  return numbers.length > 10 ? `${shown} and ${numbers.length - 10} more` : shown
}

function troubleOf(error: unknown): DocumentTrouble {
  const name = error instanceof Error ? error.name : ''
  if (name === 'PasswordException') return new DocumentTrouble('encrypted', 'it is protected by a password', { cause: error })
  const reason = error instanceof Error ? error.message : String(error)
  return new DocumentTrouble('damaged', `pdf.js cannot read it: ${reason}`, { cause: error })
}

interface PdfPage {
  getTextContent(): Promise<{ readonly items: readonly unknown[] }>
  getAnnotations(): Promise<readonly unknown[]>
  cleanup(): boolean
}

async function readPage(page: PdfPage, work: DocumentWork): Promise<string> {
  const { items } = await page.getTextContent()
  const links = (await page.getAnnotations()).flatMap(each => {
    const { url, rect } = each as Partial<Link>
    return typeof url === 'string' && rect !== undefined ? [{ url, rect }] : []
  })
  page.cleanup()
  work.signal.throwIfAborted()
  return pageText(
    items.filter((item): item is TextItem => typeof (item as Partial<TextItem>).str === 'string'),
    links,
  )
}

interface Piece extends Run {
  readonly x: number
  readonly endX: number
  readonly isRightToLeft: boolean
}

/** Positions are along the direction of writing and across it, so that turned pages are read as others. */
interface Line {
  readonly pieces: Piece[]
  readonly y: number
  readonly size: number
  readonly x: number
  readonly angle: number
}

/** Pieces in the order of the file, which is nearly always the reading order, as lines and paragraphs. */
export function pageText(items: readonly TextItem[], links: readonly Link[]): string {
  const lines: Line[] = []
  let line: Line | undefined
  for (const item of items) {
    const { x, y, size, angle } = placeOf(item)
    if (item.str !== '') {
      const isSame =
        line !== undefined &&
        Math.abs(line.angle - angle) < 0.1 &&
        Math.abs(line.y - y) < Math.max(line.size, size) * 0.5 &&
        x > line.x - size
      if (line === undefined || !isSame) {
        line = { pieces: [], y, size, x, angle }
        lines.push(line)
      }
      const link = linkAt(links, item, size)
      line.pieces.push({ text: item.str, link, x, endX: x + item.width, isRightToLeft: item.dir === 'rtl' })
    }
    if (item.hasEOL) line = undefined
  }
  return paragraphsOf(lines.filter(({ pieces }) => pieces.some(({ text }) => text.trim() !== '')))
}

function placeOf({ transform, height }: TextItem): Pick<Line, 'x' | 'y' | 'size' | 'angle'> {
  const [right = 1, up = 0, shear = 0, scale = 0, x = 0, y = 0] = transform
  const angle = Math.atan2(up, right)
  const [along, across] = [Math.cos(angle), Math.sin(angle)]
  return { x: x * along + y * across, y: y * along - x * across, size: Math.hypot(shear, scale) || height, angle }
}

/** A piece that is written later may stand between others, where pdf.js saw a blank. */
function inOrder(pieces: readonly Piece[]): readonly Piece[] {
  const isKept =
    pieces.every(({ x }, index) => x >= (pieces[index - 1]?.x ?? x)) || pieces.some(({ isRightToLeft }) => isRightToLeft)
  return isKept ? pieces : pieces.filter(({ text }) => text.trim() !== '').toSorted((a, b) => a.x - b.x)
}

function textOfLine({ pieces, size }: Line): string {
  const runs: Run[] = []
  let end: number | undefined
  for (const { text, link, x, endX } of inOrder(pieces)) {
    const gap = x - (end ?? x)
    const isBlank = text.trim() === ''
    const isApart = gap > size * 0.2 && !isBlank && !/\s$/.test(runs.at(-1)?.text ?? '') && !/^\s/.test(text)
    if (isApart) runs.push({ text: gap > size * 2 ? wideGap : ' ' })
    runs.push(isBlank && endX - x > size * 2 ? { text: wideGap } : { text, link })
    end = Math.max(end ?? endX, endX)
  }
  return inline(runs).trimEnd()
}

/** Between the columns of a table. */
const wideGap = '   '

function linkAt(links: readonly Link[], { transform, width }: TextItem, size: number): string | undefined {
  if (links.length === 0) return undefined
  const [right = 1, up = 0, , , left = 0, bottom = 0] = transform
  const angle = Math.atan2(up, right)
  // The middle of the piece.
  const x = left + (Math.cos(angle) * width) / 2 - (Math.sin(angle) * size) / 3
  const y = bottom + (Math.sin(angle) * width) / 2 + (Math.cos(angle) * size) / 3
  return links.find(({ rect: [x1 = 0, y1 = 0, x2 = 0, y2 = 0] }) => x >= x1 && x <= x2 && y >= y1 && y <= y2)?.url
}

function paragraphsOf(lines: readonly Line[]): string {
  const body = usualSize(lines)
  const blocks: string[] = []
  let open: string[] = []
  let previous: Line | undefined
  const flush = (): void => {
    if (open.length > 0) blocks.push(open.join('\n'))
    open = []
  }
  for (const line of lines) {
    const text = textOfLine(line)
    const isHeading = line.size >= body * 1.2 && text.length < 200 && /\p{L}/u.test(text)
    const distance = previous === undefined ? 0 : Math.abs(previous.y - line.y)
    const isContinued =
      previous !== undefined &&
      Math.abs(previous.angle - line.angle) < 0.1 &&
      distance < Math.max(previous.size, line.size) * 1.7 &&
      Math.abs(previous.size - line.size) < 1
    if (!isContinued) flush()
    if (isHeading) {
      const marks = line.size >= body * 1.8 ? '#' : line.size >= body * 1.4 ? '##' : '###'
      // A heading with two lines is one heading.
      if (isContinued && open.length === 1 && open[0]?.startsWith(`${marks} `)) open[0] += ` ${text.trim()}`
      else {
        flush()
        open.push(`${marks} ${text.trim()}`)
      }
    } else open.push(text)
    previous = line
  }
  flush()
  return blocks.join('\n\n')
}

/** The size of most letters. */
function usualSize(lines: readonly Line[]): number {
  const letters = new Map<number, number>()
  for (const { size, pieces } of lines) {
    const rounded = Math.round(size * 2) / 2
    letters.set(rounded, (letters.get(rounded) ?? 0) + pieces.reduce((sum, { text }) => sum + text.length, 0))
  }
  return [...letters].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 1
}
