// `Merge branch 'x' into y`, from the name that was given.

import type { Repository } from '../repository.ts'
import { findRef, upstreamOf } from '../revs/revision.ts'

/** The prepared message of a merge of `name`, with a line feed. */
export async function mergeMessage(repository: Repository, name: string, intoName?: string): Promise<string> {
  return `Merge ${await describe(repository, name)}${await intoText(repository, intoName)}\n`
}

/** ` into x`, or nothing for the branches in `merge.suppressDest`. */
export async function intoText(repository: Repository, intoName?: string): Promise<string> {
  const { branch } = await repository.head()
  const into = intoName ?? (branch === undefined ? 'HEAD' : branch.replace(/^refs\/heads\//, ''))
  const configured = repository.config().all('merge.suppressdest')
  const hidden = configured.length === 0 ? ['main', 'master'] : configured
  return hidden.includes(into) ? '' : ` into ${into}`
}

async function describe(repository: Repository, name: string): Promise<string> {
  const isUpstream = /^(?:HEAD|@)?@\{(?:u|upstream|push)\}$/i.test(name)
  const { branch } = await repository.head()
  const found = isUpstream ? undefined : await findRef(repository, name)
  const ref = isUpstream && branch !== undefined ? upstreamOf(repository, branch) : found?.name
  if (ref?.startsWith('refs/heads/')) return `branch '${ref.slice('refs/heads/'.length)}'`
  if (ref?.startsWith('refs/remotes/')) return `remote-tracking branch '${ref.slice('refs/remotes/'.length)}'`
  if (ref?.startsWith('refs/tags/')) return `tag '${ref.slice('refs/tags/'.length)}'`
  const early = /^(.+?)(?:~\d*|\^+)+$/.exec(name)?.[1]
  const earlyRef = early === undefined ? undefined : await findRef(repository, early)
  if (earlyRef?.name.startsWith('refs/heads/')) return `branch '${early}' (early part)`
  return `commit '${name}'`
}
