// The variables of a program: globals are stored in numbered slots, the parameters of a function in its frame.

import { map, now, type Code } from './code.ts'
import { AwkError } from './error.ts'
import { special, specialNames, type Runtime, type SpecialName } from './runtime.ts'
import type { FunctionDefinition } from './syntax.ts'
import type { AwkArray, Slot, Value } from './values.ts'

export interface Place {
  readonly get: Code<Value>
  /** Assigns the result of `change` and returns `[before, after]`. The subscript is evaluated only once. */
  readonly update: (value: Code<Value>, change: (before: Value, value: Value) => Value, wantsBefore: boolean) => Code<Value>
}

export class Variables {
  /** The function that is being compiled. */
  scope: FunctionDefinition | undefined
  private readonly runtime: Runtime
  private readonly arrays: ReadonlySet<string>
  private readonly functions: ReadonlyMap<string, unknown>
  private readonly globals = new Map<string, number>()

  /** `arrays` are the names of the global arrays. A variable must not have the name of one of the `functions`. */
  constructor(runtime: Runtime, arrays: ReadonlySet<string>, functions: ReadonlyMap<string, unknown>) {
    this.runtime = runtime
    this.arrays = arrays
    this.functions = functions
    for (const name of specialNames) this.globals.set(name, special[name])
    for (const name of arrays) this.slot(name)
  }

  /** The slot number of a global variable, which is allocated if it is new. */
  private slot(name: string): number {
    const known = this.globals.get(name)
    if (known !== undefined) return known
    if (this.functions.has(name)) throw new AwkError(`function \`${name}' is used as a variable`)
    const slot = this.runtime.slots.length
    this.runtime.slots.push(this.arrays.has(name) ? new Map() : undefined)
    this.globals.set(name, slot)
    return slot
  }

  /** Assigns a variable from the command line. */
  assign(name: string, value: Value): void {
    const slot = this.slot(name)
    if (this.runtime.slots[slot] instanceof Map) throw new AwkError(`cannot use array \`${name}' as a variable`)
    this.runtime.slots[slot] = value
    if (isSpecial(name)) this.runtime.changed(name)
  }

  /** The index of a parameter of the current function in its frame; -1 if `name` is not a parameter. */
  private local(name: string): number {
    return this.scope?.parameters.indexOf(name) ?? -1
  }

  /** Returns a function that looks up the array at run time. */
  array(name: string): () => AwkArray {
    const { runtime } = this
    const local = this.local(name)
    const wrong = (): AwkError => new AwkError(`attempt to use scalar \`${name}' as an array`)
    if (local >= 0) {
      return () => {
        const slot = runtime.frame[local]
        if (slot instanceof Map) return slot
        if (slot !== undefined) throw wrong()
        const made: AwkArray = new Map()
        runtime.frame[local] = made
        return made
      }
    }
    const slot = this.slot(name)
    return () => {
      const array = runtime.slots[slot]
      if (array instanceof Map) return array
      if (array !== undefined) throw wrong()
      const made: AwkArray = new Map()
      runtime.slots[slot] = made
      return made
    }
  }

  /** The variable as a scalar. */
  place(name: string): Place {
    const { runtime } = this
    const local = this.local(name)
    const scalar = (slot: Slot): Value => {
      if (slot instanceof Map) throw new AwkError(`attempt to use array \`${name}' in a scalar context`)
      return slot
    }
    if (local >= 0) {
      return {
        get: now(() => scalar(runtime.frame[local])),
        update: (value, change, wantsBefore) =>
          map(value, given => {
            const before = scalar(runtime.frame[local])
            const after = change(before, given)
            runtime.frame[local] = after
            return wantsBefore ? before : after
          }),
      }
    }
    const slot = this.slot(name)
    const { slots } = runtime
    const read = name === 'NF' ? () => runtime.fieldCount : () => scalar(slots[slot])
    return {
      get: now(read),
      update: (value, change, wantsBefore) =>
        map(value, given => {
          const before = read()
          const after = change(before, given)
          slots[slot] = after
          if (isSpecial(name)) runtime.changed(name)
          return wantsBefore ? before : after
        }),
    }
  }

  /** The variable as a function argument, which may be an array. */
  raw(name: string): Code<Slot> {
    const { runtime } = this
    const local = this.local(name)
    if (local >= 0) return now(() => runtime.frame[local])
    if (name === 'NF') return now(() => runtime.fieldCount)
    const slot = this.slot(name)
    return now(() => runtime.slots[slot])
  }
}

function isSpecial(name: string): name is SpecialName {
  return Object.hasOwn(special, name)
}
