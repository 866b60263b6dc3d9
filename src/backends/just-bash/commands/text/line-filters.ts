// Filters that change each line: rev, expand and unexpand.

import { encodeText } from '../../../../shell/byte-text.ts'
import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { eachStream } from '../filter/each-input.ts'
import { mapLines } from '../filter/whole-lines.ts'
import { has, parseArguments, type Arguments } from '../options.ts'
import { complain } from '../program.ts'
import { readTabStops, type TabStops } from './tab-stops.ts'

export async function rev(context: ShellCommandContext): Promise<number> {
  return eachStream(context, 'rev', context.args, input =>
    mapLines(input, context.stdout, line => Array.from(line).reverse().join('')),
  )
}

export async function expand(context: ShellCommandContext): Promise<number> {
  const args = context.args.map(arg => arg.replace(/^-(\d[\d,]*)$/, '-t$1'))
  const parsed = parseArguments(args, { '-t': 'tabs=', '--tabs': 'tabs=', '-i': 'i', '--initial': 'i' })
  if (typeof parsed === 'string') return complain(context, 'expand', parsed)
  const nextStop = readTabStops(tabsOf(parsed))
  if (typeof nextStop === 'string') return complain(context, 'expand', nextStop)
  const expanded = (line: string): string => {
    let column = 0
    let isInitial = true
    return Array.from(line, character => {
      if (character === '\t' && (isInitial || !has(parsed, 'i'))) {
        const count = (nextStop(column) ?? column + 1) - column
        column += count
        return ' '.repeat(count)
      }
      if (character !== ' ' && character !== '\t') isInitial = false
      column = columnAfter(column, character)
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
  const nextStop = readTabStops(tabsOf(parsed))
  if (typeof nextStop === 'string') return complain(context, 'unexpand', nextStop)
  const isAll = (has(parsed, 'a') || has(parsed, 'tabs')) && !has(parsed, 'first')
  const unexpanded = (line: string): string => {
    let column = 0
    let isOver = false
    const parts = line.match(/[^ \t]+|[ \t]+/g) ?? []
    const changed = parts.map((part, index) => {
      const start = column
      if (!/^[ \t]/.test(part)) {
        column = Array.from(part).reduce(columnAfter, column)
        return part
      }
      let length = 0
      for (const character of part) {
        const stop = nextStop(column)
        // After the last tab stop, the line remains unchanged.
        isOver ||= stop === undefined
        if (isOver || stop === undefined) break
        column = character === '\t' ? stop : column + 1
        length += 1
      }
      const blanks = part.slice(0, length)
      // A single blank before a tab stop remains a blank.
      const isChanged = (isAll || index === 0) && (index === 0 || blanks !== ' ')
      return (isChanged ? tabbed(start, column, nextStop) : blanks) + part.slice(length)
    })
    return changed.join('')
  }
  return eachStream(context, 'unexpand', parsed.operands, input => mapLines(input, context.stdout, unexpanded))
}

/** As in GNU expand and unexpand, columns are bytes; a backspace moves back. */
function columnAfter(column: number, character: string): number {
  if (character === '\b') return Math.max(0, column - 1)
  return column + encodeText(character).length
}

/** Repeated -t options are concatenated to one list. */
function tabsOf({ options }: Arguments): string {
  return options.flatMap(({ name, value }) => (name === 'tabs' ? value : [])).join(',') || '8'
}

function tabbed(start: number, end: number, nextStop: TabStops): string {
  let column = start
  let text = ''
  for (let stop = nextStop(column); stop !== undefined && stop <= end; stop = nextStop(column)) {
    text += '\t'
    column = stop
  }
  return text + ' '.repeat(end - column)
}
