// Parses tar's command line: bundled letters with or without a dash, values attached or separate, and long options.

import { words } from '../../../../core/words.ts'
import { ownValue } from '../../../../core/record.ts'
import type { PackingName } from '../../../../codec/packings.ts'
import type { WantedName } from './names.ts'
import { topLevelOf } from './placement.ts'
import { pushAll } from '../../../../core/many.ts'

export type TarMode = 'create' | 'append' | 'concatenate' | 'update' | 'delete' | 'extract' | 'list' | 'compare'

export interface TarOptions {
  readonly mode: TarMode
  /** `-` or empty: standard output or standard input. */
  readonly archive: string
  /** `undefined`: detected from the first bytes when reading, or from the file name when creating. */
  readonly gzip: boolean | undefined
  /** The other format that was asked for. Without one, it is detected from the first bytes. */
  readonly format: PackingName | undefined
  readonly directory: string
  /** Options that hold for the names behind them, and that no name follows. */
  readonly unused: readonly string[]
  readonly stripComponents: number
  /** The expressions of `--transform`. */
  readonly transforms: readonly string[]
  /** Lists and says transformed names. */
  readonly showsTransformed: boolean
  /** `--one-top-level`: the directory that everything is extracted to, below `directory`. */
  readonly topLevel: string | undefined
  /** How often -v was given. */
  readonly verbosity: number
  readonly toStdout: boolean
  readonly keepOld: boolean
  /** Archives the targets of symbolic links, not the links. */
  readonly follows: boolean
  /** Archives directories without their contents. */
  readonly isFlat: boolean
  readonly exclude: readonly string[]
  /** Files with one pattern per line. */
  readonly excludeFrom: readonly string[]
  /** `-m`: extracted files have the time of their extraction. */
  readonly keepsNow: boolean
  readonly mtime: string | undefined
  /** `NAME`, `NUMBER` or `NAME:NUMBER`, for all members. */
  readonly owner: string | undefined
  readonly group: string | undefined
  /** A file with one name per line. */
  readonly namesFrom: string | undefined
  /** Whether names of that file are patterns. */
  readonly hasPatterns: boolean
  readonly names: readonly WantedName[]
}

const modes: Readonly<Record<string, TarMode>> = {
  c: 'create',
  create: 'create',
  r: 'append',
  append: 'append',
  A: 'concatenate',
  catenate: 'concatenate',
  concatenate: 'concatenate',
  u: 'update',
  update: 'update',
  delete: 'delete',
  x: 'extract',
  extract: 'extract',
  get: 'extract',
  t: 'list',
  list: 'list',
  d: 'compare',
  diff: 'compare',
  compare: 'compare',
}

/** Options that have no effect here: there are no users, and modes are always preserved. */
const withoutEffect = new Set(
  words(`
  p preserve-permissions same-permissions no-same-permissions o no-same-owner same-owner numeric-owner overwrite
  no-overwrite-dir one-file-system
`),
)
const longOf: Readonly<Record<string, string>> = {
  f: 'file',
  C: 'directory',
  T: 'files-from',
  X: 'exclude-from',
  z: 'gzip',
  j: 'bzip2',
  J: 'xz',
  v: 'verbose',
  O: 'to-stdout',
  m: 'touch',
  k: 'keep-old-files',
  a: 'auto-compress',
  h: 'dereference',
}
const valued = new Set(
  words(`
  file directory strip-components exclude exclude-from transform xform files-from format owner group mtime sort
`),
)
const formats = ['bzip2', 'xz', 'zstd'] as const

/** As `-a` takes it from the name of the archive. */
function formatNamed(archive: string): PackingName | undefined {
  if (/\.(?:bz2|tbz2?|tz2)$/.test(archive)) return 'bzip2'
  return /\.(?:xz|txz)$/.test(archive) ? 'xz' : /\.t?zst$/.test(archive) ? 'zstd' : undefined
}

const unavailable: Readonly<Record<string, string>> = {
  P: 'absolute names, which would reach outside the directory',
  'absolute-names': 'absolute names, which would reach outside the directory',
}

/** The names that `--exclude-vcs` excludes. */
const versionControl = words(`
  CVS RCS SCCS .git .gitignore .gitmodules .gitattributes .svn .hg .hgignore .hgtags .bzr .bzrignore .bzrtags _darcs .cvsignore
  .arch-ids {arch} =RELEASE-ID =meta-update =update
`)

