// The list that `git branch` shows.

import type { GitCall } from '../call.ts'
import type { Repository } from '../repository.ts'
import type { Options } from '../options.ts'
import type { Ref } from '../store/refs.ts'
import { compileWildcard, matchesWildcard } from '../../search/wildmatch.ts'
import { encodeText } from '../../shell/byte-text.ts'
import { wantsColor } from '../color/wants-color.ts'
import { paletteOf } from '../color/load-palette.ts'
import { listWorkTrees } from '../work/worktrees.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { columnStyle, inColumns, outputWidth } from '../text-columns.ts'
import { fatal } from '../errors.ts'
import type { ObjectId } from '../store/object-format.ts'
import { subjectOf } from '../revs/subject.ts'
import type { Palette } from '../color/palette.ts'
import { trackingOf } from '../revs/tracking.ts'
import { detachedText, operationsOf } from '../work/operation.ts'
import { needCommit } from '../revs/revision.ts'
import { isAncestor } from '../revs/merge-base.ts'
import { largest, pushAll } from '../../core/many.ts'

export async function listBranches(call: GitCall, repository: Repository, options: Options): Promise<number> {
  const head = await repository.head()
  const prefixes = options.has('all')
    ? ['refs/heads/', 'refs/remotes/']
    : options.has('remotes')
      ? ['refs/remotes/']
      : ['refs/heads/']
  let refs: Ref[] = []
  for (const prefix of prefixes) pushAll(refs, await repository.refs.list(prefix))
  refs = await filtered(repository, refs, options)
  const patterns = options.all
  if (patterns.length > 0) {
    const folded = (text: string): string => (options.has('ignore-case') ? text.toLowerCase() : text)
    const wildcards = patterns.map(pattern => compileWildcard(encodeText(folded(pattern)), false))
    refs = refs.filter(({ name }) =>
      wildcards.some(wildcard => matchesWildcard(wildcard, encodeText(folded(name.replace(/^refs\/(heads|remotes)\//, ''))))),
    )
  }
  const isDetachedShown =
    head.branch === undefined &&
    head.oid !== undefined &&
    prefixes.includes('refs/heads/') &&
    patterns.length === 0 &&
    (await filtered(repository, [{ name: 'HEAD', oid: head.oid }], options)).length > 0
  const format = options.value('format')
  const configured = repository.config().get('branch.sort')
  const sort = options.has('sort')
    ? options.values('sort')
    : configured === undefined || options.isNegated('sort')
      ? []
      : [configured]
  if (options.has('ignore-case') || sort.length > 0 || format !== undefined) {
    const { formatRefs, readRefFields, sortRefs } = await import('./ref-format.ts')
    const fields = await readRefFields(call, repository, refs)
    const sorted = sortRefs(fields, sort, options.has('ignore-case'))
    if (format !== undefined) {
      for (const line of await formatRefs(sorted, format, wantsColor(options, repository.config(), ['color.branch'])))
        await call.print(line)
      return 0
    }
    refs = sorted.map(({ ref }) => ref)
  }
  const palette = wantsColor(options, repository.config(), ['color.branch']) ? await paletteOf(repository) : undefined
  const rows: { readonly mark: string; readonly name: string; readonly ref: Ref; readonly target: string | undefined }[] = []
  if (isDetachedShown && head.oid !== undefined)
    rows.push({
      mark: '*',
      name: await detachedName(repository, head.oid),
      ref: { name: 'HEAD', oid: head.oid },
      target: undefined,
    })
  const elsewhere = new Map<string, string>()
  for (const { branch: own, path, isBare } of await listWorkTrees(repository))
    if (own !== undefined && own !== head.branch && !isBare) elsewhere.set(own, path)
  for (const ref of refs) {
    const value = await repository.refs.read(ref.name)
    const short = options.has('all')
      ? ref.name.replace(/^refs\/heads\//, '').replace(/^refs\//, '')
      : ref.name.replace(/^refs\/(heads|remotes)\//, '')
    const target = value?.kind === 'symbolic' ? value.target.replace(/^refs\/(heads|remotes)\//, '') : undefined
    const mark = ref.name === head.branch ? '*' : elsewhere.has(ref.name) ? '+' : ' '
    rows.push({ mark, name: short, ref, target })
  }
  const verbosity = options.count('verbose')
  const width = largest(rows.map(({ name }) => [...name].length))
  const ids = new ShortIds(repository)
  const column = { isGiven: options.has('column'), isNegated: options.isNegated('column'), value: options.value('column') }
  const config = repository.config()
  const style = columnStyle(column, [config.get('column.ui'), config.get('column.branch')])
  if (verbosity > 0 && options.has('column')) throw fatal("options '--column' and '--verbose' cannot be used together")
  /** The name in the color of its kind; the color ends in any case. */
  const painted = (mark: string, text: string, ref: Ref): string => {
    if (palette === undefined) return text
    const slot = mark === '*' ? 'current' : mark === '+' ? 'worktree' : ref.name.startsWith('refs/remotes/') ? 'remote' : 'local'
    return `${palette.of(`branch.${slot}`)}${text}\u001B[m`
  }
  if (verbosity === 0) {
    const names = rows.map(
      ({ mark, name, target, ref }) => `${mark} ${painted(mark, name, ref)}${target === undefined ? '' : ` -> ${target}`}`,
    )
    for (const line of inColumns(names, style, { indent: '', padding: 1, width: outputWidth(call.environment.env) }))
      await call.print(line)
    return 0
  }
  const abbrev = options.value('abbrev')
  const shortId = async (oid: ObjectId): Promise<string> =>
    options.isNegated('abbrev') || abbrev === '0' ? oid : ids.of(oid, abbrev === undefined ? undefined : Number(abbrev))
  for (const { mark, name, ref, target } of rows) {
    if (target !== undefined) {
      await call.print(`${mark} ${painted(mark, name.padEnd(width), ref)} -> ${target}`)
      continue
    }
    const subject = subjectOf((await repository.objects.readCommit(ref.oid)).message)
    const place = verbosity > 1 ? elsewhere.get(ref.name) : undefined
    const tracked = ref.name.startsWith('refs/heads/') ? await trackingNote(repository, ref, verbosity, palette) : ''
    const note = (place === undefined ? '' : `(${palette?.paint('branch.worktree', place) ?? place}) `) + tracked
    await call.print(`${mark} ${painted(mark, name.padEnd(width), ref)} ${await shortId(ref.oid)} ${note}${subject}`)
  }
  return 0
}

async function trackingNote(repository: Repository, ref: Ref, verbosity: number, palette: Palette | undefined): Promise<string> {
  const tracking = await trackingOf(repository, ref.name, ref.oid)
  if (tracking.kind === 'none') return ''
  const name = palette === undefined ? tracking.name : `${palette.of('branch.upstream')}${tracking.name}\u001B[m`
  if (tracking.kind === 'gone') return verbosity > 1 ? `[${name}: gone] ` : '[gone] '
  const parts = [tracking.ahead > 0 ? `ahead ${tracking.ahead}` : '', tracking.behind > 0 ? `behind ${tracking.behind}` : '']
    .filter(Boolean)
    .join(', ')
  if (verbosity > 1) return `[${name}${parts === '' ? '' : `: ${parts}`}] `
  return parts === '' ? '' : `[${parts}] `
}

async function detachedName(repository: Repository, oid: ObjectId): Promise<string> {
  const rebase = (await operationsOf(repository)).find(({ kind }) => kind === 'rebase')
  if (rebase !== undefined) return `(no branch, rebasing ${rebase.name ?? ''})`
  const detached = await detachedText(repository, oid)
  return detached === undefined ? '(no branch)' : `(HEAD ${detached})`
}

async function filtered(repository: Repository, refs: readonly Ref[], options: Options): Promise<Ref[]> {
  const commitOf = async (key: string): Promise<ObjectId | undefined> =>
    options.has(key)
      ? needCommit(repository, options.value(key) ?? 'HEAD', `malformed object name ${options.value(key) ?? 'HEAD'}`)
      : undefined
  const contains = await commitOf('contains')
  const lacks = await commitOf('no-contains')
  const merged = await commitOf('merged')
  const unmerged = await commitOf('no-merged')
  const pointsAt = await commitOf('points-at')
  const kept: Ref[] = []
  for (const ref of refs) {
    const { oid } = ref
    if (contains !== undefined && !(await isAncestor(repository, contains, oid))) continue
    if (lacks !== undefined && (await isAncestor(repository, lacks, oid))) continue
    if (merged !== undefined && !(await isAncestor(repository, oid, merged))) continue
    if (unmerged !== undefined && (await isAncestor(repository, oid, unmerged))) continue
    if (pointsAt !== undefined && oid !== pointsAt) continue
    kept.push(ref)
  }
  return kept
}
