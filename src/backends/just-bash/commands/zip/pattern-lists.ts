// The arguments of zip that are lists of patterns: -x and -i, whose patterns go on until the next option or a lone `@`, and -R.

import type { CommandContext } from '../command.ts'

export interface ZipArguments {
  /** The other options, the archive and the names. */
  readonly others: readonly string[]
  readonly excludes: readonly string[]
  readonly includes: readonly string[]
  /** -R: the names are patterns for all files below the working directory. */
  readonly isSearch: boolean
}

const meanings = { x: 'exclude files matching patterns', i: 'include only files matching patterns' }

/** A cluster of options may end with -x or -i, and the first pattern may stand in the same argument. `@FILE` has a pattern a line. */
const listOption = /^(?:-([^-xi]*)([xi])|--(exclude|include)=?)([^]*)$/

/** Returns an error message for a list without a pattern. */
export async function splitLists(args: readonly string[], { fs, cwd }: CommandContext): Promise<ZipArguments | string> {
  const lists = { x: [] as string[], i: [] as string[] }
  const others: string[] = []
  let isSearch = false
  let into: 'x' | 'i' | undefined
  const add = async (list: 'x' | 'i', pattern: string): Promise<void> => {
    const patterns = pattern.startsWith('@')
      ? (await fs.readFile(fs.resolvePath(cwd, pattern.slice(1)))).split('\n').filter(Boolean)
      : [pattern]
    lists[list].push(...patterns.map(each => each.replace(/^(?:\.\/+)+/, '')))
  }
  for (const [index, arg] of args.entries()) {
    const [, cluster = '', letter, word, first = ''] = listOption.exec(arg) ?? []
    if (letter !== undefined || word !== undefined) {
      into = letter === 'x' || word === 'exclude' ? 'x' : 'i'
      if (cluster !== '') others.push(`-${cluster}`)
      if (first !== '') await add(into, first)
      else if (index === args.length - 1) return `option '${letter ?? word ?? ''}' (${meanings[into]}) requires a value`
    } else if (/^-[^-]*R|^--recurse-patterns$/.test(arg)) {
      isSearch = true
      into = undefined
      if (/^-[^-]./.test(arg)) others.push(arg.replace('R', ''))
    } else if (into !== undefined && !/^-./.test(arg)) {
      if (arg === '@') into = undefined
      else await add(into, arg)
    } else {
      into = undefined
      others.push(arg)
    }
  }
  return { others, excludes: lists.x, includes: lists.i, isSearch }
}
