// Parses find's expression to a tree. It is parsed completely before the search, so that an invalid expression never searches or
// deletes anything.

import { changeMode } from '../fs/modes.ts'

export type Comparison = { readonly sign: '+' | '-' | ''; readonly count: number }

export type Expression =
  | { readonly kind: 'and' | 'or' | 'list'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'not'; readonly operand: Expression }
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'name' | 'path' | 'link-name'; readonly pattern: string; readonly ignoresCase: boolean }
  | { readonly kind: 'regex'; readonly pattern: string; readonly ignoresCase: boolean; readonly syntax: RegexSyntax }
  | { readonly kind: 'type'; readonly letters: readonly string[]; readonly follows: boolean }
  | { readonly kind: 'size'; readonly compared: Comparison; readonly unitBytes: number }
  | {
      readonly kind: 'age'
      readonly time: FileTime
      readonly compared: Comparison
      readonly unitMs: number
      readonly isFromDayEnd: boolean
    }
  | { readonly kind: 'links' | 'inode'; readonly compared: Comparison }
  | { readonly kind: 'same-file'; readonly file: string }
  | { readonly kind: 'newer'; readonly time: FileTime; readonly file: string; readonly fileTime: FileTime }
  | { readonly kind: 'newer-than'; readonly time: FileTime; readonly date: string }
  | { readonly kind: 'mode'; readonly bits: number; readonly how: 'all' | 'any' | 'exact' }
  | { readonly kind: 'access'; readonly bit: number }
  | { readonly kind: 'empty' }
  | { readonly kind: 'prune' }
  | { readonly kind: 'quit' }
  | { readonly kind: 'delete' }
  | { readonly kind: 'print'; readonly end: '\n' | '\0'; readonly file: string | undefined }
  | { readonly kind: 'printf'; readonly format: string; readonly file: string | undefined }
  | { readonly kind: 'ls'; readonly file: string | undefined }
  | {
      readonly kind: 'exec'
      readonly words: readonly string[]
      readonly isMany: boolean
      readonly inDirectory: boolean
      /** For -ok: asks on standard input before each command. */
      readonly asks: boolean
      /** For `{} +`: identifies the list that collects the paths. */
      readonly id: number
    }

/** `emacs` is the default; `basic` is the one of grep. */
export type RegexSyntax = 'emacs' | 'basic' | 'extended'

export interface Settings {
  readonly minDepth: number
  readonly maxDepth: number
  readonly isDepthFirst: boolean
  /** -follow: symbolic links are followed, as with -L. */
  readonly follows: boolean
  /** The files of `-fprint` and the like, which are created even if nothing matches. */
  readonly files: readonly string[]
}

export interface Asked {
  readonly expression: Expression
  readonly settings: Settings
}

/** Thrown for an invalid expression. */
export class ExpressionError extends Error {}

export type FileTime = 'mtime' | 'ctime' | 'atime'

function fileTimeOf(letter: string | undefined): FileTime {
  return letter === 'c' ? 'ctime' : letter === 'a' ? 'atime' : 'mtime'
}

/** By the suffix of the predicate: -mtime, -mmin and the like. */
const ageUnits: Readonly<Record<string, number>> = { time: 86_400_000, min: 60_000 }
const sizeUnits: Readonly<Record<string, number>> = { c: 1, w: 2, b: 512, '': 512, k: 1024, M: 1024 ** 2, G: 1024 ** 3 }

