// envsubst: puts the values of variables into a text, as gettext's does.

import { decodeText, encodeText } from '../../../../shell/byte-text.ts'
import { readAll, type ShellCommandContext } from '../../../../shell/commands.ts'
import { has, parseArguments } from '../options.ts'
import { complain } from '../program.ts'

const reference = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g

/** With an operand only the variables that it names are replaced. */
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
  const text = decodeText(await readAll(context.stdin))
  const replaced = text.replace(reference, (all, plain?: string, braced?: string) => {
    const name = plain ?? braced ?? ''
    return named === undefined || named.includes(name) ? (context.env[name] ?? '') : all
  })
  await context.stdout.write(encodeText(replaced))
  return 0
}
