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
import { paletteOf } from '../color/load-palette.ts'
import { colorOptionRow, wantsColor } from '../color/wants-color.ts'
import type { GitCommand } from './command.ts'
import { type GrepExpression, grepExpression, type GrepToken, grepTokens, type Match } from './grep-expression.ts'

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
  const kindText = options.value('kind')
  const kind: PatternKind = kindText === 'extended' || kindText === 'fixed' || kindText === 'perl' ? kindText : 'basic'
  const flags = options.has('ignore-case') ? 'gi' : 'g'
  const expression = grepExpression(tokens, source => {
    const plain = posixPattern(source, kind, flags)
    return options.has('word-regexp') ? new RegExp(`(?<![A-Za-z0-9_])(?:${plain.source})(?![A-Za-z0-9_])`, flags) : plain
  })
  const isNull = options.has('null')
  const quote = isNull ? (path: string): string => path : quoteFor(repository.config())
  const context = Number(options.value('context') ?? 0)
  const before = Number(options.value('before-context') ?? context)
  const after = Number(options.value('after-context') ?? context)
  const max = options.value('max-count') === undefined ? Number.POSITIVE_INFINITY : Number(options.value('max-count'))
  const palette = wantsColor(options, repository.config(), ['color.grep']) ? await paletteOf(repository) : undefined
  const paint = (slot: GrepSlot, text: string): string => palette?.paint(`grep.${slot}`, text) ?? text
  const columnText = (line: string, start: number): string =>
    `${paint('column', String(encodeText(line.slice(0, start)).length + 1))}${paint('separator', ':')}`
  const hasContext = before > 0 || after > 0
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
      if (expression.holds(line) !== options.has('invert-match')) hits.push(index)
    }
    if (options.has('all-match') && !expression.alternatives.every(test => lines.some(test))) hits.length = 0
    if (hits.length > 0 !== options.has('list-without')) found = true
    const shownName = paint('filename', quote(name))
    const gap = isNull ? '\0' : paint('separator', ':')
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
    else if (hasContext && isAnyShown) await call.print(paint('separator', '--'))
    isAnyShown = true
    if (isBinary) {
      await call.print(`Binary file ${shownName} matches`)
      continue
    }
    if (options.has('heading')) await call.print(shownName)
    const head = (index: number, sign: string): string => {
      const end = isNull ? '\0' : paint('separator', sign)
      const file = options.has('no-names') || options.has('heading') ? '' : `${shownName}${end}`
      return `${file}${options.has('line-number') ? `${paint('linenumber', String(index + 1))}${end}` : ''}`
    }
    /** A line with its matches in color. */
    const shown = (line: string, slot: 'selected' | 'context'): string =>
      palette === undefined ? line : paintedMatches(line, expression, paint, slot)
    let last = -1
    for (const hit of hits) {
      const line = lines[hit] ?? ''
      if (options.has('only-matching')) {
        const isColumn = options.has('column')
        for (const [start, end] of matchesIn(line, expression))
          await call.print(`${head(hit, ':')}${isColumn ? columnText(line, start) : ''}${paint('match', line.slice(start, end))}`)
        continue
      }
      const start = Math.max(last + 1, hit - before)
      if (hasContext && last !== -1 && start > last + 1) await call.print(paint('separator', '--'))
      for (let index = start; index < hit; index++) await call.print(`${head(index, '-')}${shown(lines[index] ?? '', 'context')}`)
      const column = options.has('column') ? columnText(line, expression.next(line, 0)?.[0] ?? 0) : ''
      await call.print(`${head(hit, ':')}${column}${shown(line, 'selected')}`)
      last = hit
      const next = hits.find(other => other > hit) ?? Number.POSITIVE_INFINITY
      for (let index = hit + 1; index <= hit + after && index < lines.length && index < next; index++) {
        await call.print(`${head(index, '-')}${shown(lines[index] ?? '', 'context')}`)
        last = index
      }
    }
  }
  return found ? 0 : 1
}

type GrepSlot = 'filename' | 'linenumber' | 'column' | 'separator' | 'match' | 'selected' | 'context'

/** Those with text, from left to right. */
function* matchesIn(line: string, expression: GrepExpression): Generator<Match> {
  for (let from = 0; ;) {
    const match = expression.next(line, from)
    if (match === undefined || match[0] === match[1]) return
    yield match
    from = match[1]
  }
}

function paintedMatches(
  line: string,
  expression: GrepExpression,
  paint: (slot: GrepSlot, text: string) => string,
  slot: 'selected' | 'context',
): string {
  let result = ''
  let at = 0
  for (const [start, end] of matchesIn(line, expression)) {
    result += paint(slot, line.slice(at, start)) + paint('match', line.slice(start, end))
    at = end
  }
  return result + paint(slot, line.slice(at))
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
    tokens.push(...lines.map(source => ({ kind: 'pattern' as const, source })))
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
    if (options.has('cached') && (entry.stage > 0 || entry.isIntentToAdd)) continue
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
