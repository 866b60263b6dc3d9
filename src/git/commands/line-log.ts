// `git log -L RANGE:FILE` and `-L :FUNCTION:FILE`: the arguments, and how the changes of lines are shown.

import { joinBytes } from '../../core/bytes.ts'
import { encodeText } from '../../shell/byte-text.ts'
import { lineAt, type LineTable, tableOf } from '../../text/git-diff/lines.ts'
import { paletteOf } from '../color/load-palette.ts'
import type { Palette } from '../color/palette.ts'
import { readDiffSettings } from '../diff/settings.ts'
import { fatal, GitFailure } from '../errors.ts'
import type { Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import { type LineChange, LineLog } from '../revs/line-log.ts'
import type { LineRange } from '../revs/line-sets.ts'
import { findInTree, peel } from '../revs/revision.ts'
import { readRefOptions, type RevisionArguments } from '../revs/revision-arguments.ts'
import type { WalkedCommit } from '../revs/walk.ts'
import { compareText, modes, type ObjectId } from '../store/object-format.ts'
import { wantedLines } from './line-ranges.ts'

interface OpenLineLog {
  readonly through: (commits: AsyncIterable<WalkedCommit>) => AsyncIterable<WalkedCommit>
  readonly text: (oid: ObjectId) => Promise<Uint8Array>
}

export async function openLineLog(
  repository: Repository,
  options: Options,
  args: RevisionArguments,
  isGraph: boolean,
): Promise<OpenLineLog> {
  if (args.paths.length > 0) throw fatal('-L<range>:<file> cannot be used with pathspec')
  const config = repository.config()
  const settings = await readDiffSettings(options, { format: undefined, config, prefix: repository.prefix })
  if ([...settings.formats].some(format => format !== 'patch'))
    throw fatal('-L does not yet support diff formats besides -p and -s')
  const { pickaxe, filter, objectName, isReversed } = settings
  if (pickaxe !== undefined || filter !== undefined || objectName !== undefined || isReversed || options.has('walk-reflogs'))
    throw new GitFailure('error: -L: choosing commits in another way beside it is not built into this git', 129)
  const start = await singleCommit(repository, options, args)
  const log = new LineLog(repository, start, await wantedRanges(repository, start, options.values('lines')), {
    findsRenames: settings.renames !== 'none',
    minimumPercent: settings.minimumPercent,
    firstParentOnly: options.has('first-parent'),
    rewritesParents: isGraph || options.has('parents') || options.has('children'),
  })
  return {
    through: commits => log.filter(commits),
    text: async oid => {
      const palette = settings.isColored ? await paletteOf(repository) : undefined
      const changes = [...log.changesOf(oid)].sort((a, b) => compareText(a.pair.path, b.pair.path))
      return joinBytes([encodeText('\n'), ...changes.map(change => lineChange(change, palette))])
    },
  }
}

async function singleCommit(repository: Repository, options: Options, args: RevisionArguments): Promise<ObjectId> {
  const given = [...args.revisions, ...(await readRefOptions(repository, options))].filter(({ isExcluded }) => !isExcluded)
  const [first, second] = given
  if (first === undefined) return repository.bornHead()
  if (second !== undefined) throw fatal(`More than one commit to dig from: ${first.text} and ${second.text}?`)
  const oid = await peel(repository, first.oid, 'commit')
  if (oid === undefined) throw fatal(`Non commit ${first.text}?`)
  return oid
}

async function wantedRanges(
  repository: Repository,
  start: ObjectId,
  given: readonly string[],
): Promise<ReadonlyMap<string, readonly LineRange[]>> {
  const ofPath = new Map<string, string[]>()
  for (const text of given) {
    const [, range, name] = /^(\^?:(?:[^:\\]|\\.)*|(?:\^?\/(?:[^/\\]|\\.)*\/|[^:/])*):([^]+)$/.exec(text) ?? []
    if (range === undefined || name === undefined) throw fatal(`-L argument not 'start,end:file' or ':funcname:file': ${text}`)
    const path = pathFrom(repository.prefix, name)
    ofPath.set(path, [...(ofPath.get(path) ?? []), range])
  }
  const tree = await repository.treeOf(start)
  const ranges = new Map<string, readonly LineRange[]>()
  for (const [path, texts] of [...ofPath].sort(([a], [b]) => compareText(a, b))) {
    const entry = await findInTree(repository, tree, path)
    if (entry === undefined || entry.mode === modes.tree || entry.mode === modes.submodule)
      throw fatal(`There is no path ${path} in the commit`)
    const table = tableOf(await repository.objects.readBlob(entry.oid))
    const spans = wantedLines(texts, table, path, range => fatal(`malformed -L argument '${range}'`))
    ranges.set(
      path,
      spans.map(span => ({ start: span.start, end: span.start + span.count })),
    )
  }
  return ranges
}

function pathFrom(prefix: string, name: string): string {
  const kept: string[] = []
  for (const part of `${prefix}${name}`.split('/')) {
    if (part === '..') kept.pop()
    else if (part !== '' && part !== '.') kept.push(part)
  }
  return kept.join('/')
}

/** Each range is a hunk, with its unchanged lines. */
function lineChange({ pair, before, after, ranges, edits }: LineChange, palette: Palette | undefined): Uint8Array {
  const [older, newer] = [tableOf(before), tableOf(after)]
  const paint = (kind: 'meta' | 'frag' | 'old' | 'new' | 'context', text: string): string =>
    palette === undefined ? text : palette.paint(`diff.${kind}`, text)
  const pieces: Uint8Array[] = []
  const say = (kind: 'meta' | 'frag', text: string): void => void pieces.push(encodeText(`${paint(kind, text)}\n`))
  say('meta', `diff --git a/${pair.beforePath} b/${pair.path}`)
  say('meta', `--- ${pair.before === undefined ? '/dev/null' : `a/${pair.beforePath}`}`)
  say('meta', `+++ b/${pair.path}`)
  const line = (kind: 'old' | 'new' | 'context', sign: string, table: LineTable, at: number): void => {
    const bytes = lineAt(table, at)
    const isWhole = bytes.at(-1) === 0x0a
    const start = paint(kind, '\0').replace(/\0.*$/s, '')
    pieces.push(
      encodeText(start + sign),
      isWhole ? bytes.subarray(0, -1) : bytes,
      encodeText(palette === undefined ? '\n' : '\u001B[m\n'),
    )
    if (!isWhole) pieces.push(encodeText('\\ No newline at end of file\n'))
  }
  // As in git, of two ranges in one edit only the first is shown.
  let used = 0
  for (const range of ranges) {
    const own = edits.filter(
      ({ afterStart, afterEnd }, index) => index >= used && afterEnd >= range.start && afterStart < range.end,
    )
    used += own.length
    const [first, last] = [own[0], own.at(-1)]
    if (first === undefined || last === undefined) continue
    const olderStart = first.beforeStart - Math.max(0, first.afterStart - range.start)
    const olderEnd = last.beforeEnd + Math.max(0, range.end - last.afterEnd)
    const shown = olderStart === 0 && olderEnd === 0 ? -1 : olderStart
    say('frag', `@@ -${shown + 1},${olderEnd - olderStart} +${range.start + 1},${range.end - range.start} @@`)
    let at = range.start
    for (const edit of own) {
      for (; at < edit.afterStart; at++) line('context', ' ', newer, at)
      for (let old = edit.beforeStart; old < edit.beforeEnd; old++) line('old', '-', older, old)
      for (; at < Math.min(edit.afterEnd, range.end); at++) line('new', '+', newer, at)
    }
    for (; at < range.end; at++) line('context', ' ', newer, at)
  }
  return joinBytes(pieces)
}
