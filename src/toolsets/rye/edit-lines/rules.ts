import type { Drift } from '../../../session/drift-option.ts'

/** How to edit by line IDs: the description of `edit_lines`. */
export function lineIdRules(drift: Drift): string {
  return [
    `Replace lines of a file by their line IDs. Read the file first: without line IDs an edit is refused. If the file changed since, ${
      drift === 'merge' ? 'it is made where its lines provably are now, or refused' : 'it is refused too'
    }.`,
    'A change is `{"line_id", "new_content"}` for one line, or `{"start_line_id", "end_line_id", "new_content"}` for a range, both ends included.',
    'New content may have any number of lines; one line feed at its end only ends the last: "a" and "a\\n" are the same line, "" deletes, "\\n" is one empty line. The file keeps its line endings (LF, CRLF). To insert, repeat the line next to it in the new content.',
    'All changes are checked first and made together, or none is: unknown IDs, reversed ranges and overlapping changes are refused.',
    'The result is a unified diff. The line IDs are then no longer valid: read again before the next edit.',
  ].join('\n')
}
