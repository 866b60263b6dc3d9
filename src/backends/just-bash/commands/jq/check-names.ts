// Checks before a program runs that every name in it is defined.

import { CompileError } from './tokens.ts'
import type { Expression, Pattern } from './syntax.ts'

export function variablesOf(pattern: Pattern): readonly string[] {
  if (pattern.kind === 'variable') return [pattern.name]
  if (pattern.kind === 'array') return pattern.items.flatMap(variablesOf)
  return pattern.entries.flatMap(({ variable, value }) => [
    ...(variable === undefined ? [] : [variable]),
    ...(value === undefined ? [] : variablesOf(value)),
  ])
}

export function checkNames(node: Expression, isKnown: (name: string) => boolean): void {
  const extended =
    (...names: readonly string[]): ((name: string) => boolean) =>
    name =>
      names.includes(name) || isKnown(name)
  switch (node.kind) {
    case 'call':
      if (!isKnown(`${node.name}/${node.args.length}`)) throw new CompileError(`${node.name}/${node.args.length} is not defined`)
      for (const arg of node.args) checkNames(arg, isKnown)
      return
    case 'variable':
      if (node.name !== 'ENV' && !isKnown(`$${node.name}`)) throw new CompileError(`$${node.name} is not defined`)
      return
    case 'break':
      if (!isKnown(`*${node.name}`)) throw new CompileError(`$*label-${node.name} is not defined`)
      return
    case 'label':
      checkNames(node.body, extended(`*${node.name}`))
      return
    case 'define': {
      const { name, parameters, body } = node.definition
      const own = `${name}/${parameters.length}`
      const known = parameters.flatMap(parameter =>
        parameter.startsWith('$') ? [parameter, `${parameter.slice(1)}/0`] : [`${parameter}/0`],
      )
      checkNames(body, extended(own, ...known))
      checkNames(node.body, extended(own))
      return
    }
    case 'bind':
      checkNames(node.source, isKnown)
      checkNames(node.body, extended(...node.patterns.flatMap(variablesOf).map(name => `$${name}`)))
      return
    case 'reduce':
    case 'foreach': {
      const inner = extended(...variablesOf(node.pattern).map(name => `$${name}`))
      checkNames(node.source, isKnown)
      checkNames(node.init, isKnown)
      checkNames(node.update, inner)
      if (node.kind === 'foreach' && node.extract !== undefined) checkNames(node.extract, inner)
      return
    }
    case 'object':
      for (const { key, value } of node.entries) {
        checkNames(key, isKnown)
        checkNames(value, isKnown)
      }
      return
    case 'text':
      for (const part of node.parts) if (typeof part !== 'string') checkNames(part, isKnown)
      return
    default:
      for (const part of Object.values(node)) if (isExpression(part)) checkNames(part, isKnown)
  }
}

const inputNames: ReadonlySet<string> = new Set(['input', 'inputs', 'input_line_number'])

/** Whether a program calls `input`, `inputs` or another function that reads inputs. */
export function mentionsInputs(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(mentionsInputs)
  if (typeof node !== 'object' || node === null) return false
  if (isExpression(node) && node.kind === 'call' && inputNames.has(node.name)) return true
  return Object.values(node).some(mentionsInputs)
}

function isExpression(value: unknown): value is Expression {
  return typeof value === 'object' && value !== null && 'kind' in value
}
