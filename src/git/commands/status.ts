// `git status`: long, short, and the formats for programs.

import { decodeText } from '../../shell/byte-text.ts'
import { collectOutput } from '../../shell/commands.ts'
import type { Config } from '../store/config.ts'
import type { GitCall } from '../call.ts'
import type { FilePair } from '../diff/file-pair.ts'
import { percent } from '../diff/percent.ts'
import { fatal, GitFailure } from '../errors.ts'
import { type Quote, quoteFor, quotePath, relativePath } from '../quote.ts'
import type { Repository } from '../repository.ts'
import { paletteOf } from '../color/load-palette.ts'
import { wantsColor } from '../color/wants-color.ts'
import { columnStyle } from '../text-columns.ts'
import { parseOptions } from '../options.ts'
import { trackingIn } from '../revs/tracking.ts'
import { modes, type ObjectId, zeroId } from '../store/object-format.ts'
import { parsePathspec } from '../work/pathspec.ts'
import { readStatus, type Status, type StatusOptions, type StatusRow, type UntrackedMode } from '../work/status.ts'
import type { GitIndex } from '../index/git-index.ts'
import type { GitCommand } from './command.ts'
import { keepRefreshed } from '../work/keep-refreshed.ts'
import { longStatus } from './long-status.ts'

export const status: GitCommand = {
  name: 'status',
  summary: 'Show the working tree status',
  options: {
    rows: [
      { names: ['v', 'verbose'] },
      { names: ['s', 'short'], key: 'form', value: 'short' },
      { names: ['b', 'branch'] },
      { names: ['show-stash'] },
      { names: ['ahead-behind'] },
      { names: ['porcelain'], argument: { name: 'version', isOptional: true } },
      { names: ['long'], key: 'form', value: 'long' },
      { names: ['z', 'null'] },
      { names: ['u', 'untracked-files'], argument: { name: 'mode', isOptional: true } },
      { names: ['ignored'], argument: { name: 'mode', isOptional: true } },
      { names: ['ignore-submodules'], argument: { name: 'when', isOptional: true }, isNegatable: false },
      { names: ['column'], argument: { name: 'style', isOptional: true } },
      { names: ['M', 'find-renames'], argument: { name: 'n', isOptional: true } },
      { names: ['renames'] },
    ],
    usage: 'git status [<options>] [--] <pathspec>...',
  },
  async run(call, options) {
    const repository = await call.repository()
    const config = repository.config()
    const pathspec = parsePathspec(repository, options.all)
    const ignoredMode = options.has('ignored') ? (options.value('ignored') ?? 'traditional') : 'no'
    if (ignoredMode !== 'no' && ignoredMode !== 'traditional' && ignoredMode !== 'matching') {
      throw new GitFailure(`fatal: Invalid ignored mode '${ignoredMode}'`, 128)
    }
    const untracked = untrackedMode(
      options.has('untracked-files')
        ? (options.value('untracked-files') ?? 'all')
        : options.isNegated('untracked-files')
          ? 'no'
          : untrackedSetting(config),
    )
    if (ignoredMode === 'matching' && untracked === 'no')
      throw fatal('Unsupported combination of ignored and untracked-files arguments')
    // Where untracked files are not looked for, ignored ones are not either.
    const ignored = untracked === 'no' ? 'no' : ignoredMode
    const porcelain = options.has('porcelain') ? (options.value('porcelain') ?? '1') : undefined
    if (porcelain !== undefined && !['1', 'v1', '2', 'v2'].includes(porcelain))
      throw new GitFailure(`fatal: unsupported porcelain version '${porcelain}'`, 128)
    const setting = config.get('status.renames') ?? config.get('diff.renames')
    const settings: StatusOptions = {
      untracked,
      ignored,
      pathspec: pathspec.isEmpty ? undefined : pathspec,
      renames:
        options.has('find-renames') ||
        options.has('renames') ||
        (!options.isNegated('renames') && (setting === undefined || setting !== 'false')),
      minimumPercent: percent(options.value('find-renames'), 50),
      hidesSubmodules: options.has('ignore-submodules') && (options.value('ignore-submodules') ?? 'all') === 'all',
    }
    const index = await repository.readIndex()
    const { branch, oid } = await repository.head()
    const found = await readStatus(repository, index, oid, settings)
    await keepRefreshed(repository, index, found)
    const isNull = options.has('null')
    const form =
      porcelain !== undefined
        ? 'porcelain'
        : (options.value('form') ??
          (isNull
            ? 'porcelain'
            : !options.isNegated('form') && config.has('status.short') && config.bool('status.short', false)
              ? 'short'
              : 'long'))
    const showsStash = options.has('show-stash') || (!options.isNegated('show-stash') && config.bool('status.showstash', false))
    const stashes = showsStash ? (await repository.refs.readLog('refs/stash')).length : 0
    const isForPerson = porcelain === undefined
    const countsAhead =
      !options.isNegated('ahead-behind') &&
      (options.has('ahead-behind') || !isForPerson || config.bool('status.aheadbehind', true))
    if (form === 'long') {
      const column = { isGiven: options.has('column'), isNegated: options.isNegated('column'), value: options.value('column') }
      const text = await longStatus(repository, found, {
        branch,
        oid,
        untracked,
        showsIgnored: ignored !== 'no',
        prefix: config.bool('status.relativepaths', true) ? repository.prefix : '',
        countsAhead,
        column: columnStyle(column, [config.get('column.ui'), config.get('column.status')]),
        patches: options.has('verbose') ? () => statusPatches(call, found, options.count('verbose')) : undefined,
      })
      const isCommented = config.has('status.displaycommentprefix') && config.bool('status.displaycommentprefix', false)
      await call.out.write(isCommented ? text.replaceAll(/^(.?)/gm, commented).replace(/# ?$/, '') : text)
      if (stashes > 0) await call.print(`Your stash currently has ${stashes} ${stashes === 1 ? 'entry' : 'entries'}`)
      return 0
    }
    if (porcelain === '2' || porcelain === 'v2') {
      const writer = new PorcelainV2(call, repository, index, { isNull, countsAhead, stashes })
      await writer.write(found, options.has('branch'))
      return 0
    }
    const showsBranch =
      options.has('branch') ||
      (form === 'short' && !options.isNegated('branch') && config.has('status.branch') && config.bool('status.branch', false))
    const prefix = form === 'short' && !isNull && config.bool('status.relativepaths', true) ? repository.prefix : ''
    await writeShort(call, repository, found, {
      isColored: form === 'short' && wantsColor(undefined, config, ['color.status']),
      prefix,
      isNull,
      branch: showsBranch ? { name: branch, oid, countsAhead } : undefined,
    })
    return 0
  },
}

const commented = (_: string, first: string): string => (first === '' ? '#' : first === '\t' ? '#\t' : `# ${first}`)

/** `-v`: the staged changes as a patch; `-vv`: also the unstaged ones. */
async function statusPatches(call: GitCall, { rows }: Status, level: number): Promise<string> {
  const hasStaged = rows.some(({ staged }) => staged !== undefined)
  const hasUnstaged = rows.some(({ unstaged, conflict }) => unstaged !== undefined || conflict !== undefined)
  const isLong = level > 1
  const parts: string[] = []
  if (isLong && hasStaged) parts.push('Changes to be committed:\n')
  parts.push(await patchOf(call, ['--cached', ...(isLong && hasStaged ? ['--src-prefix=c/', '--dst-prefix=i/'] : [])]))
  if (isLong && hasUnstaged) {
    parts.push(`${'-'.repeat(50)}\nChanges not staged for commit:\n`)
    parts.push(await patchOf(call, ['--src-prefix=i/', '--dst-prefix=w/']))
  }
  return parts.join('')
}

async function patchOf(call: GitCall, words: readonly string[]): Promise<string> {
  const { diff } = await import('./diff.ts')
  const output = collectOutput()
  const own = call.writingTo(output)
  await diff.run(own, parseOptions(diff.options, words), [])
  await own.out.flush()
  return decodeText(output.bytes())
}

function untrackedMode(text: string): UntrackedMode {
  if (text === 'no' || text === 'false' || text === 'normal' || text === 'all') return text === 'false' ? 'no' : text
  if (text === 'true' || text === '') return 'normal'
  throw new GitFailure(`fatal: Invalid untracked files mode '${text}'`, 128)
}

export interface ShortOptions {
  readonly prefix: string
  readonly isNull: boolean
  readonly isColored: boolean
  readonly branch:
    | { readonly name: string | undefined; readonly oid: ObjectId | undefined; readonly countsAhead: boolean }
    | undefined
}

export async function writeShort(
  call: GitCall,
  repository: Repository,
  { rows, untracked, ignored }: Status,
  { prefix, isNull, isColored, branch }: ShortOptions,
): Promise<void> {
  const palette = isColored ? await paletteOf(repository) : undefined
  const paint: Paint = (slot, text) => palette?.paint(`status.${slot}`, text) ?? text
  const end = isNull ? '\0' : '\n'
  const quotesHigh = repository.config().bool('core.quotepath', true)
  // This format also quotes names with blanks.
  const shown = (path: string): string => {
    if (isNull) return path
    const relative = relativePath(path, prefix)
    return quotePath(relative, quotesHigh, relative.includes(' '))
  }
  if (branch !== undefined) await call.out.write(`## ${await branchLine(repository, branch, paint)}${end}`)
  for (const row of rows) {
    const renamed =
      row.staged?.status === 'R' || row.staged?.status === 'C'
        ? row.staged
        : row.unstaged?.status === 'R' || row.unstaged?.status === 'C'
          ? row.unstaged
          : undefined
    const code = codeOf(row, paint)
    if (renamed === undefined) await call.out.write(`${code} ${shown(row.path)}${end}`)
    else if (isNull) await call.out.write(`${code} ${row.path}\0${renamed.beforePath}\0`)
    else await call.out.write(`${code} ${shown(renamed.beforePath)} -> ${shown(row.path)}\n`)
  }
  for (const path of untracked) await call.out.write(`${paint('untracked', '??')} ${shown(path)}${end}`)
  for (const path of ignored) await call.out.write(`${paint('untracked', '!!')} ${shown(path)}${end}`)
}

type Paint = (
  slot: 'added' | 'changed' | 'untracked' | 'unmerged' | 'nobranch' | 'localbranch' | 'remotebranch',
  text: string,
) => string

function codeOf({ staged, unstaged, conflict }: StatusRow, paint: Paint): string {
  if (conflict !== undefined) return paint('unmerged', conflict)
  const painted = (slot: 'added' | 'changed', letter: string): string => (letter === ' ' ? letter : paint(slot, letter))
  return painted('added', staged?.status ?? ' ') + painted('changed', letterOf(unstaged))
}

/** A path from `add -N` is new in the work tree. */
function letterOf(pair: FilePair | undefined): string {
  return pair?.status ?? ' '
}

async function branchLine(
  repository: Repository,
  { name: branch, oid, countsAhead }: NonNullable<ShortOptions['branch']>,
  paint: Paint,
): Promise<string> {
  if (branch === undefined) return paint('nobranch', 'HEAD (no branch)')
  const name = paint('localbranch', branch.replace('refs/heads/', ''))
  const head = oid === undefined ? `No commits yet on ${name}` : name
  const tracking = await trackingIn(repository, branch, oid, countsAhead)
  if (tracking.kind === 'none') return head
  const upstream = paint('remotebranch', tracking.name)
  if (tracking.kind === 'different') return `${head}...${upstream} [different]`
  if (tracking.kind === 'gone') return `${head}...${upstream} [gone]`
  const parts = [
    tracking.ahead > 0 ? `ahead ${paint('localbranch', String(tracking.ahead))}` : '',
    tracking.behind > 0 ? `behind ${paint('remotebranch', String(tracking.behind))}` : '',
  ].filter(Boolean)
  return `${head}...${upstream}${parts.length > 0 ? ` [${parts.join(', ')}]` : ''}`
}

class PorcelainV2 {
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
    const isMoved = unstaged?.status === 'M' && unstaged.after?.mode === modes.submodule
    const fields = `${code} ${isSubmodule ? `S${isMoved ? 'C' : '.'}..` : 'N...'} ${octal(head?.mode)} ${octal(inIndex?.mode)} ${octal(work?.mode)} ${head?.oid ?? zeroId} ${inIndex?.oid ?? zeroId}`
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
    return `u ${conflict ?? 'UU'} N... ${stageModes} ${octal(stat === undefined ? 0 : tree.modeOf(stat))} ${ids} ${this.#quote(path)}`
  }
}

function untrackedSetting(config: Config): string {
  const setting = config.get('status.showuntrackedfiles') ?? 'normal'
  if (['no', 'normal', 'all'].includes(setting)) return setting
  throw config.bad('status.showuntrackedfiles', `error: Invalid untracked files mode '${setting}'`)
}
