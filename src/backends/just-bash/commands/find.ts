// just-bash's find matches a -regex anywhere in the path, where it must fit all of it, and prints `%y` as it stands.

import { failed, type CommandContext, type CommandResult } from './command.ts'

export function find(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const given: string[] = []
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    const value = args[index + 1] ?? ''
    given.push(arg)
    if (arg === '-regex' || arg === '-iregex') {
      given.push(`^${value.replace(/^\^/, '').replace(/(?<!\\)\$$/, '')}$`)
      index += 1
    } else if (arg === '-printf') {
      const unknown = /%[-\d]*([^%fpPhdsmMTtlL])/.exec(value.replaceAll('%%', ''))?.[1]
      if (unknown !== undefined)
        return Promise.resolve(failed('find', `%${unknown} of -printf is not available here; use -exec stat -c FORMAT {} +`))
    } else if (arg === '-type' && /l/.test(value)) {
      return Promise.resolve(
        failed('find', '-type l is not available here; use: find … | while read -r f; do [ -L "$f" ] && echo "$f"; done'),
      )
    }
  }
  return context.original(given)
}
