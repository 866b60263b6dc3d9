// The rules of edit scripts, which are part of every description of `edit`. The grammar and the other examples are only for hosts that ask
// for them, so they are not loaded with the first read.

/** A task and the edit script for it. */
export interface HashlineExample {
  readonly task: string
  readonly script: string
}

export const firstExample: HashlineExample = {
  task: 'Put three lines in place of lines 12 to 14, the second one empty; remove lines 30 to 32; add a line below line 40',
  script:
    '[src/app.ts#3F0A]\nreplace 12..14:\n+const limit = 10\n+\n+const offset = 0\ndelete 30..32\ninsert after 40:\n+// checked\n',
}

/** How to write edit scripts, with one example: the description of `edit`. */
export const hashlineRules: string = `A section for each file: its header [path#TAG], as read, search, write or edit printed it last for the file, then operations:

replace N..M:  the rows below replace lines N to M
delete N..M  no rows
insert before N:
insert after N:
insert head:  first in the file
insert tail:  last
replace block N:  the whole block (function, class, statement, element) that begins on line N
delete block N
insert after block N:

- Numbers belong to the header they came with and do not shift within a script.
- A row is + and then the text exactly; + alone is an empty line. Text that starts with + - or [ needs its + too: +- item.
- Rows are only new text: no lines that stay around the range, no old lines with a -.
- Ranges do not overlap. The file keeps its line endings (LF, CRLF).
- All sections are written or none. The result has the new header and numbers for the next edit.

${firstExample.script}`
