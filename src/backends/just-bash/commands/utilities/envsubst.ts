// envsubst: substitutes environment variables in text, like gettext's envsubst.

import { encodeText } from '../../../../shell/byte-text.ts'
import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { mapLines } from '../filter/whole-lines.ts'
import { has, parseArguments } from '../options.ts'
import { complain } from '../program.ts'

const reference = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g

/** With an operand, only the variables that it mentions are substituted. */
export async function envsubst(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, { '-v': 'variables', '--variables': 'variables' })
  if (typeof parsed === 'string') return complain(context, 'envsubst', parsed)
  const [format, extra] = parsed.operands
  if (extra !== undefined) return complain(context, 'envsubst', 'too many arguments')
  const named =
    format === undefined ? undefined : [...format.matchAll(reference)].map(([, plain, braced]) => plain ?? braced ?? '')
  if (has(parsed, 'variables')) {
    if (named === undefined) return complain(context, 'envsubst', 'missing arguments')
    await context.stdout.write(encodeText(named.map(name => `${name}\n`).join('')))
    return 0
  }
  await mapLines(context.stdin, context.stdout, line =>
    line.replace(reference, (all, plain?: string, braced?: string) => {
      const name = plain ?? braced ?? ''
      return named === undefined || named.includes(name) ? (context.env[name] ?? '') : all
    }),
  )
  return 0
}
