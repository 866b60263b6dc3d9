// Work that returns no promise is done when it returns, and nothing can happen in between. A transaction must distinguish the two cases.

export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value
}
