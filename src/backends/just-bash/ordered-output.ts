// just-bash hands back standard output and standard error as two strings after the command is over: their order is gone, and so is
// all of it when the command is cut off. Redirecting inside the script (`exec 2>&1`) would also change what `$(…)` and pipes see.
// So each command whose output would reach the terminal gets two redirections in front of its own, to devices that we watch.
//
// A command is left alone where its output goes elsewhere: in a substitution, in a function (which may be called from one), before a
// pipe. Such output comes when the command around it is done, standard output first. Found by experiment, just-bash 3.4.2.

import {
  mapBodies,
  redirectionTo,
  type Command,
  type Compound,
  type Pipeline,
  type Redirection,
  type Script,
  type SimpleCommand,
  type Statement,
} from './ast.ts'
import { stderrPath, stdoutPath } from './devices.ts'
import { marked } from './terminal-mark.ts'

interface Context {
  /** Whether a group may be put around a command: it would swallow the end that `set -u` makes of a script. */
  readonly mayGroup: boolean
}

/** The same script with its output caught in order. A script that redirects itself (`exec >file`) is returned as it is. */
export function catchOutput(script: Script, source: string): Script {
  if (/\bexec\b/.test(source)) return script
  const context = { mayGroup: !/\bnounset\b|\bset\s+-[A-Za-z]*u/.test(source) }
  return { ...script, statements: statements(script.statements, context) }
}

function statements(list: readonly Statement[], context: Context): Statement[] {
  return list.map(statement => ({
    ...statement,
    pipelines: statement.pipelines.map(pipeline => catchPipeline(pipeline, context)),
  }))
}

function catchPipeline(pipeline: Pipeline, context: Context): Pipeline {
  // What `time` reports is written by the pipeline itself.
  if (pipeline.timed === true) return { type: 'Pipeline', negated: false, commands: [group(pipeline)] }
  const [only] = pipeline.commands
  if (pipeline.commands.length === 1 && only !== undefined) return { ...pipeline, commands: [catchCommand(only, context)] }
  const last = pipeline.commands.length - 1
  const commands = pipeline.commands.map((command, index) => {
    if (index === last) return redirect(command, [toStdout, toStderr])
    // `|&` sends standard error down the pipe.
    return pipeline.pipeStderr?.[index] === true ? command : redirect(command, [toStderr])
  })
  return { ...pipeline, commands }
}

function catchCommand(command: Command, context: Context): Command {
  if (command.type === 'FunctionDef' || isSilent(command)) return command
  if (sendsOutputAway(command)) return redirect(command, [toStderr])
  if (command.redirections.some(writes)) return redirect(command, [toStdout, toStderr])
  if (command.type === 'SimpleCommand') {
    // Standard error of a substitution belongs to the command around it, which only a group can catch.
    const needsGroup = context.mayGroup && holdsSubstitution(command)
    return needsGroup
      ? group({ type: 'Pipeline', negated: false, commands: [marked(command)] })
      : redirect(command, [toStdout, toStderr])
  }
  // Tests have no body, only a complaint.
  if (command.type === 'ArithmeticCommand' || command.type === 'ConditionalCommand')
    return redirect(command, [toStdout, toStderr])
  return mapBodies(command, body => statements(body, context))
}

// They write nothing, or they steer the shell and are best left as they are.
const silentNames = new Set([':', 'true', 'false', 'break', 'continue', 'return', 'exit', 'shift', 'unset', 'shopt'])

function isSilent(command: SimpleCommand | Compound): boolean {
  if (command.type !== 'SimpleCommand') return false
  if (command.name === null) return !holdsSubstitution(command) && command.redirections.length === 0
  const [part] = command.name.parts
  return command.name.parts.length === 1 && part?.type === 'Literal' && silentNames.has(part.value)
}

function holdsSubstitution(command: SimpleCommand): boolean {
  return /"(?:Command|Process)Substitution"/.test(JSON.stringify([command.assignments, command.name, command.args]))
}

function writes({ operator }: Redirection): boolean {
  return operator.includes('>') && operator !== '<>'
}

/** Its standard output goes to a file only: nothing is left that a device could catch. */
function sendsOutputAway({ redirections }: SimpleCommand | Compound): boolean {
  return (
    redirections.every(({ operator }) => !operator.includes('&')) &&
    redirections.some(
      ({ fd, fdVariable, operator, target }) =>
        fdVariable === undefined && (fd ?? 1) === 1 && fileOperators.has(operator) && isNoDevice(target),
    )
  )
}

/** By how the name begins. One that begins with a variable may be anything. */
function isNoDevice(target: Redirection['target']): boolean {
  if (target.type !== 'Word') return false
  const [first] = target.parts
  const begin = first?.type === 'DoubleQuoted' ? first.parts[0] : first
  return begin?.type === 'Literal' && begin.value !== '' && !begin.value.startsWith('/dev')
}

const fileOperators: ReadonlySet<string> = new Set(['>', '>>', '>|'])

// `>>` and not `>`: under `set -C` a second `>` to the same file is refused.
const toStdout = redirection(1, stdoutPath)
const toStderr = redirection(2, stderrPath)

function redirection(fd: number, path: string): Redirection {
  return redirectionTo(fd, '>>', { type: 'Word', parts: [{ type: 'Literal', value: path }] })
}

function redirect(command: Command, added: readonly Redirection[]): Command {
  // An assignment alone has no streams of its own, and a function is only defined here.
  if (command.type === 'FunctionDef') return command
  if (command.type === 'SimpleCommand' && command.name === null) return command
  const reachesTerminal = added.includes(toStdout)
  return { ...(reachesTerminal ? marked(command) : command), redirections: [...added, ...command.redirections] }
}

function group(pipeline: Pipeline): Command {
  const statement: Statement = { type: 'Statement', pipelines: [pipeline], operators: [], background: false }
  return { type: 'Group', body: [statement], redirections: [toStdout, toStderr] }
}
