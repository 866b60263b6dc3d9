// The output of `set -x` in the format of bash.

import type { Assignment, CompoundCommand, Condition, SimpleCommand } from '../syntax/tree.ts'
import { keptAssignment } from './declared-assignments.ts'
import { expandPattern, expandText } from './expand.ts'
import { quoteTraced } from './quote.ts'
import type { Shell } from './shell.ts'
import { shownElements } from './show-functions.ts'

/** Builtins for which bash prints the assignments a second time. */
const showsAssignments: ReadonlySet<string> = new Set(['export', 'readonly'])

export async function traceCommand(shell: Shell, name: string, args: readonly string[]): Promise<void> {
  const texts: string[] = []
  const assigned: string[] = []
  for (const arg of args) {
    const assignment = keptAssignment(shell, arg)
    if (assignment === undefined) texts.push(quoteTraced(arg))
    else if (assignment.elements === undefined) {
      const head = leftOf(assignment)
      const value = assignment.value?.literal ?? ''
      texts.push(quoteTraced(head + value))
      assigned.push(head + shownValue(value))
    } else {
      await writeTrace(shell, shownAssignment(assignment, ''))
      texts.push(assignment.name)
    }
  }
  await writeTrace(shell, [quoteTraced(name), ...texts].join(' '))
  if (showsAssignments.has(name)) for (const line of assigned) await writeTrace(shell, line)
}

/** Traces an assignment after it was made. `value` is the text that was assigned or appended. */
export async function traceAssignment(shell: Shell, assignment: Assignment, value: string): Promise<void> {
  await writeTrace(shell, shownAssignment(assignment, value))
}

/** Traces a compound command before it runs, as far as bash does. */
export async function traceCompound(shell: Shell, command: Headed): Promise<void> {
  await writeTrace(shell, headOf(command))
}

type Headed = Extract<CompoundCommand, { type: 'for' | 'select' | 'case' }>

/** The first line of a loop or a `case`. */
export function headOf(command: Headed): string {
  if (command.type === 'case') return `case ${command.word.source} in`
  return `${command.type} ${command.name} in ${command.words?.map(({ source }) => source).join(' ') ?? '"$@"'}`
}

export async function traceArithmetic(shell: Shell, text: string): Promise<void> {
  await writeTrace(shell, `(( ${text} ))`)
}

type Primary = Extract<Condition, { type: 'unary' | 'binary' | 'word' }>

/** Traces one test of `[[ … ]]` with its expanded words. `right` is an expanded pattern. */
export async function traceCondition(shell: Shell, condition: Primary, isNegated: boolean): Promise<void> {
  const shown = (text: string): string => (text === '' ? "''" : text)
  const text = async (word: SimpleCommand['words'][number]): Promise<string> => shown(await expandText(shell, word, 'word'))
  const test =
    condition.type === 'word'
      ? `-n ${await text(condition.word)}`
      : condition.type === 'unary'
        ? `${condition.operator} ${await text(condition.word)}`
        : `${await text(condition.left)} ${condition.operator} ${
            /^(?:==?|!=|=~)$/.test(condition.operator) ? await shownPattern(shell, condition.right) : await text(condition.right)
          }`
  await writeTrace(shell, `[[ ${isNegated ? '! ' : ''}${test} ]]`)
}

async function writeTrace(shell: Shell, text: string): Promise<void> {
  const prefix = await shell.expandPrompt(shell.variables.get('PS4') ?? '')
  const first = Array.from(prefix)[0] ?? ''
  const given = shell.descriptors.get(Number(shell.variables.get('BASH_XTRACEFD') || 2))
  const line = `${first.repeat(shell.traceDepth)}${prefix}${text}\n`
  await shell.run.writeTo(given ?? shell.descriptors.get(2), line)
}

/** Puts a backslash before each character of a quoted pattern. */
async function shownPattern(shell: Shell, word: SimpleCommand['words'][number]): Promise<string> {
  const isQuoted = word.parts.length > 0 && word.parts.every(({ type }) => type === 'quoted' || type === 'double')
  if (!isQuoted) return (await expandPattern(shell, word)) || "''"
  return (await expandText(shell, word, 'word')).replace(/[^]/gu, '\\$&') || "''"
}

function leftOf({ name, subscript, isAppend, value }: Assignment): string {
  const key = subscript === undefined ? '' : `[${subscript.source}]`
  return `${name}${key}${value === undefined ? '' : isAppend ? '+=' : '='}`
}

function shownAssignment(assignment: Assignment, value: string): string {
  const { name, isAppend, elements } = assignment
  if (elements === undefined) return leftOf(assignment) + shownValue(value)
  return `${name}${isAppend ? '+' : ''}=${shownElements(elements)}`
}

function shownValue(value: string): string {
  return value === '' ? '' : quoteTraced(value)
}
