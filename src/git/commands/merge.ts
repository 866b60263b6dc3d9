// `git merge`.

import { fatal, GitFailure } from '../errors.ts'
import { endAutostash } from '../merge/end-autostash.ts'
import { Options, parseOptions } from '../options.ts'
import { Changes, type Repository } from '../repository.ts'
import { upstreamOf } from '../revs/revision.ts'
import { shortRefName } from '../store/refs.ts'
import type { Config } from '../store/config.ts'
import type { GitCommand } from './command.ts'

export const merge: GitCommand = {
  name: 'merge',
  summary: 'Join two or more development histories together',
  options: {
    rows: [
      { names: ['n', 'no-stat'], isNegatable: false },
      { names: ['stat'] },
      { names: ['summary'], key: 'stat' },
      { names: ['log'], argument: { name: 'n', isOptional: true } },
      { names: ['squash'] },
      { names: ['commit'] },
      { names: ['e', 'edit'] },
      { names: ['cleanup'], argument: { name: 'mode' } },
      { names: ['ff'] },
      { names: ['ff-only'] },
      { names: ['rerere-autoupdate'], isIgnored: true },
      { names: ['verify-signatures'], refuses: 'checking signatures is not built into this git' },
      { names: ['s', 'strategy'], argument: { name: 'strategy' } },
      { names: ['X', 'strategy-option'], argument: { name: 'option=value' } },
      { names: ['m', 'message'], argument: { name: 'message' } },
      { names: ['F', 'file'], argument: { name: 'path' } },
      { names: ['into-name'], argument: { name: 'name' } },
      { names: ['v', 'verbose'] },
      { names: ['q', 'quiet'] },
      { names: ['abort'], isNegatable: false },
      { names: ['quit'], isNegatable: false },
      { names: ['continue'], isNegatable: false },
      { names: ['allow-unrelated-histories'] },
      { names: ['progress'], isIgnored: true },
      { names: ['S', 'gpg-sign'], argument: { name: 'key-id', isOptional: true }, refuses: 'signing is not built into this git' },
      { names: ['autostash'] },
      { names: ['overwrite-ignore'], isIgnored: true, refusesNegated: 'keeping ignored files is not built into this git' },
      { names: ['signoff'] },
      { names: ['verify'], isIgnored: true },
    ],
    usage: 'git merge [<options>] [<commit>...]\n   or: git merge --abort\n   or: git merge --continue',
  },
  async run(call, given, args) {
    const repository = await call.repository()
    const { branch } = await repository.head()
    const options = withConfigured(repository.config(), branch, given)
    const step = ['abort', 'quit', 'continue'].find(name => options.has(name))
    if (step !== undefined && args.length > 1)
      throw new GitFailure(`fatal: --${step} expects no arguments\n\nusage: ${merge.options.usage}`, 129)
    if (step === 'continue') return (await import('../merge/merge-state.ts')).concludeMerge(call, repository)
    if (step === 'abort') return (await import('../merge/merge-state.ts')).abortMerge(call, repository)
    if (step === 'quit') {
      const changes = new Changes()
      await repository.removeState(changes, 'MERGE_HEAD', 'MERGE_MODE', 'MERGE_MSG', 'AUTO_MERGE')
      await repository.commit(changes)
      await endAutostash(call, repository, 'keepMergeStash')
      return 0
    }
    const words = options.all.length > 0 ? options.all : [upstreamFor(repository, branch)]
    const { Merger } = await import('../merge/merger.ts')
    return new Merger(call, repository, options).run(words)
  },
}

function upstreamFor(repository: Repository, branch: string | undefined): string {
  const config = repository.config()
  if (!config.bool('merge.defaulttoupstream', true)) throw fatal('No commit specified and merge.defaultToUpstream not set.')
  if (branch === undefined || !config.has(`branch.${shortRefName(branch)}.remote`))
    throw fatal('No remote for the current branch.')
  const upstream = upstreamOf(repository, branch)
  if (upstream === undefined) throw fatal('No default upstream defined for the current branch.')
  return upstream
}

/** `branch.NAME.mergeOptions` comes before the options of the call. */
function withConfigured(config: Config, branch: string | undefined, given: Options): Options {
  const text = config.get(`branch.${branch?.replace('refs/heads/', '') ?? ''}.mergeoptions`)
  if (text === undefined) return given
  const configured = parseOptions(merge.options, text.split(/\s+/).filter(Boolean))
  return new Options([...configured.given, ...given.given], given.words, given.paths)
}
