// Runs a simple command: a function, a builtin, a program, or assignments alone.

import type { Shell } from './shell.ts'
import type { ArrayElement, Assignment, SimpleCommand, Word, WordPart } from '../syntax/tree.ts'
import { announce, noteCommand } from './traps.ts'
import { traceCommand } from './trace.ts'
import { SavedDescriptors } from './redirect.ts'
import { redirected } from './redirected.ts'
import { AssignmentError, ExitFlow, Flow, ShellError } from './flow.ts'
import { endProcessSubstitutions } from './substitutions.ts'
import { expandText, expandWords } from './expand.ts'
import { keepAssignment, keptAssignment } from './declared-assignments.ts'
import { expandBraces } from './braces.ts'
import { assignAll, assignTemporary } from './assign.ts'
import { usageProblem } from './builtins/builtin.ts'
import { builtins } from './builtins/table.ts'
import { callFunction } from './functions.ts'
import { runProgram } from './programs.ts'
import { BrokenPipeError } from '../../../shell/commands.ts'
import { reasonOf } from '../errno.ts'
import { pushAll } from '../../../core/many.ts'
import { endIfStrict } from './report.ts'

export async function runSimple(shell: Shell, command: SimpleCommand): Promise<number> {
  shell.line = command.line
  const mark = shell.openedProcesses.length
  if (shell.announced === command) shell.announced = undefined
  else if (noteCommand(shell, command) && !(await announce(shell, command))) return 0
  shell.substitutionStatus = undefined
  try {
    const words = command.words.length === 0 ? [] : await expandCommandWords(shell, command.words)
    const [name, ...args] = words
    if (shell.warnings.length > 0) await shell.warn()
    if (name === undefined) return await runAssignments(shell, command, mark)
    const last = lastArgument(shell, words)
    // The trace goes to standard error as it was before the redirections of the command.
    if (command.assignments.length === 0 && shell.has('xtrace')) await traceCommand(shell, name, args)
    const run = (saved: SavedDescriptors | undefined): Promise<number> => runNamed(shell, command, name, args, saved)
    const status =
      command.redirections.length === 0
        ? await run(undefined)
        : await redirected(shell, command.redirections, mark, run, {
            isApart: isProgram(shell, name),
            isFatal: isFatalCommand(shell, name),
          })
    if (name !== 'exec') shell.lastArgument = last
    return status
  } catch (error) {
    if (error instanceof AssignmentError && shell.has('posix')) {
      await shell.complain(error.message)
      throw new ExitFlow(1)
    }
    if (!(error instanceof ShellError) || error.reach !== 'command') throw error
    await shell.complain(error.message)
    return error.status
  } finally {
    if (shell.openedProcesses.length > mark) await endProcessSubstitutions(shell, mark)
  }
}

/** The last argument, for `$_`. Of an array that is assigned, only the name counts. */
function lastArgument(shell: Shell, words: readonly string[]): string {
  const word = words.at(-1) ?? ''
  const assignment = keptAssignment(shell, word)
  if (assignment === undefined) return word
  const { name, value, isAppend } = assignment
  return value === undefined ? name : `${name}${isAppend ? '+=' : '='}${value.literal ?? ''}`
}

/** Expands the words of a command. Assignments in arguments of `declare` and similar builtins are stored separately. */
async function expandCommandWords(shell: Shell, words: readonly Word[]): Promise<string[]> {
  if (!words.some(({ assignment }) => assignment !== undefined)) return expandWords(shell, words)
  const result: string[] = []
  for (const word of words) {
    if (word.assignment === undefined) pushAll(result, await expandWords(shell, [word]))
    else {
      const braced = shell.has('braceexpand') ? bracedWords(word.assignment, word.source) : undefined
      if (braced === undefined) result.push(keepAssignment(shell, await expandedValue(shell, word.assignment)))
      else pushAll(result, await expandWords(shell, braced))
    }
  }
  return result
}

/** `export a={b,c}` is two assignments, unlike `a={b,c}`. Returns `undefined` if there are no braces to expand. */
function bracedWords({ name, value, subscript, isAppend }: Assignment, source: string): readonly Word[] | undefined {
  if (value === undefined || value.literal !== undefined || subscript !== undefined) return undefined
  const head: WordPart = { type: 'text', text: `${name}${isAppend ? '+=' : '='}` }
  const whole: Word = { parts: [head, ...value.parts], source, literal: undefined }
  const words = [...expandBraces(whole)]
  return words.length === 1 && words[0] === whole ? undefined : words
}

/** Expands values before the builtin runs: in `local a=1 b=$a`, `$a` is the outer variable. */
async function expandedValue(shell: Shell, assignment: Assignment): Promise<Assignment> {
  const { value, elements } = assignment
  if (elements !== undefined) return { ...assignment, elements: await expandedElements(shell, elements) }
  if (value === undefined || value.literal !== undefined) return assignment
  const text = await expandText(shell, value)
  return { ...assignment, value: { parts: [{ type: 'quoted', text }], source: value.source, literal: text } }
}

