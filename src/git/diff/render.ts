// Writes a list of changed files in the requested formats.

import { joinBytes } from '../../core/bytes.ts'
import { sameBytes } from '../../core/same-bytes.ts'
import { compileWildcard, matchesWildcard } from '../../search/wildmatch.ts'
import { decodeText, encodeText } from '../../shell/byte-text.ts'
import { diffLines, type LineDiff } from '../../text/git-diff/diff-lines.ts'
import type { HunkOptions } from '../../text/git-diff/hunks.ts'
import type { WordDiffOptions } from '../../text/git-diff/word-diff.ts'
import type { CallOutput } from '../call.ts'
import { paletteOf } from '../color/load-palette.ts'
import type { Palette } from '../color/palette.ts'
import { fatal, GitFailure } from '../errors.ts'
import { type Quote, quoteFor } from '../quote.ts'
import type { Repository } from '../repository.ts'
import { resolveRevision } from '../revs/revision.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { modes, zeroId } from '../store/object-format.ts'
import { ContentReader, type FilePair, hasOnlyDirt, looksBinary, pairOf } from './file-pair.ts'
import { findRenames } from './renames.ts'
import type { DiffSettings } from './settings.ts'
import type { FileStat } from './stat.ts'
import type { FileChange, FileSide } from './tree-diff.ts'
import { startingWith, withoutSubmodules, withStatus } from './choose-pairs.ts'

export class DiffRenderer {
  readonly #repository: Repository
  readonly #settings: DiffSettings
  readonly #quote: Quote
  readonly #ids: ShortIds
  readonly #reader: ContentReader
  #hunks: typeof import('../../text/git-diff/hunks.ts') | undefined

  constructor(repository: Repository, settings: DiffSettings, ids: ShortIds = new ShortIds(repository)) {
    this.#repository = repository
    this.#settings = settings
    this.#quote = quoteFor(repository.config())
    this.#ids = ids
    this.#reader = new ContentReader(repository)
  }

