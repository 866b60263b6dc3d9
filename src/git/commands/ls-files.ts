// `git ls-files`.

import { decodeText } from '../../shell/byte-text.ts'
import { failure, fatal } from '../errors.ts'
import type { GitIndex, IndexEntry } from '../index/git-index.ts'
import { quoteFor, relativePath } from '../quote.ts'
import type { Repository } from '../repository.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { parsePathspec } from '../work/pathspec.ts'
import { diffWorkTree, findUntracked } from '../work/status.ts'
import type { GitCommand } from './command.ts'
import { pushAll } from '../../core/many.ts'

export const lsFiles: GitCommand = {
  name: 'ls-files',
  summary: 'Show information about files in the index and the working tree',
  options: {
    rows: [
      { names: ['z'] },
      { names: ['t'], key: 'letters' },
      { names: ['v'], key: 'letters-of-assumed' },
      { names: ['f'], key: 'letters' },
      { names: ['c', 'cached'] },
      { names: ['d', 'deleted'] },
      { names: ['m', 'modified'] },
      { names: ['o', 'others'] },
      { names: ['i', 'ignored'] },
      { names: ['s', 'stage'] },
      { names: ['u', 'unmerged'] },
      { names: ['directory'] },
      { names: ['empty-directory'] },
      { names: ['sparse'], isIgnored: true },
      { names: ['recurse-submodules'], refuses: 'submodules are not built into this git' },
      { names: ['deduplicate'] },
      { names: ['eol'] },
      { names: ['k', 'killed'], refuses: 'killed files are not built into this git' },
      { names: ['x', 'exclude'], argument: { name: 'pattern' } },
      { names: ['X', 'exclude-from'], argument: { name: 'file' } },
      { names: ['exclude-per-directory'], argument: { name: 'file' } },
      { names: ['exclude-standard'] },
      { names: ['full-name'] },
      { names: ['error-unmatch'] },
      { names: ['with-tree'], argument: { name: 'tree-ish' }, refuses: 'a tree beside the index is not built into this git' },
      { names: ['abbrev'], argument: { name: 'n', isOptional: true } },
      { names: ['format'], argument: { name: 'format' } },
    ],
    usage: 'git ls-files [<options>] [<file>...]',
  },
  async run(call, options) {
    const repository = await call.repository()
    const isNull = options.has('z')
    const quote = isNull ? (path: string): string => path : quoteFor(repository.config())
    const prefix = options.has('full-name') ? '' : repository.prefix
    const pathspec = parsePathspec(repository, options.all)
    const index = await repository.readIndex()
    const isHere = (path: string): boolean => `${path}/`.startsWith(repository.prefix) || !pathspec.isEmpty
    const isWanted = (path: string): boolean => isHere(path) && pathspec.matches(path)
    const shown = (path: string): string => quote(relativePath(path, prefix)) + (isNull ? '\0' : '\n')
    const ids = new ShortIds(repository)
    const showsStage = options.has('stage') || options.has('unmerged')
    const isCached =
      options.has('cached') || showsStage || !['deleted', 'modified', 'others', 'ignored'].some(key => options.has(key))
    const others = options.has('others')
    const isIgnored = options.has('ignored')
    if (isIgnored && !others && !options.has('cached')) throw fatal('ls-files -i must be used with either -o or -c')
    const patterns = [...options.values('exclude')]
    for (const file of options.values('exclude-from')) {
      const bytes = await repository.files.read(file.startsWith('/') ? file : `${repository.environment.cwd}/${file}`)
      if (bytes === undefined) throw fatal(`cannot use ${file} as exclude file`)
      pushAll(patterns, decodeText(bytes).split('\n'))
    }
    const rules = repository.ignore(patterns, options.has('exclude-standard'), options.value('exclude-per-directory'))
    const showsLetters = options.has('letters') || options.has('letters-of-assumed')
    const letter = (text: string): string => (showsLetters ? `${text} ` : '')
    const format = options.value('format')
    const { lineEnds } = options.has('eol') ? await import('./line-ends.ts') : { lineEnds: undefined }
    const ends = (path: string, entry?: IndexEntry) => lineEnds?.(repository, path, entry) ?? ''
    if (format !== undefined && (lineEnds !== undefined || showsStage || showsLetters))
      throw fatal('ls-files --format cannot be used with -s, -o, -k, -t, --resolve-undo, --deduplicate, --eol', 129)
    if (others) {
      const found = await findUntracked(repository, index, {
        mode: options.has('directory') ? 'normal' : 'all',
        ignored: isIgnored ? 'traditional' : 'no',
        pathspec: pathspec.isEmpty ? undefined : pathspec,
        ignore: rules,
        showsEmpty: options.has('directory') && !options.isNegated('empty-directory'),
      })
      for (const path of isIgnored ? found.ignored : found.untracked)
        if (isWanted(path.replace(/\/$/, ''))) await call.out.write(letter('?') + (await ends(path)) + shown(path))
    }
    const abbrev = options.value('abbrev')
    const show = async (entry: IndexEntry, mark: string): Promise<void> => {
      const oid = options.has('abbrev') ? await ids.of(entry.oid, abbrev === undefined ? undefined : Number(abbrev)) : entry.oid
      if (format !== undefined) {
        await call.out.write(formatted(format, entry, oid, quote(relativePath(entry.path, prefix))) + (isNull ? '\0' : '\n'))
        return
      }
      const head = showsStage ? `${entry.mode.toString(8).padStart(6, '0')} ${oid} ${entry.stage}\t` : ''
      const { isAssumedValid } = entry
      const isLower = isAssumedValid && options.has('letters-of-assumed')
      await call.out.write(
        letter(isLower ? mark.toLowerCase() : mark) + head + (await ends(entry.path, entry)) + shown(entry.path),
      )
    }
    const [seesDeleted, seesModified] = [options.has('deleted'), options.has('modified')]
    const listsIndex = isCached
    const changed =
      seesDeleted || seesModified ? await changedEntries(repository, index, isWanted) : { gone: new Set(), modified: new Set() }
    const skipsDuplicates = options.has('deduplicate') && !showsStage && !showsLetters
    let last = ''
    for (const entry of listsIndex || seesDeleted || seesModified ? index.sorted() : []) {
      const { path, stage } = entry
      if (!isWanted(path) || (skipsDuplicates && path === last)) continue
      if (isIgnored && !(await rules.isIgnored(path, false))) continue
      const marks: string[] = []
      if (listsIndex && (stage > 0 || !options.has('unmerged'))) marks.push(stage > 0 ? 'M' : entry.isSkipped ? 'S' : 'H')
      if (!entry.isSkipped && seesDeleted && changed.gone.has(path)) marks.push('R')
      if (!entry.isSkipped && seesModified && (changed.gone.has(path) || changed.modified.has(entry))) marks.push('C')
      for (const mark of skipsDuplicates ? marks.slice(0, 1) : marks) await show(entry, mark)
      if (marks.length > 0) last = path
    }
    if (options.has('error-unmatch')) {
      const [missing] = pathspec.unmatched(index.paths())
      if (missing !== undefined)
        throw failure(`pathspec '${missing}' did not match any file(s) known to git\nDid you forget to 'git add'?`)
    }
    return 0
  },
}

