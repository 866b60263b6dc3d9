// Runs a parsed script.

import type { Command, ListItem, Pipeline, Script } from '../syntax/tree.ts'
import { Parser } from '../syntax/parser.ts'
import { type SyntaxEffect, SyntaxProblem } from '../syntax/source.ts'
import type { TextOptions } from './calls.ts'
import { runCompound } from './compound.ts'
import { createPipe, Description } from './descriptors.ts'
import { ExitFlow, Flow, LoopFlow, ShellError } from './flow.ts'
import { messagePrefix } from './message-prefix.ts'
import { SavedDescriptors } from './redirect.ts'
import { endIfStrict, report } from './report.ts'
import type { Shell } from './shell.ts'
import { startBackground } from './background.ts'
import { endProcessSubstitutions } from './substitutions.ts'
import { announceStage, runPendingTraps, runTrap } from './traps.ts'
import { BrokenPipeError } from '../../../shell/commands.ts'
import { timePipeline } from './time.ts'
import { isStackOverflow, nestsTooDeeply, reasonOf } from '../errno.ts'
import { redirected } from './redirected.ts'
import { runSimple, specialBuiltins } from './simple-command.ts'

/** Parses and runs a text line by line, as bash does. Throws a `Flow` that leaves the text. */
export async function runText(shell: Shell, text: string, options?: TextOptions): Promise<number> {
  const { textDepth } = shell
  shell.textDepth += options?.isWholeScript === true ? 0 : 1
  try {
    return await runLines(shell, text, options)
  } finally {
    shell.textDepth = textDepth
  }
}

async function runLines(
  shell: Shell,
  text: string,
  { line = 1, origin, isWholeScript, isFatal }: TextOptions = {},
): Promise<number> {
  const parser = new Parser(text, {
    line,
    isExtendedGlob: () => shell.hasShopt('extglob'),
    aliasOf: name => (shell.hasShopt('expand_aliases') ? shell.aliases.get(name) : undefined),
  })
  let isEmpty = true
  let shownLine = line - 1
  for (;;) {
    if (isWholeScript === true && !isEmpty && shell.has('onecmd')) return shell.status
    let script: Script | undefined
    try {
      script = parser.nextLine()
    } catch (error) {
      if (!(error instanceof SyntaxProblem)) throw error
      shell.line = error.line
      const plainPrefix = messagePrefix(shell)
      const prefix = origin === undefined ? plainPrefix : plainPrefix.replace(/(?=line \d+: $)/, () => `${origin}: `)
      const shown = error.showsLine ? `${prefix}\`${parser.source.textOfLine(error.line)}'\n` : ''
      const messages = error.message === '' ? [] : error.message.split('\n')
      await shell.writeError(messages.map(message => `${prefix}${message}\n`).join('') + shown)
      shell.status = statusAfter(error.effect, {
        before: isWholeScript === true || origin === '-c' ? shell.status : 2,
        isWholeScript,
      })
      if (isFatal === true) throw new ExitFlow(shell.status)
      return shell.status
    }
    if (shell.has('verbose')) {
      const lines = text.replace(/\n$/, '').split('\n')
      const read = lines.slice(shownLine - line + 1, script === undefined ? undefined : parser.lastLine - line + 1)
      await shell.writeError(read.map(shown => `${shown}\n`).join(''))
    }
    shownLine = parser.lastLine
    if (script === undefined) {
      // A text of nothing but comments succeeds.
      if (isEmpty) shell.status = 0
      return shell.status
    }
    isEmpty &&= script.items.length === 0
    for (const warning of parser.source.warnings.splice(0))
      await shell.writeError(messagePrefix(shell).replace(/(?:line \d+: )?$/, () => `${warning}\n`))
    shell.lastReadLine = parser.lastLine
    if (shell.has('noexec')) continue
    try {
      await runScript(shell, script)
    } catch (error) {
      const isOver = error instanceof ShellError && error.isBeyondLine && !(error.reach === 'text' && isWholeScript === true)
      if (!(error instanceof ShellError) || isOver || error.reach === 'command') throw error
      // The rest of the line is skipped.
      await report(shell, error)
      endIfStrict(shell, error)
      shell.status = error.status
      // It ends a subshell.
      if (shell.subshellDepth > 0) throw new ExitFlow(error.status)
    }
  }
}

