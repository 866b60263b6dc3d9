// just-bash's awk is silently wrong for a `length` without parentheses, for an `int` of a negative number, and for a file name that is put
// together behind `>`; and `-F '|'` fails. The program is written otherwise before it runs; strings and patterns in it are left alone.

import type { CommandContext, CommandResult } from '../command.ts'

export function awk(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const given = [...args]
  for (let index = 0; index < given.length; index++) {
    const arg = given[index] ?? ''
    if (arg === '-F' || arg === '-v') {
      if (arg === '-F') given[index + 1] = separator(given[index + 1] ?? '')
      index += 1
    } else if (arg.startsWith('-F')) given[index] = `-F${separator(arg.slice(2))}`
    else if (arg === '-f' || arg.startsWith('--')) return context.original(given)
    else if (!arg.startsWith('-')) {
      given[index] = rewrite(arg)
      break
    }
  }
  return context.original(given)
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
