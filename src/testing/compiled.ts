import { compilePattern, type Pattern, type CompileOptions } from '../search/pattern.ts'

/** Throws if the pattern is wrong. */
export function compiled(source: string, options?: CompileOptions): Pattern {
  const result = compilePattern(source, options)
  if (result.kind === 'error') throw new Error(`${source}: ${result.message}`)
  return result.pattern
}