function statusAfter(
  effect: SyntaxEffect,
  { before, isWholeScript = false }: { readonly before: number; readonly isWholeScript: boolean | undefined },
): number {
  if (effect === 'kept') return before
  if (effect === 'kept failure') return before || 2
  return effect === 'failure' ? 1 : effect === 'not found' && !isWholeScript ? 127 : 2
}

export async function runScript(shell: Shell, script: Script): Promise<number> {
  for (const item of script.items) await runItem(shell, item)
  return shell.status
}

async function runItem(shell: Shell, item: ListItem): Promise<void> {
  if (shell.has('noexec')) return
  shell.checkAlive()
  if (shell.run.pause !== undefined) await shell.run.pause()
  if (shell.pendingSignals.length > 0) await runPendingTraps(shell)
  if (item.isBackground) {
    await startBackground(shell, item)
    return
  }
  if (item.rest.length === 0) {
    await runPipeline(shell, item.first)
    return
  }
  const wasIgnoring = shell.ignoresErrexit
  try {
    shell.ignoresErrexit = true
    await runPipeline(shell, item.first)
    for (const [index, { operator, pipeline }] of item.rest.entries()) {
      if ((shell.status === 0) !== (operator === '&&')) continue
      // `set -e` applies only to the last pipeline of a list.
      shell.ignoresErrexit = wasIgnoring || index < item.rest.length - 1
      await runPipeline(shell, pipeline)
      shell.ignoresErrexit = true
    }
  } finally {
    shell.ignoresErrexit = wasIgnoring
  }
}

/** Runs `work` as a condition: `set -e` does not apply to failures in it. */
export async function ignoringErrexit<T>(shell: Shell, work: () => Promise<T>): Promise<T> {
  const before = shell.ignoresErrexit
  shell.ignoresErrexit = true
  try {
    return await work()
  } finally {
    shell.ignoresErrexit = before
  }
}

async function runPipeline(shell: Shell, pipeline: Pipeline): Promise<void> {
  if (pipeline.time !== undefined) {
    await timePipeline(shell, pipeline, () => runPipeline(shell, { ...pipeline, time: undefined }))
    return
  }
  const { commands, isNegated } = pipeline
  const [only] = commands
  if (only === undefined) {
    shell.status = isNegated ? 1 : 0
    return
  }
  const hadTrap = shell.traps.has('ERR')
  // Without `set -e`, failures inside a negated pipeline still run the ERR trap, as in bash.
  if (isNegated && shell.has('errexit')) await ignoringErrexit(shell, () => runStages(shell, pipeline, only))
  else await runStages(shell, pipeline, only)
  // Signals that came meanwhile.
  if (shell.pendingSignals.length > 0) await runPendingTraps(shell)
  // If a redirection of a compound command fails, `!` does not negate the exit code, as in bash.
  if (isNegated && commands.length === 1 && only.type !== 'simple' && shell.missesFile) return
  if (isNegated) shell.status = shell.status === 0 ? 1 : 0
  else if (shell.status !== 0 && !shell.ignoresErrexit && checksStatus(commands)) {
    if (hadTrap) noteLast(shell, commands)
    await failed(shell, hadTrap)
  }
}

/** `$BASH_COMMAND` is the last simple command or subshell of a pipeline, although it runs in a process of its own. */
function noteLast(shell: Shell, commands: readonly Command[]): void {
  if (commands.length > 1 && commands.at(-1)?.type !== 'subshell' && runsLastHere(shell)) return
  const last = commands.findLast(({ type }) => type === 'simple' || type === 'subshell')
  if (last === undefined || (commands.length === 1 && last.type === 'simple')) return
  shell.currentCommand = last
}

