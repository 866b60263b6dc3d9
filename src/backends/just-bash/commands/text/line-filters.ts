// Filters over one line after the other: rev, nl, expand, unexpand.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { eachStream } from '../filter/each-input.ts'
import { mapLines } from '../filter/whole-lines.ts'
import { has, parseArguments, valueOf } from '../options.ts'
import { complain } from '../program.ts'

export async function rev(context: ShellCommandContext): Promise<number> {
  return eachStream(context, 'rev', context.args, input =>
    mapLines(input, context.stdout, line => Array.from(line).reverse().join('')),
  )
}

export async function nl(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, {
    '-b': 'body=',
    '--body-numbering': 'body=',
    '-w': 'width=',
    '--number-width': 'width=',
    '-s': 'separator=',
    '--number-separator': 'separator=',
    '-v': 'start=',
    '--starting-line-number': 'start=',
    '-n': 'format=',
    '--number-format': 'format=',
    '-i': 'step=',
    '--line-increment': 'step=',
    '-p': 'ignored',
  })
  if (typeof parsed === 'string') return complain(context, 'nl', parsed)
  const body = valueOf(parsed, 'body') ?? 't'
  const width = Number(valueOf(parsed, 'width') ?? 6)
  const separator = valueOf(parsed, 'separator') ?? '\t'
  const format = valueOf(parsed, 'format') ?? 'rn'
  let number = Number(valueOf(parsed, 'start') ?? 1)
  const step = Number(valueOf(parsed, 'step') ?? 1)
  const pattern = body.startsWith('p') ? new RegExp(body.slice(1)) : undefined
  const numbered = (line: string): string => {
    const isNumbered = body === 'a' || (body === 't' && line !== '') || pattern?.test(line) === true
    if (!isNumbered) return `${' '.repeat(width + separator.length)}${line}`
    const shown = format === 'ln' ? String(number).padEnd(width) : String(number).padStart(width, format === 'rz' ? '0' : ' ')
    number += step
    return `${shown}${separator}${line}`
  }
  return eachStream(context, 'nl', parsed.operands, input => mapLines(input, context.stdout, numbered, 'always'))
}

export async function expand(context: ShellCommandContext): Promise<number> {
  const args = context.args.map(arg => arg.replace(/^-(\d+)$/, '-t$1'))
  const parsed = parseArguments(args, { '-t': 'tabs=', '--tabs': 'tabs=', '-i': 'i', '--initial': 'i' })
  if (typeof parsed === 'string') return complain(context, 'expand', parsed)
  const size = Number(valueOf(parsed, 'tabs') ?? 8)
  const expanded = (line: string): string => {
    let column = 0
    let isInitial = true
    return Array.from(line, character => {
      if (character === '\t' && (isInitial || !has(parsed, 'i'))) {
        const count = size - (column % size)
        column += count
        return ' '.repeat(count)
      }
      if (character !== ' ' && character !== '\t') isInitial = false
      column += 1
      return character
    }).join('')
  }
  return eachStream(context, 'expand', parsed.operands, input => mapLines(input, context.stdout, expanded))
}

export async function unexpand(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, {
    '-a': 'a',
    '--all': 'a',
    '-t': 'tabs=',
    '--tabs': 'tabs=',
    '--first-only': 'first',
  })
  if (typeof parsed === 'string') return complain(context, 'unexpand', parsed)
  const size = Number(valueOf(parsed, 'tabs') ?? 8)
  const isAll = has(parsed, 'a') || valueOf(parsed, 'tabs') !== undefined
  const unexpanded = (line: string): string => {
    const [lead = ''] = /^[ \t]*/.exec(line) ?? []
    const head = tabbed(lead, 0, size)
    const rest = line.slice(lead.length)
    if (!isAll) return head + rest
    let column = columnsOf(lead, size)
    return (
      head +
      rest.replace(/[^ \t]+|[ \t]+/g, part => {
        const shown = /^[ \t]{2,}$|^\t$/.test(part) ? tabbed(part, column, size) : part
        column += /^[ \t]/.test(part) ? columnsOf(part, size, column) : part.length
        return shown
      })
    )
  }
  return eachStream(context, 'unexpand', parsed.operands, input => mapLines(input, context.stdout, unexpanded))
}

function columnsOf(blank: string, size: number, start = 0): number {
  let column = start
  for (const character of blank) column = character === '\t' ? column + size - (column % size) : column + 1
  return column - start
}

function tabbed(blank: string, start: number, size: number): string {
  const end = start + columnsOf(blank, size, start)
  let column = start
  let text = ''
  while (Math.floor(column / size) < Math.floor(end / size)) {
    text += '\t'
    column += size - (column % size)
  }
  return text + ' '.repeat(end - column)
}
