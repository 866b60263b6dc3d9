// tsort: topological sort of the names in pairs.

import { decodeText } from '../../../../shell/byte-text.ts'
import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { parseArguments } from '../options.ts'
import { complain, readNamed, reasonOf } from '../program.ts'
import { letOthersRun } from '../stop.ts'

interface Item {
  readonly name: string
  /** The number of predecessors that are not printed yet. */
  before: number
  readonly after: Item[]
  isPrinted: boolean
}

/** `tsort [FILE]` */
export async function tsort(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, {})
  if (typeof parsed === 'string') return complain(context, 'tsort', parsed)
  const [file = '-', extra] = parsed.operands
  if (extra !== undefined) return complain(context, 'tsort', `extra operand ‘${extra}’`)
  let words: string[]
  try {
    words = decodeText(await readNamed(context, file))
      .split(/[ \t\n]+/)
      .filter(Boolean)
  } catch (error) {
    return complain(context, 'tsort', `${file}: ${reasonOf(error)}`)
  }
  if (words.length % 2 === 1) return complain(context, 'tsort', `${file}: input contains an odd number of tokens`)
  const items = itemsOf(words)
  const sorted = [...items.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
  let code = 0
  let left = sorted.length
  const queue = sorted.filter(({ before }) => before === 0)
  while (left > 0) {
    for (const item of queue) {
      item.isPrinted = true
      left -= 1
      await context.stdout.write(`${item.name}\n`)
      if (left % 1024 === 0) await letOthersRun(context.signal)
      // GNU tsort visits the successors in reverse order of input.
      for (const next of item.after.toReversed()) if (--next.before === 0) queue.push(next)
    }
    queue.length = 0
    if (left > 0) {
      code = await complain(context, 'tsort', `${file}: input contains a loop:`)
      await breakLoop(context, sorted)
      queue.push(...sorted.filter(({ before, isPrinted }) => before === 0 && !isPrinted))
    }
  }
  return code
}

function itemsOf(words: readonly string[]): ReadonlyMap<string, Item> {
  const items = new Map<string, Item>()
  const itemOf = (name: string): Item => {
    const known = items.get(name)
    if (known !== undefined) return known
    const item: Item = { name, before: 0, after: [], isPrinted: false }
    items.set(name, item)
    return item
  }
  for (let at = 0; at < words.length; at += 2) {
    const [first, second] = [itemOf(words[at] ?? ''), itemOf(words[at + 1] ?? '')]
    if (first === second) continue
    first.after.push(second)
    second.before += 1
  }
  return items
}

/** Reports a cycle and removes one of its pairs. */
async function breakLoop(context: ShellCommandContext, items: readonly Item[]): Promise<void> {
  const waiting = items.filter(({ before, isPrinted }) => before > 0 && !isPrinted)
  const path: Item[] = []
  let item = waiting[0]
  // Follows predecessors until a name repeats.
  while (item !== undefined && !path.includes(item)) {
    path.push(item)
    const current: Item = item
    item = waiting.find(({ after }) => after.includes(current))
  }
  if (item === undefined) return
  const loop = [item, ...path.slice(path.indexOf(item) + 1).reverse()]
  for (const { name } of loop) await complain(context, 'tsort', name)
  const [last, first] = [loop.at(-1), loop[0]]
  if (last === undefined || first === undefined) return
  last.after.splice(last.after.indexOf(first), 1)
  first.before -= 1
}
