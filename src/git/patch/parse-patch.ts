// Reads patches: the output of `git diff`, and plain unified diffs. Skips text around them. Everything is byte text.

import { encodeText } from '../../shell/byte-text.ts'
import { failure } from '../errors.ts'
import { decodeBinary } from '../diff/binary-patch.ts'
import { unquotePath } from '../quote.ts'

/** A line of a hunk, with its line feed if it has one. */
export interface PatchLine {
  readonly sign: ' ' | '+' | '-'
  readonly text: string
  /** Its line number in the patch, from 1. */
  readonly number: number
}

export interface PatchHunk {
  readonly oldStart: number
  readonly newStart: number
  readonly lines: readonly PatchLine[]
  /** The line `@@ … @@`. */
  readonly header: string
}

export type BinaryChange =
  | { readonly kind: 'literal' | 'delta'; readonly bytes: Uint8Array }
  /** Only `Binary files … differ`. */
  | { readonly kind: 'missing' }

export interface FilePatch {
  /** `undefined` if the file is created. */
  readonly oldPath: string | undefined
  /** `undefined` if the file is removed. */
  readonly newPath: string | undefined
  readonly oldMode: number | undefined
  readonly newMode: number | undefined
  readonly kind: 'change' | 'new' | 'deleted' | 'rename' | 'copy'
  /** A plain diff does not show whether an empty side is a missing file. */
  readonly mayBeNew: boolean
  /** In percent, for a rename or copy. */
  readonly similarity: number
  readonly oldOid: string
  readonly newOid: string
  readonly hunks: readonly PatchHunk[]
  readonly binary: { readonly forward: BinaryChange; readonly reverse: BinaryChange } | undefined
}

export interface ParseOptions {
  /** How many directories to remove from names. */
  readonly strip: number
  readonly recounts: boolean
}

const noFile = '/dev/null'

/** Rejects with the number of the broken line. */
export function parsePatch(text: string, options: ParseOptions): readonly FilePatch[] {
  return new PatchParser(text, options).parse()
}

class PatchParser {
  readonly #lines: readonly string[]
  readonly #options: ParseOptions
  #at = 0

  constructor(text: string, options: ParseOptions) {
    // Each line keeps its line feed.
    this.#lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
    this.#options = options
  }

  parse(): readonly FilePatch[] {
    const patches: FilePatch[] = []
    for (;;) {
      const line = this.#lines[this.#at]
      if (line === undefined) return patches
      if (line.startsWith('@@ -')) {
        throw failure(`patch fragment without header at line ${this.#at + 1}: ${line.trimEnd()}`, 128)
      }
      if (line.startsWith('diff --git ')) {
        const patch = this.#gitPatch(line)
        if (patch !== undefined) patches.push(patch)
      } else if (line.startsWith('--- ') && this.#peek(1).startsWith('+++ ') && this.#peek(2).startsWith('@@ -')) {
        patches.push(this.#plainPatch())
      } else this.#at++
    }
  }

  #peek(ahead: number): string {
    return this.#lines[this.#at + ahead] ?? ''
  }

