// Builtins for control flow: `eval`, `source`, `exec`, `exit`, `return`, `break` and `continue`.

import { pathFrom } from '../../physical-files.ts'
import { decodeText } from '../../../../shell/byte-text.ts'
import { filesOf } from '../command-files.ts'
import { runText } from '../calls.ts'
import { ExitFlow, LoopFlow, ReturnFlow, ShellError } from '../flow.ts'
import { runChildShell } from '../child-shell.ts'
import { runSourced } from '../functions.ts'
import { childShells } from '../program-names.ts'
import { pathInside } from '../hashed-commands.ts'
import { findInPath, isProgram, runProgram } from '../programs.ts'
import { usageProblem, type Builtin } from './builtin.ts'
import type { Shell } from '../shell.ts'
import { codeOf, reasonOf } from '../../errno.ts'

export const evalBuiltin: Builtin = async (shell, args, { isFatal }) => {
  const operands = args[0] === '--' ? args.slice(1) : args
  if (args[0] !== '--' && /^-./.test(operands[0] ?? ''))
    return usageProblem(shell, 'eval', `${(operands[0] ?? '').slice(0, 2)}: invalid option`)
  const { line } = shell
  return runInner(shell, () => runText(shell, operands.join(' '), { line, origin: 'eval', isFatal }))
}

/**
 * Runs the text of `eval` and `source`. `set -x` adds a `+` to the trace prefix for its commands, and after it `$BASH_COMMAND` is the
 * builtin again.
 */
async function runInner(shell: Shell, work: () => Promise<number>): Promise<number> {
  const { currentCommand } = shell
  shell.traceDepth += 1
  try {
    return await work()
  } finally {
    shell.traceDepth -= 1
    shell.currentCommand = currentCommand
  }
}

export const source: Builtin = async (shell, args, { name, isFatal }) => {
  const operands = args[0] === '--' ? args.slice(1) : args
  const [file, ...parameters] = operands
  if (file === undefined) return usageProblem(shell, name, 'filename argument required')
  const found = file.includes('/') ? undefined : await findInSearchPath(shell, file)
  // POSIX mode does not look in the working directory.
  const isNowhere = found === undefined && !file.includes('/') && shell.has('posix')
  let text: string
  try {
    const bytes = await filesOf(shell).readFile(found ?? pathFrom(shell.directory, isNowhere ? `/dev/null/${file}` : file))
    text = decodeText(bytes)
  } catch (error) {
    await shell.complain(
      `${codeOf(error) === 'EISDIR' ? `${name}: ` : ''}${file}: ${reasonOf(error).toLowerCase() === 'is a directory' ? 'is a directory' : reasonOf(error)}`,
    )
    if (isFatal === true) throw new ExitFlow(1)
    return 1
  }
  return runSourced(shell, file, parameters.length === 0 ? undefined : parameters, () =>
    runInner(shell, () => runText(shell, text, { isFatal })),
  )
}

async function findInSearchPath(shell: Shell, name: string): Promise<string | undefined> {
  for (const directory of (shell.variables.get('PATH') ?? '').split(':')) {
    const path = pathFrom(shell.directory, pathInside(directory, name))
    try {
      if ((await filesOf(shell).stat(path)).kind === 'file') return path
    } catch {
      // The directory does not contain the file; the next one may.
    }
  }
  return undefined
}

export const exec: Builtin = async (shell, args, { saved }) => {
  let index = 0
  let isEmpty = false
  let shownName: string | undefined
  for (; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (arg === '--') {
      index += 1
      break
    }
    if (arg === '-a') {
      index += 1
      shownName = args[index]
      if (shownName === undefined) return usageProblem(shell, 'exec', '-a: option requires an argument')
    } else if (arg === '-c') isEmpty = true
    else if (arg !== '-l' && arg !== '-cl') break
  }
  const words = args.slice(index)
  const [name] = words
  if (name === undefined) {
    await saved?.keep()
    return 0
  }
  const isThere = name.includes('/') || isProgram(shell, name) || (await findInPath(shell, name)) !== undefined
  if (!isThere) {
    await shell.complain(`exec: ${name}: not found`)
    if (shell.hasShopt('execfail') && shell.subshellDepth === 0) return 127
    throw new ExitFlow(127)
  }
  // `exec` replaces the shell, so its traps do not run.
  shell.traps.clear()
  const env = isEmpty ? {} : undefined
  const status =
    shownName !== undefined && childShells.has(name)
      ? await runChildShell(shell, words.slice(1), env, { program: shownName })
      : await runProgram(shell, words, env)
  throw new ExitFlow(status)
}

const isNumber = (text: string): boolean => /^\s*[-+]?\d+\s*$/.test(text)

/** The operand as an exit code. Prints a message if it is not a number. */
async function statusOperand(shell: Shell, args: readonly string[], name: string): Promise<number | undefined> {
  const [given, ...more] = args[0] === '--' ? args.slice(1) : args
  if (given === undefined) return shell.status
  if (isNumber(given)) refuseMore(shell, name, more)
  if (isNumber(given)) return Number(BigInt.asUintN(8, BigInt(given.trim())))
  await shell.complain(`${name}: ${given}: numeric argument required`)
  return undefined
}

export const exit: Builtin = async (shell, args) => {
  const status = (await statusOperand(shell, args, 'exit')) ?? 2
  throw new ExitFlow(status, shell.isInFunction ? 'all' : 'outside texts')
}

export const logout: Builtin = shell => usageProblem(shell, 'logout', "not login shell: use `exit'", 1)

export const returnBuiltin: Builtin = async (shell, args) => {
  if (shell.returnDepth === 0) return usageProblem(shell, 'return', "can only `return' from a function or sourced script")
  throw new ReturnFlow((await statusOperand(shell, args, 'return')) ?? 2)
}

/** For an operand too many, bash skips the rest of the line, or of the text of `bash -c`. */
export function refuseMore(shell: Shell, name: string, more: readonly string[]): void {
  if (more.length > 0) throw new ShellError(`${name}: too many arguments`, 1, shell.isCommandString ? 'shell' : 'line')
}

function leaveLoop(kind: 'break' | 'continue'): Builtin {
  return async (shell, args) => {
    const [given = '1', ...more] = args
    if (shell.loopDepth === 0) {
      await shell.complain(`${kind}: only meaningful in a \`for', \`while', or \`until' loop`)
      return 0
    }
    refuseMore(shell, kind, more)
    if (!/^[-+]?\d+$/.test(given)) {
      await shell.complain(`${kind}: ${given}: numeric argument required`)
      throw new ExitFlow(128)
    }
    const levels = Number(given)
    if (levels < 1) {
      await shell.complain(`${kind}: ${given}: loop count out of range`)
      throw new LoopFlow('break', shell.loopDepth, 1)
    }
    throw new LoopFlow(kind, Math.min(levels, shell.loopDepth))
  }
}

export const breakBuiltin: Builtin = leaveLoop('break')
export const continueBuiltin: Builtin = leaveLoop('continue')
