// Which paths ignore files exclude, as in git (gitignore(5)): the last matching rule wins, deeper files override shallower ones, and an
// ignored directory is never entered. Only files inside the tree count: with global excludes, or files above the root, the result would
// depend on the machine.

import { compileWildcard, matchesWildcard, type Wildcard } from './wildmatch.ts'

/** The rules in force in a directory: an immutable value, so that sibling directories never see each other's rules. */
export type IgnoreStack = readonly IgnoreLayer[]

interface IgnoreLayer {
  /** The directory of its file, relative to the root; '' for the root itself. */
  readonly directory: string
  readonly priority: number
  readonly rules: IgnoreRules
}

/** The rules of one ignore file. */
export type IgnoreRules = readonly Rule[]

interface Rule {
  readonly isNegated: boolean
  readonly isForDirectoriesOnly: boolean
  readonly test: RuleTest
}

type RuleTest =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'nameSuffix'; readonly suffix: string }
  /** A name must begin with the literal `prefix` before the whole pattern is tried. */
  | { readonly kind: 'nameWildcard'; readonly prefix: string; readonly wildcard: Wildcard }
  /** The literal `prefix` comes first; the wildcard matches the rest. */
  | { readonly kind: 'path'; readonly prefix: string; readonly wildcard: Wildcard }

export const emptyIgnore: IgnoreStack = []

/** The maximum number of lines that are read from one ignore file. */
export const maxRules = 10_000

const encoder = new TextEncoder()

/**
 * `stack` with the rules of one more file, in `directory` (relative to the root, '' for it). A higher `priority` overrides any depth: give
 * `.ignore` files 1 and `.gitignore` files 0, as in ripgrep. Among equal priorities the deeper, then the later rule wins.
 */
export function pushIgnore(stack: IgnoreStack, directory: string, fileText: string, priority: number = 0): IgnoreStack {
  const rules = parseRules(fileText)
  if (rules.length === 0) return stack
  const layer: IgnoreLayer = { directory, priority, rules }
  return [...stack, layer].sort((a, b) => a.priority - b.priority || a.directory.length - b.directory.length)
}

/** `stack` without the rules of this and lower priorities. */
export function withoutPriority(stack: IgnoreStack, priority: number): IgnoreStack {
  return stack.filter(layer => layer.priority > priority)
}

/**
 * Whether the entry at `path` (relative to the root, '/'-separated) is ignored. Its parents must not be ignored: everything below an
 * ignored directory is ignored whatever its own rules say, so check from the root down, and do not enter ignored directories.
 */
export function isIgnored(stack: IgnoreStack, path: string, isDirectory: boolean): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  for (let index = stack.length - 1; index >= 0; index--) {
    const layer = stack[index]
    if (layer === undefined || !isBelow(path, layer.directory)) continue
    const relative = layer.directory === '' ? path : path.slice(layer.directory.length + 1)
    const decided = ruleFor(layer.rules, relative, isDirectory, name)
    if (decided !== undefined) return decided === 'ignore'
  }
  return false
}

/** Compares without creating a string, because this runs for every entry and every ignore file above it. */
function isBelow(path: string, directory: string): boolean {
  return directory === '' || (path.charCodeAt(directory.length) === 0x2f && path.startsWith(directory))
}

/** The decision of the last matching rule for an entry, by its path relative to the file's directory; `undefined` if none matches. */
export function ruleFor(
  rules: IgnoreRules,
  relative: string,
  isDirectory: boolean,
  name: string = relative.slice(relative.lastIndexOf('/') + 1),
): 'ignore' | 'include' | undefined {
  for (let index = rules.length - 1; index >= 0; index--) {
    const rule = rules[index]
    if (rule === undefined || (rule.isForDirectoriesOnly && !isDirectory)) continue
    if (matchesRule(rule.test, name, relative)) return rule.isNegated ? 'include' : 'ignore'
  }
  return undefined
}

function matchesRule(test: RuleTest, name: string, relative: string): boolean {
  switch (test.kind) {
    case 'name':
      return name === test.name
    case 'nameSuffix':
      return name.endsWith(test.suffix)
    case 'nameWildcard':
      return name.startsWith(test.prefix) && matchesWildcard(test.wildcard, encoder.encode(name))
    case 'path':
      return (
        relative.startsWith(test.prefix) && matchesWildcard(test.wildcard, encoder.encode(relative.slice(test.prefix.length)))
      )
  }
}

export function parseRules(fileText: string): IgnoreRules {
  const text = fileText.startsWith('\uFEFF') ? fileText.slice(1) : fileText
  const rules: Rule[] = []
  for (const line of text.split('\n', maxRules)) {
    const rule = parseRule(line.endsWith('\r') ? line.slice(0, -1) : line)
    if (rule !== undefined) rules.push(rule)
  }
  return rules
}

function parseRule(line: string): Rule | undefined {
  if (line.startsWith('#')) return undefined
  const trimmed = withoutTrailingSpaces(line)
  const isNegated = trimmed.startsWith('!')
  const unsigned = isNegated ? trimmed.slice(1) : trimmed
  const isForDirectoriesOnly = unsigned.endsWith('/')
  const pattern = isForDirectoriesOnly ? unsigned.slice(0, -1) : unsigned
  if (pattern === '') return undefined
  return { isNegated, isForDirectoriesOnly, test: ruleTest(pattern) }
}

/** Trailing spaces are ignored unless escaped by a backslash. */
function withoutTrailingSpaces(line: string): string {
  let end = 0
  for (let index = 0; index < line.length; index++) {
    if (line[index] === '\\') end = Math.min(++index + 1, line.length)
    else if (line[index] !== ' ') end = index + 1
  }
  return line.slice(0, end)
}

function ruleTest(pattern: string): RuleTest {
  if (!pattern.includes('/')) {
    if (!/[*?[\\]/.test(pattern)) return { kind: 'name', name: pattern }
    if (/^\*[^*?[\\]*$/.test(pattern)) return { kind: 'nameSuffix', suffix: pattern.slice(1) }
    return { kind: 'nameWildcard', prefix: literalPrefix(pattern), wildcard: compileWildcard(encoder.encode(pattern), false) }
  }
  const anchored = pattern.startsWith('/') ? pattern.slice(1) : pattern
  // Git compares the literal part first and then reads the rest as a separate pattern: `a**/b` means `a`, then `**/b`.
  const prefix = literalPrefix(anchored)
  return { kind: 'path', prefix, wildcard: compileWildcard(encoder.encode(anchored.slice(prefix.length)), true) }
}

function literalPrefix(pattern: string): string {
  return /^[^*?[\\]*/.exec(pattern)?.[0] ?? ''
}
