// basenc: one of several encodings of bytes as text.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { has, parseArguments } from '../options.ts'
import { complain } from '../program.ts'
import { baseOptions, bases, convert, type Base } from '../utilities/base-n.ts'

export async function basenc(context: ShellCommandContext): Promise<number> {
  const byName: Readonly<Record<string, Base>> = bases
  const names = Object.keys(byName)
  const parsed = parseArguments(context.args, {
    ...Object.fromEntries(names.map(name => [`--${name}`, `to-${name}`])),
    '--z85': 'z85',
    ...baseOptions,
  })
  if (typeof parsed === 'string') return complain(context, 'basenc', parsed)
  if (has(parsed, 'z85')) return complain(context, 'basenc', `--z85 is not available here; known are ${names.join(', ')}`)
  const chosen = parsed.options.findLast(({ name }) => name.startsWith('to-'))?.name.slice(3)
  const base = chosen === undefined ? undefined : byName[chosen]
  if (base === undefined) return complain(context, 'basenc', 'missing encoding type')
  return convert(context, 'basenc', parsed, base)
}
