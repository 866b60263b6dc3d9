// `git grep`: lines of tracked files, of the index, or of commits.

import { decodeText, encodeText } from '../../shell/byte-text.ts'
import { looksBinary } from '../diff/file-pair.ts'
import { listTree } from '../diff/tree-diff.ts'
import { fatal } from '../errors.ts'
import { quoteFor, relativePath } from '../quote.ts'
import type { Config } from '../store/config.ts'
import type { GitCall } from '../call.ts'
import type { Repository } from '../repository.ts'
import { type PatternKind, posixPattern } from '../revs/posix-pattern.ts'
import { readRevisions } from '../revs/revision-arguments.ts'
import { peel } from '../revs/revision.ts'
import { modes } from '../store/object-format.ts'
import { parsePathspec } from '../work/pathspec.ts'
import { findUntracked } from '../work/status.ts'
import { Options } from '../options.ts'
import type { GitCommand } from './command.ts'

interface Source {
  readonly name: string
  readonly read: () => Promise<Uint8Array | undefined>
}

export const grep: GitCommand = {
  name: 'grep',
  summary: 'Print lines matching a pattern',
  options: {
    rows: [
      { names: ['cached'] },
      { names: ['untracked'] },
      { names: ['no-index'], refuses: 'searching outside of a repository is not built into this git; use grep or rg' },
      { names: ['v', 'invert-match'] },
      { names: ['i', 'ignore-case'] },
      { names: ['w', 'word-regexp'] },
      { names: ['a', 'text'] },
      { names: ['I'], key: 'no-binary' },
      { names: ['r', 'recursive'], isIgnored: true, refusesNegated: 'use --max-depth 0' },
      { names: ['E', 'extended-regexp'], key: 'kind', value: 'extended', isNegatable: false },
      { names: ['G', 'basic-regexp'], key: 'kind', value: 'basic', isNegatable: false },
      { names: ['F', 'fixed-strings'], key: 'kind', value: 'fixed', isNegatable: false },
      { names: ['P', 'perl-regexp'], key: 'kind', value: 'perl', isNegatable: false },
      { names: ['n', 'line-number'] },
      { names: ['column'] },
      { names: ['h'], key: 'no-names' },
      { names: ['H'], isIgnored: true },
      { names: ['full-name'] },
      { names: ['l', 'files-with-matches', 'name-only'], key: 'list' },
      { names: ['L', 'files-without-match'], key: 'list-without' },
      { names: ['z', 'null'] },
      { names: ['o', 'only-matching'] },
      { names: ['c', 'count'] },
      { names: ['color'], argument: { name: 'when', isOptional: true }, accepts: ['auto', 'never', 'false'], isIgnored: true },
      { names: ['break'] },
      { names: ['heading'] },
      { names: ['C', 'context'], argument: { name: 'n' } },
      { names: ['B', 'before-context'], argument: { name: 'n' } },
      { names: ['A', 'after-context'], argument: { name: 'n' } },
      { names: ['p', 'show-function'], refuses: 'function headings are not built into this git' },
      { names: ['W', 'function-context'], refuses: 'whole functions are not built into this git' },
      { names: ['f'], argument: { name: 'file' }, refuses: 'patterns from a file are not built into this git; use -e' },
      { names: ['e'], argument: { name: 'pattern' }, key: 'pattern' },
      { names: ['and', 'or', 'not', 'all-match'], refuses: 'combined patterns are not built into this git' },
      { names: ['q', 'quiet'] },
      { names: ['m', 'max-count'], argument: { name: 'n' } },
      { names: ['max-depth'], argument: { name: 'n' } },
      { names: ['threads'], argument: { name: 'n' }, isIgnored: true },
    ],
    usage: 'git grep [<options>] [-e] <pattern> [<rev>...] [[--] <path>...]',
  },
  async run(call, options) {
    const repository = await call.repository()
    return search(call, repository, options.withUsual(usualOptions(repository.config())))
  },
}

