// Runs a jq program: each expression passes any number of values to `emit`, and the path of each value if the caller asks for
// paths.

import { unreachable } from '../../../../core/errors.ts'
import { builtins, type NativeFunction } from './builtins.ts'
import { variablesOf, checkNames } from './check-names.ts'
import { formatValue } from './formats.ts'
import { isArray, isObject, type Json } from './json.ts'
import { CompileError, parseDefinitions } from './parse.ts'
import { getPath, deletePaths, updatePath, type Path } from './paths.ts'
import { prelude } from './prelude.ts'
import { find, closureOf, isFunction, defined, type Scope, type Closure, type FunctionValue, type LabelMark } from './scope.ts'
import { specialForms } from './special-forms.ts'
import { iterate, shownLong, firstOnly, catchBreak, isBreak, Break, type Emit, type Surroundings } from './steps.ts'
import type { Expression, Pattern } from './syntax.ts'
import { isTrue, JqError, textOf, typeOf, withType, calculate, indexed, sliced } from './values.ts'

export class Evaluator {
  readonly surroundings: Surroundings
  private readonly library: Scope | undefined

  constructor(surroundings: Surroundings) {
    this.surroundings = surroundings
    let scope: Scope | undefined
    for (const definition of parseDefinitions(prelude)) scope = defined(definition, scope)
    this.library = scope
  }

  /** A scope that holds `variables`. */
  scopeOf(variables: ReadonlyMap<string, Json>): Scope | undefined {
    let scope = this.library
    for (const [name, value] of variables) scope = { name: `$${name}`, value, outer: scope }
    return scope
  }

  /** Throws `CompileError` for an unknown name. */
  check(node: Expression, scope: Scope | undefined): void {
    checkNames(node, name => find(scope, name) !== undefined || builtins.has(name) || specialForms.has(name))
  }

  run(node: Expression, scope: Scope | undefined, input: Json, path: Path | null | undefined, emit: Emit): void {
    switch (node.kind) {
      case 'identity':
        emit(input, path)
        return
      case 'recurse':
        this.recurse(input, path, emit)
        return
      case 'literal':
        emit(node.value, path && null)
        return
      case 'text':
        this.text(node.parts, 0, node.format, '', scope, input, text => emit(text, path && null))
        return
      case 'format':
        emit(formatValue(node.name, input), path && null)
        return
      case 'index':
        this.index(node, scope, input, path, emit)
        return
      case 'slice':
        this.slice(node, scope, input, path, emit)
        return
      case 'iterate':
        this.run(node.target, scope, input, path, (value, at) => iterate(value, at, emit))
        return
      case 'optional':
        this.attempt(node.body, undefined, scope, input, path, emit)
        return
      case 'try':
        this.attempt(node.body, node.handler, scope, input, path, emit)
        return
      case 'negate':
        this.each(node.body, scope, input, value => {
          if (typeof value !== 'number') throw new JqError(`${withType(value)} cannot be negated`)
          emit(-value, path && null)
        })
        return
      case 'pipe':
        this.run(node.left, scope, input, path, (value, at) => this.run(node.right, scope, value, at, emit))
        return
      case 'comma':
        this.run(node.left, scope, input, path, emit)
        this.run(node.right, scope, input, path, emit)
        return
      case 'and':
      case 'or':
        this.each(node.left, scope, input, left => {
          if (isTrue(left) === (node.kind === 'or')) emit(node.kind === 'or', path && null)
          else this.each(node.right, scope, input, right => emit(isTrue(right), path && null))
        })
        return
      case 'alternative':
        this.alternative(node, scope, input, path, emit)
        return
      case 'binary':
        // The right operand is the outer loop, as in jq.
        this.each(node.right, scope, input, right =>
          this.each(node.left, scope, input, left => emit(calculate(node.operator, left, right), path && null)),
        )
        return
      case 'update':
        this.update(node, scope, input, value => emit(value, path && null))
        return
      case 'array': {
        const items: Json[] = []
        if (node.body !== undefined) this.each(node.body, scope, input, value => items.push(value))
        emit(items, path && null)
        return
      }
      case 'object':
        this.object(node.entries, 0, new Map(), scope, input, value => emit(value, path && null))
        return
      case 'if':
        this.each(node.test, scope, input, test => {
          if (isTrue(test)) this.run(node.yes, scope, input, path, emit)
          else if (node.no === undefined) emit(input, path)
          else this.run(node.no, scope, input, path, emit)
        })
        return
      case 'reduce':
        this.reduce(node, scope, input, path, emit)
        return
      case 'foreach':
        this.foreach(node, scope, input, path, emit)
        return
      case 'bind':
        this.bind(node, scope, input, path, emit)
        return
      case 'label': {
        const mark: LabelMark = { isLabel: true }
        catchBreak(mark, () => this.run(node.body, { name: `*${node.name}`, value: mark, outer: scope }, input, path, emit))
        return
      }
      case 'break': {
        const mark = find(scope, `*${node.name}`)?.value
        throw new Break(typeof mark === 'object' && mark !== null ? mark : {})
      }
      case 'define':
        this.run(node.body, defined(node.definition, scope), input, path, emit)
        return
      case 'call':
        this.call(node, scope, input, path, emit)
        return
      case 'variable':
        emit(this.variable(node.name, scope), path && null)
        return
      case 'location':
        emit(
          new Map<string, Json>([
            ['file', '<top-level>'],
            ['line', node.line],
          ]),
          path && null,
        )
        return
      default:
        unreachable(node)
    }
  }

