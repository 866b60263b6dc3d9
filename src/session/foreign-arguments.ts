// Recognizes arguments in the format of another editing tool. The error names the format and shows the same change in the format
// of this tool.

import type { JsonSchema } from '../core/tool.ts'
import { findForeignFormat, type ForeignFormat } from '../text/hashline/foreign-format.ts'

const maxRows = 6
const maxRowCharacters = 120

/** Returns the advice, or `undefined` if no format is recognized. */
export function adviceOnForeignArguments(args: unknown, { properties }: JsonSchema): string | undefined {
  if (typeof args !== 'object' || args === null || typeof properties !== 'object' || properties === null) return undefined
  const texts = Object.values(args).filter(value => typeof value === 'string')
  const foreign = [...texts, JSON.stringify(args)].flatMap(text => findForeignFormat(text) ?? []).find(isKnown)
  if (foreign === undefined) return undefined
  const path = pathIn(args) ?? foreign.path ?? 'PATH'
  const form = formOf(properties, path, foreign)
  return form && `This is ${foreign.name}. ${form}`
}

/** Arbitrary JSON is recognized only if it contains replacement lines. */
function isKnown({ name, newRows }: ForeignFormat): boolean {
  return name !== 'JSON' || newRows.length > 0
}

function pathIn(args: object): string | undefined {
  const found = Object.entries(args).find(([name]) => /^(?:file_?)?(?:path|name)$|^file$/i.test(name))?.[1]
  return typeof found === 'string' ? found : undefined
}

function formOf(properties: object, path: string, { oldRows, newRows }: ForeignFormat): string | undefined {
  if ('old_string' in properties) {
    const form = { path, old_string: shown(oldRows), new_string: shown(newRows) }
    return `Call it with: ${JSON.stringify(form)}`
  }
  if ('changes' in properties) {
    const change = { start_line_id: 'ID', end_line_id: 'ID', new_content: `${shown(newRows)}\n` }
    return `Call it with the line IDs that read shows: ${JSON.stringify({ file_path: path, changes: [change] })}`
  }
  return undefined
}

function shown(rows: readonly string[]): string {
  const cut = rows.slice(0, maxRows).map(row => (row.length > maxRowCharacters ? `${row.slice(0, maxRowCharacters)}…` : row))
  return [...cut, ...(rows.length > maxRows ? ['…'] : [])].join('\n')
}
