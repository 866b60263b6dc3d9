// Detects scripts in the formats of other tools. The error names the format, and shows the same change in our form as far as possible.

interface ForeignFormat {
  readonly name: string
  /** How to write the change instead. */
  readonly advice: string
}

const maxRows = 6

/** The foreign format of a script; `undefined` if none is recognised. Checks only the beginning. */
export function findForeignFormat(input: string): ForeignFormat | undefined {
  const start = input.slice(0, 20_000).trimStart()
  const search = /^<{5,} ?SEARCH\b[^\n]*\n([^]*?)\n?={5,}\n([^]*?)\n?>{5,} ?REPLACE/m.exec(start)
  if (search !== null) return { name: 'a SEARCH/REPLACE block', advice: replaceAdvice(search[2]?.split('\n') ?? []) }
  if (/^\*{3} (?:Begin Patch|Update File|Add File|Delete File)/m.test(start)) {
    return { name: 'an apply_patch patch', advice: replaceAdvice(addedRows(start)) }
  }
  if (/^(?:diff --git |--- \S|@@ )/m.test(start)) return { name: 'a unified diff', advice: replaceAdvice(addedRows(start)) }
  if (/^(?:\[\s*)?\{\s*"/.test(start)) {
    const isByText = /"(?:old_string|oldString|oldText|old_text)"\s*:/.test(start)
    const text = /"(?:new_string|newString|newText|new_text|new_content|replacement|content)"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(
      start,
    )?.[1]
    return {
      name: isByText ? 'an edit by old_string and new_string' : 'JSON',
      advice: replaceAdvice(text === undefined ? [] : unescaped(text).split('\n')),
    }
  }
  if (/^\s*(?:old_string|oldText|old_text)\s*[:=]/m.test(start)) {
    return { name: 'an edit by old_string and new_string', advice: replaceAdvice([]) }
  }
  if (!start.includes('\n') && start.includes(']\\n')) {
    return { name: 'a script whose line feeds are written as \\n', advice: 'Send real line feeds.' }
  }
  return undefined
}

function addedRows(patch: string): readonly string[] {
  return patch.split('\n').flatMap(line => (line.startsWith('+') && !line.startsWith('+++') ? [line.slice(1)] : []))
}

function replaceAdvice(rows: readonly string[]): string {
  const body = rows.length === 0 ? ['new text'] : rows.slice(0, maxRows)
  const more = rows.length > maxRows ? '\n+…' : ''
  return `Read the file, then name the lines by number:\n[path#TAG]\nreplace N..M:\n${body.map(row => `+${row.slice(0, 120)}`).join('\n')}${more}`
}

function unescaped(text: string): string {
  try {
    const parsed: unknown = JSON.parse(`"${text}"`)
    return typeof parsed === 'string' ? parsed : text
  } catch {
    // It was cut in the middle of an escape.
    return text
  }
}
