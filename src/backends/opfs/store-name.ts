// A name that is valid as a directory name in every browser: the name of a store, and each part of the path of its mirror.

const namePattern = /^[\w.-]{1,64}$/

export function isStoreName(name: unknown): name is string {
  return typeof name === 'string' && namePattern.test(name) && !/^\.*$/.test(name)
}
