// Every flag of rg: its names, its value, its effect, and its help text. Parsing, help and completion use this table.

import { withColor } from './colors.ts'
import type { ContextOption, RgMode, RgOptions, SortKey } from './options.ts'
import { isEncodingLabel } from './text-of-file.ts'
import { unescaped } from './unescape.ts'

export interface Flag {
  readonly name: string
  readonly short?: string
  /** Other names of the same flag. */
  readonly aliases?: readonly string[]
  /** The flag that reverses it. */
  readonly negated?: string
  /** The name of the value in the help; a flag without it takes none. */
  readonly value?: string
  readonly category: FlagCategory
  readonly help: string
  /** Returns what is wrong with the value, if anything is. `isOn` is false for the negated flag. */
  readonly set: (options: RgOptions, value: string, isOn: boolean) => string | undefined | void
  /** Values that completion offers. */
  readonly choices?: readonly string[]
}

export type FlagCategory = 'input' | 'search' | 'filter' | 'output' | 'output modes' | 'logging' | 'other'

type BooleanKey = { [K in keyof RgOptions]-?: RgOptions[K] extends boolean | undefined ? K : never }[keyof RgOptions]

const assign =
  <K extends BooleanKey>(key: K, on: RgOptions[K] & boolean = true as RgOptions[K] & boolean) =>
  (options: RgOptions, _value: string, isOn: boolean): void => {
    Object.assign(options, { [key]: isOn ? on : !on })
  }
const mode =
  (value: RgMode) =>
  (options: RgOptions): void => {
    // The last mode counts, but a question about rg itself always takes precedence.
    if (!isQuestion(options.mode) || isQuestion(value)) options.mode = value
  }
const none = (): void => undefined

/** The last value of a flag counts, so a refusal is said when all words are read. */
function refuse(options: RgOptions, flag: string, why: string | undefined): void {
  if (why === undefined) options.refused.delete(flag)
  else options.refused.set(flag, `${flag} is not available here: ${why}`)
}

function isQuestion(value: RgMode): boolean {
  return typeof value === 'string' && ['help', 'short-help', 'version', 'short-version', 'pcre2-version'].includes(value)
}

const maxSize = 2n ** 64n - 1n

function numberOf(text: string): number | string {
  const why =
    text === ''
      ? 'cannot parse integer from empty string'
      : !/^\+?\d+$/.test(text)
        ? 'invalid digit found in string'
        : BigInt(text.replace('+', '')) > maxSize
          ? 'number too large to fit in target type'
          : undefined
  return why === undefined ? Number(text) : `value is not a valid number: ${why}`
}

/** Passes `text` as a number to `use`, or returns what is wrong. */
function withNumber(text: string, use: (value: number) => void): string | undefined {
  const value = numberOf(text)
  if (typeof value === 'string') return value
  use(value)
  return undefined
}

/** `10`, `10K`, `10M` or `10G`. */
function withSize(text: string, use: (bytes: number) => void): string | undefined {
  const match = /^(\d+)([KMG]?)$/.exec(text)
  if (match === null)
    return `invalid size: invalid format for size '${text}', which should be a non-empty sequence of digits followed by an optional 'K', 'M' or 'G' suffix`
  const bytes =
    BigInt(match[1] ?? '0') * { '': 1n, K: 1n << 10n, M: 1n << 20n, G: 1n << 30n }[(match[2] ?? '') as '' | 'K' | 'M' | 'G']
  if (bytes > maxSize) return `invalid size: size too big in '${text}'`
  use(Number(bytes))
  return undefined
}

function limited(options: RgOptions, change: Partial<Extract<ContextOption, { kind: 'limited' }>>): void {
  const before = options.context.kind === 'limited' ? options.context : { kind: 'limited' as const }
  options.context = { ...before, ...change }
}

const sortKeys: readonly SortKey[] = ['none', 'path', 'modified', 'accessed', 'created']

function sortBy(options: RgOptions, value: string, isReverse: boolean): string | undefined {
  const key = sortKeys.find(each => each === value)
  if (key === undefined) return `choice '${value}' is unrecognized`
  options.sort = { key, isReverse }
  return undefined
}

const engines = ['default', 'pcre2', 'auto'] as const

