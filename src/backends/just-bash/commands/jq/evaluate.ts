// Runs a jq program: each expression passes any number of values to `emit`, and the path of each value if the caller asks for
// paths. An expression returns the work that is left, which pauses in long loops.

import { unreachable } from '../../../../core/errors.ts'
import { builtins } from './builtins.ts'
import { checkNames } from './check-names.ts'
import { formatInSteps } from './formats.ts'
import { isArray, isObject, type Json } from './json.ts'
import { CompileError } from './tokens.ts'
import { parseDefinitions } from './parse.ts'
import type { Path } from './paths.ts'
import { prelude } from './prelude.ts'
import { type Closure, closureOf, defined, find, type FunctionValue, isFunction, type LabelMark, type Scope } from './scope.ts'
import { specialForms } from './special-forms.ts'
import {
  Break,
  catchBreak,
  type Emit,
  finished,
  inOrder,
  isBreak,
  iterate,
  offPath,
  type Steps,
  type Surroundings,
  whenDone,
} from './steps.ts'
import type { Expression } from './syntax.ts'
import { calculate, indexed, isTrue, JqError, sliced, withType } from './values.ts'
import { updated } from './updates.ts'
import { bind } from './bind.ts'
import { foreach, reduce } from './loops.ts'

export class Evaluator {
  readonly surroundings: Surroundings
  private readonly library: Scope | undefined

  constructor(surroundings: Surroundings) {
    this.surroundings = surroundings
    let scope: Scope | undefined
    for (const definition of parseDefinitions(prelude)) scope = defined(definition, scope)
    this.library = scope
  }

  scopeOf(variables: ReadonlyMap<string, Json>): Scope | undefined {
    let scope = this.library
    for (const [name, value] of variables) scope = { name: `$${name}`, value, outer: scope }
    return scope
  }

  /** Throws `CompileError` for an unknown name. */
  check(node: Expression, scope: Scope | undefined): void {
    checkNames(node, name => find(scope, name) !== undefined || builtins.has(name) || specialForms.has(name))
  }

  run(node: Expression, scope: Scope | undefined, input: Json, path: Path | null | undefined, emit: Emit): Steps {
    switch (node.kind) {
      case 'identity':
        return emit(input, path)
      case 'recurse':
        return this.recurse(input, path, emit)
      case 'literal':
        return emit(node.value, path && null)
      case 'text':
        return this.text(node.parts, 0, node.format, '', scope, input, text => emit(text, path && null))
      case 'format':
        return whenDone(formatInSteps(node.name, input, this.surroundings.isDue), text => emit(text, path && null))
      case 'index':
        return this.index(node, scope, input, path, emit)
      case 'slice':
        return this.slice(node, scope, input, path, emit)
      case 'iterate':
        return this.run(node.target, scope, input, path, (value, at) => iterate(value, at, this.surroundings, emit))
      case 'optional':
        return this.attempt(node.body, undefined, scope, input, path, emit)
      case 'try':
        return this.attempt(node.body, node.handler, scope, input, path, emit)
      case 'negate':
        return this.each(node.body, scope, input, value => {
          if (typeof value !== 'number') throw new JqError(`${withType(value)} cannot be negated`)
          return emit(-value, path && null)
        })
      case 'pipe':
        return this.run(node.left, scope, input, path, (value, at) => this.run(node.right, scope, value, at, emit))
      case 'comma':
        return inOrder(
          () => this.run(node.left, scope, input, path, emit),
          () => this.run(node.right, scope, input, path, emit),
        )
      case 'and':
      case 'or':
        return this.each(node.left, scope, input, left =>
          isTrue(left) === (node.kind === 'or')
            ? emit(node.kind === 'or', path && null)
            : this.each(node.right, scope, input, right => emit(isTrue(right), path && null)),
        )
      case 'alternative':
        return this.alternative(node, scope, input, path, emit)
      case 'binary':
        // The right operand is the outer loop, as in jq.
        return this.each(node.right, scope, input, right =>
          this.each(node.left, scope, input, left => emit(calculate(node.operator, left, right), path && null)),
        )
      case 'update':
        return updated(this, node, scope, input, value => emit(value, path && null))
      case 'array':
        return this.gathered(node.body, scope, input, items => emit(items, path && null))
      case 'object':
        return this.object(node.entries, 0, new Map(), scope, input, value => emit(value, path && null))
      case 'if':
        return this.each(node.test, scope, input, test => {
          if (isTrue(test)) return this.run(node.yes, scope, input, path, emit)
          return node.no === undefined ? emit(input, path) : this.run(node.no, scope, input, path, emit)
        })
      case 'reduce':
        return reduce(this, node, scope, input, path, emit)
      case 'foreach':
        return foreach(this, node, scope, input, path, emit)
      case 'bind':
        return bind(this, node, scope, input, path, emit)
      case 'label': {
        const mark: LabelMark = { isLabel: true }
        return catchBreak(mark, () =>
          this.run(node.body, { name: `*${node.name}`, value: mark, outer: scope }, input, path, emit),
        )
      }
      case 'break': {
        const mark = find(scope, `*${node.name}`)?.value
        throw new Break(typeof mark === 'object' && mark !== null ? mark : {})
      }
      case 'define':
        return this.run(node.body, defined(node.definition, scope), input, path, emit)
      case 'call':
        return this.call(node, scope, input, path, emit)
      case 'variable':
        return emit(this.variable(node.name, scope), path && null)
      case 'location':
        return emit(
          new Map<string, Json>([
            ['file', '<top-level>'],
            ['line', node.line],
          ]),
          path && null,
        )
      default:
        return unreachable(node)
    }
  }