  /** Finds renames and applies filters, in order of output. `unchanged`: called only if copies of any file are searched for. */
  async pairs(changes: readonly FileChange[], unchanged?: () => Promise<readonly FilePair[]>): Promise<readonly FilePair[]> {
    const { isReversed, relative } = this.#settings
    let pairs = (await withoutSubmodules(this.#repository, changes, this.#settings)).map(change =>
      pairOf(isReversed ? { ...change, before: change.after, after: change.before } : change),
    )
    if (relative !== undefined && relative !== '') {
      pairs = pairs.filter(({ path }) => path.startsWith(relative)).map(pair => ({ ...pair }))
    }
    return this.sifted(pairs, unchanged)
  }

  /** The same for pairs of files that lie anywhere. */
  async sifted(pairs: readonly FilePair[], unchanged?: () => Promise<readonly FilePair[]>): Promise<readonly FilePair[]> {
    const { renames, minimumPercent, renameLimit, relative, renamesEmpty } = this.#settings
    let found = pairs
    if (renames !== 'none') {
      const copies = renames === 'renames' ? 'none' : renames === 'copies' ? 'changed' : 'all'
      const others = copies === 'all' && unchanged !== undefined ? await unchanged() : []
      found = await findRenames(this.#repository, pairs, {
        minimumPercent,
        copies,
        limit: renameLimit,
        unchanged: others,
        skipsEmpty: !renamesEmpty,
      })
    }
    found = await this.#picked(found)
    found = await this.#withObject(found)
    found = withStatus(found, this.#settings.filter)
    found = startingWith(await this.#ordered(found), this.#settings.firstPath)
    if (relative === undefined || relative === '') return found
    const cut = (path: string): string => path.slice(relative.length).replace(/^\//, '')
    return found.map(pair => ({
      ...pair,
      uncut: pair,
      path: cut(pair.path),
      beforePath: cut(pair.beforePath),
    }))
  }

  /** `--find-object`. */
  async #withObject(pairs: readonly FilePair[]): Promise<readonly FilePair[]> {
    const name = this.#settings.objectName
    if (name === undefined) return pairs
    const oid = (await resolveRevision(this.#repository, name))?.oid
    if (oid === undefined) throw new GitFailure(`error: unable to resolve '${name}'`, 129)
    return pairs.filter(({ before, after }) => (before?.oid === oid) !== (after?.oid === oid))
  }

  /** `-O`: by the first pattern of the file that matches the path. */
  async #ordered(pairs: readonly FilePair[]): Promise<readonly FilePair[]> {
    const { orderFile } = this.#settings
    if (orderFile === undefined) return pairs
    const { name, isFromRoot } = orderFile
    const { environment, baseDirectory, files } = this.#repository
    const bytes = await files.read(name.startsWith('/') ? name : `${isFromRoot ? baseDirectory : environment.cwd}/${name}`)
    if (bytes === undefined) throw fatal(`could not read order file '${name}'`)
    const patterns = decodeText(bytes)
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('#'))
      .map(line => compileWildcard(encodeText(line), false))
    const rankOf = (path: string): number => {
      for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
        const rank = patterns.findIndex(pattern => matchesWildcard(pattern, encodeText(at)))
        if (rank !== -1) return rank
      }
      return patterns.length
    }
    return pairs.toSorted((a, b) => rankOf(a.path) - rankOf(b.path))
  }

  async #picked(pairs: readonly FilePair[]): Promise<readonly FilePair[]> {
    const { pickaxe } = this.#settings
    if (pickaxe === undefined) return pairs
    const { changesMatch } = await import('./rare-forms.ts')
    const kept: FilePair[] = []
    for (const pair of pairs) {
      if (pair.before?.oid === pair.after?.oid && pair.before !== undefined && pair.after?.isWorkTree !== true) continue
      const before = await this.#read(pair.before, pair.beforePath)
      const after = await this.#read(pair.after, pair.path)
      const isKept =
        pickaxe.kind === 'string'
          ? pickaxe.test(before) !== pickaxe.test(after)
          : !(await this.#isBinary(pair, before, after)) && changesMatch(before, after, pickaxe.test)
      if (isKept) kept.push(pair)
    }
    return pickaxe.keepsAll && kept.length > 0 ? pairs : kept
  }

  #read(side: FileSide | undefined, path: string): Promise<Uint8Array> {
    const { relative = '' } = this.#settings
    const base = relative === '' || relative.endsWith('/') ? relative : `${relative}/`
    return this.#reader.read(side, side?.isWorkTree && base !== '' && !path.startsWith(base) ? base + path : path)
  }

