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

interface Line {
  readonly runs: Run[]
  readonly y: number
  readonly size: number
  readonly x: number
  endX: number
}

/** Pieces in the order of the file, which is nearly always the reading order, as lines and paragraphs. */
export function pageText(items: readonly TextItem[], links: readonly Link[]): string {
  const lines: Line[] = []
  let line: Line | undefined
  for (const item of items) {
    const [, , shear = 0, scale = 0, x = 0, y = 0] = item.transform
    const size = Math.hypot(shear, scale) || item.height
    if (item.str !== '') {
      const isSame = line !== undefined && Math.abs(line.y - y) < Math.max(line.size, size) * 0.5 && x > line.x - size
      if (line === undefined || !isSame) {
        line = { runs: [], y, size, x, endX: x }
        lines.push(line)
      }
      const gap = x - line.endX
      const isApart =
        line.runs.length > 0 && gap > size * 0.2 && !/\s$/.test(line.runs.at(-1)?.text ?? '') && !/^\s/.test(item.str)
      if (isApart) line.runs.push({ text: gap > size * 2 ? '   ' : ' ' })
      line.runs.push({ text: item.str, link: linkAt(links, x + item.width / 2, y + size / 3) })
      line.endX = Math.max(line.endX, x + item.width)
    }
    if (item.hasEOL) line = undefined
  }
  return paragraphsOf(lines.filter(({ runs }) => runs.some(({ text }) => text.trim() !== '')))
}

function linkAt(links: readonly Link[], x: number, y: number): string | undefined {
  return links.find(({ rect: [left = 0, bottom = 0, right = 0, top = 0] }) => x >= left && x <= right && y >= bottom && y <= top)
    ?.url
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
    const text = inline(line.runs).trimEnd()
    const isHeading = line.size >= body * 1.2 && text.length < 200 && /\p{L}/u.test(text)
    const distance = previous === undefined ? 0 : Math.abs(previous.y - line.y)
    const isContinued =
      previous !== undefined && distance < Math.max(previous.size, line.size) * 1.7 && Math.abs(previous.size - line.size) < 1
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
  for (const { size, runs } of lines) {
    const rounded = Math.round(size * 2) / 2
    letters.set(rounded, (letters.get(rounded) ?? 0) + runs.reduce((sum, run) => sum + run.text.length, 0))
  }
  return [...letters].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 1
}
