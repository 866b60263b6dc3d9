// `git stash push`, `save` and `create`: keeps local changes.

import type { GitCall } from '../call.ts'
import { GitFailure } from '../errors.ts'
import { createStash, pushStash, type StashPushOptions } from '../merge/stash.ts'
import type { Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import { parsePathspec } from '../work/pathspec.ts'
import { pathspecWords } from './pathspec-words.ts'
import { parse, usages } from './stash-words.ts'

export { createStash, refuseIntentToAdd } from '../merge/stash.ts'

function pushOptions(repository: Repository, options: Options, paths: readonly string[]): StashPushOptions {
  return {
    message: options.value('message'),
    keepsIndex: options.has('keep-index'),
    untracked: options.has('all') ? 'all' : options.has('include-untracked') ? 'untracked' : 'none',
    isStagedOnly: options.has('staged'),
    isQuiet: options.has('quiet'),
    paths: paths.length === 0 ? undefined : parsePathspec(repository, paths),
  }
}

export async function push(call: GitCall, repository: Repository, options: Options): Promise<number> {
  const words = await pathspecWords(call, options)
  const chosen = pushOptions(repository, options, words)
  const missing = await unknownPath(repository, words, chosen)
  if (missing !== undefined) {
    throw new GitFailure(`error: pathspec ':/${missing}' did not match any file(s) known to git\nDid you forget to 'git add'?`, 1)
  }
  if (options.has('patch')) return (await import('../patch/choosing.ts')).stashChosen(call, repository, chosen, options)
  return pushStash(call, repository, chosen)
}

/** A path that matches nothing in the index or the stash. */
async function unknownPath(
  repository: Repository,
  words: readonly string[],
  { untracked }: StashPushOptions,
): Promise<string | undefined> {
  if (untracked !== 'none') return undefined
  const paths = (await repository.readIndex()).paths()
  return words.find(word => {
    const one = parsePathspec(repository, [word])
    return !paths.some(path => one.matches(path))
  })
}

export async function save(call: GitCall, repository: Repository, options: Options): Promise<number> {
  const chosen = { ...pushOptions(repository, options, []), message: options.all.join(' ') || undefined }
  if (options.has('patch')) return (await import('../patch/choosing.ts')).stashChosen(call, repository, chosen, options)
  return pushStash(call, repository, chosen)
}

export async function create(call: GitCall, repository: Repository, words: readonly string[]): Promise<number> {
  const options = { ...pushOptions(repository, parse([], usages.create), []), message: words.join(' ') || undefined }
  const saved = await createStash(call, repository, await repository.readIndex(), options)
  if (saved === undefined) return 0
  await repository.objects.flush()
  await call.print(saved.oid)
  return 0
}