/** Parses the expression; adds `-print` if it contains no action other than `-prune` and `-quit`. */
export function readExpression(words: readonly string[]): Asked {
  let at = 0
  let [hasAction, isFromDayEnd, execCount] = [false, false, 0]
  let syntax: RegexSyntax = 'emacs'
  const settings = { minDepth: 0, maxDepth: Infinity, isDepthFirst: false, follows: false, files: new Array<string>() }
  const value = (word: string): string => {
    const next = words[at++]
    if (next === undefined) throw new ExpressionError(`missing argument to '${word}'`)
    return next
  }
  const list = (): Expression => {
    let left = either()
    while (words[at] === ',') {
      at += 1
      left = { kind: 'list', left, right: either() }
    }
    return left
  }
  const either = (): Expression => {
    let left = both()
    while (words[at] === '-o' || words[at] === '-or') {
      at += 1
      left = { kind: 'or', left, right: both() }
    }
    return left
  }
  const both = (): Expression => {
    let left = one()
    while (at < words.length && !/^(?:-o|-or|,|\))$/.test(words[at] ?? '')) {
      if (words[at] === '-a' || words[at] === '-and') at += 1
      left = { kind: 'and', left, right: one() }
    }
    return left
  }
  const one = (): Expression => {
    const word = words[at++]
    if (word === undefined) throw new ExpressionError('expected an expression after the last operator')
    if (word === '!' || word === '-not') return { kind: 'not', operand: one() }
    if (word === '(') {
      const inner = list()
      if (words[at++] !== ')') throw new ExpressionError("a '(' has no ')'; write them as \\( and \\)")
      return inner
    }
    const found = option(word) ?? test(word) ?? action(word)
    if (found === undefined)
      throw new ExpressionError(
        word.startsWith('-') ? `unknown predicate '${word}'` : `paths must precede expression: '${word}'; quote patterns`,
      )
    return found
  }
  const option = (word: string): Expression | undefined => {
    switch (word) {
      case '-maxdepth':
      case '-mindepth':
        settings[word === '-maxdepth' ? 'maxDepth' : 'minDepth'] = wholeNumber(word, value(word))
        break
      case '-depth':
      case '-d':
        settings.isDepthFirst = true
        break
      case '-regextype': {
        const type = value(word)
        if (!/^(?:posix-extended|posix-egrep|egrep|posix-awk|awk|emacs|findutils-default|posix-basic|grep|sed|ed)$/.test(type))
          throw new ExpressionError(`unknown regular expression type '${type}'`)
        syntax = /extended|egrep|awk/.test(type) ? 'extended' : /^(?:posix-basic|grep|sed|ed)$/.test(type) ? 'basic' : 'emacs'
        break
      }
      case '-mount':
      case '-xdev':
      case '-noleaf':
      case '-ignore_readdir_race':
      case '-warn':
      case '-nowarn':
        break
      case '-daystart':
        isFromDayEnd = true
        break
      case '-follow':
        settings.follows = true
        break
      default:
        return undefined
    }
    return { kind: 'constant', value: true }
  }
  const test = (word: string): Expression | undefined => {
    const ignoresCase = word.startsWith('-i')
    switch (word) {
      case '-name':
      case '-iname':
        return { kind: 'name', pattern: value(word), ignoresCase }
      case '-path':
      case '-ipath':
      case '-wholename':
      case '-iwholename':
        return { kind: 'path', pattern: value(word), ignoresCase }
      case '-lname':
      case '-ilname':
        return { kind: 'link-name', pattern: value(word), ignoresCase }
      case '-regex':
      case '-iregex':
        return { kind: 'regex', pattern: value(word), ignoresCase, syntax }
      case '-type':
      case '-xtype': {
        const letters = value(word).split(',')
        const unknown = letters.find(letter => !/^[fdlbcps]$/.test(letter))
        if (unknown !== undefined) throw new ExpressionError(`Unknown argument to ${word}: ${unknown}`)
        return { kind: 'type', letters, follows: word === '-xtype' }
      }
      case '-size': {
        const [, number = '', unit = ''] = /^([+-]?\d+)([cwbkMG]?)$/.exec(value(word)) ?? []
        return { kind: 'size', compared: comparison(word, number), unitBytes: sizeUnits[unit] ?? 512 }
      }
      case '-mtime':
      case '-atime':
      case '-ctime':
      case '-mmin':
      case '-amin':
      case '-cmin':
        return {
          kind: 'age',
          time: fileTimeOf(word[1]),
          compared: comparison(word, value(word)),
          unitMs: ageUnits[word.slice(2)] ?? 0,
          isFromDayEnd,
        }
      case '-newer':
      case '-anewer':
      case '-cnewer':
        return { kind: 'newer', time: fileTimeOf(word[1]), file: value(word), fileTime: 'mtime' }
      case '-links':
        return { kind: 'links', compared: comparison(word, value(word)) }
      case '-inum':
        return { kind: 'inode', compared: comparison(word, value(word)) }
      // A file was never read later than it was changed, because only one time is stored.
      case '-used':
        return { kind: 'constant', value: compares(comparison(word, value(word)), 0) }
      // The file system has no type.
      case '-fstype':
        value(word)
        return { kind: 'constant', value: false }
      case '-samefile':
        return { kind: 'same-file', file: value(word) }
      case '-perm': {
        const given = value(word)
        const [, how = '', text = ''] = /^([-/]?)([^]*)$/.exec(given) ?? []
        const bits = text === '' ? undefined : changeMode(text, 0, false, 0)
        if (bits === undefined) throw new ExpressionError(`invalid mode ‘${given}’`)
        return { kind: 'mode', bits, how: how === '-' ? 'all' : how === '/' ? 'any' : 'exact' }
      }
      case '-readable':
      case '-writable':
      case '-executable':
        return { kind: 'access', bit: word === '-readable' ? 4 : word === '-writable' ? 2 : 1 }
      case '-empty':
        return { kind: 'empty' }
      // There is only one user and one group, which own every file.
      case '-user':
      case '-group':
        return { kind: 'constant', value: isOwner(word, value(word)) }
      case '-uid':
      case '-gid': {
        const { sign, count } = comparison(word, value(word))
        return { kind: 'constant', value: sign === '+' ? ownerId > count : sign === '-' ? ownerId < count : ownerId === count }
      }
      case '-nouser':
      case '-nogroup':
        return { kind: 'constant', value: false }
      case '-true':
      case '-false':
        return { kind: 'constant', value: word === '-true' }
      default:
        return newer(word)
    }
  }
  /** -newerXY compares a time of the file with one of another file, or with a date. */
  const newer = (word: string): Expression | undefined => {
    const [, mine, other] = /^-newer([aBcm])([aBcmt])$/.exec(word) ?? []
    if (mine === undefined) return undefined
    if (mine === 'B' || other === 'B') throw new ExpressionError(`${word}: the time of birth is not known here; use -newermt`)
    const time = fileTimeOf(mine)
    if (other === 't') return { kind: 'newer-than', time, date: value(word) }
    return { kind: 'newer', time, file: value(word), fileTime: fileTimeOf(other) }
  }
  const action = (word: string): Expression | undefined => {
    if (word === '-prune') return { kind: 'prune' }
    if (word === '-quit') return { kind: 'quit' }
    hasAction = true
    switch (word) {
      case '-print':
        return { kind: 'print', end: '\n', file: undefined }
      case '-print0':
        return { kind: 'print', end: '\0', file: undefined }
      case '-fprint':
      case '-fprint0': {
        const file = value(word)
        settings.files.push(file)
        return { kind: 'print', end: word === '-fprint' ? '\n' : '\0', file }
      }
      case '-printf':
        return { kind: 'printf', format: printfFormat(value(word)), file: undefined }
      case '-fprintf': {
        const file = value(word)
        settings.files.push(file)
        return { kind: 'printf', format: printfFormat(value(word)), file }
      }
      case '-ls':
        return { kind: 'ls', file: undefined }
      case '-fls': {
        const file = value(word)
        settings.files.push(file)
        return { kind: 'ls', file }
      }
      case '-delete':
        settings.isDepthFirst = true
        return { kind: 'delete' }
      case '-exec':
      case '-execdir':
      case '-ok':
      case '-okdir': {
        const end = words.findIndex(
          (other, index) => index >= at && (other === ';' || (other === '+' && words[index - 1] === '{}')),
        )
        if (end === -1) throw new ExpressionError(`missing argument to '${word}': end it with \\; or {} +`)
        const asks = word.startsWith('-ok')
        const isMany = words[end] === '+'
        if (isMany && asks) throw new ExpressionError(`${word} takes one file at a time: end it with \\;`)
        const given = words.slice(at, isMany ? end - 1 : end)
        if (given.length === 0) throw new ExpressionError(`${word} needs a command`)
        at = end + 1
        return { kind: 'exec', words: given, isMany, inDirectory: word.endsWith('dir'), asks, id: execCount++ }
      }
      default:
        return undefined
    }
  }
  const print: Expression = { kind: 'print', end: '\n', file: undefined }
  const asked = words.length === 0 ? undefined : list()
  if (at < words.length) throw new ExpressionError(`you have too many ')'`)
  const expression: Expression = asked === undefined ? print : hasAction ? asked : { kind: 'and', left: asked, right: print }
  return { expression, settings }
}

