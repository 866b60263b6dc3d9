// Compiles the expressions of an awk program to closures.

import type { ArrayName, BinaryOperator, Comparison, Expression, Program, Statement, Target } from './syntax.ts'
import { choose, type Code, later, map, map2, mapAll, now, waitFor } from './code.ts'
import type { Completion, Turns } from './completion.ts'
import { type Place, Variables } from './variables.ts'
import { analyse, type Analysis } from './analysis.ts'
import { type AwkArray, compare, InputText, isTrue, type Slot, toNumber, type Value } from './values.ts'
import { type Runtime, special } from './runtime.ts'
import type { MainInput } from './main-input.ts'
import { StopCheck } from '../filter/input.ts'
import { Builtins } from './builtins.ts'
import { Functions } from './functions.ts'
import { isThreadShared } from '../stop.ts'
import { paceOf, unitsPerItem } from '../pace.ts'
import { unreachable } from '../../../../core/errors.ts'
import { arithmetic, comparisons } from './operators.ts'
import type { Regex } from '../../regex/regex.ts'
import { AwkError } from './error.ts'

export abstract class ExpressionCompiler {
  readonly variables: Variables
  private readonly analysis: Analysis
  readonly functions: Functions
  protected readonly runtime: Runtime
  private readonly input: MainInput
  private readonly stop: StopCheck
  protected readonly turns: Turns
  private readonly builtins: Builtins

  constructor(program: Program, runtime: Runtime, input: MainInput) {
    this.runtime = runtime
    this.input = input
    this.stop = new StopCheck(runtime.context.signal)
    const { context, streams } = runtime
    const pace = isThreadShared(context.signal) ? paceOf(context.signal) : undefined
    const rest = async (): Promise<void> => {
      if (streams.stdout.isFull) await streams.stdout.flush()
      await pace?.rest()
    }
    this.turns = {
      check: () => this.stop.check(),
      rest: pace && (() => (!this.functions.isComparing && pace.isDue(unitsPerItem) ? rest() : undefined)),
    }
    this.analysis = analyse(program, pace !== undefined)
    this.variables = new Variables(runtime, this.analysis.globalArrays, program.functions)
    this.builtins = new Builtins(runtime, pace && rest)
    this.functions = new Functions(runtime, program)
    for (const compiled of this.functions.all) {
      this.variables.scope = compiled.definition
      compiled.body = this.statement(compiled.definition.body)
    }
    this.variables.scope = undefined
  }

  test(node: Expression): Code<boolean> {
    if (node.kind === 'comparison') return this.comparison(node.operator, node.left, node.right)
    if (
      node.kind === 'regex' ||
      node.kind === 'match' ||
      node.kind === 'and' ||
      node.kind === 'or' ||
      node.kind === 'not' ||
      node.kind === 'in'
    )
      return this.condition(node)
    if (node.kind === 'group') return this.test(node.inner)
    return map(this.expression(node), isTrue)
  }

  private condition(node: Extract<Expression, { kind: 'regex' | 'match' | 'and' | 'or' | 'not' | 'in' }>): Code<boolean> {
    const { runtime } = this
    switch (node.kind) {
      case 'regex': {
        const regex = this.regexOf(node)
        return map(regex, pattern => pattern.test(runtime.recordText))
      }
      case 'match':
        return map2(
          this.expression(node.left),
          this.regexOf(node.right),
          (text, regex) => regex.test(runtime.textOf(text)) !== node.isNegated,
        )
      case 'and':
        return choose(
          this.test(node.left),
          this.test(node.right),
          now(() => false),
        )
      case 'or':
        return choose(
          this.test(node.left),
          now(() => true),
          this.test(node.right),
        )
      case 'not':
        return map(this.test(node.operand), value => !value)
      case 'in':
        return map2(this.array(node.array), this.subscript(node.subscripts), (array, key) => array.has(key))
      default:
        return unreachable(node)
    }
  }

  private comparison(operator: Comparison, left: Expression, right: Expression): Code<boolean> {
    const { comparedText } = this.runtime
    const { ofOrder, ofNumbers } = comparisons[operator]
    return map2(this.expression(left), this.expression(right), (a, b) =>
      typeof a === 'number' && typeof b === 'number' ? ofNumbers(a, b) : ofOrder(compare(a, b, comparedText)),
    )
  }