async function runStages(shell: Shell, pipeline: Pipeline, first: Command): Promise<void> {
  if (pipeline.commands.length > 1) {
    const last = pipeline.commands.at(-1)
    if (last !== undefined && 'line' in last) shell.line = last.line
    await runPiped(shell, pipeline)
    return
  }
  shell.status = await runCommand(shell, first)
  const keepsStatus =
    first.type !== 'simple' && first.type !== 'subshell' && first.type !== 'arithmetic' && first.type !== 'conditional'
  if (!keepsStatus) shell.pipeStatus = [shell.status]
}

/** Whether the exit code must be checked here. Groups and loops have already checked the commands in them. */
function checksStatus(commands: readonly Command[]): boolean {
  const [only] = commands
  return (
    commands.length > 1 ||
    only?.type === 'simple' ||
    only?.type === 'subshell' ||
    only?.type === 'arithmetic' ||
    only?.type === 'conditional'
  )
}

/** Handles a failure. The ERR trap runs only if it was set before the command. */
async function failed(shell: Shell, hadTrap: boolean): Promise<void> {
  if (hadTrap) await runTrap(shell, 'ERR')
  if (shell.has('errexit')) throw new ExitFlow(shell.status, shell.isInFunction ? 'none' : 'outside texts', true)
}

function runsLastHere(shell: Shell): boolean {
  return shell.hasShopt('lastpipe') && !shell.has('monitor')
}

/** Runs each command of a pipeline in a separate process, all concurrently. */
async function runPiped(shell: Shell, { commands, pipesStderr }: Pipeline): Promise<void> {
  const running: Promise<number>[] = []
  let input: Description | undefined
  let lastStatus: number | undefined
  for (const [index, command] of commands.entries()) {
    const isLast = index === commands.length - 1
    const pipe = isLast ? undefined : createPipe()
    const writer = pipe && new Description(pipe.writer)
    if (isLast && runsLastHere(shell)) {
      const saved = new SavedDescriptors(shell)
      saved.save(0)
      await shell.descriptors.set(0, input)
      await input?.release()
      try {
        lastStatus = await runCommand(shell, command)
      } finally {
        await saved.restore()
      }
      break
    }
    await announceStage(shell, command)
    const child = shell.fork()
    child.announced = command
    // `a | (b)` needs only one process for the subshell.
    if (command.type === 'subshell') child.subshellDepth -= 1
    else child.jobs.inherit(shell.jobs)
    if (input !== undefined) await child.descriptors.set(0, input)
    if (writer !== undefined) {
      await child.descriptors.set(1, writer)
      if (pipesStderr[index] === true) await child.descriptors.set(2, writer)
    }
    await input?.release()
    // The read end is retained until the next command uses it.
    input = pipe && new Description(pipe.reader).retain()
    running.push(runProcess(child, () => runStage(child, command)))
  }
  const statuses = await Promise.all(running)
  if (!shell.isInteractive) shell.jobs.notice()
  if (lastStatus !== undefined) statuses.push(lastStatus)
  shell.checkAlive()
  shell.pipeStatus = statuses
  const last = statuses.at(-1) ?? 0
  const isChecked = lastStatus === undefined ? commands.at(-1)?.type === 'subshell' : checksStatus(commands.slice(-1))
  // bash runs the ERR trap for a subshell or a command of this shell at the end of a pipeline, and again for the pipeline.
  if (last !== 0 && isChecked && !shell.ignoresErrexit) {
    shell.status = last
    noteLast(shell, commands)
    await runTrap(shell, 'ERR')
  }
  shell.status = shell.has('pipefail') && last === 0 ? (statuses.findLast(status => status !== 0) ?? 0) : last
}

/** Runs one command of a pipeline in a separate process. A false arithmetic or conditional command runs the ERR trap there. */
async function runStage(child: Shell, command: Command): Promise<number> {
  const status = await runAlone(child, command)
  if (status === 0 || child.ignoresErrexit || (command.type !== 'arithmetic' && command.type !== 'conditional')) return status
  child.status = status
  await failed(child, true)
  return status
}

/**
 * Runs a process that consists only of `eval` or `source`. As in bash, a failure under `set -e` ends it with exit code 1,
 * regardless of the original code, and even if the pipeline is a condition.
 */
