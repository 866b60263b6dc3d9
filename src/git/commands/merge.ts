// `git merge`.

import { GitFailure } from '../errors.ts'
import { abortMerge, concludeMerge } from '../merge/merge-state.ts'
import { Options, parseOptions } from '../options.ts'
import { Changes } from '../repository.ts'
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
      { names: ['log'], argument: { name: 'n', isOptional: true }, refuses: 'a log in the message is not built into this git' },
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
      { names: ['autostash'], refuses: 'stashing around a merge is not built into this git' },
      { names: ['overwrite-ignore'], isIgnored: true, refusesNegated: 'keeping ignored files is not built into this git' },
      { names: ['signoff'] },
      { names: ['verify'], isIgnored: true },
    ],
    usage: 'git merge [<options>] [<commit>...]\n   or: git merge --abort\n   or: git merge --continue',
  },
  async run(call, given) {
    const repository = await call.repository()
    const { branch } = await repository.head()
    const options = withConfigured(repository.config(), branch, given)
    if (options.has('abort')) return abortMerge(call, repository)
    if (options.has('continue')) return concludeMerge(call, repository)
    if (options.has('quit')) {
      const changes = new Changes()
      await repository.removeState(changes, 'MERGE_HEAD', 'MERGE_MODE', 'MERGE_MSG', 'AUTO_MERGE')
      await repository.commit(changes)
      return 0
    }
    if (options.all.length === 0 && branch === undefined) throw new GitFailure('fatal: No remote for the current branch.', 128)
    const { Merger } = await import('../merge/merger.ts')
    return new Merger(call, repository, options).run(options.all.length > 0 ? options.all : ['@{u}'])
  },
}

/** `branch.NAME.mergeOptions` comes before the options of the call. */
function withConfigured(config: Config, branch: string | undefined, given: Options): Options {
  const text = config.get(`branch.${branch?.replace('refs/heads/', '') ?? ''}.mergeoptions`)
  if (text === undefined) return given
  const configured = parseOptions(merge.options, text.split(/\s+/).filter(Boolean))
  return new Options([...configured.given, ...given.given], given.words, given.paths)
}
