// `git stash pop`, `apply` and `branch`: brings changes back.

import type { GitCall } from '../call.ts'
import { GitFailure } from '../errors.ts'
import { applyStash } from '../merge/apply-stash.ts'
import { checkOutMerge } from '../merge/outcome.ts'
import { findStash } from '../merge/stash-list.ts'
import { refuseConflicts } from '../merge/stash-steps.ts'
import type { OptionRow } from '../options.ts'
import { Changes, type Repository } from '../repository.ts'
import { checkedBranchName } from '../store/refs.ts'
import { oneName, parse, quiet, runCommand, tellDropped, usages } from './stash-words.ts'

const restoreIndex: OptionRow = { names: ['index'] }

export async function restore(
  call: GitCall,
  repository: Repository,
  args: readonly string[],
  kind: 'pop' | 'apply',
): Promise<number> {
  const options = parse(args, usages[kind], [quiet, restoreIndex])
  const found = await findStash(repository, oneName(options))
  if (kind === 'pop' && found.number === undefined) throw new GitFailure(`error: '${options.all[0]}' is not a stash reference`, 1)
  const restoresIndex = options.has('index')
  let isClean = false
  try {
    isClean = await applyStash(call, repository, found, { restoresIndex, isDropped: kind === 'pop' })
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    if (error.message !== '') await call.warn(error.message)
    if (!options.has('quiet') && error.message.includes('would be overwritten')) await runCommand(call, 'status', [])
    if (kind === 'pop') await call.print('The stash entry is kept in case you need it again.')
    return 1
  }
  if (!options.has('quiet')) await runCommand(call, 'status', [])
  if (!isClean) {
    if (kind === 'pop') await call.print('The stash entry is kept in case you need it again.')
    return 1
  }
  if (kind === 'pop' && !options.has('quiet')) await tellDropped(call, found, options.all[0])
  return 0
}

export async function branch(call: GitCall, repository: Repository, args: readonly string[]): Promise<number> {
  const [name, ...rest] = args
  if (name === undefined) throw new GitFailure('No branch name specified', 1)
  const found = await findStash(repository, rest[0])
  const full = checkedBranchName(name)
  if ((await repository.refs.read(full)) !== undefined)
    throw new GitFailure(`fatal: a branch named '${name}' already exists`, 128)
  const { oid: head, branch: from } = await repository.head()
  const index = await repository.readIndex()
  await refuseConflicts(call, index, 'error: you need to resolve your current index first')
  const changes = new Changes()
  await checkOutMerge(repository, index, changes, {
    from: head === undefined ? undefined : await repository.treeOf(head),
    into: await repository.treeOf(found.base),
    operation: 'checkout',
  })
  await repository.refs.update(changes, { name: full, oid: found.base, message: `branch: Created from ${found.base}` })
  const old = from === undefined ? (head ?? '') : from.replace(/^refs\/heads\//, '')
  await repository.refs.setSymbolic(changes, 'HEAD', full)
  await repository.refs.log(changes, 'HEAD', head ?? found.base, found.base, `checkout: moving from ${old} to ${name}`)
  await repository.commit(changes, index)
  await call.warn(`Switched to a new branch '${name}'`)
  const isClean = await applyStash(call, repository, found, { restoresIndex: true, isDropped: true })
  await runCommand(call, 'status', [])
  if (!isClean) return 1
  if (found.number !== undefined) await tellDropped(call, found, rest[0])
  return 0
}
