/** How to replace text: the description of `edit`. */
export const editRules: string =
  "Replace text in a file. `old_string` must be there exactly once, letter by letter, line numbers of `read` left out; add lines around it until it is unique. LF matches CRLF too, and line endings stay the file's."