function printfFormat(format: string): string {
  const plain = format.replaceAll('%%', '')
  if (/%[-0 +#]*\d*(?:\.\d*)?$/.test(plain)) throw new ExpressionError('error: % at end of format string')
  return format
}

/** The ID that `id` and `stat` report. */
const ownerId = 1000

function isOwner(word: string, name: string): boolean {
  if (name === 'user' || name === String(ownerId)) return true
  if (name === 'root' || /^\d+$/.test(name)) return false
  throw new ExpressionError(`‘${name}’ is not the name of a known ${word.slice(1)}`)
}

export function compares({ sign, count }: Comparison, value: number): boolean {
  return sign === '+' ? value > count : sign === '-' ? value < count : value === count
}

function wholeNumber(word: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new ExpressionError(`Expected a positive decimal integer argument to ${word}, but got '${text}'`)
  return Number(text)
}

function comparison(word: string, text: string): Comparison {
  const [, sign = '', count] = /^([+-]?)(\d+(?:\.\d+)?)$/.exec(text) ?? []
  if (count === undefined) throw new ExpressionError(`invalid argument to '${word}'; give a number, as 5, +5 (more) or -5 (less)`)
  return { sign: sign === '+' ? '+' : sign === '-' ? '-' : '', count: Number(count) }
}