  /** Evaluates `node` for its values, without their paths. */
  each(node: Expression, scope: Scope | undefined, input: Json, emit: (value: Json) => void): void {
    this.run(node, scope, input, undefined, emit)
  }

  /** Evaluates `node` as a path expression. */
  paths(node: Expression, scope: Scope | undefined, input: Json, emit: (path: Path, value: Json) => void): void {
    this.run(node, scope, input, [], (value, path) => {
      if (!path) throw new JqError(`Invalid path expression with result ${shownLong(value)}`)
      emit(path, value)
    })
  }

  private variable(name: string, scope: Scope | undefined): Json {
    if (name === 'ENV') return this.surroundings.env
    const found = find(scope, `$${name}`)
    if (found === undefined) throw new CompileError(`$${name} is not defined`)
    return found.value as Json
  }

  private recurse(input: Json, path: Path | null | undefined, emit: Emit): void {
    emit(input, path)
    if (isArray(input) || isObject(input)) iterate(input, path, (value, at) => this.recurse(value, at, emit))
  }

  private text(
    parts: readonly (string | Expression)[],
    at: number,
    format: string | undefined,
    before: string,
    scope: Scope | undefined,
    input: Json,
    emit: (text: string) => void,
  ): void {
    const part = parts[at]
    if (part === undefined) emit(before)
    else if (typeof part === 'string') this.text(parts, at + 1, format, before + part, scope, input, emit)
    else {
      this.each(part, scope, input, value => {
        const text = format === undefined ? textOf(value) : formatValue(format, value)
        this.text(parts, at + 1, format, before + text, scope, input, emit)
      })
    }
  }

  private index(
    node: Extract<Expression, { kind: 'index' }>,
    scope: Scope | undefined,
    input: Json,
    path: Path | null | undefined,
    emit: Emit,
  ): void {
    const { target, index } = node
    const take = (value: Json, at: Path | null | undefined, key: Json): void => {
      if (at === null) throw new JqError(`Invalid path expression with result ${shownLong(value)}`)
      emit(indexed(value, key), at && [...at, key])
    }
    if (index.kind === 'literal') this.run(target, scope, input, path, (value, at) => take(value, at, index.value))
    else this.run(target, scope, input, path, (value, at) => this.each(index, scope, input, key => take(value, at, key)))
  }

  private slice(
    node: Extract<Expression, { kind: 'slice' }>,
    scope: Scope | undefined,
    input: Json,
    path: Path | null | undefined,
    emit: Emit,
  ): void {
    const none: Expression = { kind: 'literal', value: null }
    this.run(node.target, scope, input, path, (value, at) =>
      this.each(node.to ?? none, scope, input, to =>
        this.each(node.from ?? none, scope, input, from => {
          if (at === null) throw new JqError(`Invalid path expression with result ${shownLong(value)}`)
          emit(
            sliced(value, from, to),
            at && [
              ...at,
              new Map([
                ['start', from],
                ['end', to],
              ]),
            ],
          )
        }),
      ),
    )
  }

