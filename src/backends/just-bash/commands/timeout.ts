// timeout, as in coreutils. Exit codes: that of the command; 124 if it timed out, or 137 if the signal was KILL; 125 if `timeout`
// itself failed.

import type { ShellCommandContext } from '../../../shell/commands.ts'
import { durationMs } from './duration.ts'
import { complain } from './program.ts'

const signalNames =
  /^(?:\d{1,2}|(?:SIG)?(?:ABRT|ALRM|BUS|CHLD|CONT|FPE|HUP|ILL|INT|IO|KILL|PIPE|POLL|PROF|PWR|QUIT|SEGV|STKFLT|STOP|SYS|TERM|TRAP|TSTP|TTIN|TTOU|URG|USR1|USR2|VTALRM|WINCH|XCPU|XFSZ|RTMIN|RTMAX))$/i

interface Options {
  readonly limitMs: number
  readonly signalName: string
  readonly preservesStatus: boolean
  readonly words: readonly string[]
}

export async function timeout(context: ShellCommandContext): Promise<number> {
  const options = parse(context.args)
  if (typeof options === 'string') return complain(context, 'timeout', options, 125)
  const { limitMs, words } = options
  const { exec } = context
  if (exec === undefined) throw new Error('unreachable: timeout runs beside the interpreter')
  // 0 means no limit.
  if (limitMs === 0) return exec(words)
  const controller = new AbortController()
  const deadlineMs = performance.now() + limitMs
  const timer = setTimeout(() => controller.abort(), Math.min(limitMs, 2 ** 31 - 1))
  try {
    const status = await exec(words, { signal: controller.signal, deadlineMs })
    const isOver = controller.signal.aborted || performance.now() >= deadlineMs
    if (!isOver) return status
    if (/^(?:9|(?:SIG)?KILL)$/i.test(options.signalName)) return 137
    return options.preservesStatus ? status : 124
  } finally {
    clearTimeout(timer)
  }
}

function parse(args: readonly string[]): Options | string {
  let signalName = 'TERM'
  let preservesStatus = false
  let index = 0
  for (; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (arg === '--') {
      index += 1
      break
    }
    if (!arg.startsWith('-') || arg === '-') break
    const [, short, long, attached] = /^(?:-([ks])|--(kill-after|signal)(?==|$))=?([^]*)$/.exec(arg) ?? []
    if (short !== undefined || long !== undefined) {
      const value = attached !== '' && attached !== undefined ? attached : (args[(index += 1)] ?? '')
      if (short === 's' || long === 'signal') {
        if (!signalNames.test(value)) return `invalid signal '${value}'`
        signalName = value
        // -k has no effect: a command here never survives its first signal.
      } else if (durationMs(value) === undefined) return `invalid time interval '${value}'`
    } else if (arg === '--preserve-status' || arg === '-p') preservesStatus = true
    else if (arg !== '--foreground' && arg !== '-f' && arg !== '-v' && arg !== '--verbose')
      return `unknown option '${arg}'; known are -k DURATION, -s SIGNAL, --preserve-status and --foreground`
  }
  const [duration, ...words] = args.slice(index)
  if (duration === undefined || words.length === 0) return 'missing operand; usage: timeout [OPTION] DURATION COMMAND [ARG]...'
  const limitMs = durationMs(duration)
  if (limitMs === undefined) return `invalid time interval '${duration}'; give seconds, or a number with s, m, h or d`
  return { limitMs, signalName, preservesStatus, words }
}
