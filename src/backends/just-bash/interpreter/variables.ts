// The variables of one shell: scalars, indexed and associative arrays, with attributes, in the scopes of the running functions. A
// subshell shares them until either side makes a change.

import type { DynamicVariables } from './dynamic-variables.ts'
import { SkippedAssignment } from './flow.ts'
import { walkedKeys } from './map-order.ts'

export class Variable {
  scalar: string | undefined
  /** The elements of an indexed array, possibly with holes. */
  list: string[] | undefined
  map: Map<string, string> | undefined
  /** The variable was a scalar before. bash then creates a smaller hash table. */
  hasSmallMap = false
  isExported = false
  isReadonly = false
  isInteger = false
  /** The attribute of `declare -t`, which is only printed. */
  isTraced = false
  letterCase: 'upper' | 'lower' | 'capital' | undefined
  /** `declare -n`: `scalar` is the name of another variable. */
  isReference = false
  /** Whether an array was assigned, possibly without elements. */
  isSet = false
  owner: Variables | undefined

  clone(owner: Variables): Variable {
    const copy = new Variable()
    copy.scalar = this.scalar
    copy.list = this.list?.slice()
    copy.map = this.map && new Map(this.map)
    copy.hasSmallMap = this.hasSmallMap
    copy.isExported = this.isExported
    copy.isReadonly = this.isReadonly
    copy.isInteger = this.isInteger
    copy.isTraced = this.isTraced
    copy.letterCase = this.letterCase
    copy.isReference = this.isReference
    copy.isSet = this.isSet
    copy.owner = owner
    return copy
  }

  get isArray(): boolean {
    return this.list !== undefined || this.map !== undefined
  }

  /** False if the variable was declared but never set. */
  get hasValue(): boolean {
    return this.isArray ? this.isSet : this.scalar !== undefined
  }

  /** The value of `$name`, which is element 0 of an array. */
  get value(): string | undefined {
    if (this.list !== undefined) return this.list[0]
    if (this.map !== undefined) return this.map.get('0')
    return this.scalar
  }

  /** The elements of an array, in order. */
  values(): string[] {
    if (this.list !== undefined) return Object.values(this.list)
    const { map } = this
    if (map !== undefined) return walkedKeys(map.keys(), this.hasSmallMap).map(key => map.get(key) ?? '')
    return this.scalar === undefined ? [] : [this.scalar]
  }

  keys(): string[] {
    if (this.list !== undefined) return Object.keys(this.list)
    if (this.map !== undefined) return walkedKeys(this.map.keys(), this.hasSmallMap)
    return this.scalar === undefined ? [] : ['0']
  }
}

/** Whether a reference can refer to `text`: a name or an element of an array. */
export function isReferenceTarget(text: string): boolean {
  return /^[A-Za-z_]\w*(?:\[[^]+\])?$/.test(text)
}

export function circleWarning(name: string): string {
  return `warning: ${name}: circular name reference`
}

/** What a name refers to. */
export interface VariableTarget {
  readonly name: string
  readonly subscript: string | undefined
}

type Scope = Map<string, Variable>

const maxReferences = 100

export class Variables {
  #scopes: Scope[]
  readonly dynamic: DynamicVariables
  onChange: ((name: string) => void) | undefined
  /** Called when references that lead back to `name` were read: it has no value then. */
  onCircle: ((name: string) => void) | undefined
  /** Gives the key or the index for the subscript of a reference to an element. */
  keyOf: (name: string, subscript: string) => string = (_name, subscript) => subscript

  constructor(dynamic: DynamicVariables, scopes: Scope[] = [new Map()]) {
    this.#scopes = scopes
    this.dynamic = dynamic
  }

