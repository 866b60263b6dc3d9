// just-bash's jq differs in silence in a few places: `unique` and `group_by` keep the order of the input, `walk` changes nothing, `"\u00e9"`
// is taken for letters, -j keeps quotes, and @csv and @sh quote nothing. The program is written otherwise before it runs.

import { failed, type CommandContext, type CommandResult } from '../command.ts'

// Its own keep the order in which values come first; what they are given is sorted for them. Their argument may hold parentheses, three deep.
const sorting = /(?<![.$\w])(group_by|unique_by)(\((?:[^()"]|"(?:[^"\\]|\\[^])*"|\((?:[^()]|\([^()]*\))*\))*\))/g

const formats: Readonly<Record<string, string>> = {
  csv: '(map(if type=="string" then "\\""+(split("\\"")|join("\\"\\""))+"\\"" elif type=="null" then "" else tostring end)|join(","))',
  sh: '((if type=="array" then . else [.] end)|map(if type=="string" then "\'"+(split("\'")|join("\'\\\\\'\'"))+"\'" else tostring end)|join(" "))',
}
const noWalk = 'walk is not available here; change what .. finds: (.. | select(type == "number")) |= . + 1'
// Its own evaluates what such a function is given against the wrong value, and says nothing.
const noParameters =
  'functions with parameters are not available here; write the body out where it is used, or use def name: without any'
const noGlobal = "match and capture take no flag 'g' here; use scan(PATTERN), or splits(PATTERN)"
const noInputs = 'input and inputs are available here with -n only; give -n, or take all values as an array with -s'

const valued = new Map([
  ['--arg', 2],
  ['--argjson', 2],
  ['--slurpfile', 2],
  ['--rawfile', 2],
  ['--indent', 1],
  ['-f', 1],
  ['--from-file', 1],
])

/** Its own, with the program written so that it means what jq means by it. */
export function jq(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const given = [...args]
  let joins = false
  for (let index = 0; index < given.length; index++) {
    const arg = given[index] ?? ''
    const count = valued.get(arg)
    if (arg === '-f' || arg === '--from-file') return context.original(args)
    if (count !== undefined) index += count
    else if (/^-[a-zA-Z]*j/.test(arg) || arg === '--join-output') {
      joins = true
      given[index] = arg === '--join-output' ? '-r' : arg.replace('j', arg.includes('r') ? '' : 'r')
      if (given[index] === '-') given[index] = '-r'
    } else if (!arg.startsWith('-')) {
      const bare = withoutStrings(arg)
      const problem = /(?<![.$\w])def\s+\w+\s*\(/.test(bare)
        ? noParameters
        : /(?<![.$\w])walk\s*\(/.test(bare)
          ? noWalk
          : /(?<![.$\w])(?:match|capture)\s*\([^()]*;\s*"[^"]*g[^"]*"\s*\)/.test(arg)
            ? noGlobal
            : undefined
      if (problem !== undefined) return Promise.resolve(failed('jq', problem, 3))
      given[index] = rewrite(arg)
      if (!/(?<![.$\w"])inputs?\b(?!\s*:)/.test(bare)) break
      return withInputs(given, index, context)
    }
  }
  return context.original(joins ? ['--join-output', ...given] : given)
}

function withoutStrings(program: string): string {
  return program.replace(/"(?:[^"\\]|\\[^])*"/g, '""')
}

/** `-n` with `inputs`: all values are read as one array, which is what is left of them to read. */
function withInputs(args: readonly string[], programAt: number, context: CommandContext): Promise<CommandResult> {
  const options = args.slice(0, programAt).concat(args.slice(programAt + 1))
  const isFlagged = (letter: string, long: string): boolean =>
    options.some(option => option === long || new RegExp(`^-[a-zA-Z]*${letter}`).test(option))
  const program = args[programAt] ?? ''
  const bare = withoutStrings(program)
  const single = bare.match(/(?<![.$\w"])input\b(?!s|\s*:)/g) ?? []
  const isMixed = single.length > 0 && /(?<![.$\w"])inputs\b/.test(bare)
  if (!isFlagged('n', '--null-input') || isFlagged('s', '--slurp') || isMixed || single.length > 1)
    return Promise.resolve(
      failed('jq', isMixed || single.length > 1 ? `${noInputs}; and only one input, or inputs alone` : noInputs, 3),
    )
  const isRaw = isFlagged('R', '--raw-input')
  const values = isRaw ? '(split("\\n") | if .[-1] == "" then .[:-1] else . end)' : '.'
  const named = program.replace(/"(?:[^"\\]|\\[^])*"|(?<![.$\w"])(inputs?)\b(?!\s*:)/g, (all, name?: string) =>
    name === undefined ? all : name === 'input' ? '$anchorage_inputs[0]' : '$anchorage_inputs[]',
  )
  const given = args.map((arg, index) =>
    index === programAt
      ? `${values} as $anchorage_inputs | null | ${named}`
      : /^-[a-zA-Z]*n/.test(arg) && !valued.has(args[index - 1] ?? '')
        ? arg.replace('n', 's')
        : arg.replace(/^--null-input$/, '--slurp'),
  )
  return context.original(given)
}

function rewrite(program: string): string {
  const body = program.replace(/"(?:[^"\\]|\\[^])*"|@(\w+)(?!\s*")|(?<![.$\w])unique\b(?!\s*:)/g, (part, format?: string) => {
    if (part.startsWith('"')) return part.replace(/\\(\\|u[\da-fA-F]{4})/g, (all, escape: string) => character(all, escape))
    if (format !== undefined) return formats[format] ?? part
    return '(sort | unique)'
  })
  return body.replace(sorting, (all, name: string, argument: string) =>
    new RegExp(`\\bdef\\s+${name}\\b`).test(program) ? all : `(sort_by${argument} | ${name}${argument})`,
  )
}

/** An escape that its own does not know, as the character; those that must stay escaped stay. */
function character(all: string, escape: string): string {
  if (escape === '\\') return all
  const code = Number.parseInt(escape.slice(1), 16)
  if (code < 32 || code === 34 || code === 92) return all
  return String.fromCharCode(code)
}
