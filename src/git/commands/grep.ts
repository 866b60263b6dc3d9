// `git grep`: lines of tracked files, of the index, or of commits.

import { decodeText } from '../../shell/byte-text.ts'
import { looksBinary } from '../diff/file-pair.ts'
import { listTree } from '../diff/tree-diff.ts'
import { fatal } from '../errors.ts'
import { quoteFor, relativePath } from '../quote.ts'
import type { Config } from '../store/config.ts'
import type { GitCall } from '../call.ts'
import type { Repository } from '../repository.ts'
import type { PatternKind } from '../revs/posix-pattern.ts'
import { readRevisions } from '../revs/revision-arguments.ts'
import { peel } from '../revs/revision.ts'
import { modes } from '../store/object-format.ts'
import { parsePathspec } from '../work/pathspec.ts'
import { findUntracked } from '../work/status.ts'
import { Options } from '../options.ts'
import { paletteOf } from '../color/load-palette.ts'
import { colorOptionRow, wantsColor } from '../color/wants-color.ts'
import type { GitCommand } from './command.ts'
import { grepExpression, type GrepToken, grepTokens } from './grep-expression.ts'
import { GrepLines, type GrepSlot } from './grep-lines.ts'
import { grepMatcher } from './grep-matcher.ts'
import { pushAll } from '../../core/many.ts'

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
      { names: ['a', 'text'], key: 'binary', value: 'text' },
      { names: ['I'], key: 'binary', value: 'none' },
      { names: ['r', 'recursive'], key: 'max-depth', value: '-1', isNegatable: false },
      { names: ['no-recursive'], key: 'max-depth', value: '0', isNegatable: false },
      { names: ['E', 'extended-regexp'], key: 'kind', value: 'extended', isNegatable: false },
      { names: ['G', 'basic-regexp'], key: 'kind', value: 'basic', isNegatable: false },
      { names: ['F', 'fixed-strings'], key: 'kind', value: 'fixed', isNegatable: false },
      { names: ['P', 'perl-regexp'], key: 'kind', value: 'perl', isNegatable: false },
      { names: ['n', 'line-number'] },
      { names: ['column'] },
      { names: ['h'], key: 'names', value: 'no' },
      { names: ['H'], key: 'names', value: 'yes' },
      { names: ['full-name'] },
      { names: ['l', 'files-with-matches', 'name-only'], key: 'list' },
      { names: ['L', 'files-without-match'], key: 'list-without' },
      { names: ['z', 'null'] },
      { names: ['o', 'only-matching'] },
      { names: ['c', 'count'] },
      colorOptionRow,
      { names: ['break'] },
      { names: ['heading'] },
      { names: ['C', 'context'], argument: { name: 'n' } },
      { names: ['B', 'before-context'], argument: { name: 'n' } },
      { names: ['A', 'after-context'], argument: { name: 'n' } },
      { names: ['p', 'show-function'], refuses: 'function headings are not built into this git' },
      { names: ['W', 'function-context'], refuses: 'whole functions are not built into this git' },
      { names: ['f'], argument: { name: 'file' }, key: 'pattern-file' },
      { names: ['e'], argument: { name: 'pattern' }, key: 'pattern' },
      { names: ['and'], isNegatable: false },
      { names: ['not'], isNegatable: false },
      { names: ['or'], isIgnored: true },
      { names: ['all-match'] },
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
  const given: GrepToken[] = [...grepTokens(options), ...(await patternsOfFiles(call, options))]
  const [first, ...others] = options.words.filter(word => word !== '(' && word !== ')')
  const isNamed = given.some(({ kind }) => kind === 'pattern')
  if (!isNamed && first === undefined) throw fatal('no pattern given')
  const tokens = isNamed ? given : [...given, ...(first ?? '').split('\n').map(source => ({ kind: 'pattern' as const, source }))]
  const words = isNamed && first !== undefined ? [first, ...others] : others
  const args = await readRevisions(repository, new Options([], words, options.paths))
  if (options.has('cached') && options.has('untracked'))
    throw fatal("options '--untracked' and '--cached' cannot be used together")
  if (options.has('untracked') && args.revisions.length > 0) throw fatal("option '--untracked' cannot be used with revs")
  if (options.has('cached') && args.revisions.length > 0) throw fatal('both --cached and trees are given')
  const kindText = options.value('kind')
  const kind: PatternKind = kindText === 'extended' || kindText === 'fixed' || kindText === 'perl' ? kindText : 'basic'
  const how = { ignoresCase: options.has('ignore-case'), isWord: options.has('word-regexp') }
  const expression = grepExpression(tokens, source => grepMatcher(source, kind, how))
  const isNull = options.has('null')
  const quote = isNull ? (path: string): string => path : quoteFor(repository.config())
  const max = options.value('max-count') === undefined ? Number.POSITIVE_INFINITY : Number(options.value('max-count'))
  const palette = wantsColor(options, repository.config(), ['color.grep']) ? await paletteOf(repository) : undefined
  const paint = (slot: GrepSlot, text: string): string => palette?.paint(`grep.${slot}`, text) ?? text
  const shown = new GrepLines(options, expression, palette === undefined ? undefined : paint)
  let found = false
  for await (const { name, read } of sources(repository, options, args.revisions, args.paths)) {
    call.check()
    const bytes = await read()
    if (bytes === undefined) continue
    const isBinary = options.value('binary') !== 'text' && looksBinary(bytes)
    if (isBinary && options.value('binary') === 'none') continue
    const lines = decodeText(bytes).split('\n')
    if (lines.at(-1) === '') lines.pop()
    const hits: number[] = []
    for (const [index, line] of lines.entries()) {
      if (hits.length >= max) break
      if (expression.holds(line) !== options.has('invert-match')) hits.push(index)
    }
    if (options.has('all-match') && !expression.alternatives.every(test => lines.some(test))) continue
    if (hits.length > 0 !== options.has('list-without')) found = true
    const shownName = paint('filename', quote(name))
    const gap = isNull ? '\0' : paint('separator', ':')
    if (options.has('quiet')) {
      if (found) return 0
      continue
    }
    if (options.has('list') || options.has('list-without')) {
      if (hits.length > 0 !== options.has('list-without')) await call.out.write(`${shownName}${isNull ? '\0' : '\n'}`)
      continue
    }
    if (options.has('count')) {
      if (hits.length > 0)
        await call.print(options.value('names') === 'no' ? String(hits.length) : `${shownName}${gap}${hits.length}`)
      continue
    }
    if (hits.length === 0) continue
    if (isBinary) {
      await call.print(`Binary file ${shownName} matches`)
      continue
    }
    await call.out.write(shown.textOf(shownName, lines, hits))
  }
  return found ? 0 : 1
}

