// A name that is a directory of its own in every browser: the name of a store, and each part of where its mirror is.

const namePattern = /^[\w.-]{1,64}$/

export function isStoreName(name: unknown): name is string {
  return typeof name === 'string' && namePattern.test(name) && !/^\.*$/.test(name)
}
