// `+4:  x` below `replace 4..4:` repeats the number that `read` printed before the line. It is removed if every row has the number of its
// place and no neighbouring line begins like that. Other numbers are refused in languages where a line cannot begin with one.

import { ToolError } from '../../../core/errors.ts'
import type { TextDocument } from '../../../core/text.ts'
import { languageOf } from '../../../text/blocks/languages.ts'
import type { Hunk } from '../../../text/hashline/parse.ts'
import { quote } from '../../../text/hashline/rejections.ts'

export interface BareHunks {
  readonly hunks: readonly Hunk[]
  readonly warnings: readonly string[]
}

/** Languages in which a line never begins with a number and a colon. */
const codeLanguages = new Set(['javascript', 'typescript', 'tsx', 'python', 'rust', 'go', 'java', 'cpp', 'css', 'json'])

/** Throws `ToolError` `edit-copied-numbers`. `path` determines the language. */
export function withoutCopiedNumbers(hunks: readonly Hunk[], document: TextDocument, path: string): BareHunks {
  const warnings: string[] = []
  const isCode = codeLanguages.has(languageOf(path) ?? '')
  const bare = hunks.map(hunk => {
    if (!('rows' in hunk) || !hunk.rows.every(row => /^\d+:/.test(row))) return hunk
    const replaced = hunk.kind === 'replace' ? document.lines.slice(hunk.start - 1, hunk.end) : []
    if ((isCode ? document.lines : replaced).some(line => /^\s*\d+:/.test(line))) return hunk
    const first = hunk.kind === 'replace' || isCode ? firstNumber(hunk, document.lines.length) : undefined
    const rows = first === undefined ? undefined : bareRows(hunk.rows, first)
    if (rows === undefined && isCode) throw copiedNumbers(hunk.scriptLine, hunk.rows[0] ?? '')
    if (rows === undefined) return hunk
    warnings.push(`Line ${hunk.scriptLine} of the script: the line numbers at the start of its rows were left out.`)
    return { ...hunk, rows }
  })
  return { hunks: bare, warnings }
}

/** The line number of the first row of `hunk` after the edit. */
function firstNumber(hunk: Hunk, lineCount: number): number | undefined {
  if (hunk.kind === 'replace') return hunk.start
  if (hunk.kind !== 'insert') return undefined
  if ('line' in hunk.at) return hunk.at.place === 'before' ? hunk.at.line : hunk.at.line + 1
  return hunk.at.place === 'head' ? 1 : lineCount + 1
}

/** The rows without numbers; `undefined` unless they are numbered consecutively from `first` on. */
function bareRows(rows: readonly string[], first: number): readonly string[] | undefined {
  const bare: string[] = []
  for (const [index, row] of rows.entries()) {
    const prefix = `${first + index}:`
    if (!row.startsWith(prefix)) return undefined
    bare.push(row.slice(prefix.length))
  }
  return bare
}

function copiedNumbers(scriptLine: number, row: string): ToolError {
  const bare = row.replace(/^\d+:/, '')
  return new ToolError(
    'edit-copied-numbers',
    `Line ${scriptLine} of the edit script: its rows begin with line numbers, as in ${quote(`+${row}`)}, which would become code. Nothing was written.`,
    {
      nextStep: `Write the rows without them: ${quote(`+${bare}`)}.`,
      details: { scriptLine },
    },
  )
}
