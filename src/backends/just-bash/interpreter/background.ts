// Commands that run beside the script: `&` and coprocesses.

import type { CompoundCommand, ListItem } from '../syntax/tree.ts'
import { createPipe, Description, nullFile } from './descriptors.ts'
import { runAlone, runCommand, runProcess, runScript } from './calls.ts'
import type { Shell } from './shell.ts'
import { showJob } from './show-functions.ts'
import { announceStage, deliver, signalNumbers } from './traps.ts'

export async function startBackground(shell: Shell, item: ListItem): Promise<void> {
  const isPlain =
    item.rest.length === 0 && item.first.commands.length === 1 && !item.first.isNegated && item.first.time === undefined
  const command = isPlain ? item.first.commands[0] : undefined
  await announceStage(shell, command)
  // Ctrl+C in a session ends only what runs in the foreground.
  const child = shell.fork(undefined, shell.isInteractive ? null : shell)
  child.ignoresErrexit = false
  child.isBackground = true
  // Without job control, a background command does not read the standard input of the script.
  await child.descriptors.set(0, new Description(nullFile))
  child.announced = command
  child.runsOnlyOne = isPlain
  start(shell, child, showJob(item), () =>
    command !== undefined ? runAlone(child, command) : runScript(child, { items: [{ ...item, isBackground: false }] }),
  )
  if (shell.isInteractive) {
    const job = shell.jobs.all().at(-1)
    if (job !== undefined) await shell.writeError(`[${job.number}] ${job.pid}\n`)
  }
  shell.status = 0
}

function start(shell: Shell, child: Shell, source: string, work: () => Promise<number>): void {
  const { run } = shell
  run.processes.set(child.pid, child)
  // The job starts in a later microtask, so that the script continues first, as after a fork.
  const ended = Promise.resolve().then(() => runProcess(child, work))
  run.inBackground(ended)
  shell.lastBackgroundPid = child.pid
  shell.jobs.add(child.pid, source, ended, signal => {
    const process = run.processes.get(child.pid)
    if (process === undefined) return false
    const name = Object.entries(signalNumbers).find(([, number]) => number === signal)?.[0]
    if (name !== undefined) deliver(process, name)
    return true
  })
}

export async function startCoprocess(
  shell: Shell,
  { name, body }: Extract<CompoundCommand, { type: 'coproc' }>,
): Promise<number> {
  const [toChild, fromChild] = [createPipe(), createPipe()]
  const child = shell.fork()
  child.isBackground = true
  await child.descriptors.set(0, new Description(toChild.reader))
  await child.descriptors.set(1, new Description(fromChild.writer))
  const numbers: number[] = []
  for (const file of [fromChild.reader, toChild.writer]) {
    let fd = 63
    while (shell.descriptors.get(fd) !== undefined) fd -= 1
    await shell.descriptors.set(fd, new Description(file))
    numbers.push(fd)
  }
  shell.variables.setList(name, numbers.map(String))
  start(shell, child, 'coproc', () => runCommand(child, body))
  shell.variables.set(`${name}_PID`, String(child.pid))
  return 0
}
