import { lineTagId } from '../../../text/line-tags/tag.ts'

/** How to edit by tags of lines: the description of `edit_file`. */
export const lineTagRules: string = [
  'Edit lines of a file that are named by the `LINE#ID` tags of `read_file`. A tag whose line has changed is refused: read again.',
  '`edits_json` is an array of `{"op", "pos", "end", "lines"}`: "replace" puts "lines" in the place of the line at "pos", or of all from "pos" to "end"; "append" adds them after "pos", "prepend" before it.',
  'A range that is replaced by `[]` is deleted; one line without "end" becomes an empty line. The file keeps its line endings (LF, CRLF).',
  'All tags are those of the file before the call. All edits are checked first and made together, or none is; edits of the same lines are refused.',
  `The answer shows the changed lines with their new tags. If the number of lines changes, all lines below get new tags too. An empty file has one line: 1#${lineTagId(1, '')}.`,
].join('\n')
