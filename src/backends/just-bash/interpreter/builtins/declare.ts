// `declare`, `local`, `export`, `readonly` and `unset`, which change variables and their attributes.

import { assignInto, indexInList, refuseElement } from '../assign-element.ts'
import { Parser } from '../../syntax/parser.ts'
import { SyntaxProblem } from '../../syntax/source.ts'
import type { Assignment } from '../../syntax/tree.ts'
import { showFunction } from '../show-functions.ts'
import { assignAll, assignElements } from '../assign.ts'
import { keptAssignment } from '../declared-assignments.ts'
import { expandText } from '../expand.ts'
import { subscriptWord } from '../named-element.ts'
import { ArithmeticError, ReadonlyError, ShellError } from '../flow.ts'
import { showPlain, showVariable } from '../show-variables.ts'
import type { Shell } from '../shell.ts'
import { isReferenceTarget, trimList, type Variable } from '../variables.ts'
import { isName, print, readSignedLetters, type SignedLetters, usageProblem, type Builtin } from './builtin.ts'

/** The scope in which a declared name is created or changed. */
type Scope = 'local' | 'global' | 'found'

export const declare: Builtin = async (shell, args, { name }) => {
  const request = readSignedLetters(args, 'aAcfFgiIlnprtux')
  if (typeof request === 'string') return usageProblem(shell, name, request)
  const { on } = request
  if (on.has('f') || on.has('F') || request.off.has('f')) return declareFunctions(shell, request, name)
  if (on.has('p')) return showAll(shell, request, name)
  const isInFunction = shell.frames.some(frame => frame.name !== 'source')
  if (request.operands.length === 0) return showAll(shell, request, name)
  return declareAll(shell, request, on.has('g') || !isInFunction ? 'global' : 'local', name)
}

export const local: Builtin = async (shell, args, { name }) => {
  if (!shell.frames.some(frame => frame.name !== 'source')) return usageProblem(shell, name, 'can only be used in a function', 1)
  const request = readSignedLetters(args, 'aAcfFgiIlnprtux')
  if (typeof request === 'string') return usageProblem(shell, name, request)
  if (request.operands.length === 0) {
    const names = shell.variables.localNames()
    return print(shell, names.map(local => `${shown(shell, local)}\n`).join(''))
  }
  if (request.operands[0] === '-') {
    shell.localOptions[shell.localOptions.length - 1] = new Set(shell.options)
    return request.operands.length === 1
      ? 0
      : declareAll(shell, { ...request, operands: request.operands.slice(1) }, 'local', name)
  }
  return declareAll(shell, request, 'local', name)
}

function shown(shell: Shell, name: string): string {
  const variable = shell.variables.findDeclared(name)
  return variable === undefined ? '' : showVariable(name, variable)
}

export const exportBuiltin: Builtin = async (shell, args, { name, isFatal }) => {
  const request = readSignedLetters(args, 'fnp')
  if (typeof request === 'string') return usageProblem(shell, name, request)
  if (request.on.has('f')) {
    let status = 0
    for (const function_ of request.operands) {
      if (!shell.functions.has(function_)) status = await usageProblem(shell, name, `${function_}: not a function`, 1)
      else if (request.on.has('n')) shell.exportedFunctions.delete(function_)
      else shell.exportedFunctions.add(function_)
    }
    return status
  }
  if (request.operands.length === 0) return showAll(shell, { ...request, on: new Set(['x', 'p']) }, name)
  const off = new Set(request.on.has('n') ? ['x'] : [])
  return declareAll(
    shell,
    { on: new Set(request.on.has('n') ? [] : ['x']), off, operands: request.operands },
    'found',
    name,
    isFatal,
  )
}

export const readonly: Builtin = async (shell, args, { name, isFatal }) => {
  const request = readSignedLetters(args, 'aAfp')
  if (typeof request === 'string') return usageProblem(shell, name, request)
  if (request.on.has('f')) {
    for (const function_ of request.operands) shell.readonlyFunctions.add(function_)
    return 0
  }
  if (request.operands.length === 0 || request.on.has('p')) return showAll(shell, { ...request, on: new Set(['r', 'p']) }, name)
  return declareAll(shell, { ...request, on: new Set([...request.on, 'r']) }, 'found', name, isFatal)
}

