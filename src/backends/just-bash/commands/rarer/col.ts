import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { mapLines } from '../filter/whole-lines.ts'
import { has, parseArguments, optionTable } from '../options.ts'
import { complain } from '../program.ts'

const colOptions = optionTable(`
  -b --no-backspaces: b, -x --spaces: x, -h --tabs: h, -p --pass: p, -f --fine: f, -l --lines: lines=
`)

/** `col [-bx]`: takes the backspaces out of a text, as in manual pages. Lines that are fed backwards are refused. */
export async function col(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, colOptions)
  if (typeof parsed === 'string') return complain(context, 'col', parsed)
  const [extra] = parsed.operands
  if (extra !== undefined) return complain(context, 'col', 'bad usage')
  let isFedBack = false
  await mapLines(
    context.stdin,
    context.stdout,
    line => {
      isFedBack ||= /\u001b[789]|\v/.test(line)
      return arranged(line, has(parsed, 'b'), has(parsed, 'x'))
    },
    'always',
  )
  return isFedBack ? complain(context, 'col', 'a reverse line feed is not available here') : 0
}

function arranged(line: string, dropsOverstrikes: boolean, onlySpaces: boolean): string {
  const columns: string[][] = []
  let at = 0
  for (const letter of line) {
    if (letter === '\b') at = Math.max(0, at - 1)
    else if (letter === '\r') at = 0
    else if (letter === '\t') at = (Math.floor(at / 8) + 1) * 8
    else if (letter === ' ') at += 1
    else if (letter >= ' ') {
      const column = (columns[at] ??= [])
      if (dropsOverstrikes) column.length = 0
      column.push(letter)
      at += 1
    }
  }
  let text = ''
  let column = 0
  for (const [index, letters] of columns.entries()) {
    if ((letters as readonly string[] | undefined) === undefined) continue
    text += gap(column, index, onlySpaces) + letters.join('\b')
    column = index + 1
  }
  return text
}

/** Tabs are only used where they save more than one blank. */
function gap(from: number, to: number, onlySpaces: boolean): string {
  let text = ''
  let at = from
  if (!onlySpaces && to - from > 1)
    for (let stop = (Math.floor(at / 8) + 1) * 8; stop <= to; stop += 8) {
      text += '\t'
      at = stop
    }
  return text + ' '.repeat(to - at)
}
