// Globs with a leading `!`: matching paths are excluded, whatever else includes them.

import { compileGlob } from './glob.ts'
import { isGlob } from './is-glob.ts'

export type Exclusions =
  /** `matches` takes a path from the root, '/'-separated. Everything in an excluded directory is excluded too. */
  | { readonly kind: 'exclusions'; readonly matches: (fromRoot: string) => boolean }
  | { readonly kind: 'error'; readonly glob: string; readonly message: string }

/** `globs` are without their `!`. A glob without a slash, or with a wildcard in its first name, matches at any depth. */
export function compileExclusions(globs: readonly string[]): Exclusions {
  const matchers: ((fromRoot: string) => boolean)[] = []
  for (const written of globs) {
    const glob = written.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '')
    const isAnywhere = !glob.includes('/') || (isGlob(glob.slice(0, glob.indexOf('/'))) && !glob.startsWith('**/'))
    const fromRoot = isAnywhere ? `**/${glob}` : glob.replace(/^\/+/, '')
    for (const pattern of [fromRoot, `${fromRoot}/**`]) {
      const compiled = compileGlob(pattern)
      if (compiled.kind === 'error') return { kind: 'error', glob: written, message: compiled.message }
      matchers.push(compiled.matches)
    }
  }
  return { kind: 'exclusions', matches: path => matchers.some(matches => matches(path)) }
}