  /** Evaluates `node` for its values, without their paths. */
  each(node: Expression, scope: Scope | undefined, input: Json, emit: (value: Json) => Steps): Steps {
    return this.run(node, scope, input, undefined, emit)
  }

  paths(node: Expression, scope: Scope | undefined, input: Json, emit: (path: Path, value: Json) => Steps): Steps {
    return this.run(node, scope, input, [], (value, path) => {
      if (!path) throw offPath(value)
      return emit(path, value)
    })
  }

  /** Evaluates `body` for all its values. */
  *gathered(
    body: Expression | undefined,
    scope: Scope | undefined,
    input: Json,
    use: (items: readonly Json[]) => Steps,
  ): Generator<undefined, void> {
    const items: Json[] = []
    if (body !== undefined) {
      yield* finished(
        this.each(body, scope, input, value => {
          items.push(value)
        }),
      )
    }
    yield* finished(use(items))
  }

  /** The paths of `target`. */
  *gatheredPaths(
    target: Expression,
    scope: Scope | undefined,
    input: Json,
    use: (paths: readonly Path[]) => Steps,
  ): Generator<undefined, void> {
    const paths: Path[] = []
    yield* finished(
      this.paths(target, scope, input, path => {
        paths.push(path)
      }),
    )
    yield* finished(use(paths))
  }

  private variable(name: string, scope: Scope | undefined): Json {
    if (name === 'ENV') return this.surroundings.env
    const found = find(scope, `$${name}`)
    if (found === undefined) throw new CompileError(`$${name} is not defined`)
    return found.value as Json
  }

  private *recurse(input: Json, path: Path | null | undefined, emit: Emit): Generator<undefined, void> {
    yield* finished(emit(input, path))
    if (isArray(input) || isObject(input))
      yield* iterate(input, path, this.surroundings, (value, at) => this.recurse(value, at, emit))
  }

  private text(
    parts: readonly (string | Expression)[],
    at: number,
    format: string | undefined,
    before: string,
    scope: Scope | undefined,
    input: Json,
    emit: (text: string) => Steps,
  ): Steps {
    const part = parts[at]
    if (part === undefined) return emit(before)
    if (typeof part === 'string') return this.text(parts, at + 1, format, before + part, scope, input, emit)
    return this.each(part, scope, input, value => {
      if (format === undefined && typeof value === 'string')
        return this.text(parts, at + 1, format, before + value, scope, input, emit)
      return whenDone(formatInSteps(format ?? '@text', value, this.surroundings.isDue), text =>
        this.text(parts, at + 1, format, before + text, scope, input, emit),
      )
    })
  }

  private index(
    node: Extract<Expression, { kind: 'index' }>,
    scope: Scope | undefined,
    input: Json,
    path: Path | null | undefined,
    emit: Emit,
  ): Steps {
    const { target, index } = node
    const take = (value: Json, at: Path | null | undefined, key: Json): Steps => {
      if (at === null) throw offPath(value, { key })
      return emit(indexed(value, key), at && [...at, key])
    }
    return index.kind === 'literal'
      ? this.run(target, scope, input, path, (value, at) => take(value, at, index.value))
      : this.run(target, scope, input, path, (value, at) => this.each(index, scope, input, key => take(value, at, key)))
  }

