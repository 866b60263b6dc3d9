// `status.submoduleSummary`: the commits by which submodules differ from what is committed or staged.

import { compareText, modes, type ObjectId, zeroId } from '../store/object-format.ts'
import type { FilePair } from '../diff/file-pair.ts'
import { hasCommits } from '../diff/submodule-log.ts'
import type { Repository } from '../repository.ts'
import { mergeBases } from '../revs/merge-base.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { subjectOf } from '../revs/subject.ts'
import { CommitWalk } from '../revs/walk.ts'
import { ignoredOf } from '../work/submodule-dirt.ts'
import { openSubmodule } from '../work/submodule-head.ts'

/** The most commits shown of each submodule; `undefined` if the summary is not wanted. Negative: all. */
export function summaryLimit(repository: Repository): number | undefined {
  const config = repository.config()
  if (!config.has('status.submodulesummary')) return undefined
  const text = config.get('status.submodulesummary') ?? 'true'
  const limit = /^-?\d+[kmg]?$/i.test(text) ? config.number('status.submodulesummary') : undefined
  const found = limit ?? (config.bool('status.submodulesummary', false) ? -1 : 0)
  return found === 0 ? undefined : found
}

/** Lines of the status, without the last line feed; '' if no submodule differs. */
export async function submoduleSummary(
  repository: Repository,
  title: string,
  pairs: readonly FilePair[],
  limit: number,
): Promise<string> {
  let text = ''
  for (const pair of pairs.flatMap(withoutRename).sort((a, b) => compareText(a.path, b.path)))
    text += await summaryOf(repository, pair, limit)
  return text === '' ? '' : `${title}\n\n${text}`.replace(/\n$/, '')
}

function withoutRename(pair: FilePair): readonly FilePair[] {
  if (pair.status !== 'R') return [pair]
  return [
    { ...pair, status: 'D', path: pair.beforePath, after: undefined },
    { ...pair, status: 'A', before: undefined },
  ]
}

async function summaryOf(repository: Repository, { status, path, before, after }: FilePair, limit: number): Promise<string> {
  const [hadModule, hasModule] = [before?.mode === modes.submodule, after?.mode === modes.submodule]
  if (!hadModule && !hasModule) return ''
  if (status !== 'A' && status !== 'D' && status !== 'T' && (await ignoredOf(repository, path, asConfigured)) === 'all') return ''
  const inside = hasModule ? await openSubmodule(repository, path) : undefined
  if (hasModule && inside === undefined && status !== 'T') return ''
  const [from, to] = [before?.oid ?? zeroId, after?.oid ?? zeroId]
  if (from === to) return ''
  const lacks = async (oid: ObjectId): Promise<boolean> => inside === undefined || !(await hasCommits(inside, [oid]))
  const missing = [...(hadModule && (await lacks(from)) ? [from] : []), ...(hasModule && (await lacks(to)) ? [to] : [])]
  const ids = inside === undefined ? undefined : new ShortIds(inside)
  const shown = async (oid: ObjectId, isModule: boolean): Promise<string> =>
    isModule && ids !== undefined && !missing.includes(oid) ? ids.of(oid, 7) : oid.slice(0, 7)
  const [left, right] = [await shown(from, hadModule), await shown(to, hasModule)]
  const range =
    status === 'T'
      ? hasModule
        ? `${left}(blob)->${right}(submodule)`
        : `${left}(submodule)->${right}(blob)`
      : `${left}...${right}`
  if (missing.length > 0 || inside === undefined) {
    const commits = missing.length === 1 ? `commit ${missing.join('')}` : `commits ${missing.join(' and ')}`
    return `* ${path} ${range}:\n${hasModule ? `  Warn: ${path} doesn't contain ${commits}\n` : ''}\n`
  }
  const lines = await subjects(inside, hadModule ? from : undefined, to, limit)
  return `* ${path} ${range} (${lines.count}):\n${lines.text}\n`
}

const asConfigured = { given: undefined, otherwise: 'none' } as const

/** The commits between two, of which one side has first parents only. A new submodule has one subject. */
async function subjects(
  inside: Repository,
  from: ObjectId | undefined,
  to: ObjectId,
  limit: number,
): Promise<{ readonly count: number; readonly text: string }> {
  const walk = new CommitWalk(inside, {
    include: from === undefined ? [to] : [from, to],
    exclude: from === undefined ? [] : await mergeBases(inside, from, [to]),
    left: new Set(from === undefined ? [] : [from]),
    order: 'date',
    firstParent: true,
    signal: inside.environment.signal,
  })
  const most = from === undefined ? 1 : limit
  let [count, text] = [0, '']
  for await (const { commit, side } of walk) {
    if (most < 0 || count < most) text += `  ${side === 'left' ? '<' : '>'} ${subjectOf(commit.message)}\n`
    count++
  }
  return { count, text }
}
