// just-bash's own timeout cannot end a busy loop, and answers 124 whatever signal was asked for.

import { durationMs } from './duration.ts'
import { failed, type CommandContext, type CommandResult } from './command.ts'

interface Options {
  readonly limitMs: number
  readonly signalName: string
  readonly preservesStatus: boolean
  readonly file: string
  readonly args: readonly string[]
}

/** As coreutils: the command's own code, 124 when it timed out, 137 when that was by KILL, 125 when `timeout` itself failed. */
export async function timeout(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const options = parse(args)
  if (typeof options === 'string') return failed('timeout', options, 125)
  const { limitMs, file } = options
  // 0 means no limit.
  if (limitMs === 0) return context.exec(file, options.args)
  const controller = new AbortController()
  const callOff = context.deadlines.add(performance.now() + limitMs, () => controller.abort())
  try {
    const result = await context.exec(file, options.args, controller.signal)
    if (!controller.signal.aborted) return result
    return { ...result, stderr: withoutOwnWords(result.stderr), exitCode: exitCodeOf(options, result.exitCode) }
  } finally {
    callOff()
  }
}

function exitCodeOf({ signalName, preservesStatus }: Options, code: number): number {
  if (isKill(signalName)) return 137
  // What the command would have ended with: 128 + 15.
  if (preservesStatus) return code === 124 ? 143 : code
  return 124
}

function isKill(name: string): boolean {
  return /^(?:9|(?:SIG)?KILL)$/i.test(name)
}

/** That it was stopped is the exit code's to say. */
function withoutOwnWords(stderr: string): string {
  return stderr.replace(/^(?:bash: )?(?:\S+: )?execution (?:aborted|deadline exceeded)[^\n]*\n/gm, '')
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
        if (!/^(?:\d{1,2}|[A-Za-z]+\d?)$/.test(value)) return `invalid signal '${value}'`
        signalName = value
        // A command here cannot outlive its first signal, so there is nothing left to kill.
      } else if (durationMs(value) === undefined) return `invalid time interval '${value}'`
    } else if (arg === '--preserve-status') preservesStatus = true
    else if (arg !== '--foreground' && arg !== '-f' && arg !== '-p' && arg !== '-v' && arg !== '--verbose') {
      return `unknown option '${arg}'; known are -k DURATION, -s SIGNAL, --preserve-status and --foreground`
    } else preservesStatus ||= arg === '-p'
  }
  const [duration, file, ...rest] = args.slice(index)
  if (duration === undefined || file === undefined) return 'missing operand; usage: timeout [OPTION] DURATION COMMAND [ARG]...'
  const limitMs = durationMs(duration)
  if (limitMs === undefined) return `invalid time interval '${duration}'; give seconds, or a number with s, m, h or d`
  return { limitMs, signalName, preservesStatus, file, args: rest }
}
