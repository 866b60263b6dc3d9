// Blocks in languages without a grammar here, by features that most of them share: brackets that must close, otherwise deeper indentation,
// with the words that close or continue it. There is a result only if all these features agree.

import type { TextDocument } from '../../core/text.ts'
import { createBracketStack, indentOf, isPureCloser, type BracketSyntax } from '../brackets.ts'
import type { BlockResolver, BlockSpan } from '../hashline/blocks.ts'

/** The end of a longer block is not searched for. */
const maxBlockLines = 50_000

/** Lines that continue a block at the indentation of its first line, and lines that end it there. */
const continuation = /^(?:else|elif|elsif|elseif|except|finally|catch|rescue|ensure|when|then|do|in)\b|^else:/i
const terminator = /^(?:end\b|endif\b|endfor\b|endwhile\b|endfunction\b|fi\b|done\b|esac\b)/i

const hashComments = new Set(
  'sh bash zsh fish rb pl pm r toml py yaml yml ex exs tcl mk cmake nix jl ps1 tf conf cr nim'.split(' '),
)
const dashComments = new Set(['lua', 'sql', 'hs', 'elm', 'adb', 'ads', 'vhd', 'vhdl'])
// `case x in a)` has a closing bracket without an opening one.
const shells = new Set(['sh', 'bash', 'zsh', 'fish'])

function syntaxOf(extension: string): BracketSyntax {
  return {
    lineComments: hashComments.has(extension) ? ['#'] : dashComments.has(extension) ? ['--'] : ['//'],
    brackets: shells.has(extension) ? '{}' : '()[]{}',
  }
}

export function createPlainResolver(extension: string): BlockResolver {
  const syntax = syntaxOf(extension)
  return (document, lineNumber) => {
    const line = document.lines[lineNumber - 1]
    if (line === undefined || line.trim() === '' || isPureCloser(line) || !opens(line)) return undefined
    const opener = openerLine(document, lineNumber, syntax)
    return opener === undefined ? byIndent(document, lineNumber) : byBrackets(document, lineNumber, opener, syntax)
  }
}

function opens(line: string): boolean {
  const text = line.trimStart()
  return !/^[)\]}]/.test(text) && !continuation.test(text) && !terminator.test(text)
}

/** The line whose brackets stay open: the line itself, or the next one if that is only a `{`. */
function openerLine(document: TextDocument, lineNumber: number, syntax: BracketSyntax): number | undefined {
  const line = document.lines[lineNumber - 1] ?? ''
  const stack = createBracketStack(syntax)
  stack.take(line)
  if (stack.depth() > 0) return lineNumber
  const below = document.lines[lineNumber] ?? ''
  return below.trim() === '{' && indentOf(below) === indentOf(line) ? lineNumber + 1 : undefined
}

function byBrackets(document: TextDocument, start: number, opener: number, syntax: BracketSyntax): BlockSpan | undefined {
  const stack = createBracketStack(syntax)
  const limit = Math.min(document.lines.length, start + maxBlockLines)
  for (let lineNumber = start; lineNumber <= limit; lineNumber++) {
    stack.take(document.lines[lineNumber - 1] ?? '')
    if (stack.isBroken()) return undefined
    if (lineNumber < opener || stack.depth() > 0 || stack.isInsideText()) continue
    if (!goesOn(document, start, lineNumber)) return { start, end: lineNumber }
  }
  return undefined
}

/** `else {` on a separate line below the `}`. */
function goesOn(document: TextDocument, start: number, end: number): boolean {
  const next = document.lines[end] ?? ''
  return indentOf(next) === indentOf(document.lines[start - 1] ?? '') && continuation.test(next.trimStart()) && next.trim() !== ''
}

function byIndent(document: TextDocument, start: number): BlockSpan | undefined {
  const indent = indentOf(document.lines[start - 1] ?? '')
  const limit = Math.min(document.lines.length, start + maxBlockLines)
  let end = start
  for (let lineNumber = start + 1; lineNumber <= limit; lineNumber++) {
    const line = document.lines[lineNumber - 1] ?? ''
    if (line.trim() === '') continue
    const lineIndent = indentOf(line)
    const isDeeper = lineIndent.length > indent.length && lineIndent.startsWith(indent)
    if (isDeeper) {
      end = lineNumber
      continue
    }
    if (end === start || lineIndent !== indent) break
    if (terminator.test(line.trimStart()) || isPureCloser(line)) return { start, end: lineNumber }
    if (!continuation.test(line.trimStart())) break
    end = lineNumber
  }
  return end === start ? undefined : { start, end }
}
