/** Whether a value is an object with string keys: not null and not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value is an object whose properties are its entries: not a list, a promise or a `Map`. */
export function isTable(value: object): boolean {
  return Object(value) === value && !(Symbol.iterator in value || value instanceof Promise)
}

/** An object's type after `defined`: properties that may be undefined become optional. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/**
 * Leaves out the properties that are undefined. With `exactOptionalPropertyTypes` an optional property must be absent, not
 * undefined.
 *
 * @example
 * defined({ path: 'a.ts', limit: undefined }) // { path: 'a.ts' }
 */
export function defined<T extends object>(fields: T): Defined<T>
export function defined(fields: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const name of Object.keys(fields)) if (fields[name] !== undefined) kept[name] = fields[name]
  return kept
}

/** A value of a table by a key from outside, which can also be the name of something that every object inherits. */
export function ownValue<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
