// `git status`: long, short, and the formats for programs.

import { decodeText } from '../../shell/byte-text.ts'
import { collectOutput } from '../../shell/commands.ts'
import type { Config } from '../store/config.ts'
import type { GitCall } from '../call.ts'
import type { FilePair } from '../diff/file-pair.ts'
import { percent } from '../diff/renames.ts'
import { fatal, GitFailure } from '../errors.ts'
import { quotePath, relativePath } from '../quote.ts'
import type { Repository } from '../repository.ts'
import { paletteOf } from '../color/load-palette.ts'
import { wantsColor } from '../color/wants-color.ts'
import { columnStyle } from '../text-columns.ts'
import { parseOptions } from '../options.ts'
import { trackingIn } from '../revs/tracking.ts'
import type { ObjectId } from '../store/object-format.ts'
import { parsePathspec } from '../work/pathspec.ts'
import { readStatus, type Status, type StatusOptions, type StatusRow, type UntrackedMode } from '../work/status.ts'
import { submoduleIgnore } from '../work/submodule-dirt.ts'
import type { GitCommand } from './command.ts'
import { keepRefreshed } from '../work/keep-refreshed.ts'
import { commented, commentMark } from '../merge/commit-text.ts'
import { longStatus } from './long-status.ts'

export { longStatus } from './long-status.ts'

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
    const isNull = options.has('null')
    // Of the options that name a form the last counts.
    const asked = options.given.findLast(({ key }) => key === 'form' || key === 'porcelain')
    const named = asked === undefined || asked.isNegated ? undefined : asked.key === 'form' ? asked.value : 'porcelain'
    const porcelain = named === 'porcelain' ? (asked?.value ?? '1') : undefined
    if (porcelain !== undefined && !['1', 'v1', '2', 'v2'].includes(porcelain))
      throw new GitFailure(`fatal: unsupported porcelain version '${porcelain}'`, 128)
    if (named === 'long' && isNull) throw fatal("options '--long' and '-z' cannot be used together")
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
      submodules: submoduleIgnore(options, untracked === 'no' ? 'untracked' : 'none'),
    }
    const index = await repository.readIndex()
    const { branch, oid } = await repository.head()
    const found = await readStatus(repository, index, oid, settings)
    await keepRefreshed(repository, index, found)
    const isShort = asked === undefined && config.has('status.short') && config.bool('status.short', false)
    const form = named ?? (isNull ? 'porcelain' : isShort ? 'short' : 'long')
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
        summarizesSubmodules: settings.submodules?.given !== 'all',
        column: columnStyle(column, [config.get('column.ui'), config.get('column.status')]),
        patches: options.has('verbose') ? () => statusPatches(call, found, options.count('verbose')) : undefined,
      })
      const isCommented = config.has('status.displaycommentprefix') && config.bool('status.displaycommentprefix', false)
      await call.out.write(isCommented ? commented(text, commentMark(config)) : text)
      if (stashes > 0) await call.print(`Your stash currently has ${stashes} ${stashes === 1 ? 'entry' : 'entries'}`)
      return 0
    }
    if (porcelain === '2' || porcelain === 'v2') {
      const { PorcelainV2 } = await import('./porcelain-v2.ts')
      const writer = new PorcelainV2(call, repository, index, { isNull, countsAhead, stashes })
      await writer.write(found, options.has('branch'))
      return 0
    }
    const showsBranch =
      options.has('branch') ||
      (form === 'short' && !options.isNegated('branch') && config.has('status.branch') && config.bool('status.branch', false))
    const prefix = form === 'short' && !isNull && config.bool('status.relativepaths', true) ? repository.prefix : ''
    await writeShort(call, repository, found, {
      isForPerson: form === 'short',
      isColored: form === 'short' && wantsColor(undefined, config, ['color.status']),
      prefix,
      isNull,
      branch: showsBranch ? { name: branch, oid, countsAhead } : undefined,
    })
    return 0
  },
}

/** `-v`: the staged changes as a patch; `-vv`: also the unstaged ones. */
/** `against`: words of `git diff` for what is to be committed. */
export async function statusPatches(
  call: GitCall,
  { rows }: Status,
  level: number,
  against: readonly string[] = ['--cached'],
): Promise<string> {
  const hasStaged = rows.some(({ staged }) => staged !== undefined)
  const hasUnstaged = rows.some(({ unstaged, conflict }) => unstaged !== undefined || conflict !== undefined)
  const isLong = level > 1
  const parts: string[] = []
  if (isLong && hasStaged) parts.push('Changes to be committed:\n')
  parts.push(await patchOf(call, [...against, ...(isLong && hasStaged ? ['--src-prefix=c/', '--dst-prefix=i/'] : [])]))
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
  /** Not `--porcelain`. */
  readonly isForPerson: boolean
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
  { isForPerson, prefix, isNull, isColored, branch }: ShortOptions,
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
    const code = codeOf(row, paint, isForPerson)
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

function codeOf({ staged, unstaged, conflict }: StatusRow, paint: Paint, isForPerson: boolean): string {
  if (conflict !== undefined) return paint('unmerged', conflict)
  const painted = (slot: 'added' | 'changed', letter: string): string => (letter === ' ' ? letter : paint(slot, letter))
  return painted('added', staged?.status ?? ' ') + painted('changed', letterOf(unstaged, isForPerson))
}

/** A path from `add -N` is new in the work tree. Changes inside of a submodule have letters of their own, unless a program reads them. */
function letterOf(pair: FilePair | undefined, isForPerson: boolean): string {
  const dirt = pair?.before?.oid === pair?.after?.oid ? pair?.after?.dirt : undefined
  if (dirt !== undefined && isForPerson) return dirt.isModified ? 'm' : '?'
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

function untrackedSetting(config: Config): string {
  const setting = config.get('status.showuntrackedfiles') ?? 'normal'
  if (['no', 'normal', 'all'].includes(setting)) return setting
  throw config.bad('status.showuntrackedfiles', `error: Invalid untracked files mode '${setting}'`)
}
