// less and more: without a terminal they print all of their input, as the real ones do into a pipe.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { eachInput } from '../program.ts'
import { pushAll } from '../../../../core/many.ts'

/** Options of less that take a value in the next argument. */
const valued = new Set(['-b', '-h', '-j', '-k', '-o', '-O', '-p', '-P', '-t', '-T', '-x', '-y', '-z', '-#'])

export async function less(context: ShellCommandContext): Promise<number> {
  const names: string[] = []
  for (let at = 0; at < context.args.length; at++) {
    const arg = context.args[at] ?? ''
    if (arg === '--') {
      pushAll(names, context.args.slice(at + 1))
      break
    }
    if (valued.has(arg)) at += 1
    else if (arg === '-' || !/^[-+]/.test(arg)) names.push(arg)
  }
  return eachInput(context, 'less', names, async bytes => {
    await context.stdout.write(bytes)
  })
}

export async function more(context: ShellCommandContext): Promise<number> {
  const names = context.args.filter(arg => arg === '-' || !/^[-+]/.test(arg))
  return eachInput(context, 'more', names, async (bytes, name) => {
    if (names.length > 0) await context.stdout.write(`::::::::::::::\n${name}\n::::::::::::::\n`)
    await context.stdout.write(bytes)
  })
}