export const flags: readonly Flag[] = [
  { name: 'regexp', short: 'e', value: 'PATTERN', category: 'input', help: 'A pattern to search for. It may be given several times.',
    set: (options, value) => void options.patterns.push({ kind: 'text', text: value }) },
  { name: 'file', short: 'f', value: 'PATTERNFILE', category: 'input', help: 'Search for the patterns in a file, one a line. "-" is standard input.',
    set: (options, value) => void options.patterns.push({ kind: 'file', path: value }) },
  { name: 'pre', value: 'COMMAND', negated: 'no-pre', category: 'input', help: 'Not available here: files are searched as they are.',
    set: (options, value, isOn) => refuse(options, '--pre', isOn && value !== '' ? 'files are searched as they are; run the command and pipe its output into rg' : undefined) },
  { name: 'pre-glob', value: 'GLOB', category: 'input', help: 'Only for --pre, which is not available here.', set: none },
  { name: 'search-zip', short: 'z', negated: 'no-search-zip', category: 'input', help: 'Search in compressed files: gzip, bzip2, xz, lzma, lz4, zstd and compress. Brotli is not decoded.', set: assign('searchZip') },

  { name: 'auto-hybrid-regex', negated: 'no-auto-hybrid-regex', category: 'search', help: 'Deprecated: --engine auto.', set: (options, _value, isOn) => void (options.engine = isOn ? 'auto' : 'default') },
  { name: 'case-sensitive', short: 's', category: 'search', help: 'Search case sensitively. This is the default.', set: options => void (options.caseMode = 'sensitive') },
  { name: 'crlf', negated: 'no-crlf', category: 'search', help: 'Treat CRLF as the end of a line.',
    set: (options, _value, isOn) => void Object.assign(options, { crlf: isOn, ...(isOn ? { nullData: false } : {}) }) },
  { name: 'dfa-size-limit', value: 'NUM+SUFFIX?', category: 'search', help: 'Has no effect here: the automaton has a fixed limit.', set: (_options, value) => withSize(value, none) },
  { name: 'encoding', short: 'E', value: 'ENCODING', negated: 'no-encoding', category: 'search', help: 'The encoding of all files: a label such as utf-16le or sjis, "auto" for the byte order mark, or "none".',
    set: (options, value, isOn) => (isOn ? setEncoding(options, value) : void (options.encoding = 'auto')) },
  { name: 'engine', value: 'ENGINE', category: 'search', help: 'The regular expression engine: default, pcre2 as -P, or auto, which takes pcre2 for a pattern that default refuses.', choices: engines,
    set: (options, value) => {
      const engine = engines.find(each => each === value)
      if (engine === undefined) return `unrecognized regex engine '${value}'`
      options.engine = engine
      return undefined
    } },
  { name: 'fixed-strings', short: 'F', negated: 'no-fixed-strings', category: 'search', help: 'Take all patterns literally.', set: assign('fixedStrings') },
  { name: 'ignore-case', short: 'i', category: 'search', help: 'Ignore case.', set: options => void (options.caseMode = 'insensitive') },
  { name: 'invert-match', short: 'v', negated: 'no-invert-match', category: 'search', help: 'Show the lines that do not match.', set: assign('invert') },
  { name: 'line-regexp', short: 'x', category: 'search', help: 'Show only matches of whole lines.', set: options => void (options.boundary = 'line') },
  { name: 'mmap', negated: 'no-mmap', category: 'search', help: 'Look for binary data only at the beginning and in lines that are shown; by default, if at most 10 files are named.', set: (options, _value, isOn) => void (options.mmap = isOn ? 'always' : 'never') },
  { name: 'multiline', short: 'U', negated: 'no-multiline', category: 'search', help: 'Let matches span lines.', set: (options, _value, isOn) => void Object.assign(options, { multiline: isOn, ...(isOn ? { stopOnNonmatch: false } : {}) }) },
  { name: 'multiline-dotall', negated: 'no-multiline-dotall', category: 'search', help: 'Let "." match line breaks, with -U.', set: assign('multilineDotall') },
  { name: 'no-unicode', negated: 'unicode', category: 'search', help: 'Classes and boundaries are those of ASCII.', set: assign('unicode', false) },
  { name: 'no-pcre2-unicode', negated: 'pcre2-unicode', category: 'search', help: 'Deprecated: --no-unicode.', set: assign('unicode', false) },
  { name: 'one-file-system', negated: 'no-one-file-system', category: 'filter', help: 'Has no effect here: a workspace is one tree.', set: none },
  { name: 'pcre2', short: 'P', negated: 'no-pcre2', category: 'search', help: 'Patterns in the syntax of Perl, with look-around and back-references. They are tried way by way, up to a number of steps.', set: (options, _value, isOn) => void (options.engine = isOn ? 'pcre2' : 'default') },
  { name: 'regex-size-limit', value: 'NUM+SUFFIX?', category: 'search', help: 'The largest size of a compiled pattern.', set: (options, value) => withSize(value, bytes => (options.programSizeLimit = bytes)) },
  { name: 'smart-case', short: 'S', category: 'search', help: 'Ignore case unless the pattern has a capital letter.', set: options => void (options.caseMode = 'smart') },
  { name: 'stop-on-nonmatch', negated: 'no-stop-on-nonmatch', category: 'search', help: 'Stop in a file at the first line that does not match behind one that does.', set: (options, _value, isOn) => void Object.assign(options, { stopOnNonmatch: isOn, ...(isOn ? { multiline: false } : {}) }) },
  { name: 'text', short: 'a', negated: 'no-text', category: 'search', help: 'Search binary files as if they were text.', set: (options, _value, isOn) => void (options.binary = isOn ? 'text' : 'auto') },
  { name: 'threads', short: 'j', value: 'NUM', category: 'search', help: 'Has no effect here: a search runs on one thread.', set: (_options, value) => withNumber(value, none) },
  { name: 'word-regexp', short: 'w', category: 'search', help: 'Show only matches that have no letter of a word beside them.', set: options => void (options.boundary = 'word') },

  { name: 'binary', negated: 'no-binary', category: 'filter', help: 'Search binary files until a match, and say that it matches.', set: (options, _value, isOn) => void (options.binary = isOn ? 'search' : 'auto') },
  { name: 'follow', short: 'L', negated: 'no-follow', category: 'filter', help: 'Follow symbolic links.', set: assign('follow') },
  { name: 'glob', short: 'g', value: 'GLOB', category: 'filter', help: 'Search only files that match, or with a leading "!" those that do not. It overrides hidden names and ignore files.',
    set: (options, value) => void options.globs.push({ glob: value, ignoreCase: false }) },
  { name: 'glob-case-insensitive', negated: 'no-glob-case-insensitive', category: 'filter', help: 'Let all -g ignore case.', set: assign('globCaseInsensitive') },
  { name: 'hidden', short: '.', negated: 'no-hidden', category: 'filter', help: 'Search hidden files and directories.', set: assign('hidden') },
  { name: 'iglob', value: 'GLOB', category: 'filter', help: 'As -g, ignoring case.', set: (options, value) => void options.globs.push({ glob: value, ignoreCase: true }) },
  { name: 'ignore-file', value: 'PATH', category: 'filter', help: 'A file with ignore rules besides those that are found. They are about paths from the working directory.', set: (options, value) => void options.ignoreFiles.push(value) },
  { name: 'ignore-file-case-insensitive', negated: 'no-ignore-file-case-insensitive', category: 'filter', help: 'Let ignore rules ignore case.', set: assign('ignoreFileCaseInsensitive') },
  { name: 'max-depth', short: 'd', aliases: ['maxdepth'], value: 'NUM', category: 'filter', help: 'How many levels of directories are entered.', set: (options, value) => withNumber(value, depth => (options.maxDepth = depth)) },
  { name: 'max-filesize', value: 'NUM+SUFFIX?', category: 'filter', help: 'Leave out larger files. The suffixes are K, M and G.', set: (options, value) => withSize(value, bytes => (options.maxFileBytes = bytes)) },
  { name: 'no-ignore', negated: 'ignore', category: 'filter', help: 'Obey no ignore file that is found.',
    set: (options, _value, isOn) => setNoIgnore(options, isOn) },
  { name: 'no-ignore-dot', negated: 'ignore-dot', category: 'filter', help: 'Obey neither .ignore nor .rgignore.', set: assign('noIgnoreDot') },
  { name: 'no-ignore-exclude', negated: 'ignore-exclude', category: 'filter', help: 'Do not obey .git/info/exclude.', set: assign('noIgnoreExclude') },
  { name: 'no-ignore-files', negated: 'ignore-files', category: 'filter', help: 'Do not obey files that --ignore-file names.', set: assign('noIgnoreFiles') },
  { name: 'no-ignore-global', negated: 'ignore-global', category: 'filter', help: 'Do not obey the ignore file that the configuration of git names for all repositories.', set: assign('noIgnoreGlobal') },
  { name: 'no-ignore-messages', negated: 'ignore-messages', category: 'logging', help: 'Show no errors about ignore files.', set: assign('ignoreMessages', false) },
  { name: 'no-ignore-parent', negated: 'ignore-parent', category: 'filter', help: 'Do not obey ignore files in parent directories.', set: assign('noIgnoreParent') },
  { name: 'no-ignore-vcs', negated: 'ignore-vcs', category: 'filter', help: 'Do not obey .gitignore.', set: assign('noIgnoreVcs') },
  { name: 'no-require-git', negated: 'require-git', category: 'filter', help: 'Obey .gitignore outside of git repositories too.', set: assign('requireGit', false) },
  { name: 'type', short: 't', value: 'TYPE', category: 'filter', help: 'Search only files of a type; --type-list shows them.', set: (options, value) => void options.typeChanges.push({ kind: 'select', name: value }) },
  { name: 'type-not', short: 'T', value: 'TYPE', category: 'filter', help: 'Leave out files of a type.', set: (options, value) => void options.typeChanges.push({ kind: 'negate', name: value }) },
  { name: 'type-add', value: 'TYPESPEC', category: 'filter', help: 'Add a glob to a type: name:glob, or name:include:other,other.', set: (options, value) => options.types.add(value) },
  { name: 'type-clear', value: 'TYPE', category: 'filter', help: 'Remove all globs of a type.', set: (options, value) => options.types.clear(value) },
  { name: 'unrestricted', short: 'u', category: 'filter', help: 'Search more: once as --no-ignore, twice --hidden too, three times --binary too.', set: unrestrict },

  { name: 'block-buffered', negated: 'no-block-buffered', category: 'output', help: 'Has no effect here.', set: none },
  { name: 'byte-offset', short: 'b', negated: 'no-byte-offset', category: 'output', help: 'Show where each line begins, in bytes.', set: assign('byteOffset') },
  { name: 'color', value: 'WHEN', category: 'output', help: 'When to color: never, auto (never, here), always or ansi.', choices: ['never', 'auto', 'always', 'ansi'],
    set: (options, value) => {
      if (value !== 'never' && value !== 'auto' && value !== 'always' && value !== 'ansi') return `choice '${value}' is unrecognized`
      options.color = value
      return undefined
    } },
  { name: 'colors', value: 'COLOR_SPEC', category: 'output', help: 'How to color: {path,line,column,match}:{fg,bg,style}:VALUE, or TYPE:none.',
    set: (options, value) => {
      const colors = withColor(options.colors, value)
      if (typeof colors === 'string') return colors
      options.colors = colors
      return undefined
    } },
  { name: 'column', negated: 'no-column', category: 'output', help: 'Show the column of the first match, from 1, in bytes.', set: assign('column') },
  { name: 'context', short: 'C', value: 'NUM', category: 'output', help: 'Show so many lines around each match.', set: (options, value) => withNumber(value, both => limited(options, { both })) },
  { name: 'after-context', short: 'A', value: 'NUM', category: 'output', help: 'Show so many lines behind each match.', set: (options, value) => withNumber(value, after => limited(options, { after })) },
  { name: 'before-context', short: 'B', value: 'NUM', category: 'output', help: 'Show so many lines before each match.', set: (options, value) => withNumber(value, before => limited(options, { before })) },
  { name: 'context-separator', value: 'SEPARATOR', negated: 'no-context-separator', category: 'output', help: 'The separator between two runs of lines; default "--".', set: (options, value, isOn) => void (options.contextSeparator = isOn ? unescaped(value) : undefined) },
  { name: 'field-context-separator', value: 'SEPARATOR', category: 'output', help: 'The separator after each field of a context line; default "-".', set: (options, value) => void (options.fieldContextSeparator = unescaped(value)) },
  { name: 'field-match-separator', value: 'SEPARATOR', category: 'output', help: 'The separator after each field of a matching line; default ":".', set: (options, value) => void (options.fieldMatchSeparator = unescaped(value)) },
  { name: 'heading', negated: 'no-heading', category: 'output', help: 'Show the path above the lines of a file instead of in each line.', set: assign('heading') },
  { name: 'hostname-bin', value: 'COMMAND', category: 'output', help: 'Has no effect here: there are no hyperlinks.', set: none },
  { name: 'hyperlink-format', value: 'FORMAT', category: 'output', help: 'Not available here; empty and "none" are taken.', set: (options, value) => refuse(options, '--hyperlink-format', value === '' || value === 'none' ? undefined : 'there are no hyperlinks; leave it out') },
  { name: 'include-zero', negated: 'no-include-zero', category: 'output', help: 'Show counts of 0 too.', set: assign('includeZero') },
  { name: 'line-buffered', negated: 'no-line-buffered', category: 'output', help: 'Has no effect here.', set: none },
  { name: 'line-number', short: 'n', category: 'output', help: 'Show line numbers, from 1.', set: options => void (options.lineNumber = true) },
  { name: 'no-line-number', short: 'N', category: 'output', help: 'Show no line numbers.', set: options => void (options.lineNumber = false) },
  { name: 'max-columns', short: 'M', value: 'NUM', category: 'output', help: 'Leave out longer lines, in bytes; 0 for no limit.', set: (options, value) => withNumber(value, columns => (options.maxColumns = columns === 0 ? undefined : columns)) },
  { name: 'max-columns-preview', negated: 'no-max-columns-preview', category: 'output', help: 'Show the beginning of lines that -M leaves out.', set: assign('maxColumnsPreview') },
  { name: 'max-count', short: 'm', value: 'NUM', category: 'search', help: 'Show at most so many matching lines of each file.', set: (options, value) => withNumber(value, count => (options.maxCount = count)) },
  { name: 'null', short: '0', category: 'output', help: 'Print a null byte after each path.', set: assign('passNull') },
  { name: 'null-data', negated: 'no-null-data', category: 'search', help: 'A null byte ends a line, instead of a line feed.',
    set: (options, _value, isOn) => void Object.assign(options, { nullData: isOn, ...(isOn ? { crlf: false } : {}) }) },
  { name: 'only-matching', short: 'o', category: 'output', help: 'Show only what matches, each match in a line.', set: assign('onlyMatching') },
  { name: 'path-separator', value: 'SEPARATOR', category: 'output', help: 'The separator between the names of a path; default "/".',
    set: (options, value) => {
      const separator = unescaped(value)
      if (separator.length > 1) return `A path separator must be exactly one byte, but the given separator is ${separator.length} bytes: ${value}\nIn some shells on Windows '/' is automatically expanded. Use '//' instead.`
      options.pathSeparator = separator.length === 0 ? undefined : String.fromCharCode(separator[0] ?? 47)
      return undefined
    } },
  { name: 'passthru', aliases: ['passthrough'], category: 'output', help: 'Show all lines, matching or not.', set: options => void (options.context = { kind: 'passthru' }) },
  { name: 'pretty', short: 'p', category: 'output', help: 'As --color always --heading --line-number.', set: options => void Object.assign(options, { color: 'always', heading: true, lineNumber: true }) },
  { name: 'quiet', short: 'q', category: 'output', help: 'Show nothing; the exit code tells whether something matched.', set: assign('quiet') },
  { name: 'replace', short: 'r', value: 'REPLACEMENT', category: 'output', help: 'Show each match replaced; $1 and $name are groups, $0 is the match.', set: (options, value) => void (options.replace = value) },
  { name: 'sort', value: 'SORTBY', category: 'output', help: 'Sort files: none, path, modified, accessed or created. Where a file has no such time, its last change counts.', choices: sortKeys, set: (options, value) => sortBy(options, value, false) },
  { name: 'sortr', value: 'SORTBY', category: 'output', help: 'Sort files the other way round.', choices: sortKeys, set: (options, value) => sortBy(options, value, true) },
  { name: 'sort-files', negated: 'no-sort-files', category: 'output', help: 'Deprecated: --sort path.', set: (options, _value, isOn) => void (options.sort = { key: isOn ? 'path' : 'none', isReverse: false }) },
  { name: 'trim', negated: 'no-trim', category: 'output', help: 'Leave out spaces at the beginning of lines.', set: assign('trim') },
  { name: 'vimgrep', category: 'output', help: 'Show each match in a line with path, line number and column.', set: assign('vimgrep') },
  { name: 'with-filename', short: 'H', category: 'output', help: 'Show the path of each file.', set: assign('withFilename') },
  { name: 'no-filename', short: 'I', category: 'output', help: 'Show no paths.', set: options => void (options.withFilename = false) },

  { name: 'count', short: 'c', category: 'output modes', help: 'Show how many lines of each file match.', set: mode('count') },
  { name: 'count-matches', category: 'output modes', help: 'Show how many matches each file has.', set: mode('count-matches') },
  { name: 'files-with-matches', short: 'l', category: 'output modes', help: 'Show the paths of files that match.', set: mode('files-with-matches') },
  { name: 'files-without-match', category: 'output modes', help: 'Show the paths of files that do not match.', set: mode('files-without-match') },
  { name: 'json', negated: 'no-json', category: 'output modes', help: 'Show matches as JSON, a message a line.', set: (options, _value, isOn) => (isOn ? mode('json')(options) : options.mode === 'json' ? void (options.mode = 'lines') : undefined) },

  { name: 'debug', category: 'logging', help: 'Say of each path that is left out why.', set: assign('debug') },
  { name: 'trace', category: 'logging', help: 'As --debug.', set: assign('debug') },
  { name: 'no-messages', negated: 'messages', category: 'logging', help: 'Show no errors about files.', set: assign('messages', false) },
  { name: 'stats', negated: 'no-stats', category: 'logging', help: 'Show how much was searched and found.', set: assign('stats') },

  { name: 'files', category: 'other', help: 'Show the paths of the files that would be searched.', set: mode('files') },
  { name: 'generate', value: 'KIND', category: 'other', help: 'Show a man page or completions: man, complete-bash, complete-zsh, complete-fish.', choices: ['man', 'complete-bash', 'complete-zsh', 'complete-fish'],
    set: (options, value) => {
      if (!['man', 'complete-bash', 'complete-zsh', 'complete-fish'].includes(value)) return `choice '${value}' is unrecognized`
      options.mode = { generate: value }
      return undefined
    } },
  { name: 'no-config', category: 'other', help: 'Do not read the file that RIPGREP_CONFIG_PATH names.', set: none },
  { name: 'pcre2-version', category: 'other', help: 'Show which version of PCRE2 has the syntax of -P.', set: mode('pcre2-version') },
  { name: 'type-list', category: 'other', help: 'Show the types of -t and their globs.', set: mode('type-list') },
  { name: 'help', short: 'h', category: 'other', help: 'Show this help.', set: mode('help') },
  { name: 'version', short: 'V', category: 'other', help: 'Show the version.', set: mode('version') },
] // prettier-ignore

function setNoIgnore(options: RgOptions, isOn: boolean): void {
  Object.assign(options, {
    noIgnoreDot: isOn,
    noIgnoreExclude: isOn,
    noIgnoreGlobal: isOn,
    noIgnoreParent: isOn,
    noIgnoreVcs: isOn,
  })
}

function unrestrict(options: RgOptions): string | undefined {
  options.unrestricted++
  if (options.unrestricted === 1) setNoIgnore(options, true)
  else if (options.unrestricted === 2) options.hidden = true
  else if (options.unrestricted === 3) options.binary = 'search'
  else return 'flag can only be repeated up to 3 times'
  return undefined
}

function setEncoding(options: RgOptions, label: string): string | undefined {
  const lower = label.toLowerCase()
  if (lower !== 'auto' && lower !== 'none' && !isEncodingLabel(lower)) return `grep config error: unknown encoding: ${label}`
  options.encoding = lower
  return undefined
}