async function declareFunctions(shell: Shell, { on, off, operands }: SignedLetters, name: string): Promise<number> {
  if (on.has('x')) return exportBuiltin(shell, ['-f', ...operands], { name, saved: undefined })
  if (on.has('r')) return readonly(shell, ['-f', ...operands], { name, saved: undefined })
  let status = 0
  if (operands.length > 0 && (on.has('t') || off.has('t'))) {
    for (const function_ of operands) {
      if (!shell.functions.has(function_)) status = await usageProblem(shell, name, `${function_}: not found`, 1)
      else if (on.has('t')) shell.tracedFunctions.add(function_)
      else shell.tracedFunctions.delete(function_)
    }
    return status
  }
  const names = operands.length === 0 ? [...shell.functions.keys()].sort() : operands
  for (const function_ of names) {
    const body = shell.functions.get(function_)
    if (body === undefined) status = 1
    else if (on.has('F')) {
      const place = `${shell.functionLines.get(function_) ?? 1} ${shell.functionSources.get(function_) || 'environment'}`
      const shown = shell.hasShopt('extdebug') ? `${function_} ${place}` : function_
      await print(shell, operands.length === 0 ? `declare -f ${function_}\n` : `${shown}\n`)
    } else await print(shell, showFunction(function_, body))
  }
  return status
}

async function showAll(shell: Shell, { on, operands }: SignedLetters, name: string): Promise<number> {
  if (operands.length > 0) {
    let status = 0
    for (const operand of operands) {
      const variable = shell.variables.findDeclared(operand)
      if (variable === undefined) status = await usageProblem(shell, name, `${operand}: not found`, 1)
      else await print(shell, `${showVariable(operand, variable)}\n`)
    }
    return status
  }
  const wanted = [...on].filter(letter => 'aAilnrtux'.includes(letter))
  const lines: string[] = []
  for (const found of shell.variables.names()) {
    const variable = shell.variables.findDeclared(found)
    if (variable === undefined || !wanted.every(letter => hasAttribute(variable, letter))) continue
    const declared = on.size === 0 ? showPlain(found, variable) : showVariable(found, variable)
    lines.push(shell.has('posix') && /^(?:export|readonly)$/.test(name) ? declared.replace(/^declare -\w+/, name) : declared)
  }
  return print(shell, lines.map(line => `${line}\n`).join(''))
}

function hasAttribute(variable: Variable, letter: string): boolean {
  switch (letter) {
    case 'a':
      return variable.list !== undefined
    case 'A':
      return variable.map !== undefined
    case 'i':
      return variable.isInteger
    case 'n':
      return variable.isReference
    case 'r':
      return variable.isReadonly
    case 't':
      return variable.isTraced
    case 'x':
      return variable.isExported
    default:
      return variable.letterCase === (letter === 'l' ? 'lower' : 'upper')
  }
}

async function declareAll(shell: Shell, request: SignedLetters, scope: Scope, name: string, isFatal = false): Promise<number> {
  let status = 0
  shell.substitutionStatus = undefined
  for (const operand of request.operands) {
    const assignment = keptAssignment(shell, operand) ?? assignmentOf(operand)
    // An element of an array has no attributes.
    const element = name === 'export' || name === 'readonly' ? assignment?.subscript : undefined
    if (assignment === undefined || element !== undefined) {
      const shown = element === undefined ? operand : `${assignment?.name ?? ''}[${element.source}]`
      status = await usageProblem(shell, name, `\`${shown}': not a valid identifier`, 1)
      continue
    }
    const referred = scope === 'found' && assignment.elements === undefined ? shell.variables.target(assignment.name) : undefined
    if (referred?.subscript !== undefined) {
      // As in bash, an element that a reference names gets the value, and the message about it does not make the command fail.
      if (assignment.value !== undefined) await assignAll(shell, [assignment])
      await usageProblem(shell, name, `\`${referred.name}[${referred.subscript}]': not a valid identifier`, 1)
      continue
    }
    try {
      await declareOne(shell, request, withElements(request, assignment), scope)
    } catch (error) {
      if (!(error instanceof ShellError) || error instanceof ArithmeticError || error.isBeyondLine) throw error
      if (isFatal && error instanceof ReadonlyError) throw error
      status = error.message === '' ? 1 : await usageProblem(shell, name, error.message, 1)
    }
  }
  shell.keptAssignments = []
  return status
}

/** The assignment in a word that results from an expansion, as in `declare "$name=$value"`. */
function assignmentOf(text: string): Assignment | undefined {
  const [, name, key, operator, value] = /^([A-Za-z_]\w*)(?:\[([^\]]*)\])?(?:(\+?=)([^]*))?$/.exec(text) ?? []
  if (name === undefined) return undefined
  const literal = (given: string): NonNullable<Assignment['value']> => ({
    parts: [{ type: 'quoted', text: given }],
    source: given,
    literal: given,
  })
  return {
    name,
    subscript: key === undefined ? undefined : subscriptWord(key),
    isAppend: operator === '+=',
    value: operator === undefined ? undefined : literal(value ?? ''),
    elements: undefined,
  }
}

