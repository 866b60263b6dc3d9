// A patch as rows. Read from `git diff --raw --numstat -z --patch`: the rows of both tables, then the text. Formats: git-diff(1) "Raw output
// format", "Other diff formats" and "Generating patch text with -p".

import type { GitChangeKind } from './api-rows.ts'

/** One line of a diff. */
export interface GitDiffLine {
  readonly kind: 'context' | 'added' | 'removed'
  /** Without its line feed. */
  readonly text: string
  /** From 1; `undefined` on the side that lacks the line. */
  readonly oldLine: number | undefined
  readonly newLine: number | undefined
  /** It is the last of its file and has no line feed. */
  readonly isUnended: boolean
}

/** Neighbouring changed lines with those around them. */
export interface GitDiffHunk {
  readonly oldStart: number
  readonly oldCount: number
  readonly newStart: number
  readonly newCount: number
  /** The heading that git finds above the hunk, or ''. */
  readonly heading: string
  readonly lines: readonly GitDiffLine[]
}

/** The changes of one file. */
export interface GitDiffFile {
  readonly path: string
  /** For a rename or a copy: where it was. */
  readonly oldPath?: string
  readonly kind: GitChangeKind
  readonly oldMode: number
  readonly newMode: number
  /** Contents that git considers binary have no lines, and their counts are 0. */
  readonly isBinary: boolean
  readonly addedCount: number
  readonly removedCount: number
  readonly hunks: readonly GitDiffHunk[]
}

/** Arguments of `git diff` for {@link readDiffFiles}. */
export const diffFileArguments: readonly string[] = ['--raw', '--numstat', '--patch', '-z', '--no-color', '--find-renames']

interface RawRow {
  readonly kind: GitChangeKind
  readonly oldMode: number
  readonly newMode: number
  readonly oldPath: string | undefined
  readonly path: string
}

export function readDiffFiles(output: string, kindOf: (letter: string) => GitChangeKind): readonly GitDiffFile[] {
  const patchAt = output.indexOf('\0\0')
  const fields = (patchAt === -1 ? output : output.slice(0, patchAt)).split('\0')
  const rows: RawRow[] = []
  let at = 0
  for (; fields[at]?.startsWith(':') === true; at++) {
    const [oldMode = '', newMode = '', , , letter = ''] = (fields[at] ?? '').slice(1).split(' ')
    const isPair = /^[RC]/.test(letter)
    const first = fields[++at] ?? ''
    rows.push({
      kind: letter.startsWith('U') ? 'conflict' : kindOf(letter.charAt(0)),
      oldMode: Number.parseInt(oldMode, 8),
      newMode: Number.parseInt(newMode, 8),
      oldPath: isPair ? first : undefined,
      path: isPair ? (fields[++at] ?? '') : first,
    })
  }
  const counts = new Map<string, { readonly added: string; readonly removed: string }>()
  for (; at < fields.length; at++) {
    const [added = '', removed = '', name = ''] = (fields[at] ?? '').split('\t')
    // A rename has two names, in two fields.
    if (name === '') at += 2
    counts.set(name === '' ? (fields[at] ?? '') : name, { added, removed })
  }
  const hunks = new PatchReader(patchAt === -1 ? '' : output.slice(patchAt + 2)).read(rows)
  return rows.map(({ oldPath, ...row }) => {
    const { added = '0', removed = '0' } = counts.get(row.path) ?? {}
    return {
      ...row,
      ...(oldPath === undefined ? {} : { oldPath }),
      isBinary: added === '-',
      addedCount: Number(added) || 0,
      removedCount: Number(removed) || 0,
      hunks: hunks.get(row.path) ?? [],
    }
  })
}

/** Reads hunks by the counts in their heads, so that no content can be taken for a head. */
class PatchReader {
  readonly #lines: readonly string[]
  #at = 0

  constructor(patch: string) {
    this.#lines = patch.split('\n')
  }

  /** The files of a patch stand in the order of the rows; a row without a patch is a conflict. */
  read(rows: readonly RawRow[]): ReadonlyMap<string, readonly GitDiffHunk[]> {
    const found = new Map<string, GitDiffHunk[]>()
    const paths = [...new Set(rows.filter(({ kind }) => kind !== 'conflict').map(({ path }) => path))]
    let current: GitDiffHunk[] = []
    for (let file = 0; this.#at < this.#lines.length;) {
      const line = this.#lines[this.#at++] ?? ''
      if (line.startsWith('diff --git ')) {
        const path = paths[file++] ?? ''
        // Git reports a change of type as a deletion and a new file with the same name.
        const next = this.#lines[this.#at] ?? ''
        const before = paths[file - 2]
        const isSecondHalf = next.startsWith('new file mode') && before !== undefined && line.endsWith(` b/${before}`)
        if (isSecondHalf) file--
        const own = isSecondHalf ? before : path
        current = found.get(own) ?? []
        found.set(own, current)
      } else if (line.startsWith('@@ ')) {
        const hunk = this.#hunk(line)
        if (hunk !== undefined) current.push(hunk)
      }
    }
    return found
  }

  #hunk(head: string): GitDiffHunk | undefined {
    const match = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/s.exec(head)
    if (match === null) return undefined
    const [, oldStart = '0', oldCount = '1', newStart = '0', newCount = '1', heading = ''] = match
    let [oldLine, newLine] = [Number(oldStart), Number(newStart)]
    let [oldLeft, newLeft] = [Number(oldCount), Number(newCount)]
    const lines: GitDiffLine[] = []
    while (oldLeft > 0 || newLeft > 0) {
      const line = this.#lines[this.#at++]
      if (line === undefined) break
      const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'context'
      const isUnended = this.#lines[this.#at]?.startsWith('\\') === true
      if (isUnended) this.#at++
      lines.push({
        kind,
        text: line.slice(1),
        oldLine: kind === 'added' ? undefined : oldLine++,
        newLine: kind === 'removed' ? undefined : newLine++,
        isUnended,
      })
      if (kind !== 'added') oldLeft--
      if (kind !== 'removed') newLeft--
    }
    return {
      oldStart: Number(oldStart),
      oldCount: Number(oldCount),
      newStart: Number(newStart),
      newCount: Number(newCount),
      heading,
      lines,
    }
  }
}
