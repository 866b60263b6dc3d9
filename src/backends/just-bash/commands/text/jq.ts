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
      if (/(?<![.$\w"])walk\s*\(/.test(arg) && !/\bdef\s+walk\b/.test(arg)) return Promise.resolve(failed('jq', noWalk, 3))
      given[index] = rewrite(arg)
      break
    }
  }
  return context.original(joins ? ['--join-output', ...given] : given)
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
