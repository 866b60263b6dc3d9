// `git status --porcelain=v2`.

import type { GitCall } from '../call.ts'
import { type Quote, quoteFor, relativePath } from '../quote.ts'
import type { Repository } from '../repository.ts'
import { trackingIn } from '../revs/tracking.ts'
import { modes, zeroId } from '../store/object-format.ts'
import type { Status, StatusRow } from '../work/status.ts'
import type { GitIndex } from '../index/git-index.ts'

export class PorcelainV2 {
  readonly #call: GitCall
  readonly #repository: Repository
  readonly #index: GitIndex
  readonly #isNull: boolean
  readonly #countsAhead: boolean
  readonly #stashes: number
  readonly #quote: Quote

  constructor(
    call: GitCall,
    repository: Repository,
    index: GitIndex,
    { isNull, countsAhead, stashes }: { readonly isNull: boolean; readonly countsAhead: boolean; readonly stashes: number },
  ) {
    this.#call = call
    this.#repository = repository
    this.#index = index
    this.#isNull = isNull
    this.#countsAhead = countsAhead
    this.#stashes = stashes
    const config = repository.config()
    const quote = quoteFor(config)
    const prefix = config.bool('status.relativepaths', true) ? repository.prefix : ''
    this.#quote = isNull ? path => path : path => quote(relativePath(path, prefix))
  }

  async write({ rows, untracked, ignored }: Status, showsBranch: boolean): Promise<void> {
    const end = this.#isNull ? '\0' : '\n'
    const out = this.#call.out
    if (showsBranch) await this.#branch(end)
    if (this.#stashes > 0) await out.write(`# stash ${this.#stashes}${end}`)
    const isChanged = ({ conflict }: StatusRow): boolean => conflict === undefined
    for (const row of rows.filter(isChanged)) await out.write(this.#changed(row) + end)
    for (const row of rows.filter(row => !isChanged(row))) await out.write((await this.#conflict(row)) + end)
    for (const path of untracked) await out.write(`? ${this.#quote(path)}${end}`)
    for (const path of ignored) await out.write(`! ${this.#quote(path)}${end}`)
  }

  async #branch(end: string): Promise<void> {
    const { branch, oid } = await this.#repository.head()
    const out = this.#call.out
    await out.write(
      `# branch.oid ${oid ?? '(initial)'}${end}# branch.head ${branch?.replace('refs/heads/', '') ?? '(detached)'}${end}`,
    )
    if (branch === undefined) return
    const tracking = await trackingIn(this.#repository, branch, oid, this.#countsAhead)
    if (tracking.kind === 'none') return
    await out.write(`# branch.upstream ${tracking.name}${end}`)
    if (tracking.kind === 'different') await out.write(`# branch.ab +? -?${end}`)
    if (tracking.kind === 'there' && oid !== undefined)
      await out.write(`# branch.ab +${tracking.ahead} -${tracking.behind}${end}`)
  }

  #changed({ path, staged, unstaged }: StatusRow): string {
    const octal = (mode: number | undefined): string => (mode ?? 0).toString(8).padStart(6, '0')
    const entry = this.#index.get(unstaged?.status === 'R' ? unstaged.beforePath : path)
    // A path from `add -N` that is gone is shown with the empty file that the index has.
    const unstagedEntry = entry?.isIntentToAdd && unstaged?.status !== 'D' ? undefined : entry
    const head = staged === undefined ? unstagedEntry : staged.before
    const inIndex = staged === undefined ? unstagedEntry : staged.after
    const work = unstaged === undefined ? inIndex : unstaged.after
    const code = `${staged?.status ?? '.'}${unstaged?.status ?? '.'}`
    const renamed =
      staged?.status === 'R' || staged?.status === 'C'
        ? staged
        : unstaged?.status === 'R' || unstaged?.status === 'C'
          ? unstaged
          : undefined
    const isSubmodule = [head, inIndex, work].some(side => side?.mode === modes.submodule)
    const isInside = unstaged?.status === 'M' && unstaged.after?.mode === modes.submodule
    const dirt = unstaged?.after?.dirt
    const isMoved = isInside && unstaged.before?.oid !== unstaged.after?.oid
    const letters = `S${isMoved ? 'C' : '.'}${dirt?.isModified === true ? 'M' : '.'}${dirt?.hasUntracked === true ? 'U' : '.'}`
    const fields = `${code} ${isSubmodule ? letters : 'N...'} ${octal(head?.mode)} ${octal(inIndex?.mode)} ${octal(work?.mode)} ${head?.oid ?? zeroId} ${inIndex?.oid ?? zeroId}`
    if (renamed === undefined) return `1 ${fields} ${this.#quote(path)}`
    const gap = this.#isNull ? '\0' : '\t'
    return `2 ${fields} ${renamed.status}${renamed.similarity} ${this.#quote(path)}${gap}${this.#quote(renamed.beforePath)}`
  }

  async #conflict({ path, conflict }: StatusRow): Promise<string> {
    const octal = (mode: number | undefined): string => (mode ?? 0).toString(8).padStart(6, '0')
    const stages = this.#index.stages(path) ?? []
    const tree = await this.#repository.workTree()
    const stat = await tree.lstat(path)
    const stageModes = [0, 1, 2].map(stage => octal(stages[stage]?.mode)).join(' ')
    const ids = [0, 1, 2].map(stage => stages[stage]?.oid ?? zeroId).join(' ')
    return `u ${conflict ?? 'UU'} N... ${stageModes} ${octal(stat === undefined || stat.kind === 'directory' ? 0 : tree.modeOf(stat))} ${ids} ${this.#quote(path)}`
  }
}
