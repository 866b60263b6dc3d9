// Lexical scopes of a jq program: variables, functions and labels.

import type { Json } from './json.ts'
import type { Definition, Expression } from './syntax.ts'

export interface Closure {
  readonly body: Expression
  readonly scope: Scope
}

/** A linked list of bindings, innermost first. A variable's name begins with `$`; a function's name ends with its arity. */
export interface Scope {
  readonly name: string
  readonly value: Json | Closure | FunctionValue | LabelMark
  readonly outer: Scope | undefined
}

export interface FunctionValue {
  readonly definition: Definition
  /** Includes the function itself, so that it can call itself. */
  scope: Scope | undefined
}

export interface LabelMark {
  readonly isLabel: true
}

/** A parameter that is passed on as an argument resolves to the closure that it holds. */
export function closureOf(body: Expression, scope: Scope | undefined): Closure {
  if (body.kind === 'call' && body.args.length === 0) {
    const known = find(scope, `${body.name}/0`)?.value
    if (known !== undefined && !isFunction(known)) return known as Closure
  }
  return { body, scope: scope ?? root }
}

export const root: Scope = { name: '', value: null, outer: undefined }

export function isFunction(value: unknown): value is FunctionValue {
  return typeof value === 'object' && value !== null && 'definition' in value
}

export function defined(definition: Definition, outer: Scope | undefined): Scope {
  const value: FunctionValue = { definition, scope: undefined }
  const scope: Scope = { name: `${definition.name}/${definition.parameters.length}`, value, outer }
  value.scope = scope
  return scope
}

export function find(scope: Scope | undefined, name: string): Scope | undefined {
  let at = scope
  while (at !== undefined && at.name !== name) at = at.outer
  return at
}
