// Work that returns no promise is done at once, and nothing can come between: a transaction must know which it was given.

export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value
}
