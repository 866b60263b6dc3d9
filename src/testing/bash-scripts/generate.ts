// Scripts as coding agents write them, made by a grammar: the same seed gives the same script.

import { createRandom, type Random } from '../random.ts'
import { children, counted, expressions, lines, namesAndTypes, reports } from './agents.ts'
import { condition, functions, loop, processes, redirection, strict } from './control.ts'
import { arithmetic, array, globbing, map, parameter, quoting, splitting } from './expansions.ts'
import { failures } from './failures.ts'
import { regularExpression, sedGrammar } from './languages.ts'
import { documents, lookups, nesting } from './nesting.ts'
import { descriptors, jobs, patterns } from './processes.ts'
import { fileWork, pipeline, textPrograms } from './programs.ts'
import { optionLoop, program, steps } from './projects.ts'
import { braced, chosen, reading } from './reading.ts'
import { statements } from './statements.ts'
import { textTool } from './text-tools.ts'
import { variables } from './variables.ts'
import { times } from './words.ts'

const kinds: readonly ((random: Random) => string)[] = [
  parameter,
  parameter,
  array,
  map,
  arithmetic,
  splitting,
  globbing,
  quoting,
  condition,
  loop,
  functions,
  strict,
  strict,
  redirection,
  processes,
  pipeline,
  pipeline,
  textPrograms,
  textPrograms,
  fileWork,
  counted,
  lines,
  lines,
  namesAndTypes,
  expressions,
  children,
  children,
  reports,
  reports,
  textTool,
  textTool,
  textTool,
  regularExpression,
  sedGrammar,
  statements,
  statements,
  statements,
  failures,
  failures,
  failures,
  optionLoop,
  program,
  program,
  steps,
  descriptors,
  patterns,
  jobs,
  variables,
  variables,
  reading,
  reading,
  braced,
  chosen,
  nesting,
  nesting,
  documents,
  documents,
  lookups,
]

/** A command of a pipeline that does not read: whether what stands before it is ended by the broken pipe is a race in bash. */
const readsNothing =
  /\| (?:unset|eval|echo|printf|[xyz]\+?=|a\+?=|set |\[|\(|\{|true|false|[fg] |shift|local|export|IFS|declare|return|exit|test|:|type|command|!|if|for|turn|case|h\d)/

/** One to three things, one after the other, at times in a function, a subshell, a loop or a pipe. */
export function generateScript(seed: number): string {
  const random = createRandom(seed * 2_654_435_761)
  const parts = times(random, 2, 1, () => wrapped(random, random.pick(kinds)(random)))
  const whole = parts.join('\n')
  if (whole.includes('pipefail') && readsNothing.test(whole)) return generateScript(seed + 1_000_000)
  // After a subshell in another part bash counts to its last line.
  return parts.find(part => part.includes('LINENO')) ?? whole
}

function wrapped(random: Random, text: string): string {
  // In a subshell it reaches the shell outside, and what still comes is a race.
  if (/kill -(?:INT|USR1)/.test(text)) return text
  switch (random.below(14)) {
    case 0:
      return `main() {\n${text}\n}\nmain ${random.pick(['', 'p q', '"a b"'])}`
    case 1:
      // In a trap after a subshell bash counts to its last line.
      if (text.includes('LINENO')) return text
      return `(\n${text}\n)\necho "code $?"`
    case 2:
      // It is read as a whole, before an option is set, and counts its lines in a way of its own.
      // Within an assignment it joins `$*` by an empty IFS, as if it were assigned itself.
      // bash loses the `;` of a list in braces behind a here-document.
      if (/extglob|LINENO|exec 2>&1|IFS=''|<<-?["'\\]?E/.test(text)) return text
      return `out=$(\n${text}\n)\necho "$? $out"`
    case 3:
      return `for turn in 1 2; do\n${text}\ndone`
    case 4:
      return `{\n${text}\n} | cat`
    case 5:
      return `if\n${text}\nthen echo "true"; else echo "false"; fi`
    default:
      return text
  }
}

/** The files that each script finds. */
export const scriptFiles: Readonly<Record<string, string>> = {
  'a.txt': 'alpha\nbeta\ngamma\n',
  'b.txt': 'one 1\ntwo 2\nalpha 3\n',
  'nonl.txt': 'first line\nlast line',
  'crlf.txt': 'one\r\ntwo\r\n',
  'num.txt': '10\n9\n-1\n2.5\n1e3\n10\n',
  'tab.tsv': 'k\tv\nx\t1\ny y\t2\n',
  'words.txt': 'the quick  brown fox\njumps over\n\n\nthe lazy dog the end\n',
  'data.csv': 'id,name,n\n1,ann,3\n2,bob,5\n3,"cid, jr",7\n',
  'data.json':
    '{"name":"app","tags":["x","y"],"items":[{"id":"a","n":3},{"id":"b","n":1},{"id":"c","n":5}],"deep":{"k":null,"f":1.50}}\n',
  'log.txt':
    '2024-01-05 10:00:00 INFO start\n2024-01-05 10:00:01 ERROR disk full code=28\n# note\n2024-01-05 10:00:02 WARN a@b.com slow\n2024-01-05 10:00:03 ERROR net\n',
  empty: '',
  '.hidden': 'h\n',
  'src/main.js': "import x from './lib/f1.js'\nfunction main() {\n  return x + 1 // TODO\n}\nmain()\n",
  'src/lib/f1.js': 'export default 1\n',
  'src/lib/f2.js': 'export const a = 2\n',
  'src/README.md': '# Title\n\nSome *text*.\n',
}
