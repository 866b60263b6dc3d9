// Every reason to refuse an edit script, in one place, so that each has a stable code, names its line and shows what to write instead. A
// refused script changes nothing.

import { ToolError } from '../../core/errors.ts'
import type { ForeignFormat } from './foreign-format.ts'
import type { NearMiss } from './near-miss.ts'

const operationForms = '`replace N..M:`, `delete N..M`, `insert before N:`, `insert after N:`, `insert head:` or `insert tail:`'
const headerForm = '[path#TAG]'

/** At most 80 characters of a line, as JSON, so that control characters are visible. */
export function quote(line: string): string {
  const shown = line.length > 80 ? `${Array.from(line.slice(0, 80)).slice(0, -1).join('')}…` : line
  return JSON.stringify(shown)
}

function rejection(
  code: string,
  scriptLine: number,
  message: string,
  nextStep: string,
  details: Record<string, unknown> = {},
): ToolError {
  return new ToolError(code, `Line ${scriptLine} of the edit script: ${message}`, {
    nextStep,
    details: { scriptLine, ...details },
  })
}

export function rejectCharacter(scriptLine: number, what: string): ToolError {
  return rejection('edit-syntax', scriptLine, `it contains ${what}.`, 'End lines with \\n and send plain text.')
}

export function rejectEmptyInput(): ToolError {
  return new ToolError('edit-empty-input', 'The edit script is empty.', {
    nextStep: `Start with the ${headerForm} header that read printed, then operations: ${operationForms}.`,
  })
}

export function rejectEmptyScript(): ToolError {
  return new ToolError('edit-empty-script', 'The edit script names files but contains no operation.', {
    nextStep: `Write at least one operation below a header: ${operationForms}.`,
  })
}

const maxForeignRows = 6

export function rejectForeignFormat({ name, path, newRows, advice }: ForeignFormat, scriptLine: unknown): ToolError {
  const body = newRows.length === 0 ? ['new text'] : newRows.slice(0, maxForeignRows)
  const rows = body.map(row => `+${row.slice(0, 120)}`)
  const form = [
    `[${quote(path ?? 'path').slice(1, -1)}#TAG]`,
    'replace N..M:',
    ...rows,
    ...(newRows.length > maxForeignRows ? ['+…'] : []),
  ]
  return new ToolError('edit-foreign-syntax', `This is ${name}, not an edit script. Nothing was changed.`, {
    nextStep: advice ?? `Read the file, then name the lines by number:\n${form.join('\n')}`,
    details: { format: name, scriptLine },
  })
}

/** A header that selects lines: the numbers belong in the operations. */
export function rejectSelectorInHeader(scriptLine: number, path: string, selector: string, tag: string): ToolError {
  return rejection(
    'edit-bad-header',
    scriptLine,
    `the header selects lines (${selector}), but a header names a whole file.`,
    `Write [${path}#${tag}] and put the line numbers into the operations.`,
  )
}

export function rejectFence(scriptLine: number): ToolError {
  return rejection(
    'edit-fence',
    scriptLine,
    'a code fence would become text of the file.',
    'Leave the fence out. If it is text of the file, write it as "+```".',
  )
}

export function rejectIndentedRow(scriptLine: number, line: string): ToolError {
  return rejection(
    'edit-indented-row',
    scriptLine,
    `${quote(line)} has blanks before its +.`,
    `Start each row with + in the first column: ${quote(line.trimStart())}.`,
  )
}

export function rejectTrailingText(scriptLine: number, line: string): ToolError {
  return rejection(
    'edit-trailing-text',
    scriptLine,
    `${quote(line)} comes after the rows with + and has none, so it may be a remark.`,
    `Leave it out. If it is text of the file, write ${quote(`+${line}`)}.`,
  )
}

