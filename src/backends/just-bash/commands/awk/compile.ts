// Compiles the statements and rules of an awk program to closures.

import { unreachable } from '../../../../core/errors.ts'
import type { TextOutput } from '../filter/output.ts'
import { choose, type Code, later, map, map2, mapAll, now, waitFor } from './code.ts'
import { Completion, forEachKey, inOrder, loop } from './completion.ts'
import { AwkError } from './error.ts'
import { formatted } from './printf.ts'
import { elementOrder } from './order.ts'
import { special } from './runtime.ts'
import type { Program, Redirection, Statement } from './syntax.ts'
import { type AwkArray, compare, InputText, numberText, toNumber, type Value } from './values.ts'
import { ExpressionCompiler } from './compile-expression.ts'

export interface CompiledRule {
  readonly test: Code<boolean>
  /** The end pattern of a range. */
  readonly end: Code<boolean> | undefined
  readonly body: Code<Completion>
}

export class Compiler extends ExpressionCompiler {
  exitCode = 0

  rule(rule: Program['rules'][number]): CompiledRule {
    const { pattern } = rule
    const test = pattern.kind === 'always' ? now(() => true) : this.test(pattern.kind === 'when' ? pattern.test : pattern.from)
    return { test, end: pattern.kind === 'range' ? this.test(pattern.to) : undefined, body: this.statement(rule.body) }
  }

  override statement(node: Statement): Code<Completion> {
    switch (node.kind) {
      case 'block':
        return this.block(node.body)
      case 'expression':
        return map(this.expression(node.expression), () => Completion.normal)
      case 'print':
      case 'printf':
        return this.print(node)
      case 'if':
        return choose(
          this.test(node.test),
          this.statement(node.yes),
          node.no === undefined ? now(() => Completion.normal) : this.statement(node.no),
        )
      case 'while':
        return loop(this.turns, this.test(node.test), this.statement(node.body), undefined, node.isDo)
      case 'for': {
        const turns = loop(
          this.turns,
          node.test === undefined ? now(() => true) : this.test(node.test),
          this.statement(node.body),
          node.step === undefined ? undefined : this.statement(node.step),
          false,
        )
        return node.init === undefined ? turns : inOrder([this.statement(node.init), turns])
      }
      case 'for-in':
        return this.forIn(node)
      case 'switch':
        return this.switchStatement(node)
      case 'break':
        return now(() => Completion.break)
      case 'continue':
        return now(() => Completion.continue)
      case 'next':
        return now(() => Completion.next)
      case 'nextfile':
        return now(() => Completion.nextFile)
      case 'exit':
        if (node.value === undefined) return now(() => Completion.exit)
        return map(this.expression(node.value), value => {
          this.exitCode = Math.trunc(toNumber(value)) & 0xff
          return Completion.exit
        })
      case 'return':
        if (this.variables.scope === undefined) throw new AwkError('return is used outside of a function', 1)
        return map(node.value === undefined ? now<Value>(() => undefined) : this.expression(node.value), value => {
          this.functions.returned = value
          return Completion.return
        })
      case 'delete':
        return this.deleteStatement(node)
      default:
        return unreachable(node)
    }
  }

  private block(body: readonly Statement[]): Code<Completion> {
    const [only, second] = body
    if (only !== undefined && second === undefined) return this.statement(only)
    return inOrder(body.map(statement => this.statement(statement)))
  }

  private forIn(node: Extract<Statement, { kind: 'for-in' }>): Code<Completion> {
    let elements: AwkArray = new Map()
    const find = map(this.array(node.array), array => {
      elements = array
      return Completion.normal
    })
    const variable = this.place({ kind: 'variable', name: node.variable })
    let key = ''
    const assign = variable.update(
      now(() => new InputText(key)),
      (_, value) => value,
      false,
    )
    const body = this.statement(node.body)
    const keys = (): readonly string[] => this.keysInOrder(elements)
    return inOrder([find, forEachKey(this.turns, keys, each => (key = each), assign, body)])
  }

  /** As PROCINFO["sorted_in"] says, else in the order of insertion. */
  private keysInOrder(array: AwkArray): readonly string[] {
    const info = this.runtime.slots[special.PROCINFO]
    const given = info instanceof Map ? info.get('sorted_in') : undefined
    const order = given instanceof Map ? '' : this.runtime.textOf(given)
    if (order === '' || order === '@unsorted') return [...array.keys()]
    const { comparedText: textOf } = this.runtime
    return [...array].toSorted(elementOrder(order, { textOf, byFunction: this.functions.orderOf })).map(([key]) => key)
  }

  private switchStatement(node: Extract<Statement, { kind: 'switch' }>): Code<Completion> {
    const value = this.expression(node.value)
    const bodies = node.cases.map(({ body }) => this.block(body))
    const tests = node.cases.map(({ value: constant }) => {
      if (constant === undefined) return undefined
      if (constant.kind === 'regex') {
        const regex = this.runtime.regex(constant.source)
        return (given: Value) => regex.test(this.runtime.textOf(given))
      }
      const known = this.expression(constant)
      if (known.waits) throw new AwkError('a case must be a constant')
      return (given: Value) => compare(given, known.run(), this.runtime.comparedText) === 0
    })
    return waitFor(value, async given => {
      let at = tests.findIndex(test => test?.(given) === true)
      if (at < 0) at = tests.indexOf(undefined)
      for (; at >= 0 && at < bodies.length; at++) {
        const completion = (await bodies[at]?.run()) ?? Completion.normal
        if (completion === Completion.break) break
        if (completion !== Completion.normal) return completion
      }
      return Completion.normal
    })
  }

  private deleteStatement({ array: name, subscripts }: Extract<Statement, { kind: 'delete' }>): Code<Completion> {
    const found = this.array(name)
    if (subscripts === undefined) {
      return map(found, array => {
        array.clear()
        return Completion.normal
      })
    }
    return map2(found, this.subscript(subscripts), (array, key) => {
      array.delete(key)
      return Completion.normal
    })
  }

  private print(node: Extract<Statement, { kind: 'print' | 'printf' }>): Code<Completion> {
    const { runtime } = this
    const { textOf } = runtime
    let text: Code<string>
    if (node.kind === 'printf') {
      text = mapAll(
        node.args.map(arg => this.expression(arg)),
        ([format, ...args]) => formatted(textOf(format), args, textOf),
      )
    } else if (node.args.length === 0) {
      text = now(() => runtime.recordText + runtime.text('ORS'))
    } else {
      const shown = (value: Value): string =>
        typeof value === 'number' ? numberText(value, runtime.text('OFMT')) : textOf(value)
      text = mapAll(
        node.args.map(arg => this.expression(arg)),
        values =>
          values.length === 1
            ? shown(values[0]) + runtime.text('ORS')
            : values.map(shown).join(runtime.text('OFS')) + runtime.text('ORS'),
      )
    }
    if (node.to === undefined) {
      const { stdout } = runtime.streams
      return map(text, written => {
        stdout.write(written)
        return Completion.normal
      })
    }
    return this.printTo(text, node.to)
  }

  private printTo(text: Code<string>, to: Redirection): Code<Completion> {
    const name = map(this.expression(to.name), this.runtime.textOf)
    return later(async () => {
      const written = await text.run()
      const output: TextOutput = await this.runtime.streams.outputTo(to.kind, await name.run())
      output.write(written)
      if (output.isFull) await output.flush()
      return Completion.normal
    })
  }
}
