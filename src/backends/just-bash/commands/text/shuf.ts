// shuf: prints lines in random order.

import { joinBytes } from '../../../../core/bytes.ts'
import { encodeText } from '../../../../shell/byte-text.ts'
import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { has, parseArguments, valueOf, wholeNumberOf, optionTable } from '../options.ts'
import { decodeInParts, paceOf, splitInParts, unitsPerItem } from '../pace.ts'
import { complain, pathOf, readNamed } from '../program.ts'
import { reasonOf } from '../../errno.ts'

const shufOptions = optionTable(`
  -n --head-count: count=, -e --echo: e, -i --input-range: range=, -r --repeat: r, -z --zero-terminated: z,
  -o --output: output=
`)

export async function shuf(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, shufOptions)
  if (typeof parsed === 'string') return complain(context, 'shuf', parsed)
  const pace = paceOf(context.signal)
  const end = has(parsed, 'z') ? '\0' : '\n'
  const [, low, high] = /^(\d+)-(\d+)$/.exec(valueOf(parsed, 'range') ?? '') ?? []
  const range = valueOf(parsed, 'range')
  if (range !== undefined && (low === undefined || Number(high) < Number(low)))
    return complain(context, 'shuf', `invalid input range: '${range}'`)
  const countText = valueOf(parsed, 'count')
  const asked = countText === undefined ? undefined : wholeNumberOf(countText, 0)
  if (countText !== undefined && asked === undefined) return complain(context, 'shuf', `invalid line count: '${countText}'`)
  if (has(parsed, 'e') && range !== undefined) return complain(context, 'shuf', 'cannot combine -e and -i')
  const extra = range === undefined ? (has(parsed, 'e') ? undefined : parsed.operands[1]) : parsed.operands[0]
  if (extra !== undefined) return complain(context, 'shuf', `extra operand '${extra}'`)
  let items: string[] = []
  const first = Number(low ?? 0)
  const total = low === undefined ? undefined : Math.max(0, Number(high) - first + 1)
  if (total !== undefined) {
    if (total > mostLines && !has(parsed, 'r') && !((asked ?? Infinity) <= mostLines))
      return complain(context, 'shuf', `more than ${mostLines} lines; give a smaller count with -n`)
  } else if (has(parsed, 'e')) items = [...parsed.operands]
  else {
    try {
      const text = await decodeInParts(await readNamed(context, parsed.operands[0] ?? '-'), pace)
      items = await splitInParts(text, end, pace)
    } catch (error) {
      return complain(context, 'shuf', `${parsed.operands[0] ?? '-'}: ${reasonOf(error)}`)
    }
  }
  const size = total ?? items.length
  const itemAt = (index: number): string => (total === undefined ? (items[index] ?? '') : String(first + index))
  const count = asked ?? (has(parsed, 'r') ? Infinity : size)
  if (has(parsed, 'r')) {
    if (valueOf(parsed, 'output') !== undefined && count > mostLines) return complain(context, 'shuf', 'give a count with -n')
    if (size === 0) return complain(context, 'shuf', 'no lines to repeat')
  }
  const output = valueOf(parsed, 'output')
  const chosen = has(parsed, 'r') ? repeatedly(size, count) : oncePerLine(size, Math.min(count, size))
  const written: Uint8Array[] = []
  let text = ''
  for (const index of chosen) {
    const item = itemAt(index)
    text += item + end
    if (pace.isDue(item.length + 4 * unitsPerItem)) await pace.rest()
    if (text.length < 8192) continue
    if (output === undefined) await context.stdout.write(text)
    else written.push(encodeText(text))
    text = ''
  }
  if (output === undefined) await context.stdout.write(text)
  else await context.files.writeFile(pathOf(context, output), joinBytes([...written, encodeText(text)]))
  return 0
}

const mostLines = 10_000_000

function* repeatedly(size: number, count: number): Generator<number> {
  for (let taken = 0; taken < count; taken++) yield Math.floor(Math.random() * size)
}

/** The Fisher–Yates shuffle, which stores only the elements that were moved. */
function* oncePerLine(size: number, count: number): Generator<number> {
  const moved = new Map<number, number>()
  for (let at = 0; at < count; at++) {
    const other = at + Math.floor(Math.random() * (size - at))
    yield moved.get(other) ?? other
    moved.set(other, moved.get(at) ?? at)
    moved.delete(at)
  }
}
