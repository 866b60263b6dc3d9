// Parses the `edits_json` of a model: a list, or a text that contains one. It is strict, because an edit that is half understood is worse
// than one that is sent again; each error names the edit and the field.

import { isRecord } from '../../core/record.ts'
import { findForeignFormat } from '../hashline/foreign-format.ts'
import { parseLineTag, type LineTag } from './tag.ts'
import { pushAll } from '../../core/many.ts'

export type TagEdit =
  /** `end` absent: the one line at `pos`. */
  | { readonly op: 'replace'; readonly pos: LineTag; readonly end: LineTag | undefined; readonly lines: readonly string[] }
  | { readonly op: 'append' | 'prepend'; readonly pos: LineTag; readonly lines: readonly string[] }

export type ParsedEdits =
  | { readonly kind: 'edits'; readonly edits: readonly TagEdit[]; readonly notes: readonly string[] }
  | { readonly kind: 'refused'; readonly message: string }

const fields = ['op', 'pos', 'end', 'lines']

export function parseEdits(given: unknown): ParsedEdits {
  const list = typeof given === 'string' ? parsedJson(given) : given
  if (list instanceof SyntaxError) {
    const foreign = findForeignFormat(String(given))
    if (foreign !== undefined) return refused(`edits_json is ${foreign.name}. ${inOurForm(foreign.newRows)}`)
    return refused(`edits_json is not JSON: ${list.message}`)
  }
  const items: unknown = isRecord(list) && 'op' in list ? [list] : list
  if (!Array.isArray(items)) return refused('edits_json must be a JSON array')
  const edits: TagEdit[] = []
  const notes = new Set<string>()
  for (const [index, item] of items.entries()) {
    const edit = parseEdit(item, note => notes.add(note))
    if (typeof edit === 'string') return refused(`Edit ${index + 1}: ${edit}`)
    edits.push(edit)
  }
  return { kind: 'edits', edits, notes: [...notes] }
}

const shownRows = 6
const shownCharacters = 120

/** The change as this format has it, without the tags, which only a read shows. */
function inOurForm(newRows: readonly string[]): string {
  const lines = newRows.slice(0, shownRows).map(row => row.slice(0, shownCharacters))
  return `Write {"op":"replace","pos":"LINE#ID","end":"LINE#ID","lines":${JSON.stringify(lines)}} with the tags that read_file shows`
}

/** Returns a text if something is wrong. */
function parseEdit(item: unknown, note: (text: string) => void): TagEdit | string {
  if (!isRecord(item)) return 'must be an object with "op", "pos" and "lines"'
  const unknown = Object.keys(item).filter(name => !fields.includes(name))
  if (unknown.some(name => /^old_?(?:string|text)$/i.test(name))) {
    const newText = Object.entries(item).find(([name]) => /^new_?(?:string|text)$/i.test(name))?.[1]
    return `names old text, and here lines are named by their tags. ${inOurForm(typeof newText === 'string' ? newText.split('\n') : [])}`
  }
  if (unknown.length > 0) return `has unknown fields: ${unknown.join(', ')}. Known: ${fields.join(', ')}`
  const op = typeof item['op'] === 'string' ? item['op'].toLowerCase() : item['op']
  if (op === 'delete') return parseDeletion(item)
  if (op !== 'replace' && op !== 'append' && op !== 'prepend') return `Unsupported edit operation: ${String(op)}`
  const pos = parseTag(item['pos'], 'pos')
  if (typeof pos === 'string') return pos
  const lines = parseLines(item['lines'], note)
  if (typeof lines === 'string') return lines
  const hasEnd = item['end'] !== undefined && item['end'] !== null && item['end'] !== ''
  if (op !== 'replace') return hasEnd ? `"end" is only allowed with replace, not with ${op}` : { op, pos, lines }
  const end = hasEnd ? parseTag(item['end'], 'end') : undefined
  return typeof end === 'string' ? end : { op, pos, end, lines }
}

/** Not in the format, but unambiguous: a range replaced by nothing. */
function parseDeletion(item: Readonly<Record<string, unknown>>): TagEdit | string {
  if (Array.isArray(item['lines']) && item['lines'].length > 0) return '"lines" is only allowed with replace, not with delete'
  const pos = parseTag(item['pos'], 'pos')
  if (typeof pos === 'string') return pos
  const end = item['end'] === undefined || item['end'] === null || item['end'] === '' ? pos : parseTag(item['end'], 'end')
  return typeof end === 'string' ? end : { op: 'replace', pos, end, lines: [] }
}

function parseTag(given: unknown, field: string): LineTag | string {
  if (typeof given !== 'string') return `"${field}" must be a LINE#ID text, such as "10#a1b2"`
  const parsed = parseLineTag(given)
  return parsed.kind === 'tag' ? parsed.tag : parsed.message
}

function parseLines(given: unknown, note: (text: string) => void): readonly string[] | string {
  if (given === undefined || given === null) return []
  const items: unknown = typeof given === 'string' ? [given] : given
  if (typeof given === 'string') note('"lines" came as one text and was read as its lines')
  if (!Array.isArray(items)) return '"lines" must be an array of texts'
  const lines: string[] = []
  for (const item of items) {
    if (typeof item !== 'string') return '"lines" must contain only texts'
    if (!item.isWellFormed()) return '"lines" contains half of a surrogate pair, which UTF-8 cannot represent'
    const parts = item.split(/\r?\n/)
    if (parts.some(part => part.includes('\r'))) return '"lines" contains a carriage return inside a line'
    if (parts.length > 1 && parts.at(-1) === '') {
      note('A line break at the end of an item of "lines" was taken for the end of that line')
      parts.pop()
    }
    pushAll(lines, parts)
  }
  return lines
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return error
    throw error
  }
}

function refused(message: string): ParsedEdits {
  return { kind: 'refused', message }
}