/** Returns an error message if the arguments are invalid. */
export function parseTarOptions(args: readonly string[]): TarOptions | string {
  const found = new Map<string, string>()
  const exclude: string[] = []
  const excludeFrom: string[] = []
  // What holds only for the names that follow, if an archive is written.
  const positional: { readonly shown: string; readonly at: number; readonly apply: () => void }[] = []
  let nameCount = 0
  const transforms: string[] = []
  const names: WantedName[] = []
  let mode: TarMode | undefined
  let problem: string | undefined
  // Each -C begins where the one before it leads.
  let directory = '.'
  let fromDirectory = '.'
  let unusedDirectory: string | undefined

  const take = (shown: string, name: string, value: () => string | undefined, attached = ''): void => {
    const long = ownValue(longOf, name) ?? name
    const asked = ownValue(modes, long)
    const missing = ownValue(unavailable, name)
    if (asked !== undefined) {
      if (mode !== undefined && mode !== asked) problem ??= "you may not specify more than one of '-cdrtux' and '--delete'"
      mode = asked
    } else if (long === 'exclude-vcs' || long === 'no-recursion') {
      const apply = (): unknown => (long === 'no-recursion' ? found.set(long, '') : exclude.push(...versionControl))
      positional.push({ shown, at: nameCount, apply })
    } else if (long === 'one-top-level') found.set(long, attached)
    else if (valued.has(long)) {
      const given = value()
      if (given === undefined) problem ??= `option '${shown}' needs a value`
      else if (long === 'directory') {
        directory = given.startsWith('/') || directory === '.' ? given : `${directory}/${given}`
        unusedDirectory = given
      } else if (long === 'exclude' || long === 'exclude-from') {
        const list = long === 'exclude' ? exclude : excludeFrom
        positional.push({ shown: `${shown} '${given}'`, at: nameCount, apply: () => list.push(given) })
      } else if (long === 'transform' || long === 'xform') transforms.push(given)
      else {
        found.set(long, given)
        if (long === 'files-from') {
          ;[fromDirectory, unusedDirectory] = [directory, undefined]
          nameCount += 1
        }
      }
    } else if (long === 'verbose') found.set(long, String(Number(found.get(long) ?? 0) + 1))
    else if (missing !== undefined) problem ??= `${shown} is not available here: ${missing}`
    else if (
      words(`
        gzip bzip2 xz zstd gunzip ungzip to-stdout keep-old-files auto-compress dereference touch wildcards
        show-transformed-names
      `).includes(long)
    )
      found.set(long, '')
    else if (!withoutEffect.has(name)) problem ??= `unknown option '${shown}'`
  }
  // As in GNU tar, `--wildcards` holds for the names that follow it.
  const asName = (name: string): WantedName => {
    unusedDirectory = undefined
    nameCount += 1
    return { name, isPattern: found.has('wildcards'), directory }
  }
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    const next = (): string | undefined => args[(index += 1)]
    if (arg === '--') {
      pushAll(names, args.slice(index + 1).map(asName))
      break
    }
    if (arg.startsWith('--')) {
      const [, name = '', attached] = /^--([^=]+)(?:=([^]*))?$/.exec(arg) ?? []
      take(`--${name}`, name, attached === undefined ? next : () => attached, attached)
    } else if (arg.startsWith('-') && arg !== '-') {
      for (let at = 1; at < arg.length; at++) {
        const rest = arg.slice(at + 1)
        const letter = arg.charAt(at)
        take(`-${letter}`, letter, rest === '' ? next : () => rest)
        if (valued.has(longOf[letter] ?? letter)) break
      }
    } else if (index === 0) {
      // The traditional form, `tar czf a.tgz dir`: the values follow in the order of their letters.
      for (const letter of arg) take(`-${letter}`, letter, next)
    } else names.push(asName(arg))
  }
  if (problem !== undefined) return problem
  if (mode === undefined) return "you must specify one of '-c', '-d', '-r', '-t', '-u', '-x' or '--delete'"
  for (const [name, known] of [
    ['format', 'gnu oldgnu pax posix ustar v7'],
    ['sort', 'name none inode'],
  ] as const) {
    const given = found.get(name)
    if (given !== undefined && !words(known).includes(given)) return `invalid value '${given}' of --${name}; known are ${known}`
  }
  const unused = unusedDirectory === undefined ? [] : [`-C '${unusedDirectory}'`]
  for (const { shown, at, apply } of positional) {
    const isLate = at > 0 && (mode === 'create' || mode === 'update')
    if (!isLate || mode === 'update') apply()
    if (isLate && at === nameCount) unused.push(shown)
    else if (isLate) return `${shown} between the names is not available here; put it before all of them`
  }
  const stripComponents = Number(found.get('strip-components') ?? 0)
  if (!Number.isInteger(stripComponents) || stripComponents < 0) return 'the value of --strip-components must be a whole number'
  const archive = found.get('file') ?? '-'
  const format = formats.find(name => found.has(name)) ?? (found.has('auto-compress') ? formatNamed(archive) : undefined)
  const reads = mode === 'extract' || mode === 'list' || mode === 'compare'
  if (format !== undefined && !reads) return `${format} packs nothing here; use -z`
  const topLevel = found.get('one-top-level')
  const places = new Set(names.map(name => name.directory))
  if (found.has('files-from')) places.add(fromDirectory)
  const [place = directory] = places
  if (mode === 'extract' && places.size > 1)
    return '-C between the names to extract is not available here; run tar for each directory'
  const isNamedGzip = found.has('auto-compress') && /\.(?:tgz|gz)$/.test(archive)
  const isGzip = found.has('gzip') || found.has('gunzip') || found.has('ungzip') || isNamedGzip
  return {
    mode,
    archive,
    format: reads ? formats.find(name => found.has(name)) : undefined,
    gzip: isGzip ? true : mode === 'create' ? false : undefined,
    directory: found.has('files-from') ? fromDirectory : place,
    unused,
    stripComponents,
    transforms,
    showsTransformed: found.has('show-transformed-names'),
    topLevel: topLevel === undefined || mode !== 'extract' ? undefined : topLevelOf(topLevel, archive),
    verbosity: Number(found.get('verbose') ?? 0),
    toStdout: found.has('to-stdout'),
    keepOld: found.has('keep-old-files'),
    keepsNow: found.has('touch'),
    follows: found.has('dereference'),
    isFlat: found.has('no-recursion'),
    exclude,
    excludeFrom,
    mtime: found.get('mtime'),
    owner: found.get('owner'),
    group: found.get('group'),
    namesFrom: found.get('files-from'),
    hasPatterns: found.has('wildcards'),
    names,
  }
}