export async function runAlone(child: Shell, command: Command): Promise<number> {
  if (!isText(command)) return runCommand(child, command)
  child.ignoresErrexit = false
  try {
    return await runCommand(child, command)
  } catch (error) {
    if (!(error instanceof ExitFlow) || !error.isOfFailure) throw error
    child.status = 1
    return 1
  }
}

function isText(command: Command): boolean {
  if (command.type !== 'simple') return false
  const name = command.words.find(({ literal }) => literal !== 'command' && literal !== 'builtin')?.literal
  return name === 'eval' || name === 'source' || name === '.'
}

/** Runs `work` as a process: converts errors and flows to an exit code, runs the exit trap, and closes the files. */
export async function runProcess(shell: Shell, work: () => Promise<number>): Promise<number> {
  let status = await statusOf(shell, work)
  // A command that was interrupted by the signal does not know which signal it was.
  if (shell.killedBy !== undefined) status = shell.killedBy
  const endedBy = shell.traps.size > 0 ? shell.reviveForTraps(status) : undefined
  if (endedBy === 'what is around it' && shell.traps.has('TERM')) {
    status = await statusOf(shell, async () => {
      await runTrap(shell, 'TERM')
      return status
    })
  }
  if (shell.traps.has('EXIT') && shell.killedBy === undefined) {
    if (endedBy === undefined) shell.status = status
    const answer = await statusOf(shell, async () => {
      await runTrap(shell, 'EXIT')
      return status
    })
    status = answer
  }
  try {
    await shell.end()
  } catch (error) {
    if (error instanceof BrokenPipeError) return status
    await shell.run.report(`bash: ${reasonOf(error)}\n`)
    return status === 0 ? 1 : status
  }
  return status
}

async function statusOf(shell: Shell, work: () => Promise<number>): Promise<number> {
  try {
    return (await work()) & 0xff
  } catch (error) {
    if (error instanceof LoopFlow) return shell.status
    if (error instanceof Flow) return error.status & 0xff
    if (error instanceof BrokenPipeError) return 141
    if (isStackOverflow(error)) {
      await shell.complain(nestsTooDeeply)
      return 1
    }
    if (!(error instanceof ShellError)) throw error
    await report(shell, error)
    return error.status
  }
}

/** Returns the exit code; the caller stores it. */
export async function runCommand(shell: Shell, command: Command): Promise<number> {
  if (command.type === 'simple') return runSimple(shell, command)
  if (command.type === 'function') {
    if (shell.readonlyFunctions.has(command.name)) {
      await shell.complain(`${command.name}: readonly function`)
      return 1
    }
    if (shell.has('posix') && specialBuiltins.has(command.name)) {
      await shell.complain(`\`${command.name}': is a special builtin`)
      throw new ExitFlow(2)
    }
    shell.functions.set(command.name, command.body)
    shell.functionLines.set(command.name, command.line)
    shell.functionSources.set(command.name, shell.frames.at(-1)?.source ?? (shell.isCommandString ? '' : shell.name))
    return 0
  }
  const mark = shell.openedProcesses.length
  if (command.type === 'subshell' && 'line' in command) shell.line = command.line
  if (command.redirections.length === 0) {
    const status = await runCompound(shell, command)
    if (shell.openedProcesses.length > mark) await endProcessSubstitutions(shell, mark)
    shell.missesFile = false
    return status
  }
  // `$LINENO` is the last line that bash has read. In a function, it counts from the start of the function.
  const frame = shell.frames.at(-1)
  const ownLine = frame === undefined || frame.name === 'source' ? undefined : shell.functionLines.get(frame.name)
  shell.line = ownLine ?? shell.lastReadLine
  let isRun = false
  const status = await redirected(shell, command.redirections, mark, () => {
    isRun = true
    return runCompound(shell, command)
  })
  // The commands inside have been checked already, but a failed redirection has not.
  if (!isRun && !shell.ignoresErrexit && !checksStatus([command])) {
    shell.status = status
    await failed(shell, true)
  }
  shell.missesFile = !isRun
  return status
}