  private attempt(
    body: Expression,
    handler: Expression | undefined,
    scope: Scope | undefined,
    input: Json,
    path: Path | null | undefined,
    emit: Emit,
  ): void {
    // An error that is thrown downstream, while a value is being emitted, is not caught here.
    let isOutside = false
    try {
      this.run(body, scope, input, path, (value, at) => {
        isOutside = true
        emit(value, at)
        isOutside = false
      })
    } catch (error) {
      if (!(error instanceof JqError) || isOutside) throw error
      if (isBreak(error.value)) return
      if (handler !== undefined) this.run(handler, scope, error.value, path && null, emit)
    }
  }

  private alternative(
    node: Extract<Expression, { kind: 'alternative' }>,
    scope: Scope | undefined,
    input: Json,
    path: Path | null | undefined,
    emit: Emit,
  ): void {
    let isFound = false
    this.run(node.left, scope, input, path, (value, at) => {
      if (!isTrue(value)) return
      isFound = true
      emit(value, at)
    })
    if (!isFound) this.run(node.right, scope, input, path, emit)
  }

  private update(
    node: Extract<Expression, { kind: 'update' }>,
    scope: Scope | undefined,
    input: Json,
    emit: (value: Json) => void,
  ): void {
    const paths: Path[] = []
    const { operator, target, value } = node
    const gather = (): readonly Path[] => {
      if (paths.length === 0) this.paths(target, scope, input, path => paths.push(path))
      return paths
    }
    if (operator === '|=') {
      const removed: Path[] = []
      const result = gather().reduce<Json>((whole, path) => {
        let first: Json | undefined
        firstOnly(stop =>
          this.each(value, scope, getPath(whole, path), next => {
            first = next
            stop()
          }),
        )
        // `|=` deletes the path if the right side has no value.
        if (first === undefined) {
          removed.push(path)
          return whole
        }
        const next = first
        return updatePath(whole, path, 0, () => next)
      }, input)
      emit(removed.length === 0 ? result : deletePaths(result, removed))
      return
    }
    this.each(value, scope, input, given => {
      const change = (before: Json): Json => {
        if (operator === '=') return given
        if (operator === '//=') return isTrue(before) ? before : given
        return calculate(operator.slice(0, -1) as '+', before, given)
      }
      emit(gather().reduce<Json>((whole, path) => updatePath(whole, path, 0, change), input))
    })
  }

  private object(
    entries: readonly { readonly key: Expression; readonly value: Expression }[],
    at: number,
    made: ReadonlyMap<string, Json>,
    scope: Scope | undefined,
    input: Json,
    emit: (value: Json) => void,
  ): void {
    const entry = entries[at]
    if (entry === undefined) {
      emit(made)
      return
    }
    this.each(entry.key, scope, input, key => {
      if (typeof key !== 'string') throw new JqError(`Object keys must be strings`)
      this.each(entry.value, scope, input, value =>
        this.object(entries, at + 1, new Map(made).set(key, value), scope, input, emit),
      )
    })
  }

  private reduce(
    node: Extract<Expression, { kind: 'reduce' }>,
    scope: Scope | undefined,
    input: Json,
    path: Path | null | undefined,
    emit: Emit,
  ): void {
    this.run(node.init, scope, input, path, (init, initPath) => {
      let [state, statePath]: [Json, Path | null | undefined] = [init, initPath]
      this.each(node.source, scope, input, value => {
        this.surroundings.checkStop()
        this.destructure(node.pattern, value, scope, input, inner => {
          let isAny = false
          const [before, beforePath] = [state, statePath]
          this.run(node.update, inner, before, beforePath, (next, at) => {
            isAny = true
            state = next
            statePath = at
          })
          if (!isAny) [state, statePath] = [null, path && null]
        })
      })
      emit(state, statePath)
    })
  }

  private foreach(
    node: Extract<Expression, { kind: 'foreach' }>,
    scope: Scope | undefined,
    input: Json,
    path: Path | null | undefined,
    emit: Emit,
  ): void {
    this.run(node.init, scope, input, path, (init, initPath) => {
      let [state, statePath]: [Json, Path | null | undefined] = [init, initPath]
      this.each(node.source, scope, input, value => {
        this.surroundings.checkStop()
        this.destructure(node.pattern, value, scope, input, inner => {
          this.run(node.update, inner, state, statePath, (next, at) => {
            state = next
            statePath = at
            if (node.extract === undefined) emit(next, at)
            else this.run(node.extract, inner, next, at, emit)
          })
        })
      })
    })
  }

