// Parses an edit script to hunks, or refuses it and says how to write it. The rule behind every branch: a body row is never lost and never
// silently read as an instruction; if both readings are possible, the script is refused.

import { ToolError, unreachable } from '../../core/errors.ts'
import { resolveBody, type BodyRow } from './body.ts'
import { withoutDecoration } from './decoration.ts'
import { findForeignFormat } from './foreign-format.ts'
import { cleanHeaderPath } from './header.ts'
import { formatOperation, takesBody, type HashlineScript, type Operation } from './hunk.ts'
import { mergeSections, type RawSection } from './merge-sections.ts'
import { findNearMiss } from './near-miss.ts'
import { parseBareRange } from './operation.ts'
import { parseHeader } from './format.ts'
import {
  rejectAmbiguousRow,
  rejectBadHeader,
  rejectBareRange,
  rejectDeleteBody,
  rejectEmptyBody,
  rejectEmptyInput,
  rejectFence,
  rejectForeignFormat,
  rejectIndentedRow,
  rejectLargeRange,
  rejectMinusRow,
  rejectMissingHeader,
  rejectNearMiss,
  rejectNoOperation,
  rejectPatchSyntax,
  rejectReversedRange,
  rejectSelectorInHeader,
  rejectTrailingText,
  rejectUnsafeNumber,
} from './rejections.ts'
import { tokenize, type Token, type TokenBase } from './tokenize.ts'

export type { HashlineScript, Hunk, Section } from './hunk.ts'

/** Ranges larger than this are refused. */
const maxRangeLines = 100_000

type BracketToken = Extract<Token, { readonly kind: 'bracket' }>

interface OpenHunk extends TokenBase {
  readonly operation: Operation
  readonly body: BodyRow[]
}

/**
 * Parses a whole edit script. Throws `ToolError` with a code that starts with `edit-` and `details.scriptLine`, the 1-based line of
 * the input.
 */
export function parseScript(input: string): HashlineScript {
  if (input.trim() === '') throw rejectEmptyInput()
  const { text, warnings: decorations } = withoutDecoration(input)
  const { tokens, unread } = tokenize(text)
  const warnings: string[] = [...decorations]
  if (unread !== undefined) {
    const lines = unread.lineCount === 1 ? '1 line was' : `${unread.lineCount} lines were`
    warnings.push(`Line ${unread.scriptLine} of the script: ${lines} not read after \`${unread.marker}\`.`)
  }
  try {
    return mergeSections(new SectionReader(tokens, warnings).read(), warnings)
  } catch (error) {
    const isHeaderless = !tokens.some(token => token.kind === 'bracket' && token.tagged !== undefined)
    const foreign = isHeaderless && error instanceof ToolError ? findForeignFormat(input) : undefined
    throw foreign === undefined || !(error instanceof ToolError)
      ? error
      : rejectForeignFormat(foreign, error.details['scriptLine'])
  }
}

class SectionReader {
  readonly #tokens: readonly Token[]
  readonly #warnings: string[]
  readonly #taggedPaths: ReadonlySet<string>
  readonly #operationFollows: readonly boolean[]
  readonly #sections: RawSection[] = []
  #section: RawSection | undefined
  #open: OpenHunk | undefined