const kinds: ReadonlySet<string> = new Set(['basic', 'extended', 'fixed', 'perl'])

function usualOptions(config: Config): readonly (readonly [string, string | true])[] {
  const flags = [
    ['grep.linenumber', 'line-number'],
    ['grep.column', 'column'],
    ['grep.fullname', 'full-name'],
  ] as const
  const type = config.get('grep.patterntype') ?? 'default'
  if (type !== 'default' && !kinds.has(type)) throw fatal(`bad grep.patterntype argument: ${type}`)
  const kind = type === 'default' && config.bool('grep.extendedregexp', false) ? 'extended' : type
  return [
    ...flags.filter(([name]) => config.bool(name, false)).map(([, key]) => [key, true] as const),
    ...(kind === 'default' ? [] : [['kind', kind] as const]),
  ]
}

async function search(call: GitCall, repository: Repository, options: Options): Promise<number> {
  const given = options.values('pattern')
  const [first, ...others] = options.words
  if (given.length === 0 && first === undefined) throw fatal('no pattern given')
  const patterns = given.length > 0 ? given : [first ?? '']
  const words = given.length > 0 ? options.words : others
  const args = await readRevisions(repository, new Options([], words, options.paths))
  const kindText = options.value('kind')
  const kind: PatternKind = kindText === 'extended' || kindText === 'fixed' || kindText === 'perl' ? kindText : 'basic'
  const flags = options.has('ignore-case') ? 'gi' : 'g'
  const matchers = patterns.map(pattern => {
    const plain = posixPattern(pattern, kind, flags)
    return options.has('word-regexp') ? new RegExp(`(?<![A-Za-z0-9_])(?:${plain.source})(?![A-Za-z0-9_])`, flags) : plain
  })
  const isNull = options.has('null')
  const quote = isNull ? (path: string): string => path : quoteFor(repository.config())
  const context = Number(options.value('context') ?? 0)
  const before = Number(options.value('before-context') ?? context)
  const after = Number(options.value('after-context') ?? context)
  const max = options.value('max-count') === undefined ? Number.POSITIVE_INFINITY : Number(options.value('max-count'))
  let found = false
  let isAnyShown = false
  for await (const { name, read } of sources(repository, options, args.revisions, args.paths)) {
    call.check()
    const bytes = await read()
    if (bytes === undefined) continue
    const isBinary = !options.has('text') && looksBinary(bytes)
    if (isBinary && options.has('no-binary')) continue
    const lines = decodeText(bytes).split('\n')
    if (lines.at(-1) === '') lines.pop()
    const hits: number[] = []
    for (const [index, line] of lines.entries()) {
      if (hits.length >= max) break
      const isHit = matchers.some(matcher => {
        matcher.lastIndex = 0
        return matcher.test(line)
      })
      if (isHit !== options.has('invert-match')) hits.push(index)
    }
    if (hits.length > 0) found = true
    const shownName = quote(name)
    const gap = isNull ? '\0' : ':'
    if (options.has('quiet')) {
      if (found) return 0
      continue
    }
    if (options.has('list') || options.has('list-without')) {
      if (hits.length > 0 === options.has('list')) await call.out.write(`${shownName}${isNull ? '\0' : '\n'}`)
      continue
    }
    if (options.has('count')) {
      if (hits.length > 0) await call.print(options.has('no-names') ? String(hits.length) : `${shownName}${gap}${hits.length}`)
      continue
    }
    if (hits.length === 0) continue
    if (options.has('break') && isAnyShown) await call.print('')
    isAnyShown = true
    if (isBinary) {
      await call.print(`Binary file ${shownName} matches`)
      continue
    }
    if (options.has('heading')) await call.print(shownName)
    const head = (index: number, sign: string): string => {
      const file = options.has('no-names') || options.has('heading') ? '' : `${shownName}${isNull ? '\0' : sign}`
      return `${file}${options.has('line-number') ? `${index + 1}${isNull ? '\0' : sign}` : ''}`
    }
    let last = -1
    for (const hit of hits) {
      const line = lines[hit] ?? ''
      if (options.has('only-matching')) {
        for (const matcher of matchers) matcher.lastIndex = 0
        for (const matcher of matchers)
          for (const [text] of line.matchAll(matcher)) if (text !== '') await call.print(`${head(hit, ':')}${text}`)
        continue
      }
      const start = Math.max(last + 1, hit - before)
      if ((before > 0 || after > 0) && last !== -1 && start > last + 1) await call.print('--')
      for (let index = start; index < hit; index++) await call.print(`${head(index, '-')}${lines[index] ?? ''}`)
      const column = options.has('column')
        ? `${encodeText(line.slice(0, Math.max(0, line.search(new RegExp(matchers[0]?.source ?? '', flags.replace('g', '')))))).length + 1}:`
        : ''
      await call.print(`${head(hit, ':')}${column}${line}`)
      last = hit
      const next = hits.find(other => other > hit) ?? Number.POSITIVE_INFINITY
      for (let index = hit + 1; index <= hit + after && index < lines.length && index < next; index++) {
        await call.print(`${head(index, '-')}${lines[index] ?? ''}`)
        last = index
      }
    }
  }
  return found ? 0 : 1
}

