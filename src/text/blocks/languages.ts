// Which grammar a file has, by its name, and how to load it. Each grammar is a separate chunk, because a project needs few of them and all
// together have 200 kB.

import type { Parser, SyntaxNode } from '@lezer/common'

export interface Language {
  readonly parser: Parser
  /** Nodes that begin with their first item, so a line never opens them. */
  readonly lists: ReadonlySet<string>
  /** The nodes that form one block with `node` although the grammar has no node for it: a dash and its item. */
  readonly parts?: (node: SyntaxNode) => readonly SyntaxNode[] | undefined
}

const none: ReadonlySet<string> = new Set()

async function javascript(dialect: string): Promise<Language> {
  const { parser } = await import('@lezer/javascript')
  return { parser: parser.configure({ dialect }), lists: none, parts: exportedClass }
}

/** If a class is incomplete, the grammar reads decorators before `export` as one, with the exported class as the next statement. */
function exportedClass(node: SyntaxNode): readonly SyntaxNode[] | undefined {
  const next = node.nextSibling
  if (node.name !== 'ClassDeclaration' || next?.name !== 'ExportDeclaration') return undefined
  const decorators = node.getChildren('Decorator')
  const isOnlyDecorators = decorators.length > 0 && node.getChild('ClassBody') === null
  return isOnlyDecorators ? [...decorators, next] : undefined
}

async function html(): Promise<Language> {
  const [page, script, style] = await Promise.all([import('@lezer/html'), import('@lezer/javascript'), import('@lezer/css')])
  const wrap = page.configureNesting([
    { tag: 'script', parser: script.parser },
    { tag: 'style', parser: style.parser },
  ])
  return { parser: page.parser.configure({ wrap }), lists: none }
}

async function yaml(): Promise<Language> {
  const { parser } = await import('@lezer/yaml')
  return {
    parser,
    lists: new Set(['Document', 'BlockMapping', 'BlockSequence']),
    parts: node => (node.name === '-' && node.nextSibling?.name === 'Item' ? [node, node.nextSibling] : undefined),
  }
}

const loaders: Readonly<Record<string, () => Promise<Language>>> = {
  javascript: () => javascript('jsx'),
  typescript: () => javascript('ts'),
  tsx: () => javascript('ts jsx'),
  python: async () => ({ parser: (await import('@lezer/python')).parser, lists: none }),
  rust: async () => ({ parser: (await import('@lezer/rust')).parser, lists: none }),
  go: async () => ({ parser: (await import('@lezer/go')).parser, lists: none }),
  java: async () => ({ parser: (await import('@lezer/java')).parser, lists: none }),
  cpp: async () => ({ parser: (await import('@lezer/cpp')).parser, lists: none }),
  css: async () => ({ parser: (await import('@lezer/css')).parser, lists: none }),
  html,
  json: async () => ({ parser: (await import('@lezer/json')).parser, lists: none }),
  php: async () => ({ parser: (await import('@lezer/php')).parser, lists: none }),
  yaml,
  xml: async () => ({ parser: (await import('@lezer/xml')).parser, lists: none }),
  markdown: async () => ({
    parser: (await import('@lezer/markdown')).parser,
    lists: new Set(['BulletList', 'OrderedList']),
  }),
}

const extensions: Readonly<Record<string, readonly string[]>> = {
  javascript: ['js', 'mjs', 'cjs', 'jsx'],
  typescript: ['ts', 'mts', 'cts'],
  tsx: ['tsx'],
  python: ['py', 'pyi', 'pyw'],
  rust: ['rs'],
  go: ['go'],
  java: ['java'],
  cpp: ['c', 'h', 'cc', 'cpp', 'cxx', 'hpp', 'hh', 'hxx', 'c++', 'h++', 'ino'],
  css: ['css'],
  html: ['html', 'htm', 'xhtml', 'vue'],
  json: ['json', 'webmanifest', 'map'],
  php: ['php', 'phtml'],
  yaml: ['yaml', 'yml'],
  xml: ['xml', 'svg', 'xsd', 'xsl', 'plist'],
  markdown: ['md', 'markdown'],
}

const languageByExtension: ReadonlyMap<string, string> = new Map(
  Object.entries(extensions).flatMap(([language, names]) => names.map(name => [name, language] as const)),
)

/** The extension of a path in lower case, '' if it has none. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot < 1 ? '' : name.slice(dot + 1).toLowerCase()
}

/** The name of the grammar for a path, for messages and tests; `undefined` if there is none. */
export function languageOf(path: string): string | undefined {
  return languageByExtension.get(extensionOf(path))
}

/** `undefined` if there is no grammar for the path. Rejects if its chunk cannot be loaded. */
export async function loadLanguage(path: string): Promise<Language | undefined> {
  const name = languageOf(path)
  return name === undefined ? undefined : loaders[name]?.()
}
