// getopt of util-linux: parses the options of a script and prints them in order, quoted for `eval set --`.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { has, optionTable, parseArguments, valueOf } from '../options.ts'
import { complain } from '../program.ts'
import { pushAll } from '../../../../core/many.ts'

const table = optionTable(`
  -a --alternative: alternative, -l --longoptions --long: long=, -n --name: name=, -o --options: short=, -q --quiet: quiet,
  -Q --quiet-output: quiet-output, -s --shell: shell=, -T --test: test, -u --unquoted: unquoted
`)

type Value = 'none' | 'required' | 'optional'

interface Grammar {
  readonly short: ReadonlyMap<string, Value>
  readonly long: ReadonlyMap<string, Value>
  readonly isAlternative: boolean
  /** `+` and `-` at the beginning of the short options. */
  readonly order: '+' | '-' | ''
}

export async function getopt(context: ShellCommandContext): Promise<number> {
  const [first, ...others] = context.args
  if (first === undefined) return complain(context, 'getopt', 'missing optstring argument', 2)
  // Without options of its own, the first argument has the short options, and nothing is quoted.
  if (!first.startsWith('-')) {
    const grammar = grammarOf(first, [], false)
    return run(context, grammar, others[0] === '--' ? others.slice(1) : others, { quote: word => word, name: 'getopt' })
  }
  const parsed = parseArguments(context.args, table, true)
  if (typeof parsed === 'string') return complain(context, 'getopt', parsed, 2)
  if (has(parsed, 'test')) return 4
  const shell = valueOf(parsed, 'shell') ?? 'bash'
  if (!['bash', 'sh'].includes(shell))
    return complain(context, 'getopt', `unknown shell after -s or --shell argument; known are bash and sh`, 2)
  const [shortOperand] = parsed.operands
  const short = valueOf(parsed, 'short') ?? shortOperand
  if (short === undefined) return complain(context, 'getopt', 'missing optstring argument', 2)
  const long = parsed.options.flatMap(({ name, value }) => (name === 'long' ? value.split(/[,\s]+/).filter(Boolean) : []))
  const rest = valueOf(parsed, 'short') === undefined ? parsed.operands.slice(1) : parsed.operands
  return run(context, grammarOf(short, long, has(parsed, 'alternative')), rest[0] === '--' ? rest.slice(1) : rest, {
    quote: has(parsed, 'unquoted') ? word => word : quoted,
    name: valueOf(parsed, 'name') ?? 'getopt',
    isQuiet: has(parsed, 'quiet'),
    isSilent: has(parsed, 'quiet-output'),
  })
}

function grammarOf(short: string, long: readonly string[], isAlternative: boolean): Grammar {
  const [, order = '', letters = ''] = /^([+-]?)([^]*)$/.exec(short) ?? []
  return {
    short: new Map(Array.from(letters.matchAll(/([^:])(:{0,2})/g), ([, letter = '', colons = '']) => [letter, valueFor(colons)])),
    long: new Map(long.map(option => [option.replace(/:+$/, ''), valueFor(/:*$/.exec(option)?.[0] ?? '')])),
    isAlternative,
    order: order === '+' || order === '-' ? order : '',
  }
}

function valueFor(colons: string): Value {
  return colons === '' ? 'none' : colons === ':' ? 'required' : 'optional'
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}

interface Way {
  readonly quote: (word: string) => string
  readonly name: string
  readonly isQuiet?: boolean
  readonly isSilent?: boolean
}

/** The parsed options and operands, with what is wrong about them. */
interface Parsed {
  readonly shown: string[]
  readonly operands: string[]
  readonly problems: string[]
}

async function run(context: ShellCommandContext, grammar: Grammar, args: readonly string[], way: Way): Promise<number> {
  const found = parse(grammar, args, way.quote, context.env['POSIXLY_CORRECT'] !== undefined)
  if (way.isSilent !== true)
    await context.stdout.write(` ${[...found.shown, '--', ...found.operands.map(way.quote)].join(' ')}\n`)
  if (way.isQuiet !== true) for (const problem of found.problems) await context.stderr.write(`${way.name}: ${problem}\n`)
  return found.problems.length > 0 ? 1 : 0
}

function parse(grammar: Grammar, args: readonly string[], quote: Way['quote'], isPosix: boolean): Parsed {
  const parsed: Parsed = { shown: [], operands: [], problems: [] }
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg === '--') {
      pushAll(parsed.operands, args.slice(at + 1))
      break
    }
    const isLong = arg.startsWith('--') || (grammar.isAlternative && /^-./.test(arg) && isLongName(grammar, arg.slice(1)))
    if (isLong) at += long(grammar, arg, args[at + 1], quote, parsed)
    else if (/^-./.test(arg)) at += short(grammar, arg, args[at + 1], quote, parsed)
    else if (grammar.order === '+' || isPosix) {
      pushAll(parsed.operands, args.slice(at))
      break
    } else if (grammar.order === '-') parsed.shown.push(quote(arg))
    else parsed.operands.push(arg)
  }
  return parsed
}

function isLongName({ long: names, short: letters }: Grammar, written: string): boolean {
  const name = written.replace(/=[^]*$/, '')
  return [...names.keys()].some(known => known.startsWith(name)) && !(name.length === 1 && letters.has(name))
}

/** Returns how many of the following arguments were taken. */
function long(grammar: Grammar, arg: string, next: string | undefined, quote: Way['quote'], parsed: Parsed): number {
  const dashes = arg.startsWith('--') ? '--' : '-'
  const [, written = '', attached] = /^--?([^=]*)(?:=([^]*))?$/.exec(arg) ?? []
  const candidates = [...grammar.long.keys()].filter(name => name.startsWith(written))
  const name = grammar.long.has(written) ? written : candidates.length === 1 ? candidates[0] : undefined
  if (name === undefined) {
    const list = candidates.map(each => ` '${dashes}${each}'`).join('')
    parsed.problems.push(
      candidates.length > 1
        ? `option '${dashes}${written}' is ambiguous; possibilities:${list}`
        : `unrecognized option '${dashes}${written}'`,
    )
    return 0
  }
  const kind = grammar.long.get(name)
  if (kind === 'none') {
    if (attached !== undefined) parsed.problems.push(`option '${dashes}${name}' doesn't allow an argument`)
    else parsed.shown.push(`--${name}`)
    return 0
  }
  if (attached !== undefined || kind === 'optional') {
    parsed.shown.push(`--${name}`, quote(attached ?? ''))
    return 0
  }
  if (next === undefined) parsed.problems.push(`option '${dashes}${name}' requires an argument`)
  else parsed.shown.push(`--${name}`, quote(next))
  return 1
}

function short(grammar: Grammar, arg: string, next: string | undefined, quote: Way['quote'], parsed: Parsed): number {
  const letters = Array.from(arg.slice(1))
  for (const [index, letter] of letters.entries()) {
    const kind = letter === ':' ? undefined : grammar.short.get(letter)
    if (kind === undefined) {
      parsed.problems.push(`invalid option -- '${letter}'`)
      continue
    }
    if (kind === 'none') {
      parsed.shown.push(`-${letter}`)
      continue
    }
    const attached = letters.slice(index + 1).join('')
    if (attached !== '' || kind === 'optional') {
      parsed.shown.push(`-${letter}`, quote(attached))
      return 0
    }
    if (next === undefined) parsed.problems.push(`option requires an argument -- '${letter}'`)
    else parsed.shown.push(`-${letter}`, quote(next))
    return 1
  }
  return 0
}
