// Whitespace errors in added lines: what counts as one, and how `git apply` reports it.

import { ownValue } from '../../core/record.ts'
import { encodeText } from '../../shell/byte-text.ts'
import type { GitCall } from '../call.ts'
import { failure } from '../errors.ts'
import { numberOf, type Config } from '../store/config.ts'
import type { FilePatch } from '../patch/parse-patch.ts'

/** What `core.whitespace` says. */
export interface WhitespaceRules {
  readonly blankAtEnd: boolean
  readonly blankAtEndOfFile: boolean
  readonly spaceBeforeTab: boolean
  readonly indentWithSpaces: boolean
  readonly tabInIndent: boolean
  readonly returnIsPartOfEnd: boolean
  readonly tabColumns: number
}

const usual: WhitespaceRules = {
  blankAtEnd: true,
  blankAtEndOfFile: true,
  spaceBeforeTab: true,
  indentWithSpaces: false,
  tabInIndent: false,
  returnIsPartOfEnd: false,
  tabColumns: 8,
}

const names: Readonly<Record<string, readonly (keyof WhitespaceRules)[]>> = {
  'trailing-space': ['blankAtEnd', 'blankAtEndOfFile'],
  'blank-at-eol': ['blankAtEnd'],
  'blank-at-eof': ['blankAtEndOfFile'],
  'space-before-tab': ['spaceBeforeTab'],
  'indent-with-non-tab': ['indentWithSpaces'],
  'tab-in-indent': ['tabInIndent'],
  'cr-at-eol': ['returnIsPartOfEnd'],
}
const maxShownProblems = 5

export function whitespaceRules(config: Config): WhitespaceRules {
  const rules: Record<string, boolean | number> = { ...usual }
  for (const word of (config.get('core.whitespace') ?? '').split(/[\s,]+/)) {
    const isOff = word.startsWith('-')
    const name = isOff ? word.slice(1) : word
    const columns = /^tabwidth=(\d+)$/.exec(name)?.[1]
    if (columns !== undefined) rules['tabColumns'] = numberOf(columns) ?? 8
    for (const key of ownValue(names, name) ?? []) rules[key] = !isOff
  }
  return { ...usual, ...rules }
}

/** What `--check` and `git apply` report about an added line. */
export function lineProblems(line: Uint8Array, rules: WhitespaceRules): readonly string[] {
  let end = line.at(-1) === 10 ? line.length - 1 : line.length
  if (rules.returnIsPartOfEnd && end < line.length && line[end - 1] === 13) end--
  const problems: string[] = []
  const last = line[end - 1]
  if (rules.blankAtEnd && end > 0 && (last === 32 || last === 9 || last === 13)) problems.push('trailing whitespace')
  let indent = 0
  while (line[indent] === 32 || line[indent] === 9) indent++
  const blanks = [...line.subarray(0, indent)]
  const lastTab = blanks.lastIndexOf(9)
  if (rules.spaceBeforeTab && blanks.slice(0, Math.max(0, lastTab)).includes(32)) problems.push('space before tab in indent')
  if (rules.indentWithSpaces && indent - lastTab - 1 >= rules.tabColumns) problems.push('indent with spaces')
  if (rules.tabInIndent && lastTab !== -1) problems.push('tab in indent')
  return problems
}

/** One text for each added line with an error. `name` is that of the patch. */
export function problemsOf(name: string, patches: readonly FilePatch[], given: WhitespaceRules): readonly string[] {
  return patches.flatMap(({ hunks }) => {
    // In a file with CR LF, the CR belongs to the end of the line.
    let rules = given
    return hunks.flatMap(({ lines }) =>
      lines.flatMap(({ sign, text, number }) => {
        if (sign !== '+') {
          if (text.endsWith('\r\n')) rules = { ...given, returnIsPartOfEnd: true }
          return []
        }
        const found = lineProblems(encodeText(text), rules)
        return found.length === 0 ? [] : [`${name}:${number}: ${found.join(', ')}.\n${text.replace(/\n$/, '')}`]
      }),
    )
  })
}

/** Rejects if `action` is `error` or `error-all` and there are errors. */
export async function tellProblems(call: GitCall, problems: readonly string[], action: string): Promise<void> {
  if (problems.length === 0) return
  const shown = action === 'error-all' ? problems.length : maxShownProblems
  for (const problem of problems.slice(0, shown)) await call.warn(problem)
  const hidden = problems.length - shown
  if (hidden > 0) await call.warn(`warning: squelched ${hidden} whitespace error${hidden === 1 ? '' : 's'}`)
  const told = `${problems.length} line${problems.length === 1 ? ' adds' : 's add'} whitespace errors.`
  if (action.startsWith('error')) throw failure(told, 128)
  await call.warn(`warning: ${told}`)
}
