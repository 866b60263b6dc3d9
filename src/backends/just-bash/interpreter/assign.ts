// Assignments to variables, to array elements and to whole arrays.

import { assignElement, indexInList, refuseElement, withAttributes } from './assign-element.ts'
import type { ArrayElement, Assignment } from '../syntax/tree.ts'
import { expandQuotedIndex } from './parameter-expansion.ts'
import { expandText, expandWords } from './expand.ts'
import { ExitFlow, ReadonlyError, ShellError } from './flow.ts'
import { shellPace } from './pace.ts'
import { quoteValue } from './quote.ts'
import { endIfStrict } from './report.ts'
import type { Shell } from './shell.ts'
import { traceAssignment } from './trace.ts'
import type { Variable } from './variables.ts'
import { unitsPerItem } from '../commands/pace.ts'

export async function assignAll(shell: Shell, assignments: readonly Assignment[]): Promise<void> {
  for (const assignment of assignments) {
    const value = await assignOne(shell, assignment)
    if (shell.has('xtrace')) await traceAssignment(shell, assignment, value)
  }
}

/** Returns the text that was assigned or appended, and an empty text for an array. */
async function assignOne(shell: Shell, { name, subscript, isAppend, value, elements }: Assignment): Promise<string> {
  if (elements !== undefined) {
    refuseReadonly(shell, name)
    const found = shell.variables.target(name)
    if (found !== undefined) refuseElement(found)
    const target = found?.name ?? name
    const variable = shell.variables.obtain(target)
    if (variable.isReference) {
      if (found !== undefined) await shell.complain(`warning: ${target}: removing nameref attribute`)
      variable.isReference = false
      if (found === undefined) variable.scalar = undefined
    }
    await assignElements(shell, target, variable, elements, isAppend)
    return ''
  }
  const text = value === undefined ? '' : await expandText(shell, value)
  if (subscript !== undefined) {
    refuseReadonly(shell, name)
    const isMap = shell.variables.find(name)?.map !== undefined
    const key = isMap ? await expandText(shell, subscript) : await expandQuotedIndex(shell, subscript)
    if (key === '') throw new ShellError(`${name}[${subscript.source}]: bad array subscript`)
    assignElement(shell, name, key, text, isAppend)
    return text
  }
  assignElement(shell, name, undefined, text, isAppend)
  return text
}

function refuseReadonly(shell: Shell, name: string): void {
  if (shell.variables.find(name)?.isReadonly === true) throw new ReadonlyError(name)
}

/** `name=(…)`: converts `variable` to an array if necessary. */
export async function assignElements(
  shell: Shell,
  name: string,
  variable: Variable,
  elements: readonly ArrayElement[],
  isAppend: boolean,
): Promise<void> {
  if (variable.map !== undefined) {
    // The values may refer to the previous content of the array.
    const map = new Map(isAppend ? variable.map : undefined)
    const addsPairs = elements[0]?.subscript === undefined
    await (addsPairs ? addPairs(shell, variable, map, elements) : addEntries(shell, name, variable, map, elements))
    variable.map = map
    variable.isSet = true
    return
  }
  const before = variable.list ?? (variable.scalar === undefined ? [] : [variable.scalar])
  const list = isAppend ? before.slice() : []
  let index = list.length
  const pace = shellPace(shell)
  for (const { subscript, value, isAppend: adds } of elements) {
    if (subscript !== undefined) {
      index = indexInList(shell, name, await expandQuotedIndex(shell, subscript), list)
      list[index] = withAttributes(shell, variable, await expandText(shell, value), adds ? (list[index] ?? '') : undefined)
      index += 1
      continue
    }
    for (const text of await expandWords(shell, [value])) {
      list[index] = withAttributes(shell, variable, text)
      index += 1
      if (pace.isDue(unitsPerItem)) await pace.rest()
    }
  }
  variable.scalar = undefined
  variable.list = list
  variable.isSet = true
}

/** `m=(key value …)`: each word is one text, whatever it expands to. */
async function addPairs(
  shell: Shell,
  variable: Variable,
  map: Map<string, string>,
  elements: readonly ArrayElement[],
): Promise<void> {
  let key: string | undefined
  const add = async (text: string): Promise<void> => {
    if (key === '') await shell.complain('"": bad array subscript')
    else if (key !== undefined) map.set(key, withAttributes(shell, variable, text))
  }
  for (const { subscript, isAppend, value } of elements) {
    const head = subscript === undefined ? '' : `[${await expandText(shell, subscript)}]${isAppend ? '+' : ''}=`
    const text = head + (await expandText(shell, value))
    if (key === undefined) key = text
    else {
      await add(text)
      key = undefined
    }
  }
  await add('')
}

/** `m=([key]=value …)`. */
async function addEntries(
  shell: Shell,
  name: string,
  variable: Variable,
  map: Map<string, string>,
  elements: readonly ArrayElement[],
): Promise<void> {
  for (const { subscript, isAppend, value } of elements) {
    if (subscript === undefined) {
      await shell.complain(`${name}: ${value.source}: must use subscript when assigning associative array`)
      endIfStrict(shell)
      continue
    }
    const key = await expandText(shell, subscript)
    const text = await expandText(shell, value)
    if (key === '') await shell.complain(`[]=${quoteValue(text)}: bad array subscript`)
    else map.set(key, withAttributes(shell, variable, text, isAppend ? (map.get(key) ?? '') : undefined))
  }
}

/** `X=1 command`: sets exported variables in the innermost scope. */
export async function assignTemporary(shell: Shell, assignments: readonly Assignment[]): Promise<void> {
  for (const assignment of assignments) {
    const { name, value, isAppend, elements } = assignment
    const text = value === undefined ? '' : await expandText(shell, value)
    if (shell.variables.find(name)?.isReadonly === true) {
      await shell.complain(`${name}: readonly variable`)
      endIfStrict(shell)
      if (shell.has('posix')) throw new ExitFlow(1)
      continue
    }
    const before = isAppend ? (shell.get(name) ?? '') : ''
    const variable = shell.variables.obtain(name, true)
    variable.isExported = true
    if (name === 'PATH') shell.hashed.clear()
    if (elements !== undefined) await assignElements(shell, name, variable, elements, isAppend)
    else variable.scalar = before + text
    if (shell.has('xtrace')) await traceAssignment(shell, assignment, text)
  }
}
