// What a model needs to know to write edit scripts: a grammar for hosts that constrain sampling, and a text for prompts. Both describe the
// strict form. The parser accepts more, but lenient forms should not be taught.

import { firstExample, hashlineRules, type HashlineExample } from './rules.ts'

/**
 * The strict form in Lark's notation, for constrained sampling; `anchorage/hashline.lark` is the same as a file. A script that it accepts can be parsed, except for conditions that such a
 * grammar cannot express: a range must not end before it starts or span more than 100,000 lines, and one file has one tag.
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

/** Each operation at least once, in the strict form. */
export const hashlineExamples: readonly HashlineExample[] = [
  firstExample,
  {
    task: 'Add a first line, a list item above line 20 and a last line',
    script: '[notes.md#00C4]\ninsert head:\n+# Notes\ninsert before 20:\n+- one\ninsert tail:\n+- one more\n',
  },
  {
    task: 'Replace the function that line 40 opens, remove the one that line 60 opens, add one below the block of line 80',
    script:
      '[src/app.ts#3F0A]\nreplace block 40:\n+function start() {}\ndelete block 60\ninsert after block 80:\n+function stop() {}\n',
  },
  { task: 'Change two files together', script: '[a.json#51EE]\nreplace 2..2:\n+  "a": 1,\n[b.json#9B07]\ndelete 4..4\n' },
]

/** The rules and every example, for a system prompt. */
export const hashlinePrompt: string = `An edit script changes files by line number.
${hashlineRules}${hashlineExamples
  .slice(1)
  .map(({ task, script }) => `\n${task}:\n${script}`)
  .join('')}`
