/** How to replace text: the description of `edit`. */
export const editRules: string =
  'Replace text in a file. `old_string` must occur exactly once, copied exactly and without the line numbers of `read`; add lines around it until it is unique. LF matches CRLF too, and the file keeps its line endings.'
