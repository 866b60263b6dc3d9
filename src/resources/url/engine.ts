// Converts a web page to Markdown: its article if it has one, otherwise all of it. The only file that imports the libraries for web pages; the
// package ships it as a bundle.

import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom/worker'
import TurndownService from 'turndown'
import { largest } from '../../core/many.ts'

export interface PageText {
  readonly markdown: string
  /** Whether an article was found. */
  readonly isArticle: boolean
  /** The address of a Markdown version that the page links to. */
  readonly alternate: string | undefined
}

const minArticleCharacters = 200
/** A page with more elements is shown as plain text: converting it would take seconds. */
const maxElements = 25_000
/** No article is searched for in a deeper page: the time grows with the square of the depth. */
const maxArticleDepth = 150
/** A deeper page is shown as plain text. */
const maxDepth = 300
type ReadablePage = ConstructorParameters<typeof Readability>[0]

const notText =
  'title,script,style,noscript,template,iframe,svg,canvas,object,embed,link,meta,form button,dialog,[hidden],[aria-hidden="true"],[style*="display:none"],[style*="display: none"]'

export function pageText(html: string): PageText {
  const page = parse(html)
  const title = cleaned(page.document.title || (page.document.querySelector('body > title')?.textContent ?? ''))
  const alternate = alternateOf(page.document)
  const { depth, isTooLarge } = extentOf(page.document.documentElement as unknown as PageElement | null)
  const article = isTooLarge || depth > maxArticleDepth ? undefined : articleOf(html)
  if (article !== undefined) {
    const markdown = toMarkdown(article.content)
    if (markdown.length >= minArticleCharacters)
      return { markdown: withTitle(markdown, cleaned(article.title) || title), isArticle: true, alternate }
  }
  for (const element of page.document.querySelectorAll(notText)) element.remove()
  const body = page.document.body as { readonly innerHTML: string; readonly textContent: string | null } | null
  const markdown = isTooLarge ? (body?.textContent ?? '').trim() : toMarkdown(body?.innerHTML ?? '')
  return { markdown: withTitle(markdown, title), isArticle: false, alternate }
}

function extentOf(root: PageElement | null): { readonly depth: number; readonly isTooLarge: boolean } {
  let level: readonly PageElement[] = root === null ? [] : [root]
  let count = 0
  for (let depth = 0; ; depth++) {
    count += level.length
    if (depth > maxDepth || count > maxElements) return { depth, isTooLarge: true }
    if (level.length === 0) return { depth, isTooLarge: false }
    level = level.flatMap(element => [...element.children])
  }
}

/** A fragment, an empty text and a page without a body tag become a page with one. */
function parse(html: string): ReturnType<typeof parseHTML> {
  if (/<body[\s>]/i.test(html)) return parseHTML(/<html[\s>]/i.test(html) ? html : `<!doctype html><html>${html}</html>`)
  const content = html.replaceAll(/<!doctype[^>]*>|<\/?(?:html|head)(?:\s[^>]*)?>/gi, '')
  return parseHTML(`<!doctype html><html><head></head><body>${content}</body></html>`)
}

function articleOf(html: string): { readonly content: string; readonly title: string } | undefined {
  // It changes the page that it examines.
  const { document } = parse(html)
  try {
    const article = new Readability(document as unknown as ReadablePage, {
      maxElemsToParse: maxElements,
      keepClasses: true,
    }).parse()
    return typeof article?.content === 'string' ? { content: article.content, title: article.title ?? '' } : undefined
  } catch {
    // A page that it cannot process is shown whole.
    return undefined
  }
}

function toMarkdown(html: string): string {
  const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', hr: '---' })
  turndown.remove(['script', 'style', 'noscript', 'iframe'])
  for (const [name, rule] of Object.entries(rules)) turndown.addRule(name, rule)
  turndown.addRule('tables', {
    filter: 'table',
    replacement: (_content, node) =>
      `\n\n${tableText(node as unknown as PageElement, cell => turndown.turndown(cell as never))}\n\n`,
  })
  const { document } = parse(`<html><body>${html}</body></html>`)
  return turndown.turndown(document.body as never).trim()
}

