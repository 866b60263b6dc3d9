// The options of `git am` for applying patches.

import type { Options } from '../options.ts'

interface ApplyOptions {
  readonly strip: number
  readonly context: number | undefined
  readonly ignoresSpaces: boolean
  readonly rejects: boolean
}

/** The options for applying patches, kept until the last patch. */
export function applyOptions(options: Options): readonly string[] {
  const [strip, context] = [options.value('p'), options.value('C')]
  return [
    ...(options.has('ignore-whitespace') ? ['--ignore-whitespace'] : []),
    ...(context === undefined ? [] : [`-C${context}`]),
    ...(strip === undefined ? [] : [`-p${strip}`]),
    ...(options.has('reject') ? ['--reject'] : []),
  ]
}

/** Reads what `kept` says, where these options do not say otherwise. */
export function readApplyOptions(kept: string, options: Options): ApplyOptions {
  const words = [...kept.matchAll(/'([^']*)'/g)].map(([, word = '']) => word)
  const given = [...words, ...applyOptions(options)]
  const numberOf = (start: string): number | undefined => {
    const word = given.findLast(option => option.startsWith(start))
    return word === undefined ? undefined : Number(word.slice(start.length))
  }
  return {
    strip: numberOf('-p') ?? 1,
    context: numberOf('-C'),
    ignoresSpaces: given.includes('--ignore-whitespace'),
    rejects: given.includes('--reject'),
  }
}