  constructor(tokens: readonly Token[], warnings: string[]) {
    this.#tokens = tokens
    this.#warnings = warnings
    this.#taggedPaths = new Set(
      tokens.flatMap(token =>
        token.kind === 'bracket' && token.tagged !== undefined ? [cleanHeaderPath(token.tagged.path)] : [],
      ),
    )
    this.#operationFollows = operationFollows(tokens)
  }

  read(): readonly RawSection[] {
    for (const [index, token] of this.#tokens.entries()) this.#take(token, this.#operationFollows[index] ?? false)
    this.#closeHunk(false)
    return this.#sections
  }

  #take(token: Token, isBeforeOperation: boolean): void {
    switch (token.kind) {
      case 'blank':
        // Blank rows above the body are layout, so a body that is not empty has a row that is not blank.
        if (this.#open !== undefined && hasRows(this.#open)) this.#open.body.push({ kind: 'blank' })
        return
      case 'envelope':
        if (this.#open !== undefined && hasRows(this.#open)) {
          this.#warnings.push(
            `Line ${token.scriptLine} of the script: \`*** Begin Patch\` was taken as an envelope and ignored. Write it with a leading + if it is body text.`,
          )
        }
        return
      case 'bracket':
        this.#takeBracket(token, isBeforeOperation)
        return
      case 'row':
        this.#bodiedHunk(token).body.push({ kind: 'literal', text: token.text })
        return
      case 'operation':
        if (this.#section === undefined) throw rejectMissingHeader(token.scriptLine, token.line)
        this.#closeHunk(true)
        checkOperation(token.operation, token)
        this.#open = { operation: token.operation, body: [], line: token.line, scriptLine: token.scriptLine }
        return
      case 'raw':
        this.#takeRaw(token, isBeforeOperation)
        return
      default:
        unreachable(token)
    }
  }

  #takeBracket(token: BracketToken, isBeforeOperation: boolean): void {
    if (this.#isHeader(token, isBeforeOperation)) this.#startSection(token)
    else this.#open?.body.push({ kind: 'bare', text: token.line })
  }

  #isHeader(token: BracketToken, isBeforeOperation: boolean): boolean {
    const open = this.#open
    if (token.tagged !== undefined || open === undefined || !takesBody(open.operation)) return true
    const isKnown = token.path !== undefined && this.#taggedPaths.has(cleanHeaderPath(token.path))
    if (isKnown) {
      if (isBeforeOperation && hasRows(open)) return true
      throw rejectAmbiguousRow(token.scriptLine, token.line)
    }
    // Below an operation without a body yet, only body text makes sense. Elsewhere before an operation, such a line may be a malformed
    // header, and then the operation would change the wrong file.
    if (isBeforeOperation && (hasRows(open) || token.line.includes('#'))) throw rejectAmbiguousRow(token.scriptLine, token.line)
    return false
  }

  #startSection(token: BracketToken): void {
    const path = cleanHeaderPath(token.tagged?.path ?? token.path ?? '')
    // A file may be named `a:3`, so only a range with its end is read as a selector.
    const selected = /^(.*[^:]):((?:\d+(?:-|\.\.|\+)\d+(?:,[-+.,\d]*)?|raw|conflicts))$/.exec(path)
    if (selected !== null && token.tagged !== undefined)
      throw rejectSelectorInHeader(token.scriptLine, selected[1] ?? '', `:${selected[2] ?? ''}`, token.tagged.tag)
    if (path === '') throw rejectBadHeader(token.scriptLine, token.line)
    const cutsBody = this.#open !== undefined && takesBody(this.#open.operation)
    this.#closeHunk(false)
    this.#section = {
      path,
      tag: token.tagged?.tag,
      scriptLine: token.scriptLine,
      line: token.line,
      hunks: [],
      warnings: [],
      cutsBody,
    }
    this.#sections.push(this.#section)
  }

  #takeRaw(token: TokenBase, isBeforeOperation: boolean): void {
    const { line, scriptLine } = token
    if (/^\s*\*{3}\s*(?:(?:Update|Add|Delete) File|Move to):/.test(line.slice(0, 200)) || line.startsWith('@@'))
      throw rejectPatchSyntax(scriptLine, line)
    if (this.#section === undefined) throw rejectMissingHeader(scriptLine, line)
    if (/^\s*(?:`{3,}|~{3,})\w*\s*$/.test(line)) throw rejectFence(scriptLine)
    const bareRange = parseBareRange(line)
    if (bareRange !== undefined) throw rejectBareRange(scriptLine, line, bareRange)
    const nearMiss = findNearMiss(line)
    if (nearMiss !== undefined)
      throw rejectNearMiss(scriptLine, line, nearMiss, this.#open !== undefined && takesBody(this.#open.operation))
    if (this.#open === undefined && line.startsWith('#') && isBeforeOperation) return
    const open = this.#bodiedHunk(token)
    if (line.trimStart().startsWith('-')) throw rejectMinusRow(scriptLine, line)
    // `  + 12:text` is a row copied from a display, and is handled below.
    if (/^\s+\+(?!\s*\d+:)/.test(line)) throw rejectIndentedRow(scriptLine, line)
    if (isRemark(line, open.body)) throw rejectTrailingText(scriptLine, line)
    if (parseHeader(line.trimStart()) !== undefined) throw rejectAmbiguousRow(scriptLine, line)
    open.body.push({ kind: 'bare', text: line })
  }

  /** The open hunk, if it takes body rows. */
  #bodiedHunk({ line, scriptLine }: TokenBase): OpenHunk {
    if (this.#section === undefined) throw rejectMissingHeader(scriptLine, line)
    const open = this.#open
    if (open === undefined) throw rejectNoOperation(scriptLine, line)
    const { operation } = open
    if (operation.kind === 'delete')
      throw rejectDeleteBody(scriptLine, line, formatOperation(operation), formatOperation({ ...operation, kind: 'replace' }))
    if (operation.kind === 'delete-block') {
      throw rejectDeleteBody(
        scriptLine,
        line,
        formatOperation(operation),
        formatOperation({ ...operation, kind: 'replace-block' }),
      )
    }
    return open
  }

  #closeHunk(isFollowedByOperation: boolean): void {
    const { operation, body, scriptLine } = this.#open ?? {}
    this.#open = undefined
    if (this.#section === undefined || operation === undefined || body === undefined || scriptLine === undefined) return
    if (!takesBody(operation)) {
      this.#section.hunks.push({ ...operation, scriptLine })
      return
    }
    const { rows, warnings } = resolveBody(body, scriptLine)
    if (rows.length === 0) throw rejectEmptyBody(scriptLine, formatOperation(operation), isFollowedByOperation)
    this.#section.warnings.push(...warnings)
    this.#section.hunks.push({ ...operation, rows, scriptLine })
  }
}

/**
 * Below rows with +, a row without it is text that lost its mark, unless a blank line separates it or it is the only sentence among rows
 * of another kind.
 */
function isRemark(line: string, body: readonly BodyRow[]): boolean {
  const literals = body.flatMap(row => (row.kind === 'literal' ? [row.text] : []))
  if (literals.length === 0) return false
  return body.at(-1)?.kind === 'blank' || (isSentence(line) && !literals.some(isSentence))
}

/** Four words or more in plain text, from a capital letter to a full stop. */
function isSentence(line: string): boolean {
  return /^\p{Lu}[\p{L}'’]*(?: [\p{L}\p{N}`'’"(),./#:-]+){3,}[.!?:]$/u.test(line.slice(0, 1000).trimEnd())
}

function hasRows(open: OpenHunk): boolean {
  return open.body.length > 0
}

function checkOperation(operation: Operation, { line, scriptLine }: TokenBase): void {
  const numbers =
    'start' in operation
      ? [operation.start, operation.end]
      : 'line' in operation
        ? [operation.line]
        : 'line' in operation.at
          ? [operation.at.line]
          : []
  if (!numbers.every(Number.isSafeInteger)) throw rejectUnsafeNumber(scriptLine, line)
  if (!('start' in operation)) return
  const { kind, start, end } = operation
  if (end < start) throw rejectReversedRange(scriptLine, kind, start, end)
  if (end - start + 1 > maxRangeLines) throw rejectLargeRange(scriptLine, start, end, maxRangeLines)
}

/** For each token, whether the next line that is neither blank nor a `#` comment is an operation. One pass from the end. */
function operationFollows(tokens: readonly Token[]): readonly boolean[] {
  const follows: boolean[] = []
  let isOperation = false
  for (let index = tokens.length - 1; index >= 0; index--) {
    follows[index] = isOperation
    const token = tokens[index]
    if (token === undefined || token.kind === 'blank' || token.kind === 'envelope') continue
    if (token.kind === 'raw' && token.line.startsWith('#')) continue
    isOperation = token.kind === 'operation'
  }
  return follows
}
