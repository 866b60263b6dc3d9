// The functions of a program, and their calls.

import { type Code, now, type Waiting } from './code.ts'
import { Completion, EscapeFunction } from './completion.ts'
import { AwkError } from './error.ts'
import type { ElementOrder } from './order.ts'
import type { Runtime } from './runtime.ts'
import type { FunctionDefinition, Program } from './syntax.ts'
import { type Slot, toNumber, type Value } from './values.ts'

interface CompiledFunction {
  readonly definition: FunctionDefinition
  body: Code<Completion>
}

const mostDepth = 1500

export class Functions {
  readonly all: readonly CompiledFunction[]
  /** The value of the last `return`. */
  returned: Value
  /** Two elements are being compared, which cannot wait. */
  isComparing = false
  private readonly runtime: Runtime
  private depth = 0

  constructor(runtime: Runtime, program: Program) {
    this.runtime = runtime
    // The compiler replaces the bodies.
    const unfinished = now<Completion>(() => Completion.normal)
    this.all = Array.from(program.functions.values(), definition => ({ definition, body: unfinished }))
  }

  named(name: string): CompiledFunction | undefined {
    return this.all.find(({ definition }) => definition.name === name)
  }

  run({ definition, body }: CompiledFunction, frame: Slot[]): Waiting<Value> {
    const { runtime } = this
    const outer = runtime.frame
    this.depth += 1
    if (this.depth > mostDepth) throw new AwkError(`function \`${definition.name}' calls itself too deeply`)
    this.returned = undefined
    runtime.frame = frame
    let completion: Waiting<Completion> | undefined
    try {
      completion = body.run()
      if (!(completion instanceof Promise)) return this.finish(completion)
    } finally {
      if (!(completion instanceof Promise)) this.leave(outer)
    }
    return completion.then(given => this.finish(given)).finally(() => this.leave(outer))
  }

  private finish(completion: Completion): Value {
    if (completion === Completion.next || completion === Completion.nextFile || completion === Completion.exit)
      throw new EscapeFunction(completion)
    const { returned } = this
    this.returned = undefined
    return completion === Completion.return ? returned : undefined
  }

  private leave(outer: Slot[]): void {
    this.runtime.frame = outer
    this.depth -= 1
  }

  /** The order of elements that a function of the program gives. */
  readonly orderOf = (name: string): ElementOrder => {
    const compiled = this.named(name)
    if (compiled === undefined) throw new AwkError(`the comparison function \`${name}' is not defined`)
    const { parameters } = compiled.definition
    return (one, other) => {
      const frame: Slot[] = [...one, ...other]
      while (frame.length < parameters.length) frame.push(undefined)
      const isOuter = !this.isComparing
      this.isComparing = true
      try {
        const order = this.run(compiled, frame)
        if (order instanceof Promise) throw new AwkError(`the comparison function \`${name}' must not read or run anything`)
        return toNumber(order)
      } finally {
        if (isOuter) this.isComparing = false
      }
    }
  }
}