  fork(dynamic: DynamicVariables): Variables {
    // A scope that both share is copied by the first one that changes it.
    for (const scope of this.#scopes) for (const variable of scope.values()) variable.owner = undefined
    return new Variables(
      dynamic,
      this.#scopes.map(scope => new Map(scope)),
    )
  }

  /** The variables that no function hides, for a session that stores them. */
  globals(): ReadonlyMap<string, Variable> {
    return this.#scopes[0] ?? new Map<string, Variable>()
  }

  restoreGlobals(variables: Iterable<readonly [string, Variable]>): void {
    const scope: Scope = new Map(variables)
    for (const variable of scope.values()) variable.owner = this
    this.#scopes = [scope]
  }

  enterScope(): void {
    this.#scopes.push(new Map())
  }

  leaveScope(): void {
    const left = this.#scopes.pop()
    for (const name of left?.keys() ?? []) this.onChange?.(name)
  }

  /**
   * Names are looked up from the innermost function outwards. A local reference that leads back to itself means the variable of
   * its name outside of all functions.
   */
  #scopeOf(name: string): Scope | undefined {
    const scope = this.#innermostWith(name)
    if (scope === undefined || scope === this.#scopes[0] || !this.#leadsBack(name)) return scope
    const [outermost] = this.#scopes
    return outermost?.has(name) === true ? outermost : undefined
  }

  #leadsBack(name: string): boolean {
    let current: string | undefined = name
    for (let turn = 0; turn < maxReferences; turn++) {
      const variable: Variable | undefined = this.#innermostWith(current)?.get(current)
      if (variable?.isReference !== true || variable.scalar === undefined) return false
      current = variable.scalar
      if (current === name) return true
    }
    return false
  }