/** `declare -a name='(1 2)'` takes the text as a list of elements. */
function withElements({ on }: SignedLetters, assignment: Assignment): Assignment {
  const text = assignment.value?.literal
  if (text === undefined || !(on.has('a') || on.has('A')) || !/^\([^]*\)$/.test(text)) return assignment
  try {
    const command = new Parser(`_=${text}`).nextLine()?.items[0]?.first.commands[0]
    const elements = command?.type === 'simple' ? command.assignments[0]?.elements : undefined
    return elements === undefined ? assignment : { ...assignment, value: undefined, elements }
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error
    return assignment
  }
}

async function declareOne(shell: Shell, { on, off }: SignedLetters, assignment: Assignment, scope: Scope): Promise<void> {
  const { variables } = shell
  const { name, value, elements, subscript, isAppend } = assignment
  const isLocal = scope === 'local'
  // The value is expanded first, because it may refer to the outer variable of the same name.
  const text = value === undefined ? undefined : await expandText(shell, value)
  // A local variable hides a reference that is not of this function.
  const isReferred = !on.has('n') && !off.has('n') && (!isLocal || variables.hasLocal(name))
  const referred = isReferred ? (variables.target(name) ?? (isLocal ? { name, subscript: undefined } : undefined)) : undefined
  // References in a circle take no value and no attribute.
  if (isReferred && referred === undefined) return
  if (referred !== undefined && (elements !== undefined || subscript !== undefined)) refuseElement(referred)
  const target = referred?.name ?? name
  const known =
    scope === 'global' && !variables.dynamic.has(target) ? variables.globals().get(target) : variables.findDeclared(target)
  const isHere = known !== undefined && (!isLocal || variables.hasLocal(target))
  if (isHere && known.isReadonly && (text !== undefined || elements !== undefined || on.has('a') || on.has('A') || off.has('r')))
    throw new ReadonlyError(target)
  // What is readonly outside of all functions stays so in them.
  if (isLocal && !isHere && known?.isReadonly === true && variables.globals().get(target) === known)
    throw new ReadonlyError(target)
  if (variables.dynamic.has(target) && text !== undefined) {
    variables.dynamic.set(target, text)
    return
  }
  if (on.has('n') && text !== undefined && !isReferenceTarget(text))
    throw new ShellError(text === '' ? "`': not a valid identifier" : `\`${text}': invalid variable name for name reference`)
  if (on.has('n') && text === name && !shell.isInFunction)
    throw new ShellError(`${name}: nameref variable self references not allowed`)
  if (on.has('n') && on.has('i') && text !== undefined) {
    // The text is a number before it is a name, and then refers to nothing. Only the other attribute stays.
    if (isHere || isLocal) variables.obtain(target, isLocal).isInteger = true
    throw new ShellError('')
  }
  const isEmptyReference = isHere && known.isReference && !on.has('n') && !off.has('n')
  if (isEmptyReference && text !== undefined && !isReferenceTarget(text))
    throw new ShellError(`\`${text}': not a valid identifier`)
  if (on.has('n') && isHere) refuseReference(name, known, text)
  const inherited = isLocal && !variables.hasLocal(target) && shell.hasShopt('localvar_inherit') ? known : undefined
  const outer = isLocal && !variables.hasLocal(target) ? known : undefined
  const variable = isLocal
    ? variables.obtain(target, true)
    : scope === 'global'
      ? variables.obtainGlobal(target)
      : variables.obtain(target)
  if (isLocal && !isHere) variables.reset(variable)
  if (inherited !== undefined) variable.scalar = inherited.scalar
  // A local variable inherits the export attribute of the outer variable.
  if (outer?.isExported === true && isLocal) variable.isExported = true
  if (on.has('A') && variable.map === undefined) {
    if (variable.list !== undefined) throw new ShellError(`${target}: cannot convert indexed to associative array`)
    variable.hasSmallMap = variable.scalar !== undefined
    variable.map = new Map(variable.scalar === undefined ? [] : [['0', variable.scalar]])
    variable.isSet = variable.scalar !== undefined
    variable.scalar = undefined
  } else if (
    (on.has('a') || (elements !== undefined && variable.map === undefined) || subscript !== undefined) &&
    variable.list === undefined &&
    variable.map === undefined
  ) {
    variable.list = variable.scalar === undefined ? [] : [variable.scalar]
    variable.isSet = variable.scalar !== undefined
    variable.scalar = undefined
  } else if (on.has('a') && variable.map !== undefined)
    throw new ShellError(`${target}: cannot convert associative to indexed array`)
  if (on.has('i')) variable.isInteger = true
  if (off.has('i')) variable.isInteger = false
  if (on.has('u')) variable.letterCase = 'upper'
  if (on.has('l')) variable.letterCase = 'lower'
  if (on.has('c')) variable.letterCase = 'capital'
  if (off.has('u') || off.has('l') || off.has('c')) variable.letterCase = undefined
  if (on.has('t')) variable.isTraced = true
  if (off.has('t')) variable.isTraced = false
  if (on.has('x') || (shell.has('allexport') && !variable.isArray)) variable.isExported = true
  if (off.has('x')) variable.isExported = false
  if (off.has('n')) variable.isReference = false
  if (on.has('n')) {
    if (text === name) await shell.complain(`local: warning: ${name}: circular name reference`)
    variable.isReference = true
    if (text !== undefined) Object.assign(variable, { isInteger: false, scalar: text })
  } else if (elements !== undefined) await assignElements(shell, target, variable, elements, isAppend)
  else if (text !== undefined) {
    const key = subscript === undefined ? referred?.subscript : await expandText(shell, subscript)
    assignInto(shell, variable, target, key, text, isAppend)
  }
  if (on.has('r')) variable.isReadonly = true
  variables.onChange?.(target)
}

