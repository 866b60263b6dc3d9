// Runs a jq program: each expression gives any number of values to `emit`. Where paths are asked for, it gives each value's path too.

import { unreachable } from '../../../../core/errors.ts'
import { builtins, type NativeFunction } from './builtins.ts'
import { formatValue } from './formats.ts'
import { isArray, isObject, type Json } from './json.ts'
import { CompileError, parseDefinitions } from './parse.ts'
import { deletePaths, getPath, updatePath, type Path } from './paths.ts'
import { prelude } from './prelude.ts'
import type { Definition, Expression, Pattern } from './syntax.ts'
import { calculate, indexed, isTrue, JqError, sliced, textOf, typeOf, withType } from './values.ts'

/** `path`: `undefined` where none is asked for, `null` where the value is no part of the input. */
export type Emit = (value: Json, path: Path | null | undefined) => void

interface Closure {
  readonly body: Expression
  readonly scope: Scope
}

/** Names that are known at a place: variables begin with `$`, functions end with their number of arguments. */
export interface Scope {
  readonly name: string
  readonly value: Json | Closure | FunctionValue | LabelMark
  readonly outer: Scope | undefined
}

interface FunctionValue {
  readonly definition: Definition
  /** With the function itself. */
  scope: Scope | undefined
}

interface LabelMark {
  readonly isLabel: true
}

/** What leaves a `label`, with its mark. */
class Break extends Error {
  readonly mark: object

  constructor(mark: object) {
    super('break')
    this.mark = mark
  }
}

export interface Surroundings {
  /** The next input, `undefined` behind the last one. */
  readonly input: () => Json | undefined
  readonly inputName: () => Json
  readonly inputLine: () => number
  readonly env: ReadonlyMap<string, Json>
  readonly stderr: (text: string) => void
  /** Throws where the script must end. */
  readonly checkStop: () => void
  readonly timeZone: string
}

export class Evaluator {
  readonly surroundings: Surroundings
  private readonly library: Scope | undefined

  constructor(surroundings: Surroundings) {
    this.surroundings = surroundings
    let scope: Scope | undefined
    for (const definition of parseDefinitions(prelude)) scope = defined(definition, scope)
    this.library = scope
  }

  /** A scope with these variables. */
  scopeOf(variables: ReadonlyMap<string, Json>): Scope | undefined {
    let scope = this.library
    for (const [name, value] of variables) scope = { name: `$${name}`, value, outer: scope }
    return scope
  }

  /** Throws `CompileError` for a name that is not known. */
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
        // The right side goes round for each value of the left one last.
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

  /** Values alone. */
  each(node: Expression, scope: Scope | undefined, input: Json, emit: (value: Json) => void): void {
    this.run(node, scope, input, undefined, emit)
  }

  /** The paths of what `node` gives. */
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
    // What fails behind the values that came out is not caught here.
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
        // Without a value the place goes.
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

  /** Each combination of the arguments' values; the first argument goes round fastest. */
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

/** A name that is handed on is what it stands for already. */
function closureOf(body: Expression, scope: Scope | undefined): Closure {
  if (body.kind === 'call' && body.args.length === 0) {
    const known = find(scope, `${body.name}/0`)?.value
    if (known !== undefined && !isFunction(known)) return known as Closure
  }
  return { body, scope: scope ?? root }
}

const root: Scope = { name: '', value: null, outer: undefined }

function isFunction(value: unknown): value is FunctionValue {
  return typeof value === 'object' && value !== null && 'definition' in value
}

function defined(definition: Definition, outer: Scope | undefined): Scope {
  const value: FunctionValue = { definition, scope: undefined }
  const scope: Scope = { name: `${definition.name}/${definition.parameters.length}`, value, outer }
  value.scope = scope
  return scope
}

function find(scope: Scope | undefined, name: string): Scope | undefined {
  let at = scope
  while (at !== undefined && at.name !== name) at = at.outer
  return at
}

function variablesOf(pattern: Pattern): readonly string[] {
  if (pattern.kind === 'variable') return [pattern.name]
  if (pattern.kind === 'array') return pattern.items.flatMap(variablesOf)
  return pattern.entries.flatMap(({ variable, value }) => [
    ...(variable === undefined ? [] : [variable]),
    ...(value === undefined ? [] : variablesOf(value)),
  ])
}

function iterate(value: Json, path: Path | null | undefined, emit: Emit): void {
  if (path === null && (isArray(value) || isObject(value)))
    throw new JqError(`Invalid path expression with result ${shownLong(value)}`)
  if (isArray(value)) for (const [index, item] of value.entries()) emit(item, path && [...path, index])
  else if (isObject(value)) for (const [key, item] of value) emit(item, path && [...path, key])
  else throw new JqError(`Cannot iterate over ${value === null ? 'null' : withType(value)}`)
}

function shownLong(value: Json): string {
  const text = textOf(value)
  return text.length > 30 ? `${text.slice(0, 27)}...` : text
}

function isBreak(value: Json): boolean {
  return isObject(value) && value.get('__jq') !== undefined
}

function catchBreak(mark: object, work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof Break) || error.mark !== mark) throw error
  }
}

