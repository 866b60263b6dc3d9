// Programs that a repository names for differences, which never run.

import type { GitCall } from '../call.ts'
import { GitFailure } from '../errors.ts'
import type { Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import type { Config } from '../store/config.ts'
import type { FilePair } from './file-pair.ts'

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

/** Names the programs that git would run to show the patches of these files, as they are not run. `runsExternal`: not only for their text. */
export async function tellSkippedPrograms(
  call: GitCall,
  repository: Repository,
  options: Options,
  pairs: readonly FilePair[],
  runsExternal: boolean,
): Promise<void> {
  const config = repository.config()
  const isExternal = runsExternal && !options.isNegated('ext-diff')
  const skipped = new Set<string>()
  if (isExternal && pairs.length > 0) {
    if (call.environment.env['GIT_EXTERNAL_DIFF']) skipped.add('GIT_EXTERNAL_DIFF')
    else if (config.get('diff.external')) skipped.add('diff.external')
  }
  for (const { path } of config.subsections('diff').length === 0 ? [] : pairs) {
    const driver = (await repository.attributes().of(path)).get('diff')
    if (typeof driver !== 'string') continue
    if (isExternal && config.has(`diff.${driver}.command`)) skipped.add(`diff.${driver}.command`)
    else if (!options.isNegated('textconv') && config.has(`diff.${driver}.textconv`)) skipped.add(`diff.${driver}.textconv`)
  }
  for (const name of skipped)
    await call.warn(`warning: the program of ${name} was not run: this git shows the differences itself`)
}
