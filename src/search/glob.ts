// Globs over relative paths, with the meaning that they have in ripgrep and fd: `*` and `?` do not match '/', `**` crosses directories, and
// dotfiles are ordinary files. An unclosed bracket or brace is closed or taken literally, and never silently gives an empty result.

import { Minimatch, braceExpand } from 'minimatch'

export type CompiledGlob =
  /** `matches` takes a path relative to where the glob starts, '/'-separated, without a leading './'. */
  { readonly kind: 'glob'; readonly matches: (path: string) => boolean } | { readonly kind: 'error'; readonly message: string }

const maxGlobLength = 2048
/** The maximum number of patterns that one glob's braces may expand to. */
const maxGlobAlternatives = 1000
/** Each `**` multiplies the number of ways to match. */
const maxGlobstars = 12

const options = {
  dot: true,
  nocomment: true,
  nonegate: true,
  noext: true,
  platform: 'linux',
  braceExpandMax: maxGlobAlternatives + 1,
} as const

export function compileGlob(pattern: string): CompiledGlob {
  if (pattern.length > maxGlobLength)
    return { kind: 'error', message: `the glob is longer than ${maxGlobLength} characters; use a shorter one.` }
  const closed = closeBraces(pattern.replace(/^(?:\.\/+)+/, '').replace(/(?<=[^/])\/+$/, ''))
  if (closed === '**' || closed === '**/*') return { kind: 'glob', matches: () => true }
  const suffix = /^\*\*\/\*(\.[\w.-]+)$/.exec(closed)?.[1]
  if (suffix !== undefined) return { kind: 'glob', matches: path => path.endsWith(suffix) }
  const alternatives = braceExpand(closed, options)
  if (alternatives.length > maxGlobAlternatives) {
    return {
      kind: 'error',
      message: `its braces stand for more than ${maxGlobAlternatives} patterns; use \`*\` or several globs.`,
    }
  }
  if (hasOpenClass(closed)) {
    return { kind: 'error', message: 'a `[` has no `]`; for the character itself write `\\[`.' }
  }
  if (alternatives.some(alternative => alternative.split('**').length - 1 > maxGlobstars)) {
    return { kind: 'error', message: `it has more than ${maxGlobstars} \`**\`; one between two names is enough.` }
  }
  const matcher = new Minimatch(closed, options)
  return { kind: 'glob', matches: path => matcher.match(path) }
}

/** `[a-z` is most likely a typing error; read literally, it would find nothing without a warning. */
function hasOpenClass(pattern: string): boolean {
  for (let index = 0; index < pattern.length; index++) {
    if (pattern[index] === '\\') index++
    else if (pattern[index] === '[') {
      // A `]` in first place is a member of the class.
      const first = index + (/[!^]/.test(pattern[index + 1] ?? '') ? 2 : 1)
      const end = pattern.indexOf(']', first + 1)
      if (end === -1) return true
      index = end
    }
  }
  return false
}

/** A `{` without its `}` is closed at the end, as users of ripgrep expect for `*.{ts,tsx`. */
function closeBraces(pattern: string): string {
  let depth = 0
  for (let index = 0; index < pattern.length; index++) {
    if (pattern[index] === '\\') index++
    else if (pattern[index] === '{') depth++
    else if (pattern[index] === '}' && depth > 0) depth--
  }
  return pattern + '}'.repeat(depth)
}
