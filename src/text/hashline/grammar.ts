// What a model has to know to write edit scripts: a grammar for hosts that constrain sampling, and a text for prompts. Both describe
// the strict form. The parser accepts more, but what it forgives should not be taught.

/**
 * The strict form in Lark's notation, for constrained sampling. A script that it accepts is parsed, except for what no grammar of this
 * kind can say: a range must not end before it starts or span more than 100,000 lines, and one file has one tag.
 */
export const hashlineGrammar: string = String.raw`start: section+
section: HEADER hunk+
hunk: replace | delete | insert | replace_block | delete_block | insert_after_block
replace: "replace " LINE ".." LINE ":" LF row+
delete: "delete " LINE ".." LINE LF
insert: "insert " (place LINE | EDGE) ":" LF row+
place: "before " | "after "
replace_block: "replace block " LINE ":" LF row+
delete_block: "delete block " LINE LF
insert_after_block: "insert after block " LINE ":" LF row+
row: ROW LF
HEADER: /\[[A-Za-z0-9_.\/~@\[(][^\n\r]*#[0-9A-F]{4}\]\n/
EDGE: "head" | "tail"
LINE: /[1-9][0-9]{0,8}/
ROW: /\+[^\n\r]*/
LF: /\n/
`

/** One operation of the edit script, with a sentence about it. */
export interface HashlineExample {
  readonly task: string
  readonly script: string
}

/** Each operation once, in the strict form. */
export const hashlineExamples: readonly HashlineExample[] = [
  {
    task: 'Put two lines in place of lines 12 to 14',
    script: '[src/app.ts#3F0A]\nreplace 12..14:\n+const limit = 10\n+const offset = 0\n',
  },
  {
    task: 'Change one line, remove three others',
    script: '[src/app.ts#3F0A]\nreplace 7..7:\n+import { run } from "./run"\ndelete 30..32\n',
  },
  {
    task: 'Add lines beside a line; the second one is empty',
    script: '[src/app.ts#3F0A]\ninsert after 3:\n+// checked\n+\ninsert before 20:\n+done()\n',
  },
  { task: 'Add a first line and a last line', script: '[notes.md#00C4]\ninsert head:\n+# Notes\ninsert tail:\n+- one more\n' },
  {
    task: 'Replace the function that line 40 opens, remove the one that line 60 opens, add one below the block of line 80',
    script:
      '[src/app.ts#3F0A]\nreplace block 40:\n+function start() {}\ndelete block 60\ninsert after block 80:\n+function stop() {}\n',
  },
  { task: 'Change two files together', script: '[a.json#51EE]\nreplace 2..2:\n+  "a": 1,\n[b.json#9B07]\ndelete 4..4\n' },
]

/** How to write edit scripts, for a system prompt or a tool description. */
export const hashlinePrompt: string = `An edit script changes files by line number. It has one or more sections, one for each file.

A section starts with the header [path#TAG], copied whole from what read, search, write or edit printed last for that file. The tag stands
for the text you saw; never make one up. Below the header come operations:

  replace N..M:           the rows below take the place of lines N to M
  delete N..M             lines N to M go; there are no rows
  insert before N:        the rows go above line N
  insert after N:         the rows go below line N
  insert head:            the rows go to the top of the file
  insert tail:            the rows go to the end of the file
  replace block N:        as replace, for the whole block that line N opens
  delete block N          as delete, for that block
  insert after block N:   the rows go below that block

Rules
- N and M are the numbers that you were shown. They do not shift while a script is applied.
- Each row starts with + and the rest of it is written exactly, blanks included; + alone is an empty line. A line of text that starts
  with - or + or [ needs its + all the same: write +- item.
- Rows are only the new text. Do not repeat lines that stay around the range, and do not write old lines with a leading -.
- A range is named once in a script, and ranges do not overlap. Keep them tight.
- A line opens a block when a function, class, statement or element begins on it. Name that line, not the one that closes it.
- All sections are written together or none. The result shows new tags and numbers: use those for the next edit.

Examples
${hashlineExamples.map(({ task, script }) => `\n${task}:\n${script}`).join('')}`
