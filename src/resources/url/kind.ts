// Web pages, texts and documents by address. A page is shown as Markdown; line numbers do not count the lines that name its source.

import { formatSize } from '../../core/size.ts'
import { selectorCandidates } from '../../text/hashline/selector.ts'
import type { Resource, ResourceAddress, ResourceContext } from '../kind.ts'
import { extensionOf, isHtml, isTextual, looksLikeHtml } from './content-types.ts'
import { fetchUrl, type Answer } from './fetch-url.ts'

const pageTimeoutMs = 10_000
const probeTimeoutMs = 5_000
const pageAccept = 'text/html, text/markdown;q=0.9, text/plain;q=0.8, */*;q=0.5'
const markdownAccept = 'text/markdown, text/plain;q=0.9, text/html;q=0.8'
const shownLines = 300
const shownBytes = 50 * 1024
/** For a page with less text than this, a Markdown version is tried. */
const minPageCharacters = 100
/** How long the lines of a page keep their numbers. */
const keptMs = 10 * 60_000

interface Page {
  readonly url: string
  readonly status: number
  readonly type: string
  readonly method: string
  readonly notes: readonly string[]
  readonly text: string
  readonly rawText: string
}

interface Kept {
  readonly atMs: number
  readonly page: Page
}

export async function open({ inner, text: address }: ResourceAddress, context: ResourceContext): Promise<Resource | undefined> {
  // Text after the address of a page is a selector: trying it as part of the address would cost a request.
  if (selectorCandidates(inner).length > 1) return undefined
  const key = `url ${inner}`
  const kept = context.cache.get(key) as Kept | undefined
  if (kept !== undefined && context.clock() - kept.atMs < keptMs) return pageResource(address, kept.page, context)
  const answer = await fetchUrl(inner, pageAccept, pageTimeoutMs, context)
  const extension = extensionOf(answer.type, answer.url)
  if (extension !== undefined && answer.status < 300 && answer.bytes.length > 0)
    return documentResource(address, answer, extension)
  const page = await readPage(answer, context)
  context.cache.set(key, { atMs: context.clock(), page } satisfies Kept, (page.text.length + page.rawText.length) * 2)
  return pageResource(address, page, context)
}

function documentResource(display: string, { url, bytes, type, status }: Answer, extension: string): Resource {
  const name = url.pathname.toLowerCase().endsWith(`.${extension}`) ? url.href : `${url.href}.${extension}`
  return {
    kind: 'content',
    display,
    details: { meta: { source: 'url', sourcePath: url.href }, contentType: type, status },
    source: {
      display: name,
      sizeBytes: bytes.length,
      read: range => Promise.resolve(bytes.slice(range?.start ?? 0, range?.end ?? bytes.length)),
    },
  }
}

async function readPage(answer: Answer, context: ResourceContext): Promise<Page> {
  const rawText = decoded(answer)
  const shape = { url: answer.url.href, status: answer.status, type: answer.type || 'unknown', notes: [], rawText }
  if (answer.status < 200 || answer.status >= 300)
    return { ...shape, method: 'failed', text: rawText === '' ? `(request failed with status ${answer.status})` : rawText }
  if (!isHtml(answer.type) && !(answer.type === '' && looksLikeHtml(rawText))) {
    if (isTextual(answer.type, answer.bytes)) return { ...shape, method: 'text', text: rawText }
    const text = `(${formatSize(answer.bytes.length)} of ${answer.type || 'unknown type'}, which is not shown as text)`
    return { ...shape, method: 'failed', text, rawText: text }
  }
  return { ...shape, ...(await markdownOf(answer, rawText, context)) }
}

