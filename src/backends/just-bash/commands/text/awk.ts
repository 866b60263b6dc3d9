// just-bash's awk is silently wrong for a `length` without parentheses, for an `int` of a negative number, and for a file name that is put
// together behind `>`; `-F '|'` fails, it reads no program from a file, and lines whatever RS says. The program is written otherwise before it runs; strings and patterns in it are left alone.

import { failed, type CommandContext, type CommandResult } from '../command.ts'
import { bytesOfArgument, isText, readInput, readInputs, reasonOf, shownText } from '../inputs.ts'

export async function awk(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const options: string[] = []
  const programs: string[] = []
  let at = 0
  for (; at < args.length; at++) {
    const arg = args[at] ?? ''
    const [, letter = '', attached = ''] = /^-([Fvf])([^]*)$/.exec(arg) ?? []
    if (arg === '--') {
      at += 1
      break
    }
    if (!arg.startsWith('-') || arg === '-') break
    if (letter === '') return context.original(args)
    const value = attached === '' ? (args[(at += 1)] ?? '') : attached
    if (letter === 'F') options.push('-F', separator(value))
    else if (letter === 'v') options.push('-v', value)
    else {
      try {
        programs.push(shownText(await readInput(value, context)))
      } catch (error) {
        return failed('awk', `can't open file ${value}: ${reasonOf(error)}`, 2)
      }
    }
  }
  const operands = args.slice(at)
  const [source] = programs.length === 0 ? operands.splice(0, 1) : [programs.join('\n')]
  if (source === undefined) return failed('awk', 'give a program, and the files that it is for', 2)
  // `OFS=, FILE`: counts from the file on; in front of all files that is the whole run, but for BEGIN.
  while (/^[A-Za-z_]\w*=/.test(operands[0] ?? '')) options.push('-v', operands.shift() ?? '')
  const late = operands.find(operand => /^[A-Za-z_]\w*=/.test(operand))
  if (late !== undefined) return failed('awk', `an assignment between files is not available here: ${late}; give it with -v`, 2)
  const { kept, begin } = settingsIn(options)
  const records = recordsIn(kept, begin + source)
  if (records !== undefined) return withRecords(records, operands, context)
  const { found } = await readInputs('awk', operands, context)
  const broken = found.find(({ bytes }) => !isText(bytes))
  if (broken !== undefined)
    return failed('awk', `${broken.name}: not UTF-8, and this awk would change its bytes; see them with xxd`, 2)
  return context.original([...kept, begin + rewrite(source), ...operands.filter(operand => operand !== '-')])
}

/** What separates fields and lines: its own takes no notice of it behind -v, so it is set where the program begins. */
function settingsIn(options: readonly string[]): { readonly kept: readonly string[]; readonly begin: string } {
  const kept: string[] = []
  let begin = ''
  for (let index = 0; index < options.length; index += 2) {
    const [option = '', value = ''] = options.slice(index, index + 2)
    const [, name, text = ''] = (option === '-v' ? /^(OFS|ORS|FS|SUBSEP|OFMT|CONVFMT)=([^]*)$/.exec(value) : null) ?? []
    if (name === undefined) kept.push(option, value)
    else begin += `BEGIN{${name}="${text.replaceAll('"', '\\"').replaceAll('\n', '\\n')}"}`
  }
  return { kept, begin }
}

interface Records {
  readonly options: readonly string[]
  readonly program: string
  /** What ends a record; empty for lines that are empty. */
  readonly end: string
}

const recordEscapes: Readonly<Record<string, string>> = {
  '\\r\\n': '\r\n',
  '\\n': '\n',
  '\\t': '\t',
  '\\0': '\0',
  '\\\\': '\\',
  '\\r': '\r',
}