  #gitPatch(header: string): FilePatch | undefined {
    const start = this.#at
    const named = sameName(header.slice('diff --git '.length).trimEnd(), this.#options.strip)
    let [oldPath, newPath]: (string | undefined)[] = [named, named]
    let [oldMode, newMode]: (number | undefined)[] = [undefined, undefined]
    let [oldOid, newOid] = ['', '']
    let kind: FilePatch['kind'] = 'change'
    let similarity = 0
    const octal = (value: string): number => Number.parseInt(value, 8)
    const whole = (value: string): string => unquotePath(value) ?? value
    this.#at++
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#peek(0).replace(/\r?\n$/, '')
      const found =
        /^(old mode|new mode|deleted file mode|new file mode|copy from|copy to|rename from|rename to|rename old|rename new|similarity index|dissimilarity index|index|---|\+\+\+) (.*)$/.exec(
          line,
        )
      if (found === null) break
      const [, word = '', value = ''] = found
      if (word === '---') {
        if (!this.#peek(1).startsWith('+++ ')) break
        oldPath = this.#name(value, oldPath)
      } else if (word === '+++') newPath = this.#name(value, newPath)
      else if (word === 'old mode') oldMode = octal(value)
      else if (word === 'new mode') newMode = octal(value)
      else if (word === 'new file mode') {
        kind = 'new'
        newMode = octal(value)
      } else if (word === 'deleted file mode') {
        kind = 'deleted'
        oldMode = octal(value)
      } else if (word === 'rename from' || word === 'rename old') {
        kind = 'rename'
        oldPath = stripped(whole(value), this.#options.strip - 1)
      } else if (word === 'rename to' || word === 'rename new') newPath = stripped(whole(value), this.#options.strip - 1)
      else if (word === 'copy from') {
        kind = 'copy'
        oldPath = stripped(whole(value), this.#options.strip - 1)
      } else if (word === 'copy to') newPath = stripped(whole(value), this.#options.strip - 1)
      else if (word === 'similarity index') similarity = Number.parseInt(value, 10)
      else if (word === 'index') {
        const ids = /^([0-9a-f]+)\.\.([0-9a-f]+)(?: ([0-7]+))?$/.exec(value)
        oldOid = ids?.[1] ?? ''
        newOid = ids?.[2] ?? ''
        if (ids?.[3] !== undefined) oldMode = octal(ids[3])
      }
    }
    const isNew = kind === 'new'
    const isDeleted = kind === 'deleted'
    if (isNew) oldPath = undefined
    if (isDeleted) newPath = undefined
    if (oldPath === undefined && newPath === undefined) {
      throw failure(
        `git diff header lacks filename information when removing ${this.#options.strip} leading pathname component${this.#options.strip === 1 ? '' : 's'} (line ${this.#at})`,
        128,
      )
    }
    const binary = this.#binary()
    const hunks = binary === undefined ? this.#hunks(kind, oldPath ?? newPath ?? '') : []
    const isModeChange = oldMode !== undefined && newMode !== undefined && oldMode !== newMode
    if (hunks.length === 0 && binary === undefined && kind === 'change' && !isModeChange) {
      throw failure(`patch with only garbage at line ${start + 2}`, 128)
    }
    return {
      oldPath,
      newPath,
      oldMode,
      newMode: newMode ?? (isDeleted ? undefined : oldMode),
      kind,
      mayBeNew: false,
      similarity,
      oldOid,
      newOid,
      hunks,
      binary,
    }
  }

  #plainPatch(): FilePatch {
    const before = this.#peek(0).slice(4)
    const after = this.#peek(1).slice(4)
    this.#at += 2
    const isNew = isMissing(before)
    const isDeleted = isMissing(after)
    const first = isNew ? undefined : this.#name(before, undefined)
    const second = isDeleted ? undefined : this.#name(after, undefined)
    // `a` and `a.orig` mean `a`.
    const name = first !== undefined && second?.startsWith(first) === true ? first : (second ?? first)
    if (name === undefined) throw failure(`unable to find filename in patch at line ${this.#at}`, 128)
    const kind = isNew ? 'new' : isDeleted ? 'deleted' : 'change'
    const hunks = this.#hunks(kind, name)
    return {
      oldPath: isNew ? undefined : name,
      newPath: isDeleted ? undefined : name,
      oldMode: undefined,
      newMode: undefined,
      kind,
      mayBeNew: kind === 'change' && hunks.length === 1 && hunks[0]?.lines.every(({ sign }) => sign === '+') === true,
      similarity: 0,
      oldOid: '',
      newOid: '',
      hunks,
      binary: undefined,
    }
  }

  /** The name after `---` or `+++`, which may be followed by a tab and a time. */
  #name(given: string, known: string | undefined): string | undefined {
    const value = given.replace(/\r?\n$/, '')
    if (value.split('\t')[0] === noFile) return known
    const name = value.startsWith('"') ? unquotePath(value) : value.split('\t')[0]
    return (name === undefined ? undefined : stripped(name, this.#options.strip)) ?? known
  }

  #hunks(kind: FilePatch['kind'], name: string): readonly PatchHunk[] {
    const hunks: PatchHunk[] = []
    while (this.#peek(0).startsWith('@@ -')) hunks.push(this.#hunk())
    const signs = new Set(hunks.flatMap(({ lines }) => lines.map(({ sign }) => sign)))
    if (kind === 'new' && (signs.has('-') || signs.has(' '))) throw failure(`new file ${name} depends on old contents`, 128)
    if (kind === 'deleted' && (signs.has('+') || signs.has(' '))) {
      throw failure(`deleted file ${name} still has contents`, 128)
    }
    return hunks
  }

  #hunk(): PatchHunk {
    const header = this.#peek(0)
    const numbers = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(header)
    if (numbers === null) throw this.#corrupt()
    let [old, now] = [Number(numbers[2] ?? 1), Number(numbers[4] ?? 1)]
    this.#at++
    const lines: PatchLine[] = []
    const { recounts } = this.#options
    while (recounts ? /^[ +\-\\\n]/.test(this.#peek(0)) && !/^(?:diff |-- \n)/.test(this.#peek(0)) : old > 0 || now > 0) {
      const line = this.#peek(0)
      const sign = line === '\n' || line === '\r\n' ? ' ' : line[0]
      if (sign === '\\') this.#dropLineFeed(lines)
      else {
        if (sign !== ' ' && sign !== '+' && sign !== '-') throw this.#corrupt()
        if (sign !== '+') old--
        if (sign !== '-') now--
        if (!recounts && (old < 0 || now < 0)) throw this.#corrupt()
        lines.push({ sign, text: line === '\n' || line === '\r\n' ? line : line.slice(1), number: this.#at + 1 })
      }
      this.#at++
    }
    if (this.#peek(0).startsWith('\\ ')) {
      this.#dropLineFeed(lines)
      this.#at++
    }
    if (lines.every(({ sign }) => sign === ' ')) throw this.#corrupt()
    return { oldStart: Number(numbers[1]), newStart: Number(numbers[3]), lines, header: header.trimEnd() }
  }

  #dropLineFeed(lines: PatchLine[]): void {
    const last = lines.pop()
    if (last !== undefined) lines.push({ ...last, text: last.text.replace(/\n$/, '') })
  }

  #corrupt(): Error {
    return failure(`corrupt patch at line ${this.#at + 1}`, 128)
  }

  #binary(): FilePatch['binary'] {
    const line = this.#peek(0)
    if (/^(?:Binary files|Files) .* differ$/.test(line.trimEnd())) {
      this.#at++
      return { forward: { kind: 'missing' }, reverse: { kind: 'missing' } }
    }
    if (line.trimEnd() !== 'GIT binary patch') return undefined
    this.#at++
    const forward = this.#binaryChange()
    if (forward === undefined) throw failure(`unrecognized binary patch at line ${this.#at}`, 128)
    return { forward, reverse: this.#binaryChange() ?? { kind: 'missing' } }
  }

  #binaryChange(): BinaryChange | undefined {
    const found = /^(literal|delta) (\d+)$/.exec(this.#peek(0).trimEnd())
    if (found === null) return undefined
    const rows: string[] = []
    this.#at++
    while (this.#peek(0).trimEnd() !== '') rows.push(this.#lines[this.#at++]?.trimEnd() ?? '')
    if (this.#peek(0) !== '') this.#at++
    const bytes = decodeBinary(rows, Number(found[2]))
    if (bytes === undefined) throw failure(`corrupt binary patch at line ${this.#at}: ${rows.at(-1) ?? ''}`, 128)
    return { kind: found[1] === 'delta' ? 'delta' : 'literal', bytes }
  }
}

/** The name that occurs twice in `a/x b/x`. */
function sameName(words: string, strip: number): string | undefined {
  if (words.startsWith('"')) {
    const name = unquotePath(words)
    return name === undefined ? undefined : stripped(name, strip)
  }
  for (let at = words.indexOf(' '); at !== -1; at = words.indexOf(' ', at + 1)) {
    const first = stripped(words.slice(0, at), strip)
    const rest = words.slice(at + 1)
    if (first !== undefined && first === stripped(rest.startsWith('"') ? (unquotePath(rest) ?? rest) : rest, strip)) return first
  }
  return undefined
}

function stripped(name: string, count: number): string | undefined {
  const plain = name.replaceAll(/\/{2,}/g, '/')
  let at = 0
  for (let left = count; left > 0; left--) {
    const slash = plain.indexOf('/', at)
    if (slash === -1) return undefined
    at = slash + 1
  }
  return plain.slice(at) || undefined
}

/** Also a time of zero, which other programs write for a missing file. */
function isMissing(name: string): boolean {
  const [path = '', time = ''] = name.trimEnd().split('\t')
  return path === noFile || /^(?:1970-01-01|1969-12-31) \d\d:\d\d:00(?:\.0+)? [+-]\d\d:?\d\d$/.test(time)
}

export function reversePatch(patch: FilePatch): FilePatch {
  const kinds: Partial<Record<FilePatch['kind'], FilePatch['kind']>> = { new: 'deleted', deleted: 'new' }
  const signs = { ' ': ' ', '+': '-', '-': '+' } as const
  return {
    ...patch,
    oldPath: patch.newPath,
    newPath: patch.oldPath,
    oldMode: patch.newMode,
    newMode: patch.oldMode,
    kind: kinds[patch.kind] ?? patch.kind,
    oldOid: patch.newOid,
    newOid: patch.oldOid,
    hunks: patch.hunks.map(hunk => ({
      ...hunk,
      oldStart: hunk.newStart,
      newStart: hunk.oldStart,
      lines: hunk.lines.map(line => ({ ...line, sign: signs[line.sign] })),
    })),
    binary: patch.binary === undefined ? undefined : { forward: patch.binary.reverse, reverse: patch.binary.forward },
  }
}

/** The numbers of added and removed lines; nothing for a binary patch. */
export function countPatch({ hunks }: FilePatch): { readonly added: number; readonly deleted: number } {
  const lines = hunks.flatMap(hunk => hunk.lines)
  const count = (wanted: string): number => lines.filter(({ sign }) => sign === wanted).length
  return { added: count('+'), deleted: count('-') }
}

/** The text of a hunk in the patch, for a file of rejects. */
export function hunkText({ header, lines }: PatchHunk): Uint8Array {
  const body = lines.map(({ sign, text }) =>
    text.endsWith('\n') ? sign + text : `${sign}${text}\n\\ No newline at end of file\n`,
  )
  return encodeText(`${header}\n${body.join('')}`)
}