async function markdownOf(
  { url }: Answer,
  html: string,
  context: ResourceContext,
): Promise<Pick<Page, 'method' | 'text' | 'notes'>> {
  const { pageText } = await import('./engine.ts')
  const page = pageText(html)
  const alternate =
    page.alternate === undefined || !URL.canParse(page.alternate, url) ? undefined : new URL(page.alternate, url).href
  const found = alternate === undefined ? undefined : await markdownAt(alternate, markdownAccept, context)
  if (found !== undefined) return { method: 'alternate-markdown', text: found, notes: [`Markdown of ${alternate}`] }
  if (page.isArticle) return { method: 'native', text: page.markdown, notes: [] }
  const root = url.origin
  const path = url.pathname.replace(/\/+$/, '')
  const tries: readonly (readonly [address: string, accept: string, method: string])[] = [
    ...(path === '' || /\.\w+$/.test(path) ? [] : [[`${root}${path}.md`, markdownAccept, 'md-suffix'] as const]),
    [url.href, markdownAccept, 'content-negotiation'],
    ...(page.markdown.length > minPageCharacters
      ? []
      : [[`${root}${path}/llms.txt`, markdownAccept, `llms-txt (${root}${path}/llms.txt)`] as const]),
    ...(page.markdown.length > minPageCharacters || path === ''
      ? []
      : [[`${root}/llms.txt`, markdownAccept, `llms-txt (${root}/llms.txt)`] as const]),
  ]
  for (const [address, accept, method] of tries) {
    const text = await markdownAt(address, accept, context)
    if (text !== undefined) return { method, text, notes: [] }
  }
  const notes =
    page.markdown.length > minPageCharacters ? [] : ['there is little text, perhaps because the page is made by a script']
  return { method: 'native', text: page.markdown === '' ? '(no text)' : page.markdown, notes }
}

/** `undefined` if it is missing, is a web page too, or is nearly empty. */
async function markdownAt(address: string, accept: string, context: ResourceContext): Promise<string | undefined> {
  try {
    const answer = await fetchUrl(address, accept, probeTimeoutMs, context)
    if (answer.status < 200 || answer.status >= 300 || isHtml(answer.type) || !isTextual(answer.type, answer.bytes))
      return undefined
    const text = decoded(answer)
    return text.length > minPageCharacters && !looksLikeHtml(text) ? text : undefined
  } catch {
    // This was only an attempt; the caller notices an abort.
    context.signal.throwIfAborted()
    return undefined
  }
}

/** The encoding from the server, otherwise from the page, otherwise UTF-8. */
function decoded({ bytes, charset, type }: Answer): string {
  const named = isHtml(type)
    ? /<meta[^>]+charset=["']?([\w-]+)/i.exec(new TextDecoder('latin1').decode(bytes.subarray(0, 2048)))?.[1]
    : undefined
  try {
    return new TextDecoder(charset ?? named ?? 'utf-8').decode(bytes)
  } catch {
    // An unknown encoding.
    return new TextDecoder().decode(bytes)
  }
}

function pageResource(display: string, page: Page, context: ResourceContext): Resource {
  const { url, type, method, notes, status, text, rawText } = page
  const head = [
    `URL: ${url}`,
    `Content-Type: ${type}`,
    `Method: ${method}`,
    ...(notes.length === 0 ? [] : [`Notes: ${notes.join('; ')}`]),
  ]
  const lines = text.split('\n')
  const count = linesWithin(lines)
  const isCut = count < lines.length
  const kept = isCut ? context.keep(`read ${url}`, text) : undefined
  const last = `[Showing first ${count} of ${lines.length} lines. Full output: ${kept}. Continue with ${display}:${count + 1}-]`
  const body = count === 0 ? `(the first line has ${lines[0]?.length ?? 0} characters)` : lines.slice(0, count).join('\n')
  const truncation = { truncated: true, totalLines: lines.length, outputLines: count, maxLines: shownLines, maxBytes: shownBytes }
  return {
    kind: 'text',
    display,
    text,
    rawText,
    unselected: [...head, '', '---', '', body, ...(isCut ? ['', last] : [])].join('\n'),
    details: {
      status,
      method,
      contentType: type,
      ...(isCut ? { truncation } : {}),
      meta: { source: 'url', sourcePath: url, ...(isCut ? { truncation, artifactId: kept } : {}) },
    },
  }
}

/** The number of whole lines that are shown. */
function linesWithin(lines: readonly string[]): number {
  const encoder = new TextEncoder()
  let bytes = 0
  for (const [index, line] of lines.entries()) {
    bytes += encoder.encode(line).length + 1
    if (index >= shownLines || bytes > shownBytes) return index
  }
  return lines.length
}
