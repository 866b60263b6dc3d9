// tsort: topological sort of the names in pairs.

import { decodeText } from '../../../../shell/byte-text.ts'
import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { parseArguments } from '../options.ts'
import { complain, readNamed } from '../program.ts'
import { paceOf, unitsPerItem, type Pace } from '../pace.ts'
import { letOthersRun } from '../stop.ts'
import { sortInSteps } from './merge-sort.ts'
import { reasonOf } from '../../errno.ts'

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
  const pace = paceOf(context.signal)
  const words: string[] = []
  try {
    for (const [word] of decodeText(await readNamed(context, file)).matchAll(/[^ \t\n]+/g)) {
      words.push(word)
      if (pace.isDue(word.length + unitsPerItem)) await pace.rest()
    }
  } catch (error) {
    return complain(context, 'tsort', `${file}: ${reasonOf(error)}`)
  }
  if (words.length % 2 === 1) return complain(context, 'tsort', `${file}: input contains an odd number of tokens`)
  const items = await itemsOf(words, pace)
  const sorted = await sortInSteps(
    [...items.values()],
    (one, other) => (one.name < other.name ? -1 : 1),
    () => letOthersRun(context.signal),
  )
  let code = 0
  let left = sorted.length
  const queue = sorted.filter(({ before }) => before === 0)
  while (left > 0) {
    for (const item of queue) {
      item.isPrinted = true
      left -= 1
      await context.stdout.write(`${item.name}\n`)
      if (pace.isDue(item.name.length + 8 * unitsPerItem)) await pace.rest()
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

async function itemsOf(words: readonly string[], pace: Pace): Promise<ReadonlyMap<string, Item>> {
  const items = new Map<string, Item>()
  const itemOf = (name: string): Item => {
    const known = items.get(name)
    if (known !== undefined) return known
    const item: Item = { name, before: 0, after: [], isPrinted: false }
    items.set(name, item)
    return item
  }
  for (let at = 0; at < words.length; at += 2) {
    if (pace.isDue(4 * unitsPerItem)) await pace.rest()
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