  /** Compiles a regex literal as written; the value of any other expression is used as a dynamic regex. */
  regexOf(node: Expression): Code<Regex> {
    const { runtime } = this
    if (node.kind === 'group') return this.regexOf(node.inner)
    if (node.kind === 'regex') {
      const { source } = node
      runtime.regex(source)
      return now(() => runtime.regex(source))
    }
    return map(this.expression(node), value => runtime.regex(runtime.textOf(value)))
  }

  expression(node: Expression): Code<Value> {
    const { runtime } = this
    switch (node.kind) {
      case 'number': {
        const { value } = node
        return now(() => value)
      }
      case 'string': {
        const { value } = node
        return now(() => value)
      }
      case 'group':
        return this.expression(node.inner)
      case 'variable':
      case 'field':
      case 'element':
        return this.place(node).get
      case 'assign':
        return this.assignment(node)
      case 'increment': {
        const { by, isPrefix } = node
        const place = this.place(node.target)
        const updated = place.update(
          now(() => by),
          before => toNumber(before) + by,
          !isPrefix,
        )
        return isPrefix ? updated : map(updated, toNumber)
      }
      case 'binary':
        return this.binary(node.operator, node.left, node.right)
      case 'concatenation':
        return map2(this.expression(node.left), this.expression(node.right), (a, b) => runtime.textOf(a) + runtime.textOf(b))
      case 'comparison':
      case 'regex':
      case 'match':
      case 'and':
      case 'or':
      case 'not':
      case 'in':
        return map(this.test(node), value => (value ? 1 : 0))
      case 'minus':
        // A literal `-0` is 0, as in gawk.
        if (node.operand.kind === 'number') return map(this.expression(node.operand), value => 0 - toNumber(value))
        return map(this.expression(node.operand), value => -toNumber(value))
      case 'plus':
        return map(this.expression(node.operand), toNumber)
      case 'condition':
        return choose(this.test(node.test), this.expression(node.yes), this.expression(node.no))
      case 'call':
        return this.call(node.name, node.args)
      case 'builtin':
        return this.builtins.compile(node.name, node.args, this)
      case 'getline':
        return this.getline(node)
      default:
        return unreachable(node)
    }
  }

  private binary(operator: BinaryOperator, left: Expression, right: Expression): Code<Value> {
    const calculate = arithmetic[operator]
    return map2(this.expression(left), this.expression(right), (a, b) => calculate(toNumber(a), toNumber(b)))
  }

  private assignment({ target, operator, value }: Extract<Expression, { kind: 'assign' }>): Code<Value> {
    const given = this.expression(value)
    if (operator === '') return this.place(target).update(given, (_, next) => next, false)
    const calculate = arithmetic[operator]
    return this.place(target).update(given, (before, next) => calculate(toNumber(before), toNumber(next)), false)
  }

  subscript(subscripts: readonly Expression[]): Code<string> {
    const { runtime } = this
    const codes = subscripts.map(subscript => this.expression(subscript))
    const [only] = codes
    // A single subscript needs no SUBSEP. `textOf` formats integers without CONVFMT.
    if (only !== undefined && codes.length === 1) return map(only, runtime.textOf)
    return mapAll(codes, values => values.map(runtime.textOf).join(runtime.subsep))
  }

  place(target: Target): Place {
    switch (target.kind) {
      case 'variable':
        return this.variables.place(target.name)
      case 'field':
        return this.fieldPlace(target.index)
      case 'element':
        return this.elementPlace(target.array, target.subscripts)
      default:
        return unreachable(target)
    }
  }

  private fieldPlace(index: Expression): Place {
    const { runtime } = this
    const code = map(this.expression(index), value => Math.trunc(toNumber(value)))
    const constant = index.kind === 'number' ? Math.trunc(index.value) : undefined
    return {
      get: constant === undefined ? map(code, at => runtime.field(at)) : now(() => runtime.field(constant)),
      update: (value, change, wantsBefore) =>
        map2(value, code, (given, at) => {
          const before = runtime.field(at)
          const after = change(before, given)
          runtime.setField(at, after)
          return wantsBefore ? before : after
        }),
    }
  }

  /** An array at run time. An element that does not exist becomes one. */
  array(name: ArrayName): Code<AwkArray> {
    if (typeof name === 'string') return now(this.variables.array(name))
    return map2(this.array(name.array), this.subscript(name.subscripts), (outer, key) => {
      const found = outer.get(key)
      if (found instanceof Map) return found
      if (found !== undefined) throw new AwkError(`attempt to use scalar \`${shownName(name.array)}["${key}"]' as an array`)
      const made: AwkArray = new Map()
      outer.set(key, made)
      return made
    })
  }

