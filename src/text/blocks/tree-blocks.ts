// The block that a line opens, by its syntax tree: the outermost node that starts at the line's first character, as whole lines. There is
// none if the parser had to guess and brackets do not confirm the guess, or if the last line also contains something else.

import type { SyntaxNode } from '@lezer/common'
import type { TextDocument } from '../../core/text.ts'
import { indentOf, isBalanced } from '../brackets.ts'
import type { BlockResolver, BlockSpan } from '../hashline/blocks.ts'
import type { Language } from './languages.ts'
import { createDocumentParser, hasError, lineIndexAt, type ParsedDocument } from './syntax-tree.ts'

/** `fallback` is used if the text is too large to be parsed, and confirms blocks that contain errors. */
export function createTreeResolver(language: Language, fallback: BlockResolver): BlockResolver {
  const parse = createDocumentParser(language.parser)
  return (document, lineNumber) => {
    const line = document.lines[lineNumber - 1]
    if (line === undefined || line.trim() === '') return undefined
    const parsed = parse(document)
    if (parsed === undefined) return fallback(document, lineNumber)
    const offset = (parsed.lineStarts[lineNumber - 1] ?? 0) + indentOf(line).length
    const nodes = blockNodes(parsed, language, offset)
    const first = nodes[0]
    const last = nodes.at(-1)
    if (first === undefined || last === undefined) return undefined
    const span = wholeLines(document, parsed, lineNumber, last)
    if (span === undefined || !nodes.some(hasError)) return span
    const confirmed = fallback(document, lineNumber)
    return confirmed?.end === span.end ? span : undefined
  }
}

/** The node that starts at `offset`, and the nodes that belong to it; empty if none begins there. */
function blockNodes(parsed: ParsedDocument, language: Language, offset: number): readonly SyntaxNode[] {
  let outermost: SyntaxNode | undefined
  const innermost = parsed.tree.resolveInner(offset, 1)
  for (let node: SyntaxNode | null = innermost; node?.parent != null && node.from === offset; node = node.parent) {
    const parts = language.parts?.(node)
    if (parts !== undefined) return parts
    if (!language.lists.has(node.name)) outermost = node
  }
  return outermost === undefined || !opensBlock(outermost, parsed.text) ? [] : [outermost]
}

/** Keywords that continue a block (`else`), operators and closing brackets begin on a line too, but they open nothing. */
function opensBlock(node: SyntaxNode, text: string): boolean {
  if (node.type.isError || !/^[A-Z]/.test(node.name) || node.name.endsWith('Mark')) return false
  if (text.startsWith('</', node.from)) return false
  return /[\p{L}\p{N}_"'`<([{#@$%]/u.test(text.slice(node.from, Math.min(node.to, node.from + 200)))
}

function wholeLines(document: TextDocument, parsed: ParsedDocument, lineNumber: number, node: SyntaxNode): BlockSpan | undefined {
  let end = node.to
  while (end > node.from && /\s/.test(parsed.text.charAt(end - 1))) end--
  let lastIndex = lineIndexAt(parsed.lineStarts, Math.max(node.from, end - 1))
  const endLineStart = parsed.lineStarts[lastIndex] ?? 0
  const rest = (document.lines[lastIndex] ?? '').slice(end - endLineStart)
  if (lastIndex > lineNumber - 1) {
    // `}, other => {`: removing these lines whole would also remove the start of something else.
    if (!/^\s*[,;]*\s*(?:(?:\/\/|#|\/\*|<!--).*)?$/.test(rest)) return undefined
    lastIndex = withoutTrailingComments(document, lineNumber - 1, lastIndex, parsed, node)
  } else if (!isBalanced([rest]) || !endsOnItsLine(parsed, node, lastIndex)) return undefined
  return { start: lineNumber, end: lastIndex + 1 }
}

/** Whether everything after a node on its only line also ends there, unlike in `a(); b({`. */
function endsOnItsLine(parsed: ParsedDocument, node: SyntaxNode, lineIndex: number): boolean {
  const lineEnd = parsed.lineStarts[lineIndex + 1] ?? parsed.text.length + 1
  for (let next = node.nextSibling; next !== null && next.from < lineEnd; next = next.nextSibling) {
    const text = parsed.text.slice(next.from, next.to)
    const start = next.to - text.trimStart().length
    if (start < lineEnd && next.from + text.trimEnd().length >= lineEnd) return false
  }
  return true
}

/** If indentation ends blocks, comments below a block belong to what follows, unless they are indented like its body. */
function withoutTrailingComments(
  document: TextDocument,
  firstIndex: number,
  lastIndex: number,
  parsed: ParsedDocument,
  node: SyntaxNode,
): number {
  const indent = indentOf(document.lines[firstIndex] ?? '').length
  let last = lastIndex
  while (last > firstIndex) {
    const line = document.lines[last] ?? ''
    const offset = (parsed.lineStarts[last] ?? 0) + indentOf(line).length
    const isBlank = line.trim() === ''
    const isLooseComment = !isBlank && indentOf(line).length <= indent && node.resolve(offset, 1).name.endsWith('Comment')
    if (!isBlank && !isLooseComment) break
    last--
  }
  return last
}