/** An array, or a variable whose value is not a name, cannot become a reference. */
function refuseReference(name: string, known: Variable, text: string | undefined): void {
  if (known.isArray) throw new ShellError(`${name}: reference variable cannot be an array`)
  const held = text ?? known.scalar
  if (held !== undefined && held !== '' && !isReferenceTarget(held))
    throw new ShellError(`\`${held}': invalid variable name for name reference`)
}

export const unset: Builtin = async (shell, args, { name }) => {
  const request = readSignedLetters(args, 'fnv')
  if (typeof request === 'string') return usageProblem(shell, name, request)
  let status = 0
  for (const operand of request.operands) {
    if (request.on.has('f')) {
      shell.functions.delete(operand)
      continue
    }
    const [, base = '', subscript] = /^([A-Za-z_]\w*)\[([^]*)\]$/.exec(operand) ?? []
    if (subscript !== undefined) {
      try {
        const problem = unsetElement(shell, base, await expandText(shell, subscriptWord(subscript)))
        if (problem !== undefined) status = await usageProblem(shell, name, problem, 1)
      } catch (error) {
        if (!(error instanceof ShellError) || error instanceof ArithmeticError || error.isBeyondLine) throw error
        status = await usageProblem(shell, name, `[${subscript}]: bad array subscript`, 1)
      }
      continue
    }
    if (!isName(operand)) {
      if (!shell.functions.delete(operand) && request.on.has('v'))
        status = await usageProblem(shell, name, `\`${operand}': not a valid identifier`, 1)
      continue
    }
    const referred = request.on.has('n') ? undefined : shell.variables.target(operand)
    if (referred?.subscript !== undefined) {
      // bash reports no problem here.
      unsetElement(shell, referred.name, referred.subscript)
      continue
    }
    const target = referred?.name ?? operand
    if (shell.variables.findDeclared(target) === undefined && !request.on.has('v')) shell.functions.delete(operand)
    else if (!shell.variables.unset(target))
      status = await usageProblem(shell, name, `${target}: cannot unset: readonly variable`, 1)
  }
  return status
}

/** Returns the problem, if there is one. */
function unsetElement(shell: Shell, name: string, subscript: string): string | undefined {
  const known = shell.variables.find(name)
  if (known === undefined) return undefined
  if (known.isReadonly) return `${name}: cannot unset: readonly variable`
  const variable = shell.variables.obtain(shell.variables.resolve(name).name)
  const isWhole = variable.map === undefined && (subscript === '@' || subscript === '*')
  if (isWhole && variable.list !== undefined) {
    variable.list = []
    return undefined
  }
  if (variable.map !== undefined) {
    variable.map.delete(subscript)
    return undefined
  }
  if (variable.list === undefined) {
    if (isWhole || shell.evaluate(subscript) !== 0n) return `${name}: not an array variable`
    shell.variables.unset(name)
    return undefined
  }
  // Leaves a hole, as bash does: the indices of the other elements do not change.
  Reflect.deleteProperty(variable.list, indexInList(shell, name, subscript, variable.list))
  trimList(variable.list)
  return undefined
}