/** `-f`: each line of the file is a pattern. */
async function patternsOfFiles(call: GitCall, options: Options): Promise<readonly GrepToken[]> {
  const tokens: GrepToken[] = []
  for (const name of options.values('pattern-file')) {
    const path = name.startsWith('/') ? name : `${call.environment.cwd}/${name}`
    const bytes = name === '-' ? await call.inputBytes() : await call.repository().then(({ files }) => files.read(path))
    if (bytes === undefined) throw fatal(`cannot open '${name}': No such file or directory`)
    const lines = decodeText(bytes).split('\n')
    if (lines.at(-1) === '') lines.pop()
    pushAll(
      tokens,
      lines.map(source => ({ kind: 'pattern' as const, source })),
    )
  }
  return tokens
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
  const starts = pathspec.isEmpty ? [''] : pathspec.items.flatMap(({ path, wildcard }) => (wildcard === 'none' ? [path] : []))
  const isLimited = maxDepth >= 0 && (pathspec.isEmpty || starts.length === pathspec.items.length)
  const isWanted = (path: string): boolean =>
    pathspec.matches(path) && (!isLimited || starts.some(start => depthBelow(path, start) <= maxDepth))
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
    if (options.has('cached') && (entry.stage > 0 || entry.isIntentToAdd)) continue
    if (entry.path === last || !isWanted(entry.path) || (entry.mode !== modes.file && entry.mode !== modes.executable)) continue
    last = entry.path
    if (options.has('cached'))
      yield { name: relativePath(entry.path, prefix), read: () => repository.objects.readBlob(entry.oid) }
    else known.push(entry.path)
  }
  if (options.has('cached')) return
  if (options.has('untracked')) {
    const { untracked } = await findUntracked(repository, index, {
      mode: 'all',
      pathspec: pathspec.isEmpty ? undefined : pathspec,
      ignore: repository.ignore(),
    })
    pushAll(known, untracked.filter(isWanted))
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
