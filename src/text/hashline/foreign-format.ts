// Detects scripts in the formats of other tools. The error names the format, and shows the same change in our form as far as possible.

export interface ForeignFormat {
  readonly name: string
  /** As far as it can be told: the file, the lines that go and the lines that come. Of several changes the first. */
  readonly path?: string | undefined
  readonly oldRows: readonly string[]
  readonly newRows: readonly string[]
  /** What to do, if it is not to write the change in our form. */
  readonly advice?: string
}

/** The foreign format of a script; `undefined` if none is recognised. Checks only the beginning. */
export function findForeignFormat(input: string): ForeignFormat | undefined {
  const start = input.slice(0, 20_000).trimStart()
  const search = /^<{5,} ?SEARCH\b[^\n]*\n([^]*?)\n?={5,}\n([^]*?)\n?>{5,} ?REPLACE/m.exec(start)
  if (search !== null) {
    const [, oldText = '', newText = ''] = search
    const path = start.slice(0, search.index).trim().split('\n').at(-1)
    return { name: 'a SEARCH/REPLACE block', path, oldRows: oldText.split('\n'), newRows: newText.split('\n') }
  }
  if (/^\*{3} (?:Begin Patch|Update File|Add File|Delete File)/m.test(start)) {
    const path = /^\*{3} (?:Update|Add|Delete) File: ?(.+)$/m.exec(start)?.[1]
    return { name: 'an apply_patch patch', path, ...firstHunk(start) }
  }
  if (/^(?:diff --git |--- \S|@@ )/m.test(start)) {
    const path = /^\+{3} (?:b\/)?([^\t\n]+)/m.exec(start)?.[1] ?? /^diff --git a\/\S+ b\/(\S+)/m.exec(start)?.[1]
    return { name: 'a unified diff', path, ...firstHunk(start) }
  }
  if (/^(?:\[\s*)?\{\s*"/.test(start)) {
    const isByText = /"(?:old_string|oldString|oldText|old_text)"\s*:/.test(start)
    return {
      name: isByText ? 'an edit by old_string and new_string' : 'JSON',
      path: jsonText(start, 'path|file_path|filePath|file|filename')?.[0],
      oldRows: jsonText(start, 'old_string|oldString|oldText|old_text') ?? [],
      newRows: jsonText(start, 'new_string|newString|newText|new_text|new_content|replacement|content') ?? [],
    }
  }
  if (/^\s*(?:old_string|oldText|old_text)\s*[:=]/m.test(start))
    return { name: 'an edit by old_string and new_string', oldRows: [], newRows: [] }
  if (!start.includes('\n') && start.includes(']\\n')) {
    const name = 'a script whose line feeds are written as \\n'
    return { name, oldRows: [], newRows: [], advice: 'Send real line feeds.' }
  }
  return undefined
}

/** The lines of the first run of changes, with the context between its parts left out only where nothing changes on both sides. */
function firstHunk(patch: string): Pick<ForeignFormat, 'oldRows' | 'newRows'> {
  const lines = patch.split('\n').filter(line => !/^(?:---|\+\+\+|diff |index |\*\*\*)/.test(line))
  const first = lines.findIndex(line => /^[-+]/.test(line))
  const rest = first === -1 ? [] : lines.slice(first)
  const end = rest.findIndex(line => !/^[-+]/.test(line))
  const run = end === -1 ? rest : rest.slice(0, end)
  const only = (sign: string): readonly string[] => run.flatMap(line => (line.startsWith(sign) ? [line.slice(1)] : []))
  return { oldRows: only('-'), newRows: only('+') }
}

function jsonText(json: string, names: string): readonly string[] | undefined {
  const text = new RegExp(String.raw`"(?:${names})"\s*:\s*"((?:[^"\\]|\\.)*)"`).exec(json)?.[1]
  return text === undefined ? undefined : unescaped(text).split('\n')
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
