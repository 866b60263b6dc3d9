// The fields of `ToolDetails` as a value, to compare with what tools give. The compiler holds the two against each other by name.

import type { CommonDetails, ToolDetails } from '../core/tool-details.ts'

type Kind = 'string' | 'number' | 'boolean' | 'object' | 'strings' | 'objects'
type Fields<Tool extends keyof ToolDetails> = { readonly [Field in keyof Required<ToolDetails[Tool]>]: Kind }

const common: { readonly [Field in keyof Required<CommonDetails>]: Kind } = {
  ...{ durationMs: 'number', by: 'object', callId: 'string', argumentWarnings: 'strings', error: 'object' },
  ...{ revisions: 'object', revisionCount: 'number' },
}

const diff = {
  path: 'string',
  resolvedPath: 'string',
  diff: 'string',
  patch: 'string',
  hunks: 'objects',
  firstChangedLine: 'number',
} as const

const edit: Fields<'edit'> = {
  ...common,
  ...diff,
  ...{ files: 'strings', meta: 'object', old_lines: 'number', new_lines: 'number', replaced: 'number', otherMatches: 'number' },
  editCount: 'number',
}
const write: Fields<'write'> = {
  ...common,
  ...diff,
  ...{ created: 'boolean', sizeBytes: 'number', bytes: 'number', line_count: 'number' },
}
const read: Fields<'read'> = {
  ...common,
  ...{ path: 'string', resolvedPath: 'string', isDirectory: 'boolean', meta: 'object' },
  ...{ lineCount: 'number', line_count: 'number', totalLines: 'number', shownLines: 'number' },
}
const command: Fields<'bash'> = {
  ...common,
  ...{ exitCode: 'number', exit_code: 'number', command: 'string', timeoutSeconds: 'number', wallTimeMs: 'number' },
  changed: 'object',
}
const search: Fields<'search'> = {
  ...common,
  ...{ scopePath: 'string', cwd: 'string', matchCount: 'number', fileCount: 'number', files: 'strings', fileMatches: 'object' },
  meta: 'object',
}
const find: Fields<'find'> = {
  ...common,
  ...{ scopePath: 'string', fileCount: 'number', files: 'strings', paths: 'strings', truncated: 'boolean', entryCount: 'number' },
}

const fields: { readonly [Tool in keyof ToolDetails]: Fields<Tool> } = {
  ...{ read, read_file: read, write, write_file: write, edit, edit_file: edit, edit_lines: edit },
  ...{ bash: command, search, grep: search, find, glob: find, ls: find },
}

/** The details that are not as `ToolDetails` says, as `field: kind`. Of tools without a row there, only the common fields are checked. */
export function strangeDetails(tool: string, details: Readonly<Record<string, unknown>>): readonly string[] {
  const row = Object.entries(fields).find(([name]) => name === tool)?.[1]
  const known = new Map<string, Kind>(Object.entries(row ?? common))
  return Object.entries(details).flatMap(([field, value]) => {
    const [kind, wanted] = [kindOf(value), known.get(field)]
    if (value === undefined || (row === undefined && wanted === undefined)) return []
    return wanted === kind || (wanted === 'objects' && isEmpty(value)) ? [] : [`${field}: ${kind}`]
  })
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

function kindOf(value: unknown): string {
  if (!Array.isArray(value)) return typeof value
  return value.every(each => typeof each === 'string') ? 'strings' : 'objects'
}
