// timeout, as in coreutils. Exit codes: that of the command; 124 if it timed out, or 137 if it got the signal KILL; 125 if `timeout`
// itself failed.

import type { ShellCommandContext, TimedSignal } from '../../../shell/commands.ts'
import { durationMs } from './duration.ts'
import { complain } from './program.ts'

const signalNames =
  /^(?:\d{1,2}|(?:SIG)?(?:ABRT|ALRM|BUS|CHLD|CONT|FPE|HUP|ILL|INT|IO|KILL|PIPE|POLL|PROF|PWR|QUIT|SEGV|STKFLT|STOP|SYS|TERM|TRAP|TSTP|TTIN|TTOU|URG|USR1|USR2|VTALRM|WINCH|XCPU|XFSZ|RTMIN|RTMAX))$/i

interface Options {
  readonly limitMs: number
  readonly signalName: string
  /** How long after the first signal KILL is sent. */
  readonly killAfterMs: number
  readonly preservesStatus: boolean
  readonly isVerbose: boolean
  readonly words: readonly string[]
}

export async function timeout(context: ShellCommandContext): Promise<number> {
  const options = parse(context.args)
  if (typeof options === 'string') return complain(context, 'timeout', options, 125)
  const { limitMs, signalName, killAfterMs, words } = options
  const { exec, stderr } = context
  if (exec === undefined) throw new Error('unreachable: timeout runs beside the interpreter')
  // 0 means no limit.
  if (limitMs === 0) return exec(words)
  const sent: string[] = []
  const timed = (atMs: number, signal: string): TimedSignal => ({ atMs, signal, onSent: () => sent.push(signal) })
  const atMs = performance.now() + limitMs
  const signals = [timed(atMs, signalName), ...(killAfterMs === 0 ? [] : [timed(atMs + killAfterMs, 'KILL')])]
  const status = await exec(words, { signals })
  if (options.isVerbose)
    for (const signal of sent) await stderr.write(`timeout: sending signal ${nameOf(signal)} to command '${words[0] ?? ''}'\n`)
  if (sent.some(signal => nameOf(signal) === 'KILL')) return 137
  return sent.length === 0 || options.preservesStatus ? status : 124
}

function nameOf(signal: string): string {
  const name = signal.toUpperCase().replace(/^SIG/, '')
  return name === '9' ? 'KILL' : name === '15' ? 'TERM' : name === '2' ? 'INT' : name === '1' ? 'HUP' : name
}

function parse(args: readonly string[]): Options | string {
  let signalName = 'TERM'
  let killAfterMs = 0
  let preservesStatus = false
  let isVerbose = false
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
        if (!signalNames.test(value)) return `'${value}': invalid signal`
        signalName = value
        continue
      }
      const givenMs = durationMs(value)
      if (givenMs === undefined) return `invalid time interval '${value}'`
      killAfterMs = givenMs
    } else if (arg === '-v' || arg === '--verbose') isVerbose = true
    else if (arg === '--preserve-status' || arg === '-p') preservesStatus = true
    else if (arg !== '--foreground' && arg !== '-f')
      return `unknown option '${arg}'; known are -k DURATION, -s SIGNAL, -v, --preserve-status and --foreground`
  }
  const [duration, ...words] = args.slice(index)
  if (duration === undefined || words.length === 0) return 'missing operand'
  const limitMs = durationMs(duration)
  if (limitMs === undefined) return `invalid time interval '${duration}'; give seconds, or a number with s, m, h or d`
  return { limitMs, signalName, killAfterMs, preservesStatus, isVerbose, words }
}