async function* sources(
  repository: Repository,
  options: Options,
  revisions: readonly { readonly oid: string; readonly text: string }[],
  paths: readonly string[],
): AsyncGenerator<Source> {
  const pathspec = parsePathspec(repository, paths.length > 0 || repository.prefix === '' ? paths : ['.'])
  const prefix = options.has('full-name') ? '' : repository.prefix
  const maxDepth = options.number('max-depth') ?? -1
  const starts = pathspec.isEmpty ? [''] : pathspec.items.map(({ path }) => path)
  const isWanted = (path: string): boolean =>
    pathspec.matches(path) && (maxDepth < 0 || starts.some(start => depthBelow(path, start) <= maxDepth))
  for (const { oid, text } of revisions) {
    const tree = await peel(repository, oid, 'tree')
    if (tree === undefined) throw fatal(`unable to grep from object ${text}`)
    for (const { path, mode, oid: blob } of await listTree(repository, tree, { isWanted: pathspec.filter })) {
      if ((mode !== modes.file && mode !== modes.executable) || !isWanted(path)) continue
      yield { name: `${text}:${relativePath(path, prefix)}`, read: () => repository.objects.readBlob(blob) }
    }
  }
  if (revisions.length > 0) return
  const index = await repository.readIndex()
  const tree = await repository.workTree()
  let last = ''
  const known: string[] = []
  for (const entry of index.sorted()) {
    if (entry.path === last || !isWanted(entry.path) || (entry.mode !== modes.file && entry.mode !== modes.executable)) continue
    last = entry.path
    if (options.has('cached'))
      yield { name: relativePath(entry.path, prefix), read: () => repository.objects.readBlob(entry.oid) }
    else known.push(entry.path)
  }
  if (options.has('cached')) return
  if (options.has('untracked')) {
    known.push(
      ...(
        await findUntracked(repository, index, {
          mode: 'all',
          pathspec: pathspec.isEmpty ? undefined : pathspec,
          ignore: repository.ignore(),
        })
      ).untracked.filter(isWanted),
    )
    known.sort()
  }
  for (const path of known) {
    yield {
      name: relativePath(path, prefix),
      read: async () => {
        const stat = await tree.lstat(path)
        return stat?.kind === 'file' ? repository.files.read(tree.pathOf(path)) : undefined
      },
    }
  }
}

/** The number of directories in between; infinite if the path is not below. */
function depthBelow(path: string, start: string): number {
  if (path === start) return 0
  const base = start === '' ? '' : `${start}/`
  return path.startsWith(base) ? path.slice(base.length).split('/').length - 1 : Number.POSITIVE_INFINITY
}