async function expandedElements(shell: Shell, elements: readonly ArrayElement[]): Promise<ArrayElement[]> {
  const literal = (text: string): Word => ({
    parts: [{ type: 'quoted', text }],
    source: `'${text.replaceAll("'", `'\\''`)}'`,
    literal: text,
  })
  const expanded: ArrayElement[] = []
  for (const { subscript, isAppend, value } of elements) {
    if (subscript === undefined) {
      for (const text of await expandWords(shell, [value])) expanded.push({ subscript, isAppend, value: literal(text) })
      continue
    }
    const key = literal(await expandText(shell, subscript))
    expanded.push({ subscript: key, isAppend, value: literal(await expandText(shell, value)) })
  }
  return expanded
}

async function runAssignments(shell: Shell, command: SimpleCommand, mark: number): Promise<number> {
  const assign = async (): Promise<number> => {
    await assignAll(shell, command.assignments)
    return shell.substitutionStatus ?? 0
  }
  // The redirections come afterwards, so that they do not hide an error of the assignment.
  const status = await assign()
  if (shell.warnings.length > 0) await shell.warn()
  shell.lastArgument = ''
  return command.redirections.length === 0 ? status : redirected(shell, command.redirections, mark, async () => status)
}

function isProgram(shell: Shell, name: string): boolean {
  return !shell.functions.has(name) && (shell.disabledBuiltins.has(name) || !builtins.has(name))
}

async function runNamed(
  shell: Shell,
  command: SimpleCommand,
  name: string,
  args: readonly string[],
  saved: SavedDescriptors | undefined,
): Promise<number> {
  const body = shell.functions.size === 0 ? undefined : shell.functions.get(name)
  const builtin = body === undefined && !shell.disabledBuiltins.has(name) ? builtins.get(name) : undefined
  const run = async (): Promise<number> => {
    if (command.assignments.length > 0 && shell.has('xtrace')) await traceCommand(shell, name, args)
    if (body !== undefined) return callFunction(shell, name, body, args, command.line)
    if (builtin !== undefined) {
      const isFatal = isFatalCommand(shell, name)
      const status = await runBuiltin(shell, name, args, saved, isFatal)
      if (isFatal && status === 2 && !runsText.has(name)) throw new ExitFlow(status)
      return status
    }
    const status = await runProgram(shell, [name, ...args])
    if (!shell.isInteractive) shell.jobs.notice()
    return status
  }
  if (command.assignments.length === 0) return run()
  // `x=1 export x` assigns permanently, and in POSIX mode so does every special builtin.
  const isKept = ({ name: variable }: Assignment): boolean =>
    builtin !== undefined &&
    ((shell.has('posix') && specialBuiltins.has(name)) || ((name === 'export' || name === 'readonly') && args.includes(variable)))
  const assignments = command.assignments.filter(assignment => !isKept(assignment))
  if (assignments.length < command.assignments.length) {
    const kept = command.assignments.filter(isKept)
    await assignAll(shell, kept)
    for (const variable of kept) shell.variables.obtain(variable.name).isExported = true
  }
  shell.variables.enterScope()
  try {
    await assignTemporary(shell, assignments)
    return await run()
  } finally {
    shell.variables.leaveScope()
  }
}

/** In POSIX mode an error of a special builtin ends the shell, unless `command` calls it. */
function isFatalCommand(shell: Shell, name: string): boolean {
  return shell.has('posix') && specialBuiltins.has(name) && !shell.functions.has(name) && !shell.isInteractive
}

/** Special builtins whose exit code is that of other commands. */
const runsText: ReadonlySet<string> = new Set(['.', 'eval', 'source'])

export const specialBuiltins: ReadonlySet<string> = new Set(
  ': . break continue eval exec exit export readonly return set shift source times trap unset'.split(' '),
)

/** Builtins for which assigning a readonly variable is not a fatal error. */
const setsVariables: ReadonlySet<string> = new Set(['read', 'mapfile', 'readarray', 'printf', 'getopts', 'wait'])

/** The options of builtins that read their arguments themselves. */
const knownLetters: Readonly<Record<string, string>> = {
  '.': '',
  alias: 'p',
  builtin: '',
  caller: '',
  cd: 'LPe',
  disown: 'ahr',
  exec: 'acl',
  getopts: '',
  help: 'dms',
  jobs: 'lnprsx',
  source: '',
  times: '',
  trap: 'lp',
  ulimit: 'SHabcdefiklmnpqrstuvxPRT',
  unalias: 'a',
  wait: 'fnp',
}

function wrongLetter(name: string, word: string): string | undefined {
  const known = Object.hasOwn(knownLetters, name) ? knownLetters[name] : undefined
  return known === undefined || word === '--' ? undefined : Array.from(word.slice(1)).find(letter => !known.includes(letter))
}

/** Returns the exit code of the builtin. Error messages begin with the name of the builtin. */
export async function runBuiltin(
  shell: Shell,
  name: string,
  args: readonly string[],
  saved: SavedDescriptors | undefined,
  isFatal = false,
): Promise<number> {
  const run = builtins.get(name)
  if (run === undefined) throw new Error(`unreachable: there is no builtin ${name}`)
  const wrong = args[0]?.startsWith('-') === true ? wrongLetter(name, args[0]) : undefined
  if (wrong !== undefined) return usageProblem(shell, name, `-${wrong}: invalid option`)
  try {
    return await run(shell, args, { name, saved, isFatal })
  } catch (error) {
    if (error instanceof AssignmentError && setsVariables.has(name)) {
      await shell.complain(error.message)
      endIfStrict(shell)
      return 1
    }
    if (error instanceof Flow || error instanceof ShellError || error instanceof BrokenPipeError) throw error
    await shell.complain(`${name}: ${reasonOf(error)}`)
    return 1
  }
}