type Rule = Parameters<TurndownService['addRule']>[1]

/** Elements that cannot become Markdown, or contain much data and no text. */
const rules: Readonly<Record<string, Rule>> = {
  pre: {
    filter: node => node.nodeName === 'PRE' && node.firstElementChild?.nodeName !== 'CODE',
    replacement: (_content, node) => fenced(node.textContent ?? ''),
  },
  blocksInMarks: {
    filter: node => ['B', 'STRONG', 'I', 'EM'].includes(node.nodeName) && hasBlocks(node),
    replacement: content => content,
  },
  blocksInLink: {
    filter: node => node.nodeName === 'A' && node.hasAttribute('href') && hasBlocks(node),
    replacement: (content, node) => `\n\n${content.trim()}\n\n<${attribute(node, 'href')}>\n\n`,
  },
  emptyLink: {
    filter: node => node.nodeName === 'A' && (node.textContent ?? '').trim() === '' && node.querySelector('img') === null,
    replacement: () => '',
  },
  dataImage: {
    filter: node => node.nodeName === 'IMG' && attribute(node, 'src').startsWith('data:'),
    replacement: (_content, node) => (attribute(node, 'alt') === '' ? '' : `![${cleaned(attribute(node, 'alt'))}](data:…)`),
  },
  checkbox: {
    filter: node => node.nodeName === 'INPUT' && attribute(node, 'type') === 'checkbox',
    replacement: (_content, node) => (attribute(node, 'checked', 'no') === 'no' ? '[ ]' : '[x]'),
  },
}

const blocks = 'p,div,h1,h2,h3,h4,h5,h6,ul,ol,table,pre,blockquote,section,article'

function hasBlocks(node: { querySelector(selector: string): unknown }): boolean {
  return node.querySelector(blocks) !== null
}

function attribute(node: unknown, name: string, absent = ''): string {
  return (node as { getAttribute(name: string): string | null }).getAttribute(name) ?? absent
}

function fenced(code: string): string {
  const longest = (code.match(/`{3,}/g) ?? []).reduce((most, fence) => Math.max(most, fence.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `\n\n${fence}\n${code.replace(/\n$/, '')}\n${fence}\n\n`
}

interface PageNode {
  readonly textContent: string | null
  readonly childNodes: Iterable<PageNode>
}

interface PageElement extends PageNode {
  readonly children: Iterable<PageElement & { readonly localName: string }>
  querySelector(selector: string): unknown
  querySelectorAll(selector: string): Iterable<PageElement>
  closest(selector: string): unknown
}

/** The texts in an element, separated by blanks. */
function wordsOf(node: PageNode): string {
  const inside = [...node.childNodes]
  return inside.length === 0 ? (node.textContent ?? '') : inside.map(wordsOf).join(' ')
}

function tableText(table: PageElement, textOf: (cell: unknown) => string): string {
  // A table inside a cell has its own rows.
  const rows = [...table.querySelectorAll('tr')]
    .filter(row => row.closest('table') === table)
    .map(row =>
      [...row.children]
        .filter(({ localName }) => localName === 'th' || localName === 'td')
        .map(cell =>
          // Markdown cannot nest tables, and converting both would take twice the time for each level.
          (cell.querySelector('table') === null ? textOf(cell) : cleaned(wordsOf(cell)))
            .replaceAll(/\s*\n\s*/g, ' ')
            .replaceAll('|', '\\|')
            .trim(),
        ),
    )
  const [caption] = [...table.children].filter(({ localName }) => localName === 'caption')
  const [head, ...body] = rows.filter(row => row.length > 0)
  if (head === undefined) return ''
  const width = largest(
    body.map(row => row.length),
    head.length,
  )
  const line = (row: readonly string[]): string =>
    `| ${Array.from({ length: width }, (_, index) => row[index] ?? '').join(' | ')} |`
  return [
    ...(caption === undefined ? [] : [cleaned(caption.textContent ?? ''), '']),
    line(head),
    line(Array.from({ length: width }, () => '---')),
    ...body.map(line),
  ].join('\n')
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
