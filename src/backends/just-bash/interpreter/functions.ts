// Calls of functions and of files with `source`.

import type { Command, Script } from '../syntax/tree.ts'
import { runScript } from './calls.ts'
import { ReturnFlow, ShellError } from './flow.ts'
import { report } from './report.ts'
import type { Shell } from './shell.ts'
import { announce, runTrap } from './traps.ts'

/** A limit on the call depth, because each call uses memory. */
const maxDepth = 4000

export async function callFunction(
  shell: Shell,
  name: string,
  body: Command,
  args: readonly string[],
  line: number,
): Promise<number> {
  const limit = Number(shell.variables.get('FUNCNEST') ?? 0) || maxDepth
  if (shell.frames.length >= limit)
    throw new ShellError(`${name}: maximum function nesting level exceeded (${limit})`, 126, 'shell')
  const { parameters, loopDepth, lineShift } = shell
  const debugTrap = shell.traps.get('DEBUG')
  const errTrap = shell.traps.get('ERR')
  const returnTrap = shell.traps.get('RETURN')
  const inherits = shell.has('functrace') || shell.tracedFunctions.has(name)
  if (!inherits && debugTrap !== undefined) shell.traps.delete('DEBUG')
  const inheritsErr = shell.has('errtrace')
  if (!inheritsErr && errTrap !== undefined) shell.traps.delete('ERR')
  if (!inherits && returnTrap !== undefined) shell.traps.delete('RETURN')
  shell.frames.push({ name, source: shell.functionSources.get(name) ?? '', line: line + shell.lineShift })
  shell.lineShift = 0
  shell.parameters = [...args]
  shell.loopDepth = 0
  shell.returnDepth += 1
  shell.variables.enterScope()
  shell.localOptions.push(undefined)
  try {
    return await returnable(shell, async () => {
      if (shell.traps.has('DEBUG')) {
        shell.line = shell.functionLines.get(name) ?? line
        if (!(await announce(shell, shell.currentCommand))) return 0
      }
      return runScript(shell, asScript(body))
    })
  } catch (error) {
    if (error instanceof ShellError && error.reach !== 'command') await report(shell, error)
    throw error
  } finally {
    shell.variables.leaveScope()
    const options = shell.localOptions.pop()
    if (options !== undefined) shell.restoreOptions(options)
    shell.returnDepth -= 1
    shell.loopDepth = loopDepth
    shell.parameters = parameters
    shell.frames.pop()
    shell.line = line
    shell.lineShift = lineShift
    if (!inherits && debugTrap !== undefined && !shell.traps.has('DEBUG')) shell.traps.set('DEBUG', debugTrap)
    if (!inheritsErr && errTrap !== undefined && !shell.traps.has('ERR')) shell.traps.set('ERR', errTrap)
    if (!inherits && returnTrap !== undefined && !shell.traps.has('RETURN')) shell.traps.set('RETURN', returnTrap)
  }
}

/** A body that is a subshell or a condition fails as such a command does. */
function asScript(body: Command): Script {
  return {
    items: [
      {
        first: { commands: [body], pipesStderr: [], isNegated: false, time: undefined },
        rest: [],
        isBackground: false,
        source: '',
      },
    ],
  }
}

async function returnable(shell: Shell, work: () => Promise<number>): Promise<number> {
  let status: number
  try {
    status = await work()
    shell.status = status
  } catch (error) {
    if (!(error instanceof ReturnFlow)) throw error
    // In the trap `$?` is what it was before `return`.
    status = error.status & 0xff
  }
  if (shell.traps.has('RETURN')) await runTrap(shell, 'RETURN')
  return status
}

/** Runs `work` as a sourced file: `return` leaves it. */
export async function runSourced(
  shell: Shell,
  path: string,
  args: readonly string[] | undefined,
  work: () => Promise<number>,
): Promise<number> {
  const { parameters, lineShift } = shell
  const debugTrap = shell.has('functrace') ? undefined : shell.traps.get('DEBUG')
  if (debugTrap !== undefined) shell.traps.delete('DEBUG')
  shell.frames.push({ name: 'source', source: path, line: shell.shownLine })
  shell.returnDepth += 1
  if (args !== undefined) shell.parameters = [...args]
  try {
    shell.lineShift = 0
    return await returnable(shell, work)
  } catch (error) {
    if (error instanceof ShellError && error.reach !== 'command') await report(shell, error)
    throw error
  } finally {
    shell.frames.pop()
    shell.lineShift = lineShift
    shell.returnDepth -= 1
    if (args !== undefined) shell.parameters = parameters
    if (debugTrap !== undefined && !shell.traps.has('DEBUG')) shell.traps.set('DEBUG', debugTrap)
  }
}