  element(name: ArrayName, subscripts: readonly Expression[]): Code<Slot> {
    return map2(this.array(name), this.subscript(subscripts), readElement)
  }

  private elementPlace(name: ArrayName, subscripts: readonly Expression[]): Place {
    const scalar = (slot: Slot): Value => {
      if (slot instanceof Map) throw new AwkError(`attempt to use an array of \`${shownName(name)}' in a scalar context`)
      return slot
    }
    const array = this.array(name)
    const key = this.subscript(subscripts)
    return {
      get: map2(array, key, (elements, at) => scalar(readElement(elements, at))),
      update: (value, change, wantsBefore) => {
        const assign = (elements: AwkArray, at: string, given: Value): Value => {
          const before = scalar(elements.get(at))
          const after = change(before, given)
          elements.set(at, after)
          return wantsBefore ? before : after
        }
        // As in gawk, the value comes before the subscript: a[i++] = i.
        const named = typeof name === 'string' ? this.variables.array(name) : undefined
        if (named !== undefined) return map2(value, key, (given, at) => assign(named(), at, given))
        const at = map2(array, key, (elements, found) => ({ elements, found }))
        return map2(value, at, (given, { elements, found }) => assign(elements, found, given))
      },
    }
  }

  private call(name: string, args: readonly Expression[]): Code<Value> {
    const compiled = this.functions.named(name)
    if (compiled === undefined) throw new AwkError(`function \`${name}' is not defined`)
    const { definition } = compiled
    const arrays = this.analysis.arrayParameters.get(name)
    if (args.length > definition.parameters.length)
      throw new AwkError(`function \`${name}' is called with more arguments than it has`)
    const codes = args.map((arg, place): Code<Slot> => {
      const isArray = arrays?.has(definition.parameters[place] ?? '') === true
      if (arg.kind === 'element')
        return isArray ? this.array({ ...arg, kind: 'subarray' }) : this.element(arg.array, arg.subscripts)
      if (arg.kind !== 'variable') return this.expression(arg)
      return isArray ? this.array(arg.name) : this.variables.raw(arg.name)
    })
    const frameOf = mapAll(codes, values => {
      const frame = values.slice()
      while (frame.length < definition.parameters.length) frame.push(undefined)
      return frame
    })
    if (this.analysis.waitingFunctions.has(name)) return waitFor(frameOf, frame => this.functions.run(compiled, frame))
    return map(frameOf, frame => {
      const value = this.functions.run(compiled, frame)
      if (value instanceof Promise) throw new Error('unreachable: only functions that wait give promises')
      return value
    })
  }

  private getline({ source, target }: Extract<Expression, { kind: 'getline' }>): Code<Value> {
    const { runtime, input } = this
    let line = ''
    const assign =
      target === undefined
        ? undefined
        : this.place(target).update(
            now(() => new InputText(line)),
            (_, value) => value,
            false,
          )
    if (source.kind === 'input') {
      return later(async () => {
        const record = await input.next()
        if (record === undefined) return 0
        line = record
        if (assign === undefined) runtime.setRecord(line)
        else await assign.run()
        return 1
      })
    }
    const name = map(this.expression(source.name), runtime.textOf)
    return waitFor(name, async named => {
      const reader = source.kind === 'file' ? await runtime.streams.fileInput(named) : await runtime.streams.commandInput(named)
      if (reader === undefined) return -1
      let record = reader.take(runtime.recordSeparator)
      while (record === 'more') {
        await reader.fill()
        record = reader.take(runtime.recordSeparator)
      }
      if (record === undefined) return 0
      line = record.text
      runtime.slots[special.RT] = record.end
      if (assign === undefined) runtime.setRecord(line)
      else await assign.run()
      return 1
    })
  }

  /** A function has a body of statements. */
  abstract statement(node: Statement): Code<Completion>
}

/** Reading a missing element creates it. */
function readElement(elements: AwkArray, key: string): Slot {
  const value = elements.get(key)
  if (value === undefined && !elements.has(key)) elements.set(key, undefined)
  return value
}

function shownName(name: ArrayName): string {
  return typeof name === 'string' ? name : `${shownName(name.array)}[…]`
}
