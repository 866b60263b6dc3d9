// uniq: drops, counts or prints repeated lines.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { latin1Bytes } from '../../encoding.ts'
import { ByteRecords } from '../filter/byte-records.ts'
import { eachStream } from '../filter/each-input.ts'
import { has, type OptionTable, optionTable, parseArguments, valueOf } from '../options.ts'
import { complain, pathOf } from '../program.ts'

const table: OptionTable = optionTable(`
  -c --count: count, -d --repeated: repeated, -D: all-repeated, --all-repeated: all-repeated?, --group: group?,
  -u --unique: unique, -i --ignore-case: ignore-case, -f --skip-fields: fields=, -s --skip-chars: skip=,
  -w --check-chars: width=, -z --zero-terminated: zero
`)

interface Group {
  readonly key: string
  readonly first: string
  count: number
}

/** `uniq [-cdDuiz] [--group] [-f N] [-s N] [-w N] [INPUT [OUTPUT]]` */
export async function uniq(context: ShellCommandContext): Promise<number> {
  // The obsolete -N and +N skip fields and characters.
  const args = context.args.map(arg => arg.replace(/^-(\d+)$/, '-f$1').replace(/^\+(\d+)$/, '-s$1'))
  const parsed = parseArguments(args, table)
  if (typeof parsed === 'string') return complain(context, 'uniq', parsed)
  const [input = '-', output, ...rest] = parsed.operands
  if (rest.length > 0) return complain(context, 'uniq', `extra operand '${rest[0] ?? ''}'`)
  const [fields, skip, width] = ['fields', 'skip', 'width']
    .map(name => valueOf(parsed, name))
    .map(text => (text === undefined ? undefined : Number(text)))
  if ([fields, skip, width].some(count => Number.isNaN(count)))
    return complain(context, 'uniq', 'the values of -f, -s and -w must be numbers')
  const end = has(parsed, 'zero') ? '\0' : '\n'
  const [counts, repeated, all, unique, groups] = ['count', 'repeated', 'all-repeated', 'unique', 'group'].map(name =>
    has(parsed, name),
  )
  const keyOf = (line: string): string => {
    const rest = fields === undefined ? line : line.replace(new RegExp(`^(?:[ \\t]*[^ \\t]*){0,${fields}}`), '')
    const key = rest.slice(skip ?? 0, width === undefined ? undefined : (skip ?? 0) + width)
    return has(parsed, 'ignore-case') ? key.toLowerCase() : key
  }
  // Where empty lines separate the printed groups.
  const [method, methods] =
    groups === true
      ? [valueOf(parsed, 'group') || 'separate', ['separate', 'prepend', 'append', 'both']]
      : [valueOf(parsed, 'all-repeated') || 'none', ['none', 'prepend', 'separate']]
  if (!methods.includes(method)) return complain(context, 'uniq', `invalid argument '${method}'; valid are ${methods.join(', ')}`)
  if (groups === true && [counts, repeated, all, unique].includes(true))
    return complain(context, 'uniq', '--group is mutually exclusive with -c/-d/-D/-u')
  if (all === true && counts === true)
    return complain(context, 'uniq', 'printing all duplicated lines and repeat counts is meaningless')
  let group: Group | undefined
  let isFirstGroup = true
  const separatorBefore = (): string => {
    const isShown = isFirstGroup ? method === 'prepend' || method === 'both' : method !== 'none'
    isFirstGroup = false
    return isShown ? end : ''
  }
  /** The output for a complete group. */
  const shownGroup = (): string => {
    if (group === undefined || all === true || groups === true) return ''
    if ((repeated === true && group.count === 1) || (unique === true && group.count > 1)) return ''
    return `${counts === true ? `${String(group.count).padStart(7)} ` : ''}${group.first}${end}`
  }
  /** Processes `line`; returns the output that is now known. */
  const take = (line: string): string => {
    const key = keyOf(line)
    if (group?.key === key) {
      group.count += 1
      if (groups === true) return line + end
      return all === true && unique !== true ? (group.count === 2 ? separatorBefore() + group.first + end : '') + line + end : ''
    }
    const shown = shownGroup()
    group = { key, first: line, count: 1 }
    if (groups !== true) return shown
    return separatorBefore() + line + end
  }
  let collected = ''
  const write = async (text: string): Promise<void> => {
    if (output === undefined) await context.stdout.write(latin1Bytes(text))
    else collected += text
  }
  const code = await eachStream(context, 'uniq', [input], async stream => {
    const records = new ByteRecords(stream, end)
    for (let lines = await records.next(); lines !== undefined; lines = await records.next())
      await write(lines.map(take).join(''))
  })
  await write(shownGroup())
  if (!isFirstGroup && (method === 'append' || method === 'both')) await write(end)
  if (output !== undefined && code === 0) await context.files.writeFile(pathOf(context, output), latin1Bytes(collected))
  return code
}