interface ChangedEntries {
  readonly gone: ReadonlySet<string>
  readonly modified: ReadonlySet<IndexEntry>
}

/** Lists the files that differ in the work tree. A conflict has one row for each stage. */
async function changedEntries(
  repository: Repository,
  index: GitIndex,
  isWanted: (path: string) => boolean,
): Promise<ChangedEntries> {
  const gone = new Set<string>()
  const modified = new Set<IndexEntry>()
  for (const { path, after } of (await diffWorkTree(repository, index, isWanted)).changes) {
    const entry = index.get(path)
    if (entry === undefined) continue
    if (after === undefined) gone.add(path)
    else modified.add(entry)
  }
  const tree = await repository.workTree()
  for (const path of index.conflicts()) {
    const stat = isWanted(path) ? await tree.lstat(path) : undefined
    const oid = stat === undefined ? undefined : await tree.hash(path, stat, index)
    if (stat === undefined || oid === undefined) gone.add(path)
    else
      for (const entry of index.stages(path) ?? [])
        if (entry !== undefined && (entry.oid !== oid || entry.mode !== tree.modeOf(stat))) modified.add(entry)
  }
  return { gone, modified }
}

function formatted(format: string, { mode, stage }: IndexEntry, oid: string, name: string): string {
  const fields: Readonly<Record<string, string>> = {
    objectmode: mode.toString(8).padStart(6, '0'),
    objectname: oid,
    stage: String(stage),
    path: name,
  }
  return format
    .replaceAll(/%\(([^)]+)\)/g, (_, field: string) => {
      const value = fields[field]
      if (value === undefined) throw fatal(`bad ls-files format: %(${field})`)
      return value
    })
    .replaceAll(/%x([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll('%%', '%')
}