  private bind(
    node: Extract<Expression, { kind: 'bind' }>,
    scope: Scope | undefined,
    input: Json,
    path: Path | null | undefined,
    emit: Emit,
  ): void {
    const names = new Set(node.patterns.flatMap(variablesOf))
    const base =
      node.patterns.length === 1
        ? scope
        : [...names].reduce<Scope | undefined>((outer, name) => ({ name: `$${name}`, value: null, outer }), scope)
    this.each(node.source, scope, input, value => {
      for (const [index, pattern] of node.patterns.entries()) {
        try {
          this.destructure(pattern, value, base, input, inner => this.run(node.body, inner, input, path, emit))
          return
        } catch (error) {
          if (!(error instanceof JqError) || index === node.patterns.length - 1) throw error
        }
      }
    })
  }

  private destructure(
    pattern: Pattern,
    value: Json,
    scope: Scope | undefined,
    input: Json,
    use: (scope: Scope | undefined) => void,
  ): void {
    if (pattern.kind === 'variable') {
      use({ name: `$${pattern.name}`, value, outer: scope })
      return
    }
    if (pattern.kind === 'array') {
      if (value !== null && !isArray(value)) throw new JqError(`Cannot index ${typeOf(value)} with number`)
      const step = (at: number, inner: Scope | undefined): void => {
        const item = pattern.items[at]
        if (item === undefined) use(inner)
        else this.destructure(item, value?.[at] ?? null, inner, input, next => step(at + 1, next))
      }
      step(0, scope)
      return
    }
    const step = (at: number, inner: Scope | undefined): void => {
      const entry = pattern.entries[at]
      if (entry === undefined) {
        use(inner)
        return
      }
      this.each(entry.key, inner, input, key => {
        if (typeof key !== 'string') throw new JqError(`Cannot index ${typeOf(value)} with ${typeOf(key)}`)
        const part = indexed(value, key)
        const bound = entry.variable === undefined ? inner : { name: `$${entry.variable}`, value: part, outer: inner }
        if (entry.value === undefined) step(at + 1, bound)
        else this.destructure(entry.value, part, bound, input, next => step(at + 1, next))
      })
    }
    step(0, scope)
  }

  private call(
    node: Extract<Expression, { kind: 'call' }>,
    scope: Scope | undefined,
    input: Json,
    path: Path | null | undefined,
    emit: Emit,
  ): void {
    const { name, args } = node
    const signature = `${name}/${args.length}`
    const found = find(scope, signature)
    if (found !== undefined) {
      if (isFunction(found.value)) this.callFunction(found.value, args, scope, input, path, emit)
      else {
        const closure = found.value as Closure
        this.run(closure.body, closure.scope, input, path, emit)
      }
      return
    }
    const special = specialForms.get(signature)
    if (special !== undefined) {
      special(this, args, scope, input, path, emit)
      return
    }
    const native = builtins.get(signature)
    if (native === undefined) throw new CompileError(`${signature} is not defined`)
    this.callNative(native, args, [], scope, input, value => emit(value, path && null))
  }

  /** Calls `native` for every combination of the arguments' values; the first argument is the inner loop. */
  private callNative(
    native: NativeFunction,
    args: readonly Expression[],
    values: readonly Json[],
    scope: Scope | undefined,
    input: Json,
    emit: (value: Json) => void,
  ): void {
    const argument = args[args.length - 1 - values.length]
    if (argument === undefined) emit(native(input, values, this.surroundings))
    else this.each(argument, scope, input, value => this.callNative(native, args, [value, ...values], scope, input, emit))
  }

  private callFunction(
    { definition, scope: home }: FunctionValue,
    args: readonly Expression[],
    scope: Scope | undefined,
    input: Json,
    path: Path | null | undefined,
    emit: Emit,
  ): void {
    const step = (at: number, inner: Scope | undefined): void => {
      const parameter = definition.parameters[at]
      const argument = args[at]
      if (parameter === undefined || argument === undefined) {
        this.run(definition.body, inner, input, path, emit)
        return
      }
      const closure = closureOf(argument, scope)
      if (!parameter.startsWith('$')) step(at + 1, { name: `${parameter}/0`, value: closure, outer: inner })
      else {
        this.each(argument, scope, input, value =>
          step(at + 1, { name: parameter, value, outer: { name: `${parameter.slice(1)}/0`, value: closure, outer: inner } }),
        )
      }
    }
    step(0, home)
  }
}