/** Runs `work` until it calls what it is given. */
function firstOnly(work: (stop: () => never) => void): void {
  const mark = {}
  catchBreak(mark, () =>
    work(() => {
      throw new Break(mark)
    }),
  )
}

type SpecialForm = (
  evaluator: Evaluator,
  args: readonly Expression[],
  scope: Scope | undefined,
  input: Json,
  path: Path | null | undefined,
  emit: Emit,
) => void

/** What a prelude in jq would do too slowly, or cannot do. */
const specialForms: ReadonlyMap<string, SpecialForm> = new Map<string, SpecialForm>([
  ['empty/0', () => undefined],
  [
    'path/1',
    (evaluator, [body], scope, input, path, emit) => {
      if (body !== undefined) evaluator.paths(body, scope, input, at => emit(at, path && null))
    },
  ],
  [
    'getpath/1',
    (evaluator, [where], scope, input, path, emit) => {
      if (where === undefined) return
      evaluator.each(where, scope, input, keys => {
        if (!isArray(keys)) throw new JqError('Path must be specified as an array')
        if (path === null) throw new JqError(`Invalid path expression with result ${shownLong(input)}`)
        emit(getPath(input, keys), path && [...path, ...keys])
      })
    },
  ],
  [
    'select/1',
    (evaluator, [test], scope, input, path, emit) => {
      if (test !== undefined)
        evaluator.each(test, scope, input, value => {
          if (isTrue(value)) emit(input, path)
        })
    },
  ],
  [
    'map/1',
    (evaluator, [body], scope, input, path, emit) => {
      const items: Json[] = []
      if (body !== undefined) iterate(input, undefined, item => evaluator.each(body, scope, item, value => items.push(value)))
      emit(items, path && null)
    },
  ],
  [
    'recurse/1',
    (evaluator, [body], scope, input, path, emit) => {
      if (body === undefined) return
      const step = (value: Json, at: Path | null | undefined): void => {
        emit(value, at)
        evaluator.run(body, scope, value, at, step)
      }
      step(input, path)
    },
  ],
  [
    'range/1',
    (evaluator, [end], scope, input, path, emit) => {
      if (end !== undefined)
        evaluator.each(end, scope, input, value => {
          for (let at = 0; at < Number(value); at++) {
            evaluator.surroundings.checkStop()
            emit(at, path && null)
          }
        })
    },
  ],
  [
    'range/2',
    (evaluator, [start, end], scope, input, path, emit) => {
      if (start === undefined || end === undefined) return
      evaluator.each(start, scope, input, from =>
        evaluator.each(end, scope, input, to => {
          if (typeof from !== 'number' || typeof to !== 'number') throw new JqError('Range bounds must be numeric')
          for (let at = from; at < to; at++) {
            evaluator.surroundings.checkStop()
            emit(at, path && null)
          }
        }),
      )
    },
  ],
  [
    'first/1',
    (evaluator, [body], scope, input, path, emit) => {
      if (body === undefined) return
      let found: readonly [Json, Path | null | undefined] | undefined
      firstOnly(stop =>
        evaluator.run(body, scope, input, path, (value, at) => {
          found = [value, at]
          stop()
        }),
      )
      if (found !== undefined) emit(...found)
    },
  ],
  [
    'last/1',
    (evaluator, [body], scope, input, path, emit) => {
      let found: readonly [Json, Path | null | undefined] | undefined
      if (body !== undefined)
        evaluator.run(body, scope, input, path, (value, at) => {
          found = [value, at]
        })
      if (found !== undefined) emit(...found)
    },
  ],
  [
    'limit/2',
    (evaluator, [count, body], scope, input, path, emit) => {
      if (count === undefined || body === undefined) return
      evaluator.each(count, scope, input, most => {
        let rest = Number(most)
        if (rest <= 0) return
        firstOnly(stop =>
          evaluator.run(body, scope, input, path, (value, at) => {
            rest -= 1
            emit(value, at)
            if (rest <= 0) stop()
          }),
        )
      })
    },
  ],
  [
    'isempty/1',
    (evaluator, [body], scope, input, path, emit) => {
      let isEmpty = true
      if (body !== undefined)
        firstOnly(stop =>
          evaluator.each(body, scope, input, () => {
            isEmpty = false
            stop()
          }),
        )
      emit(isEmpty, path && null)
    },
  ],
  ['until/2', (evaluator, [test, next], scope, input, path, emit) => loop(evaluator, test, next, scope, input, path, emit, true)],
  [
    'while/2',
    (evaluator, [test, next], scope, input, path, emit) => loop(evaluator, test, next, scope, input, path, emit, false),
  ],
  [
    'repeat/1',
    (evaluator, [next], scope, input, path, emit) =>
      loop(evaluator, { kind: 'literal', value: true }, next, scope, input, path, emit, false),
  ],
  [
    'del/1',
    (evaluator, [body], scope, input, path, emit) => {
      const paths: Path[] = []
      if (body !== undefined) evaluator.paths(body, scope, input, at => paths.push(at))
      emit(deletePaths(input, paths), path && null)
    },
  ],
  [
    'error/0',
    (_evaluator, _args, _scope, input) => {
      throw new JqError(input)
    },
  ],
  [
    'error/1',
    (evaluator, [message], scope, input) => {
      if (message !== undefined)
        evaluator.each(message, scope, input, value => {
          throw new JqError(value)
        })
    },
  ],
  [
    'input/0',
    ({ surroundings }, _args, _scope, _input, path, emit) => {
      const value = surroundings.input()
      if (value === undefined) throw new JqError('No more inputs')
      emit(value, path && null)
    },
  ],
  [
    'inputs/0',
    ({ surroundings }, _args, _scope, _input, path, emit) => {
      for (let value = surroundings.input(); value !== undefined; value = surroundings.input()) {
        surroundings.checkStop()
        emit(value, path && null)
      }
    },
  ],
  [
    'debug/0',
    ({ surroundings }, _args, _scope, input, path, emit) => {
      surroundings.stderr(`["DEBUG:",${textOf([input]).slice(1, -1)}]\n`)
      emit(input, path)
    },
  ],
  [
    'stderr/0',
    ({ surroundings }, _args, _scope, input, path, emit) => {
      surroundings.stderr(textOf([input]).slice(1, -1))
      emit(input, path)
    },
  ],
  ...(['sort_by', 'group_by', 'unique_by', 'min_by', 'max_by'] as const).map((name): readonly [string, SpecialForm] => [
    `${name}/1`,
    (evaluator, [by], scope, input, path, emit) => {
      if (by === undefined) return
      const keyed: Json[] = []
      iterate(input, undefined, item => {
        const keys: Json[] = []
        evaluator.each(by, scope, item, key => keys.push(key))
        keyed.push(keys)
      })
      const native = builtins.get(`_${name}/1`)
      if (native === undefined) throw new Error(`unreachable: ${name} has its native part`)
      emit(native(input, [keyed], evaluator.surroundings), path && null)
    },
  ]),
])

/** One value after the other, without growing the stack: what gives several values goes deeper. */
function loop(
  evaluator: Evaluator,
  test: Expression | undefined,
  next: Expression | undefined,
  scope: Scope | undefined,
  input: Json,
  path: Path | null | undefined,
  emit: Emit,
  isUntil: boolean,
): void {
  if (test === undefined || next === undefined) return
  let pending: (readonly [Json, Path | null | undefined])[] = [[input, path]]
  while (pending.length > 0) {
    evaluator.surroundings.checkStop()
    const [value, at] = pending.pop() ?? [null, undefined]
    let holds = false
    evaluator.each(test, scope, value, result => {
      holds = isTrue(result)
    })
    if (holds === isUntil) {
      if (isUntil) emit(value, at)
      continue
    }
    if (!isUntil) emit(value, at)
    const following: (readonly [Json, Path | null | undefined])[] = []
    evaluator.run(next, scope, value, at, (result, where) => following.push([result, where]))
    pending = pending.concat(following.toReversed())
  }
}

function checkNames(node: Expression, isKnown: (name: string) => boolean): void {
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

function isExpression(value: unknown): value is Expression {
  return typeof value === 'object' && value !== null && 'kind' in value
}