  /** Returns whether `--check` found something. */
  async write(out: CallOutput, pairs: readonly FilePair[]): Promise<boolean> {
    const { formats, nullTerminated } = this.#settings
    const needsStats = formats.has('stat') || formats.has('numstat') || formats.has('shortstat')
    const stats = needsStats ? await this.#stats(pairs) : []
    let hasText = false
    if (formats.has('raw')) for (const pair of pairs) await out.write(await this.#raw(pair))
    const end = nullTerminated ? '\0' : '\n'
    for (const pair of formats.has('name-only') ? pairs : []) await out.write(this.#name(pair.path) + end)
    for (const pair of formats.has('name-status') ? pairs : []) await out.write(this.#nameStatus(pair))
    let hasProblem = false
    for (const pair of formats.has('check') ? pairs : []) hasProblem = (await this.#check(out, pair)) || hasProblem
    if (formats.has('raw') || formats.has('name-only') || formats.has('name-status')) hasText = pairs.length > 0
    if (needsStats) await this.#writeStats(out, stats)
    if (formats.has('dirstat')) await out.write(await this.#dirstat(pairs))
    const summary = formats.has('summary') ? (await import('./stat.ts')).renderSummary(pairs, this.#quote) : ''
    if (summary !== '') await out.write(summary)
    if (!formats.has('patch')) return hasProblem
    hasText ||= needsStats || formats.has('dirstat') || summary !== ''
    if (hasText && pairs.length > 0) await out.write(nullTerminated ? '\0' : '\n')
    for (const pair of pairs) await out.write(await this.patch(pair))
    return hasProblem
  }

  async #writeStats(out: CallOutput, stats: readonly FileStat[]): Promise<void> {
    const { formats, nullTerminated } = this.#settings
    const { compactNote, renderNumstat, renderStat, sumLine } = await import('./stat.ts')
    if (formats.has('numstat')) await out.write(renderNumstat(stats, this.#quote, nullTerminated))
    if (formats.has('stat')) {
      const note = formats.has('compact-summary') ? compactNote : () => ''
      const palette = await this.#palette()
      const paint = palette === undefined ? undefined : (kind: 'new' | 'old', text: string) => palette.paint(`diff.${kind}`, text)
      await out.write(renderStat(stats, this.#settings, { quote: this.#quote, note, paint }))
    }
    if (formats.has('shortstat') && stats.length > 0) await out.write(sumLine(stats))
  }

  #name(path: string): string {
    return this.#settings.nullTerminated ? path : this.#quote(path)
  }

  #nameStatus(pair: FilePair): string {
    const { nullTerminated } = this.#settings
    const gap = nullTerminated ? '\0' : '\t'
    const end = nullTerminated ? '\0' : '\n'
    const isPair = pair.status === 'R' || pair.status === 'C'
    const status = isPair ? `${pair.status}${String(pair.similarity).padStart(3, '0')}` : pair.status
    const names = isPair
      ? `${this.#name(pair.beforePath)}${gap}${this.#name(pair.path)}`
      : this.#name(pair.before === undefined ? pair.path : pair.beforePath)
    return `${status}${gap}${names}${end}`
  }

  async #raw(pair: FilePair): Promise<string> {
    const side = async (value: FileSide | undefined): Promise<string> => {
      const oid = value === undefined || value.isWorkTree ? zeroId : value.oid
      return this.#rawId(oid)
    }
    const mode = (value: FileSide | undefined): string => (value?.mode ?? 0).toString(8).padStart(6, '0')
    const { before, after } = pair.unmerged ?? pair
    return `:${mode(before)} ${mode(after)} ${await side(before)} ${await side(after)} ${this.#nameStatus(pair)}`
  }

  async #rawId(oid: string): Promise<string> {
    return this.#ids.rawOf(oid, this.#settings.abbrev)
  }

  async #stats(pairs: readonly FilePair[]): Promise<readonly FileStat[]> {
    const stats: FileStat[] = []
    const { countLines } = await import('./stat.ts')
    // Which of the changed lines count is decided by hunk.
    const { ignoresBlankLines, isIgnoredLine } = this.#settings
    const hunks = ignoresBlankLines || isIgnoredLine !== undefined ? await import('../../text/git-diff/hunks.ts') : undefined
    for (const pair of pairs) {
      if (pair.status === 'U') {
        stats.push({ pair, kind: 'unmerged', added: 0, deleted: 0 })
        continue
      }
      if (hasOnlyDirt(pair)) {
        stats.push({ pair, kind: 'text', added: 0, deleted: 0 })
        continue
      }
      const before = await this.#read(pair.before, pair.beforePath)
      const after = await this.#read(pair.after, pair.path)
      if (await this.#isBinary(pair, before, after)) {
        const isSame = pair.before?.oid === pair.after?.oid && pair.before !== undefined
        stats.push({ pair, kind: 'binary', added: isSame ? 0 : after.length, deleted: isSame ? 0 : before.length })
      } else stats.push({ pair, kind: 'text', ...countLines(before, after, this.#settings, hunks?.hunksOf) })
    }
    return stats.filter(stat => stat.kind !== 'text' || stat.added + stat.deleted > 0 || isShownEmpty(stat.pair))
  }

  async #dirstat(pairs: readonly FilePair[]): Promise<string> {
    const { dirstat } = this.#settings
    if (dirstat === undefined) return ''
    const { contentDamage, renderDirstat } = await import('./rare-forms.ts')
    const stats = dirstat.by === 'lines' ? await this.#stats(pairs) : []
    const rows: { readonly path: string; readonly amount: number }[] = stats.map(({ pair, kind, added, deleted }) => ({
      path: pair.path,
      amount: kind === 'binary' ? Math.ceil((added + deleted) / 64) : added + deleted,
    }))
    for (const pair of dirstat.by === 'lines' ? [] : pairs) {
      const damage = contentDamage(pair, await this.#read(pair.before, pair.beforePath), await this.#read(pair.after, pair.path))
      rows.push({ path: pair.path, amount: dirstat.by === 'files' ? Math.min(1, damage) : damage })
    }
    return renderDirstat(rows, dirstat)
  }

  async #isBinary(pair: FilePair, before: Uint8Array, after: Uint8Array): Promise<boolean> {
    if (this.#settings.isText) return false
    const sides = [
      [pair.before, pair.beforePath, before],
      [pair.after, pair.path, after],
    ] as const
    for (const [side, path, bytes] of sides) {
      if (side === undefined || side.mode === modes.submodule) continue
      const setting = (await this.#repository.attributes().of(path)).get('diff')
      if (setting === false) return true
      if (setting === undefined && looksBinary(bytes)) return true
    }
    return false
  }

  /** The patch of one file, including headers; empty if nothing is left to show. */
  async patch(pair: FilePair): Promise<Uint8Array | string> {
    if (pair.status === 'U') return `* Unmerged path ${this.#quote(pair.path)}\n`
    // A change of kind is shown as a deletion and a creation.
    if (pair.status === 'T') {
      const gone = await this.patch({ ...pair, status: 'D', after: undefined })
      const come = await this.patch({ ...pair, status: 'A', before: undefined })
      return joinBytes([gone, come].map(part => (typeof part === 'string' ? encodeText(part) : part)))
    }
    if (this.#settings.submodules === 'log' && [pair.before, pair.after].some(side => side?.mode === modes.submodule)) {
      const { submoduleLog } = await import('./rare-forms.ts')
      const text = await submoduleLog(this.#repository, pair, this.#quote(pair.beforePath))
      if (text !== undefined) return text
    }
    return this.#patchOf(pair)
  }

  async #patchOf(pair: FilePair): Promise<Uint8Array> {
    const { prefixes, lines, words } = this.#settings
    const before = await this.#read(pair.before, pair.beforePath)
    const after = await this.#read(pair.after, pair.path)
    const isBinary = await this.#isBinary(pair, before, after)
    const [left, right] = [this.#prefixed(prefixes[0], pair.beforePath), this.#prefixed(prefixes[1], pair.path)]
    const head = [`diff --git ${left} ${right}`, ...this.#extended(pair)]
    const isSame = pair.before !== undefined && pair.after !== undefined && sameBytes(before, after)
    if (!isSame && !hasOnlyDirt(pair)) head.push(await this.#indexLine(pair, isBinary))
    const palette = await this.#palette()
    const painted = palette === undefined ? undefined : await import('../color/painting.ts')
    const shownHead = (): string =>
      palette === undefined || painted === undefined ? `${head.join('\n')}\n` : painted.paintedHead(head, palette)
    const emptyBody = head.length > 1 && (pair.status !== 'M' || isModeChange(pair)) ? encodeText(shownHead()) : new Uint8Array()
    if (isSame) return head.length > 1 ? encodeText(shownHead()) : new Uint8Array()
    const names = [pair.before === undefined ? '/dev/null' : left, pair.after === undefined ? '/dev/null' : right] as const
    if (isBinary) {
      if (this.#settings.isBinaryPatch)
        return encodeText(`${shownHead()}${(await import('./rare-forms.ts')).binaryPatch(before, after)}`)
      return encodeText(`${shownHead()}Binary files ${names[0]} and ${names[1]} differ\n`)
    }
    if (this.#settings.omitsDeleted && pair.after === undefined) return encodeText(shownHead())
    const diff = diffLines(before, after, lines)
    const options = hunkOptions(this.#settings)
    const hunks =
      words === undefined
        ? (this.#hunks ??= await import('../../text/git-diff/hunks.ts')).renderHunks(diff, options)
        : await wordHunks(diff, options, { ...words, paint: wordPaint(palette, painted) })
    if (hunks.length === 0) return emptyBody
    const tab = (name: string): string => (name.includes(' ') ? '\t' : '')
    head.push(`--- ${names[0]}${tab(names[0])}`, `+++ ${names[1]}${tab(names[1])}`)
    if (palette === undefined || painted === undefined || words !== undefined) return joinBytes([encodeText(shownHead()), hunks])
    const paint = {
      palette,
      rules: painted.whitespaceRules(this.#repository.config()),
      errorsIn: this.#settings.errorsIn,
      signs: options.signs ?? { same: ' ', removed: '-', added: '+' },
      blankEnd: painted.newBlankEnd(before, after),
    }
    return joinBytes([encodeText(shownHead()), painted.paintedHunks(hunks, paint)])
  }

  /** Loaded where colors are wanted. */
  async #palette(): Promise<Palette | undefined> {
    return this.#settings.isColored ? paletteOf(this.#repository) : undefined
  }

  #prefixed(prefix: string, path: string): string {
    // Outside of a repository a path may be absolute.
    const relative = path.replace(/^\//, '')
    const quoted = this.#quote(relative)
    return quoted === relative ? prefix + relative : `"${prefix}${quoted.slice(1)}`
  }

  #extended(pair: FilePair): readonly string[] {
    const octal = (side: FileSide): string => side.mode.toString(8).padStart(6, '0')
    const rows: string[] = []
    if (pair.before === undefined && pair.after !== undefined) return [`new file mode ${octal(pair.after)}`]
    if (pair.after === undefined && pair.before !== undefined) return [`deleted file mode ${octal(pair.before)}`]
    if (pair.before !== undefined && pair.after !== undefined && isModeChange(pair))
      rows.push(`old mode ${octal(pair.before)}`, `new mode ${octal(pair.after)}`)
    if (pair.status === 'R' || pair.status === 'C') {
      const word = pair.status === 'R' ? 'rename' : 'copy'
      rows.push(
        `similarity index ${pair.similarity}%`,
        `${word} from ${this.#quote(pair.beforePath)}`,
        `${word} to ${this.#quote(pair.path)}`,
      )
    }
    return rows
  }

  async #indexLine(pair: FilePair, isBinary: boolean): Promise<string> {
    const { fullIndex, abbrev } = this.#settings
    const isFull = fullIndex === 'always' || (fullIndex === 'binary' && isBinary)
    const id = async (side: FileSide | undefined): Promise<string> => {
      const oid = side?.oid ?? zeroId
      return isFull ? oid : this.#ids.of(oid, abbrev === 40 ? undefined : abbrev)
    }
    const mode =
      pair.before !== undefined && pair.after !== undefined && !isModeChange(pair)
        ? ` ${pair.after.mode.toString(8).padStart(6, '0')}`
        : ''
    return `index ${await id(pair.before)}..${await id(pair.after)}${mode}`
  }

  /** Whitespace errors in added lines. */
  async #check(out: CallOutput, pair: FilePair): Promise<boolean> {
    if (pair.after === undefined) return false
    const before = await this.#read(pair.before, pair.beforePath)
    const after = await this.#read(pair.after, pair.path)
    if (await this.#isBinary(pair, before, after)) return false
    const { whitespaceRules, writeWhitespaceErrors } = await import('./rare-forms.ts')
    const rules = whitespaceRules(this.#repository.config())
    return writeWhitespaceErrors(out, this.#quote(pair.path), diffLines(before, after, this.#settings.lines), rules)
  }
}

/** How lines are grouped and marked. */
function hunkOptions(settings: DiffSettings): HunkOptions {
  const { context, interHunkContext, ignoresBlankLines, lines, isIgnoredLine, wholeFunctions, signs } = settings
  return {
    context,
    interHunkContext,
    ignoreBlankLines: ignoresBlankLines,
    anyBlanksAreBlank: lines.whitespace !== undefined && lines.whitespace !== 'exact',
    isIgnoredLine,
    wholeFunctions,
    signs,
  }
}

function wordPaint(
  palette: Palette | undefined,
  painted: typeof import('../color/painting.ts') | undefined,
): WordDiffOptions['paint'] {
  return palette === undefined || painted === undefined ? undefined : painted.wordPaint(palette)
}

async function wordHunks(diff: LineDiff, options: HunkOptions, words: WordDiffOptions): Promise<Uint8Array> {
  const { renderWordDiff } = await import('./rare-forms.ts')
  return renderWordDiff(diff, options, words)
}

function isModeChange({ before, after }: FilePair): boolean {
  return before !== undefined && after !== undefined && before.mode !== after.mode
}

/** A file without changed lines gets a row if something else about it changed. */
function isShownEmpty(pair: FilePair): boolean {
  return pair.status !== 'M' || isModeChange(pair) || hasOnlyDirt(pair)
}
