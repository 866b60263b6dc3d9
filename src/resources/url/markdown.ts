// A web page as Markdown: the article if there is one, else all of it.

import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom/worker'
import TurndownService from 'turndown'

export interface PageText {
  readonly markdown: string
  /** Whether an article was found. */
  readonly isArticle: boolean
  /** An address of the page as Markdown that it names itself. */
  readonly alternate: string | undefined
}

const minArticleCharacters = 200
/** A page of more elements is not looked at for an article: the time grows faster than the page. */
const maxElements = 60_000
type ReadablePage = ConstructorParameters<typeof Readability>[0]

const notText = 'script,style,noscript,template,iframe,svg,canvas,object,embed,link,meta,form button,dialog'

export function pageText(html: string): PageText {
  const page = parse(html)
  const title = cleaned(page.document.title ?? '')
  const alternate = alternateOf(page.document)
  const article = articleOf(html)
  if (article !== undefined) {
    const markdown = toMarkdown(article.content)
    if (markdown.length >= minArticleCharacters) {
      return { markdown: withTitle(markdown, cleaned(article.title) || title), isArticle: true, alternate }
    }
  }
  for (const element of page.document.querySelectorAll(notText)) element.remove()
  const body = page.document.body as { readonly innerHTML: string } | null
  return { markdown: withTitle(toMarkdown(body?.innerHTML ?? ''), title), isArticle: false, alternate }
}

/** A fragment or an empty text becomes a page too. */
function parse(html: string): ReturnType<typeof parseHTML> {
  return parseHTML(/<html[\s>]/i.test(html) ? html : `<!doctype html><html><head></head><body>${html}</body></html>`)
}

function articleOf(html: string): { readonly content: string; readonly title: string } | undefined {
  // It changes the page that it looks at.
  const { document } = parse(html)
  try {
    const article = new Readability(document as unknown as ReadablePage, {
      maxElemsToParse: maxElements,
      keepClasses: true,
    }).parse()
    return typeof article?.content === 'string' ? { content: article.content, title: article.title ?? '' } : undefined
  } catch {
    // A page that it cannot read is shown whole.
    return undefined
  }
}

function toMarkdown(html: string): string {
  const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', hr: '---' })
  turndown.remove(['script', 'style', 'noscript', 'iframe'])
  turndown.addRule('tables', {
    filter: 'table',
    replacement: (_content, node) =>
      `\n\n${tableText(node as unknown as TableElement, cell => turndown.turndown(cell as never))}\n\n`,
  })
  const { document } = parse(`<html><body>${html}</body></html>`)
  return turndown
    .turndown(document.body as never)
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

interface TableElement {
  querySelectorAll(selector: string): Iterable<{ querySelectorAll(selector: string): Iterable<unknown> }>
}

function tableText(table: TableElement, textOf: (cell: unknown) => string): string {
  const rows = [...table.querySelectorAll('tr')].map(row =>
    [...row.querySelectorAll('th,td')].map(cell =>
      textOf(cell)
        .replaceAll(/\s*\n\s*/g, ' ')
        .replaceAll('|', '\\|')
        .trim(),
    ),
  )
  const [head, ...body] = rows.filter(row => row.length > 0)
  if (head === undefined) return ''
  const width = Math.max(head.length, ...body.map(row => row.length))
  const line = (row: readonly string[]): string =>
    `| ${Array.from({ length: width }, (_, index) => row[index] ?? '').join(' | ')} |`
  return [line(head), line(Array.from({ length: width }, () => '---')), ...body.map(line)].join('\n')
}

function withTitle(markdown: string, title: string): string {
  return title === '' || markdown.startsWith('# ') || markdown === '' ? markdown || title : `# ${title}\n\n${markdown}`
}

function cleaned(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function alternateOf(document: {
  querySelectorAll(selector: string): Iterable<{ getAttribute(name: string): string | null }>
}): string | undefined {
  for (const link of document.querySelectorAll('link[rel~="alternate"]')) {
    const [type, href] = [link.getAttribute('type') ?? '', link.getAttribute('href') ?? '']
    if (href !== '' && (/markdown/i.test(type) || /\.md(?:[?#]|$)/i.test(href))) return href
  }
  return undefined
}