/** What RS is set to, taken out of the program; its own reads lines whatever it says. */
function recordsIn(options: readonly string[], source: string): Records | undefined {
  let end: string | undefined
  const program = source.replace(
    /"(?:[^"\\\n]|\\[^])*"|#[^\n]*|(?<![\w$])RS\s*=(?!=)\s*"((?:[^"\\\n]|\\[^])*)"/g,
    (all, value?: string) => {
      if (value === undefined) return all
      end = recordEscapes[value] ?? value
      return 'RS = "\\n"'
    },
  )
  const kept = options.filter((option, index) => {
    const other = options[index - 1] === '-v' ? option : options[index + 1]
    const [, value] = (option === '-v' || options[index - 1] === '-v' ? /^RS=([^]*)$/.exec(other ?? '') : null) ?? []
    if (value !== undefined) end = recordEscapes[value] ?? value
    return value === undefined
  })
  return end === undefined || end === '\n' ? undefined : { options: kept, program, end }
}

// Stands for the line feeds within a record: a blank to its own, as they are to awk.
const within = '\v'

/** The records as lines, and what is printed of their line feeds back again. */
async function withRecords(
  { options, program, end }: Records,
  files: readonly string[],
  context: CommandContext,
): Promise<CommandResult> {
  if (Array.from(end).length > 1 && /[.*+?()[\]{}|^$\\]/.test(end))
    return failed('awk', 'a pattern as RS is not available here; use RS="" for blocks, or sed before awk', 2)
  const perFile = /\b(?:FILENAME|FNR|getline)\b/.exec(program)?.[0]
  if (perFile !== undefined) return failed('awk', `${perFile} together with RS is not available here; leave one of them out`, 2)
  const { found, problems } = await readInputs('awk', files, context)
  const input = found.map(({ bytes }) => bytes).join('')
  if (!isText(input)) return failed('awk', 'the input is not UTF-8, and this awk would change its bytes; see them with xxd', 2)
  if (input.includes(within)) return failed('awk', 'RS is not available for input with vertical tabs', 2)
  const records = end === '' ? input.replace(/^\n+|\n+$/g, '').split(/\n\n+/) : input.split(bytesOfArgument(end))
  if (records.at(-1) === '') records.pop()
  const lines = records.map(record => `${record.replaceAll('\n', within)}\n`).join('')
  const turned = program.replace(/(\\\\)|\\n/g, (_, pair?: string) => pair ?? '\\v')
  // The ends of what is printed are its own.
  const separated = turned.replaceAll('RS = "\\v"', 'RS = "\\n"')
  const shownOptions = options.map(option => (option === '\n' || option === '\\n' ? within : option))
  const result = await context.exec('awk', [...shownOptions, separated], undefined, lines)
  return {
    ...result,
    stdout: result.stdout.replaceAll(within, '\n'),
    stderr: problems + result.stderr,
    exitCode: result.exitCode || (problems === '' ? 0 : 2),
  }
}

/** One character other than a blank stands for itself. */
function separator(text: string): string {
  return /^[|.*+?()[\]{}^$]$/.test(text) ? (text === '^' ? '\\^' : `[${text}]`) : text
}

const token =
  /"(?:[^"\\\n]|\\[^])*"|\/(?:[^/\\\n[]|\\[^]|\[\^?\]?(?:\[:\w+:\]|[^\]\n])*\])*\/|#[^\n]*|[A-Za-z_]\w*|\d+(?:\.\d*)?|\s+|[^]/g

// Towards zero; its own rounds down.
const integer = 'function anchorage_int(x) { x = x + 0; return x < 0 ? -int(-x) : int(x) }\n'

function rewrite(program: string): string {
  const parts: string[] = []
  let last = ''
  for (const [text] of program.matchAll(token)) {
    // After a value a slash divides; then it is no pattern, and what was taken for one is read again in pieces.
    const divides = text.length > 1 && text.startsWith('/') && /^(?:[\w$)\]]|\+\+|--)/.test(last)
    if (divides) parts.push(...(text.match(/[A-Za-z_]\w*|[^]/g) ?? []))
    else parts.push(text)
    if (text.trim() !== '') last = divides ? '/' : text.slice(-1) === ')' || text.slice(-1) === ']' ? ')' : text
  }
  const next = (index: number): string => parts.slice(index + 1).find(part => part.trim() !== '') ?? ''
  const whole = parts.map((part, index) => {
    if (part === 'length' && next(index) !== '(') return 'length($0)'
    return part === 'int' && next(index) === '(' ? 'anchorage_int' : part
  })
  return (whole.includes('anchorage_int') ? integer : '') + joinedTargets(whole)
}

/** `print > "a" $1 ".txt"` with the name in parentheses: its own takes the first part for all of it. */
function joinedTargets(parts: readonly string[]): string {
  let output = ''
  let [isPrint, depth] = [false, 0]
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] ?? ''
    if (part === 'print' || part === 'printf') [isPrint, depth] = [true, 0]
    else if (/^[;}\n]/.test(part)) isPrint = false
    else if (part === '(') depth += 1
    else if (part === ')') depth -= 1
    output += part
    if (!isPrint || depth !== 0 || part !== '>') continue
    if (parts[index + 1] === '>') {
      output += '>'
      index += 1
    }
    const end = parts.findIndex((other, at) => at > index && /^[;}]|^\s*\n/.test(other))
    const target = parts.slice(index + 1, end < 0 ? parts.length : end)
    const words = target.filter(word => word.trim() !== '')
    output +=
      words.length > 1 && words[0] !== '(' && !words.includes('&') && !words.includes('|')
        ? ` (${target.join('').trim()})`
        : target.join('')
    index += target.length
    isPrint = false
  }
  return output
}