  private slice(
    node: Extract<Expression, { kind: 'slice' }>,
    scope: Scope | undefined,
    input: Json,
    path: Path | null | undefined,
    emit: Emit,
  ): Steps {
    const none: Expression = { kind: 'literal', value: null }
    return this.run(node.target, scope, input, path, (value, at) =>
      this.each(node.to ?? none, scope, input, to =>
        this.each(node.from ?? none, scope, input, from => {
          const key = new Map([
            ['start', from],
            ['end', to],
          ])
          if (at === null) throw offPath(value, { key })
          return emit(sliced(value, from, to), at && [...at, key])
        }),
      ),
    )
  }

  private *attempt(
    body: Expression,
    handler: Expression | undefined,
    scope: Scope | undefined,
    input: Json,
    path: Path | null | undefined,
    emit: Emit,
  ): Generator<undefined, void> {
    // An error that is thrown downstream, while a value is being emitted, is not caught here.
    let isOutside = false
    const outside = function* (value: Json, at: Path | null | undefined): Generator<undefined, void> {
      isOutside = true
      yield* finished(emit(value, at))
      isOutside = false
    }
    try {
      yield* finished(this.run(body, scope, input, path, outside))
    } catch (error) {
      if (!(error instanceof JqError) || isOutside) throw error
      if (isBreak(error.value)) return
      if (handler !== undefined) yield* finished(this.run(handler, scope, error.value, path && null, emit))
    }
  }

  private *alternative(
    node: Extract<Expression, { kind: 'alternative' }>,
    scope: Scope | undefined,
    input: Json,
    path: Path | null | undefined,
    emit: Emit,
  ): Generator<undefined, void> {
    let isFound = false
    const left = this.run(node.left, scope, input, path, (value, at) => {
      if (!isTrue(value)) return undefined
      isFound = true
      return emit(value, at)
    })
    yield* finished(left)
    if (!isFound) yield* finished(this.run(node.right, scope, input, path, emit))
  }

  private object(
    entries: readonly { readonly key: Expression; readonly value: Expression }[],
    at: number,
    made: ReadonlyMap<string, Json>,
    scope: Scope | undefined,
    input: Json,
    emit: (value: Json) => Steps,
  ): Steps {
    const entry = entries[at]
    if (entry === undefined) return emit(made)
    return this.each(entry.key, scope, input, key => {
      if (typeof key !== 'string') throw new JqError(`Object keys must be strings`)
      return this.each(entry.value, scope, input, value =>
        this.object(entries, at + 1, new Map(made).set(key, value), scope, input, emit),
      )
    })
  }

  private call(
    node: Extract<Expression, { kind: 'call' }>,
    scope: Scope | undefined,
    input: Json,
    path: Path | null | undefined,
    emit: Emit,
  ): Steps {
    const { name, args } = node
    const signature = `${name}/${args.length}`
    const found = find(scope, signature)
    if (found !== undefined) {
      if (isFunction(found.value)) return this.callFunction(found.value, args, scope, input, path, emit)
      const closure = found.value as Closure
      return this.run(closure.body, closure.scope, input, path, emit)
    }
    const special = specialForms.get(signature)
    if (special !== undefined) return special(this, args, scope, input, path, emit)
    const native = builtins.get(signature)
    if (native === undefined) throw new CompileError(`${signature} is not defined`)
    return this.eachCombination(args, scope, input, values => emit(native(input, values, this.surroundings), path && null))
  }

  /** Calls `use` with every combination of the arguments' values; the first argument is the inner loop. */
  eachCombination(
    args: readonly Expression[],
    scope: Scope | undefined,
    input: Json,
    use: (values: readonly Json[]) => Steps,
    values: readonly Json[] = [],
  ): Steps {
    const argument = args[args.length - 1 - values.length]
    return argument === undefined
      ? use(values)
      : this.each(argument, scope, input, value => this.eachCombination(args, scope, input, use, [value, ...values]))
  }

  private callFunction(
    { definition, scope: home }: FunctionValue,
    args: readonly Expression[],
    scope: Scope | undefined,
    input: Json,
    path: Path | null | undefined,
    emit: Emit,
  ): Steps {
    const step = (at: number, inner: Scope | undefined): Steps => {
      const parameter = definition.parameters[at]
      const argument = args[at]
      if (parameter === undefined || argument === undefined) return this.run(definition.body, inner, input, path, emit)
      const closure = closureOf(argument, scope)
      if (!parameter.startsWith('$')) return step(at + 1, { name: `${parameter}/0`, value: closure, outer: inner })
      return this.each(argument, scope, input, value =>
        step(at + 1, { name: parameter, value, outer: { name: `${parameter.slice(1)}/0`, value: closure, outer: inner } }),
      )
    }
    return step(0, home)
  }
}
