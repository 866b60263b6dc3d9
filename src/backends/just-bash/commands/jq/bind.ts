// `as`: binds variables to the parts of a value that a pattern names.

import type { Evaluator } from './evaluate.ts'
import type { Expression, Pattern } from './syntax.ts'
import type { Scope } from './scope.ts'
import { isArray, type Json } from './json.ts'
import type { Path } from './paths.ts'
import { type Emit, finished, type Steps } from './steps.ts'
import { variablesOf } from './check-names.ts'
import { indexed, JqError, typeOf } from './values.ts'

export function bind(
  evaluator: Evaluator,
  node: Extract<Expression, { kind: 'bind' }>,
  scope: Scope | undefined,
  input: Json,
  path: Path | null | undefined,
  emit: Emit,
): Steps {
  const names = new Set(node.patterns.flatMap(variablesOf))
  const base =
    node.patterns.length === 1
      ? scope
      : [...names].reduce<Scope | undefined>((outer, name) => ({ name: `$${name}`, value: null, outer }), scope)
  const body = (pattern: Pattern, value: Json): Steps =>
    destructure(evaluator, pattern, value, base, input, inner => evaluator.run(node.body, inner, input, path, emit))
  const [only] = node.patterns
  if (node.patterns.length === 1 && only !== undefined)
    return evaluator.each(node.source, scope, input, value => body(only, value))
  const { patterns } = node
  return evaluator.each(node.source, scope, input, value => firstThatFits(patterns, pattern => body(pattern, value)))
}

export function destructure(
  evaluator: Evaluator,
  pattern: Pattern,
  value: Json,
  scope: Scope | undefined,
  input: Json,
  use: (scope: Scope | undefined) => Steps,
): Steps {
  if (pattern.kind === 'variable') return use({ name: `$${pattern.name}`, value, outer: scope })
  if (pattern.kind === 'array') {
    if (value !== null && !isArray(value)) throw new JqError(`Cannot index ${typeOf(value)} with number`)
    const step = (at: number, inner: Scope | undefined): Steps => {
      const item = pattern.items[at]
      return item === undefined
        ? use(inner)
        : destructure(evaluator, item, value?.[at] ?? null, inner, input, next => step(at + 1, next))
    }
    return step(0, scope)
  }
  const step = (at: number, inner: Scope | undefined): Steps => {
    const entry = pattern.entries[at]
    if (entry === undefined) return use(inner)
    return evaluator.each(entry.key, inner, input, key => {
      if (typeof key !== 'string') throw new JqError(`Cannot index ${typeOf(value)} with ${typeOf(key)}`)
      const part = indexed(value, key)
      const bound = entry.variable === undefined ? inner : { name: `$${entry.variable}`, value: part, outer: inner }
      return entry.value === undefined
        ? step(at + 1, bound)
        : destructure(evaluator, entry.value, part, bound, input, next => step(at + 1, next))
    })
  }
  return step(0, scope)
}

/** The first of `patterns` that does not fail decides. */
function* firstThatFits(patterns: readonly Pattern[], body: (pattern: Pattern) => Steps): Generator<undefined, void> {
  for (const [index, pattern] of patterns.entries()) {
    try {
      yield* finished(body(pattern))
      return
    } catch (error) {
      if (!(error instanceof JqError) || index === patterns.length - 1) throw error
    }
  }
}
