// What `log --graph` cannot be combined with.

import { fatal, GitFailure } from '../errors.ts'
import type { Options } from '../options.ts'

const rowFormats: ReadonlySet<string> = new Set(['raw', 'name-only', 'name-status', 'numstat'])

/** `usual`: the format of differences if none is given. */
export function refuseBesideGraph(options: Options, usual: string | undefined): void {
  if (options.has('reverse')) throw fatal("options '--graph' and '--reverse' cannot be used together")
  if (options.has('no-walk')) throw fatal("options '--no-walk' and '--graph' cannot be used together")
  if (options.has('walk-reflogs')) throw fatal("options '--walk-reflogs' and '--graph' cannot be used together")
  const given = new Set(options.values('diff-format'))
  const formats = given.size > 0 || usual === undefined ? [...given] : [usual]
  const hasRows = formats.some(format => rowFormats.has(format)) || (given.has('patch') && given.size > 1)
  if (options.has('z') && hasRows)
    throw new GitFailure('error: -z beside --graph is not built into this git for lists of files; leave out one of the two', 129)
}