export function rejectMissingHeader(scriptLine: number, line: string): ToolError {
  const inner = /^\s*\[?([^[\]]+#[0-9A-Fa-f]{4})\]?\s*$/.exec(line.slice(0, 4096))?.[1]
  const nextStep =
    inner === undefined
      ? `Put the ${headerForm} header of the file above the first operation, as read printed it.`
      : `Write the header as [${inner.trim()}], starting in the first column.`
  return rejection(
    'edit-missing-header',
    scriptLine,
    `a script starts with a ${headerForm} header, but this is ${quote(line)}.`,
    nextStep,
  )
}

export function rejectBadHeader(scriptLine: number, line: string): ToolError {
  const message = `${quote(line)} is not a file header.`
  return rejection(
    'edit-bad-header',
    scriptLine,
    message,
    `A header is one line, ${headerForm}, with the four hex digits that read printed.`,
  )
}

export function rejectMissingTag(scriptLine: number, path: string): ToolError {
  const wrong = /#([^#/]*)$/.exec(path.slice(-64))?.[1]
  const message =
    wrong === undefined ? `the header [${path}] has no tag.` : `"#${wrong}" in [${path}] is not a tag: a tag is four hex digits.`
  return rejection(
    'edit-missing-tag',
    scriptLine,
    message,
    'Copy the whole [path#TAG] header from your latest read, search, write or edit of the file. To make a new file, use write.',
    { path },
  )
}

export function rejectConflictingTags(scriptLine: number, path: string, tags: readonly [string, string]): ToolError {
  const message = `${path} is named with two tags, #${tags[0]} and #${tags[1]}.`
  return rejection(
    'edit-conflicting-tags',
    scriptLine,
    message,
    'Read the file again and put all its operations below one header.',
    { path, tags },
  )
}

/** A line starting with '[' that may be a header or body text: a wrong guess would edit the wrong file or lose the line. */
export function rejectAmbiguousRow(scriptLine: number, line: string): ToolError {
  const message = `${quote(line)} can be read as body text or as the start of another file.`
  return rejection(
    'edit-ambiguous-row',
    scriptLine,
    message,
    `Write ${quote(`+${line}`)} if it is body text. A header of another file needs its tag: ${headerForm}.`,
  )
}

export function rejectNoOperation(scriptLine: number, line: string): ToolError {
  const message = `${quote(line)} is a body row, but no operation above it takes body rows.`
  return rejection('edit-no-operation', scriptLine, message, `Write one of ${operationForms} above it.`)
}

export function rejectNearMiss(scriptLine: number, line: string, { problem, corrected }: NearMiss, isInBody: boolean): ToolError {
  const literal = isInBody ? ` If the line is body text, write ${quote(`+${line}`)}.` : ''
  return rejection(
    'edit-syntax',
    scriptLine,
    `${quote(line)} is not an operation: ${problem}.`,
    `Write:\n${corrected}\n${literal}`.trimEnd(),
    { corrected },
  )
}

export function rejectPatchSyntax(scriptLine: number, line: string): ToolError {
  const message = `${quote(line)} belongs to another patch format.`
  return rejection(
    'edit-foreign-syntax',
    scriptLine,
    message,
    `Name files by ${headerForm} headers and changes by ${operationForms}. If the line is body text, write it with a leading +.`,
  )
}

export function rejectBareRange(scriptLine: number, line: string, { start, end }: { start: string; end: string }): ToolError {
  const message = `${quote(line)} has no verb.`
  return rejection(
    'edit-bare-range',
    scriptLine,
    message,
    `Write \`replace ${start}..${end}:\` or \`delete ${start}..${end}\`; if the line is body text, write ${quote(`+${line}`)}.`,
  )
}

export function rejectDeleteBody(scriptLine: number, line: string, operation: string, replacement: string): ToolError {
  const message = `${quote(line)} is below \`${operation}\`, which takes no body.`
  return rejection(
    'edit-delete-body',
    scriptLine,
    message,
    `Remove the row, or write \`${replacement}\` instead to put new lines there.`,
  )
}

export function rejectMinusRow(scriptLine: number, line: string): ToolError {
  const message = `${quote(line)} starts with "-", but old lines are named by the range and never repeated.`
  return rejection(
    'edit-minus-row',
    scriptLine,
    message,
    `Leave out rows for old lines. If this is a new line of text, write ${quote(`+${line}`)}.`,
    { corrected: `+${line}` },
  )
}

export function rejectEmptyBody(scriptLine: number, operation: string, isFollowedByOperation: boolean): ToolError {
  const removal = operation.startsWith('replace')
    ? ` To remove the lines, write \`${operation.replace('replace', 'delete').replace(/:$/, '')}\`.`
    : ''
  const literal = isFollowedByOperation ? ' If the next line of the script was meant as body text, start it with + too.' : ''
  return rejection(
    'edit-empty-body',
    scriptLine,
    `\`${operation}\` has no body rows.`,
    `Add the new lines below it, each starting with +.${removal}${literal}`,
  )
}

export function rejectReversedRange(scriptLine: number, verb: string, start: number, end: number): ToolError {
  return rejection(
    'edit-reversed-range',
    scriptLine,
    `the range ${start}..${end} ends before it starts.`,
    `Write \`${verb} ${end}..${start}\` with the smaller number first.`,
  )
}

export function rejectLargeRange(scriptLine: number, start: number, end: number, maxLines: number): ToolError {
  const message = `the range ${start}..${end} spans ${end - start + 1} lines; one operation may span ${maxLines}.`
  return rejection(
    'edit-range-too-large',
    scriptLine,
    message,
    'Split it into smaller ranges, or replace the whole file with write.',
    { maxLines },
  )
}

export function rejectUnsafeNumber(scriptLine: number, line: string): ToolError {
  const message = `${quote(line)} names a line number beyond ${Number.MAX_SAFE_INTEGER}.`
  return rejection('edit-unsafe-number', scriptLine, message, 'Use the line numbers that read printed.')
}
