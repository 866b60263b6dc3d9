// Assigns to variables and to elements of arrays, according to the attributes of the variable.

import type { Shell } from './shell.ts'
import { SkippedAssignment, ReadonlyError, ShellError } from './flow.ts'
import { isReferenceTarget, type Variable, type VariableTarget } from './variables.ts'

export function assignElement(shell: Shell, name: string, subscript: string | undefined, value: string, isAppend = false): void {
  const circle = subscript === undefined || shell.variables.target(name) !== undefined ? undefined : shell.variables.obtain(name)
  // An element makes an array of a reference that has no target because it is in a circle.
  if (circle !== undefined) Object.assign(circle, { isReference: false, scalar: undefined })
  const resolved = shell.variables.resolve(name)
  if (subscript !== undefined) refuseElement(resolved)
  const key = subscript ?? resolved.subscript
  const target = resolved.name
  if (subscript === undefined && (key === '@' || key === '*')) throw new ShellError(`${target}[${key}]: bad array subscript`)
  if (!/^[A-Za-z_]\w*$/.test(target)) throw new ShellError(`\`${target}': not a valid identifier`)
  if (key === undefined && shell.variables.dynamic.has(target)) {
    if (shell.variables.dynamic.attributes(target).isReadonly) throw new ReadonlyError(target)
    shell.variables.dynamic.set(target, value)
    return
  }
  if (shell.variables.findOwn(target)?.isReadonly === true) throw new ReadonlyError(target)
  const variable = shell.variables.obtain(target)
  // A reference without a target takes the name of one.
  if (variable.isReference && (key !== undefined || !isReferenceTarget((isAppend ? (variable.scalar ?? '') : '') + value)))
    throw new SkippedAssignment(`\`${key === undefined ? value : ''}': not a valid identifier`)
  // bash does not export arrays.
  if (shell.options.has('allexport') && !variable.isArray && key === undefined) variable.isExported = true
  assignInto(shell, variable, target, key, value, isAppend)
  shell.variables.onChange?.(target)
}

/** An element has no elements. */
export function refuseElement({ name, subscript }: VariableTarget): void {
  if (subscript !== undefined) throw new ShellError(`\`${name}[${subscript}]': not a valid identifier`)
}

/** Sets `variable` according to its attributes. A `key` makes it an array. */
export function assignInto(
  shell: Shell,
  variable: Variable,
  name: string,
  key: string | undefined,
  value: string,
  isAppend: boolean,
): void {
  variable.isSet = true
  const { map } = variable
  if (map !== undefined) {
    const own = key ?? '0'
    if (own === '') throw new ShellError(`${name}[]: bad array subscript`)
    map.set(own, withAttributes(shell, variable, value, isAppend ? (map.get(own) ?? '') : undefined))
  } else if (key !== undefined || variable.list !== undefined) {
    const list = (variable.list ??= variable.scalar === undefined ? [] : [variable.scalar])
    variable.scalar = undefined
    const index = indexInList(shell, name, key ?? '0', list)
    list[index] = withAttributes(shell, variable, value, isAppend ? (list[index] ?? '') : undefined)
  } else variable.scalar = withAttributes(shell, variable, value, isAppend ? (variable.scalar ?? '') : undefined)
}

/** The index in an indexed array for `subscript`. */
export function indexInList(shell: Shell, name: string, subscript: string, list: readonly string[]): number {
  const index = Number(shell.evaluate(subscript))
  const place = index < 0 ? list.length + index : index
  if (place < 0) throw new SkippedAssignment(`${name}[${subscript}]: bad array subscript`)
  if (place > 4_294_967_000) throw new ShellError(`${name}[${subscript}]: this shell's arrays end at 4294967000`)
  return place
}

/** Converts `value` according to the attributes of the variable; adds it to `before` if that is given. */
export function withAttributes(shell: Shell, variable: Variable, value: string, before?: string): string {
  if (variable.isInteger) {
    const added = shell.evaluate(value)
    return String(before === undefined ? added : BigInt.asIntN(64, shell.evaluate(before === '' ? '0' : before) + added))
  }
  const text = (before ?? '') + value
  if (variable.letterCase === 'upper') return text.toUpperCase()
  if (variable.letterCase === 'lower') return text.toLowerCase()
  if (variable.letterCase === 'capital') return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase()
  return text
}

/** A subscript with the values of the variables that it names, as in `let 'map[$key] += 1'`. */
export function heldIn(shell: Shell, subscript: string): string {
  return subscript.replace(
    /\$(?:(\w+)|\{(\w+)\})/g,
    (_, name: string | undefined, braced: string) => shell.get(name ?? braced) ?? '',
  )
}
