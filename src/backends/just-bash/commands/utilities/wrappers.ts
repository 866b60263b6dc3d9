// stdbuf and setsid, which run a command as it is: filters print while they read, and there are no sessions of processes.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { complain } from '../program.ts'

/** `stdbuf -o MODE COMMAND...` */
export async function stdbuf(context: ShellCommandContext): Promise<number> {
  const { args, exec } = context
  let at = 0
  let modes = 0
  for (; at < args.length; at++) {
    const [, long, value] = /^(?:-[ioe]|(--(?:input|output|error))(?:=|$))([^]*)$/.exec(args[at] ?? '') ?? []
    if (value === undefined) break
    const mode = value !== '' || long === undefined ? value || args[++at] : args[++at]
    if (mode === undefined || !/^(?:[0L]|\d+[kKMG]?B?)$/.test(mode))
      return complain(context, 'stdbuf', `invalid mode '${mode ?? ''}'; valid are 0, L and a size`, 125)
    modes += 1
  }
  const words = args[at] === '--' ? args.slice(at + 1) : args.slice(at)
  if (words[0]?.startsWith('-') === true)
    return complain(context, 'stdbuf', `invalid option '${words[0]}'; known are -i, -o and -e`, 125)
  if (words.length === 0) return complain(context, 'stdbuf', 'missing operand', 125)
  if (modes === 0) return complain(context, 'stdbuf', 'you must specify a buffering mode option', 125)
  return exec === undefined ? 125 : exec(words)
}

/** `setsid COMMAND...`; it waits for the command, as with -w. */
export async function setsid(context: ShellCommandContext): Promise<number> {
  const { args, exec } = context
  const first = args.findIndex(arg => !/^(?:-[cw]+|--ctty|--wait)$/.test(arg))
  const words = first < 0 ? [] : args.slice(first)
  if (words[0]?.startsWith('-') === true)
    return complain(context, 'setsid', `option '${words[0]}' is not available here; use & to run a command beside the script`)
  if (words.length === 0) return complain(context, 'setsid', 'no command specified')
  return exec === undefined ? 1 : exec(words)
}