  #innermostWith(name: string): Scope | undefined {
    return this.#scopes.findLast(scope => scope.has(name))
  }

  /** The variable to which `name` refers, for reading only. */
  find(name: string): Variable | undefined {
    const target = this.target(name)
    return target === undefined || target.subscript !== undefined ? undefined : this.findOwn(target.name)
  }

  /** The variable with this name, without following references. */
  findOwn(name: string): Variable | undefined {
    if (this.dynamic.has(name)) {
      const value = this.dynamic.get(name)
      if (value === undefined) return undefined
      const variable = Object.assign(new Variable(), this.dynamic.attributes(name))
      variable.isExported = this.#scopeOf(name)?.get(name)?.isExported === true
      if (typeof value === 'string') variable.scalar = value
      else Object.assign(variable, { list: [...value], isSet: true })
      return variable
    }
    return this.#scopeOf(name)?.get(name)
  }

  /** Like `findOwn`, but also a local reference to its own name, as `declare -p` shows it. */
  findDeclared(name: string): Variable | undefined {
    return this.dynamic.has(name) ? this.findOwn(name) : this.#innermostWith(name)?.get(name)
  }

  /** Like `target`, for an assignment. Throws for references in a circle. */
  resolve(name: string): VariableTarget {
    const target = this.#follow(name)
    if (target === undefined) throw new SkippedAssignment(circleWarning(name))
    if (target.name === name) this.#noteCircle(name)
    return target
  }

  /** The target of a reference: a name or an element of an array. References in a circle have none, and cause a warning. */
  target(name: string): VariableTarget | undefined {
    const target = this.#follow(name)
    if (target === undefined) this.onCircle?.(name)
    else if (target.name === name) this.#noteCircle(name)
    return target
  }

  /** Warns of local references that lead back to `name`. A local reference to its own name was warned of when it was declared. */
  #noteCircle(name: string): void {
    const declared = this.#innermostWith(name)?.get(name)
    if (declared?.isReference === true && declared.scalar !== name && this.#leadsBack(name)) this.onCircle?.(name)
  }

  #follow(name: string): VariableTarget | undefined {
    let current = name
    for (let turn = 0; turn < maxReferences; turn++) {
      const variable = this.#scopeOf(current)?.get(current)
      if (variable === undefined || !variable.isReference || variable.scalar === undefined || variable.scalar === '')
        return { name: current, subscript: undefined }
      const element = /^(\w+)\[([^]*)\]$/.exec(variable.scalar)
      if (element !== null) return { name: element[1] ?? '', subscript: this.keyOf(element[1] ?? '', element[2] ?? '') }
      current = variable.scalar
    }
    return undefined
  }

  /**
   * Returns a variable that can be changed. Creates a missing one in the outermost scope, or with `isLocal` in the scope of the
   * running function.
   */
  obtain(name: string, isLocal = false): Variable {
    const innermost = this.#scopes.at(-1)
    const scope = isLocal ? innermost : (this.#scopeOf(name) ?? this.#scopes[0])
    if (scope === undefined) throw new Error('unreachable: there is always a scope')
    const found = scope.get(name)
    if (found?.owner === this) return found
    const variable = found === undefined ? new Variable() : found.clone(this)
    variable.owner = this
    scope.set(name, variable)
    return variable
  }

  /** Like `obtain`, but in the outermost scope. */
  obtainGlobal(name: string): Variable {
    const [outermost] = this.#scopes
    const found = outermost?.get(name)
    if (found?.owner === this) return found
    const variable = found === undefined ? new Variable() : found.clone(this)
    variable.owner = this
    outermost?.set(name, variable)
    return variable
  }

  /** Removes the value and the attributes. */
  reset(variable: Variable): void {
    Object.assign(variable, new Variable(), { owner: this })
  }

  hasLocal(name: string): boolean {
    return this.#scopes.length > 1 && this.#scopes.at(-1)?.has(name) === true
  }

  get(name: string): string | undefined {
    const variable = this.#scopeOf(name)?.get(name)
    if (variable !== undefined && !variable.isReference) return this.#valueOf(name, variable)
    const target = variable === undefined ? undefined : this.target(name)
    if (variable === undefined) this.#noteCircle(name)
    if (variable !== undefined && target === undefined) return undefined
    if (target?.subscript !== undefined) {
      const array = this.findOwn(target.name)
      if (target.subscript === '@' || target.subscript === '*') return undefined
      if (array?.isArray === false) return target.subscript === '0' ? array.scalar : undefined
      return array?.map?.get(target.subscript) ?? array?.list?.at(Number(target.subscript))
    }
    return this.findOwn(target?.name ?? name)?.value
  }

  #valueOf(name: string, variable: Variable): string | undefined {
    return this.dynamic.has(name) ? this.findOwn(name)?.value : variable.value
  }

  /** Sets a value without applying the attributes, as the shell itself does. */
  set(name: string, value: string): void {
    const variable = this.obtain(name)
    if (variable.list !== undefined) variable.list[0] = value
    else if (variable.map !== undefined) variable.map.set('0', value)
    else variable.scalar = value
    this.onChange?.(name)
  }

  setList(name: string, values: readonly string[], isLocal = false): void {
    const variable = this.obtain(name, isLocal)
    variable.isReference = false
    variable.scalar = undefined
    variable.map = undefined
    variable.list = [...values]
    variable.isSet = true
  }

  /** Returns false if the variable is readonly. */
  unset(name: string): boolean {
    const scope = this.#innermostWith(name)
    const variable = scope?.get(name)
    if (variable?.isReadonly === true) return false
    this.dynamic.delete(name)
    if (scope !== undefined && scope === this.#scopes.at(-1) && this.#scopes.length > 1) {
      // The variable remains local, but has no value.
      const empty = new Variable()
      empty.owner = this
      scope.set(name, empty)
    } else scope?.delete(name)
    this.onChange?.(name)
    return true
  }

  names(): string[] {
    const names = new Set<string>()
    for (const scope of this.#scopes) for (const name of scope.keys()) names.add(name)
    for (const name of this.dynamic.names()) names.add(name)
    return [...names].sort()
  }

  localNames(): string[] {
    return this.#scopes.length > 1 ? [...(this.#scopes.at(-1)?.keys() ?? [])].sort() : []
  }

  exported(): Record<string, string> {
    const environment: Record<string, string> = {}
    for (const scope of this.#scopes)
      for (const [name, variable] of scope) {
        const value = variable.isExported && !variable.isArray ? this.#valueOf(name, variable) : undefined
        if (value === undefined) delete environment[name]
        else environment[name] = value
      }
    return environment
  }
}

/** Removes trailing holes, so that the list ends with an element. */
export function trimList(list: string[]): void {
  const last = Object.keys(list).at(-1)
  list.length = last === undefined ? 0 : Number(last) + 1
}
