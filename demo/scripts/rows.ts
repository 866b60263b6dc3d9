// Reads the rows of a result in the form of each toolset, as a model does. No script knows a line number, a tag or an ID beforehand.

/** One line of a file as a result shows it. */
export interface ShownRow {
  /** 1-based; 0 where the toolset shows none. */
  readonly lineNumber: number
  /** The name of the line in a call: `N`, a line ID or `LINE#ID`; empty where the toolset has none. */
  readonly name: string
  readonly text: string
}

/** How one toolset writes rows: the first group names the line, the last is its text. */
export type RowForm = 'numbered' | 'line-id' | 'line-tag' | 'grep' | 'listed'

const forms: Readonly<Record<RowForm, RegExp>> = {
  // `12<TAB>text`
  numbered: /^\s*(?<name>(?<number>\d+))\t(?<text>.*)$/,
  // `[LID:xxxxxx] text`
  'line-id': /^\[LID:(?<name>[^\]]+)\] (?<text>.*)$/,
  // `12#xxxx|text`
  'line-tag': /^(?<name>(?<number>\d+)#[0-9a-f]+)\|(?<text>.*)$/i,
  // `path:12:text`, with a line ID in between where there is one
  grep: /^(?<name>[^:\n]+:(?<number>\d+)):(?:\[LID:[^\]]+\]:)?(?<text>.*)$/,
  // `12:text`
  listed: /^(?<name>(?<number>\d+)):(?<text>.*)$/,
}

/** All rows of `result` in the given form; other lines are left out. */
export function rowsOf(result: string, form: RowForm): ShownRow[] {
  return result.split('\n').flatMap(line => {
    const groups = forms[form].exec(line)?.groups
    if (groups === undefined) return []
    return [{ lineNumber: Number(groups['number'] ?? 0), name: groups['name'] ?? '', text: groups['text'] ?? '' }]
  })
}

/** The first row whose text matches. Throws an error that names the pattern. */
export function rowOf(result: string, form: RowForm, pattern: RegExp): ShownRow {
  const row = rowsOf(result, form).find(({ text }) => pattern.test(text))
  if (row === undefined)
    throw new Error(`No row matches ${pattern.source}. The project has changed: adapt the session script. The result:\n${result}`)
  return row
}
