// Programs that a repository names for differences, which never run.

import { GitFailure } from '../errors.ts'
import type { Options } from '../options.ts'
import type { Config } from '../store/config.ts'

/** What is asked for by name, and would be done by a program, is refused; without such programs there is nothing to do. */
export function refusePrograms(options: Options, config: Config): void {
  const drivers = config.subsections('diff')
  const isConfigured = (key: string): boolean => drivers.some(name => config.has(`diff.${name}.${key}`))
  const asked = (['textconv', 'ext-diff'] as const).find(name => options.has(name))
  if (
    asked === undefined ||
    !(asked === 'textconv' ? isConfigured('textconv') : config.has('diff.external') || isConfigured('command'))
  )
    return
  throw new GitFailure(`error: --${asked}: programs that a repository names are never run by this git`, 129)
}
