// Builtins for background jobs and signals.

import type { Job } from '../jobs.ts'
import type { Shell } from '../shell.ts'
import { deliver, signalName, signalNumbers, signalTable } from '../traps.ts'
import { print, usage, usageProblem, type Builtin } from './builtin.ts'

export const wait: Builtin = async (shell, args) => {
  await shell.run.beforeWaiting()
  let isNext = false
  let variable: string | undefined
  const operands: string[] = []
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (arg === '-n') isNext = true
    else if (arg === '-p') variable = args[(index += 1)]
    else if (arg !== '-f' && arg !== '--') operands.push(arg)
  }
  if (isNext) return waitForNext(shell, operands, variable)
  if (operands.length === 0) {
    for (const job of shell.jobs.all()) {
      const status = await until(shell, job)
      if (status !== undefined) return status
    }
    for (const job of [...shell.jobs.all()]) shell.jobs.remove(job)
    return 0
  }
  let status = 0
  for (const operand of operands) {
    const job = shell.jobs.find(operand)
    if (job === undefined) {
      const reason = /^\d+$/.test(operand)
        ? `pid ${operand} is not a child of this shell`
        : operand.startsWith('%')
          ? `${operand}: no such job`
          : `\`${operand}': not a pid or valid job spec`
      status = await usageProblem(shell, 'wait', reason, reason.startsWith('`') ? 1 : 127)
      continue
    }
    const interrupted = await until(shell, job)
    if (interrupted !== undefined) return interrupted
    status = job.status ?? 0
    job.isTaken = true
    if (variable !== undefined) shell.assign(variable, String(job.pid))
  }
  return status
}

/** Waits until `job` ends. A trapped signal interrupts the wait; its exit code is then returned. */
async function until(shell: Shell, job: Job): Promise<number | undefined> {
  if (job.status !== undefined) return undefined
  const arrived = new Promise<'signal'>(resolve => {
    shell.onSignal = () => resolve('signal')
  })
  const ended = shell.pendingSignals.length > 0 ? 'signal' : await Promise.race([job.ended, arrived, aborted(shell)])
  shell.onSignal = undefined
  shell.checkAlive()
  if (ended !== 'signal') {
    if (typeof ended === 'number') job.status = ended
    return undefined
  }
  return 128 + (signalNumbers[shell.pendingSignals[0] ?? 'TERM'] ?? 15)
}

function aborted({ signal }: Shell): Promise<'aborted'> {
  return new Promise(resolve => {
    if (signal.aborted) resolve('aborted')
    else signal.addEventListener('abort', () => resolve('aborted'), { once: true })
  })
}

async function waitForNext(shell: Shell, operands: readonly string[], variable: string | undefined): Promise<number> {
  const asked = operands.length === 0 ? shell.jobs.all() : operands.flatMap(operand => shell.jobs.find(operand) ?? [])
  // A job whose exit code was read before is not the next one.
  const jobs = asked.filter(({ isTaken }) => !isTaken)
  if (jobs.length === 0) return 127
  await Promise.race([...jobs.map(({ ended }) => ended), aborted(shell)])
  shell.checkAlive()
  const done = jobs.find(({ status }) => status !== undefined)
  if (done === undefined) return 127
  done.isTaken = true
  if (variable !== undefined) shell.assign(variable, String(done.pid))
  return done.status ?? 0
}

export const jobs: Builtin = async (shell, args) => {
  const isLong = args.includes('-l')
  const listed = [...shell.jobs.listed()]
  const operands = args.filter(arg => !/^-./.test(arg))
  let status = 0
  for (const operand of operands)
    if (shell.jobs.findListed(operand) === undefined) status = await usageProblem(shell, 'jobs', `${operand}: no such job`, 1)
  const chosen = new Set(operands.map(operand => shell.jobs.findListed(operand)))
  const all = operands.length === 0 ? listed : listed.filter(job => chosen.has(job))
  const lines = all
    .filter(({ status }) => !(args.includes('-r') && status !== undefined))
    .map(job => {
      if (args.includes('-p')) return String(job.pid)
      const sign = job === listed.at(-1) ? '+' : job === listed.at(-2) ? '-' : ' '
      const state =
        job.status === undefined ? 'Running' : job.status === 0 ? 'Done' : job.status > 128 ? 'Terminated' : `Exit ${job.status}`
      return `[${job.number}]${sign}  ${isLong ? `${job.pid} ` : ''}${state.padEnd(24)}${job.source}${job.status === undefined ? ' &' : ''}`
    })
  for (const job of all) if (job.status !== undefined) job.isTaken = true
  return (await print(shell, lines.map(line => `${line}\n`).join(''))) || status
}

export const disown: Builtin = async (shell, args) => {
  const operands = args.filter(arg => !arg.startsWith('-'))
  const chosen =
    operands.length === 0
      ? args.includes('-a')
        ? [...shell.jobs.all()]
        : shell.jobs.all().slice(-1)
      : operands.flatMap(operand => shell.jobs.find(operand) ?? [])
  for (const job of chosen) shell.jobs.remove(job)
  return chosen.length === 0 && !args.includes('-a')
    ? usageProblem(shell, 'disown', `${operands[0] ?? 'current'}: no such job`, 1)
    : 0
}

export const fg: Builtin = shell => usageProblem(shell, 'fg', 'no job control', 1)
export const bg: Builtin = shell => usageProblem(shell, 'bg', 'no job control', 1)

export const kill: Builtin = async (shell, args) => {
  let name = 'TERM'
  let index = 0
  const [first] = args
  if (first === '-l' || first === '-L') return list(shell, args.slice(1))
  for (; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (arg === '--') {
      index += 1
      break
    }
    if (!arg.startsWith('-') || (/^-\d+$/.test(arg) && index > 0)) break
    const given = arg === '-s' || arg === '-n' ? (args[(index += 1)] ?? '') : arg.slice(1)
    const found = signalName(given)
    if (found === undefined) return usageProblem(shell, 'kill', `${given}: invalid signal specification`, 1)
    name = found
  }
  const targets = args.slice(index)
  if (targets.length === 0) return usage(shell, 'kill')
  let status = 0
  for (const target of targets) {
    const problem = send(shell, target, name)
    if (problem !== undefined) status = await usageProblem(shell, 'kill', problem, 1)
  }
  // The signal may have been sent to this process itself.
  shell.checkAlive()
  return status
}

/** Signal `0` only tests whether the process exists. */
function send(shell: Shell, target: string, name: string): string | undefined {
  if (target.startsWith('%')) {
    const job = shell.jobs.findListed(target)
    if (job === undefined) return `${target}: no such job`
    if (name !== 'EXIT') job.kill(signalNumbers[name] ?? 15)
    return undefined
  }
  if (!/^-?\d+$/.test(target)) return `${target}: arguments must be process or job IDs`
  const pid = Math.abs(Number(target))
  const process = pid === 0 ? shell : shell.run.processes.get(pid)
  if (process === undefined) return `(${target}) - No such process`
  deliver(process, name, shell)
  return undefined
}

async function list(shell: Shell, operands: readonly string[]): Promise<number> {
  if (operands.length === 0) return print(shell, signalTable())
  for (const operand of operands) {
    const name = signalName(/^\d+$/.test(operand) && Number(operand) > 128 ? String(Number(operand) - 128) : operand)
    if (name === undefined) return usageProblem(shell, 'kill', `${operand}: invalid signal specification`, 1)
    await print(shell, /^\d+$/.test(operand) ? `${name}\n` : `${signalNumbers[name] ?? 0}\n`)
  }
  return 0
}
