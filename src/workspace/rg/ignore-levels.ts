// The ignore files in force in a directory, with ripgrep's priorities: .rgignore over .ignore over .gitignore over .git/info/exclude over
// the user's rules for git over --ignore-file, and for each kind the deeper over the shallower file. A repository's rules end at its root.

import { joinPath, rootPath, type VfsPath } from '../../core/path.ts'
import { type IgnoreRules, parseRules, ruleFor } from '../../search/ignore.ts'
import { type FileReader, lstatIfThere, readFileIfThere } from '../../session/if-there.ts'
import { ifThereLater } from '../../vfs/error.ts'
import { problemOfCharacters, type Verdict, withSmallLetters } from './filters.ts'
import type { RgOptions } from './options.ts'

const kinds = ['rg', 'dot', 'git', 'exclude'] as const
type Kind = (typeof kinds)[number]

export interface IgnoreLevel {
  readonly directory: VfsPath
  readonly hasGit: boolean
  readonly rules: Partial<Readonly<Record<Kind, IgnoreRules>>>
  readonly parent: IgnoreLevel | undefined
}

/** Their patterns are relative to the working directory. */
export interface ExplicitRules {
  readonly directory: VfsPath
  /** Of --ignore-file. */
  readonly files: readonly IgnoreRules[]
  /** The rules that git reads for all repositories of a user. */
  readonly ofUser: IgnoreRules
}

type Settings = Pick<RgOptions, 'noIgnoreDot' | 'noIgnoreExclude' | 'noIgnoreVcs' | 'requireGit' | 'ignoreFileCaseInsensitive'>

const decoder = new TextDecoder('utf-8', { fatal: false })

/** `names` are the names of the directory's entries; `undefined` if they are not known yet. */
export async function levelOf(
  files: FileReader,
  directory: VfsPath,
  parent: IgnoreLevel | undefined,
  settings: Settings,
  names: ReadonlySet<string> | undefined,
  onProblem: (path: VfsPath, problem: string) => void,
): Promise<IgnoreLevel> {
  const isThere = (name: string): boolean => names === undefined || names.has(name)
  const read = async (path: VfsPath): Promise<IgnoreRules | undefined> => {
    // As in ripgrep, rules that nobody can read do not apply, without a message.
    const bytes = await ifThereLater(() => readFileIfThere(files, path), 'EACCES', 'EPERM')
    if (bytes === undefined) return undefined
    const rules = readRules(bytes, settings, problem => onProblem(path, problem))
    return rules.length === 0 ? undefined : rules
  }
  const rules: Partial<Record<Kind, IgnoreRules>> = {}
  const put = async (kind: Kind, path: VfsPath): Promise<void> => {
    const found = await read(path)
    if (found !== undefined) rules[kind] = found
  }
  const isJujutsu = async (): Promise<boolean> =>
    isThere('.jj') && (await lstatIfThere(files, joinPath(directory, '.jj'))) !== undefined
  const git = isThere('.git') ? await lstatIfThere(files, joinPath(directory, '.git')) : undefined
  if (!settings.noIgnoreDot && isThere('.rgignore')) await put('rg', joinPath(directory, '.rgignore'))
  if (!settings.noIgnoreDot && isThere('.ignore')) await put('dot', joinPath(directory, '.ignore'))
  if (!settings.noIgnoreVcs && isThere('.gitignore')) await put('git', joinPath(directory, '.gitignore'))
  if (!settings.noIgnoreVcs && !settings.noIgnoreExclude && git !== undefined) {
    const gitDirectory = await commonDirectory(files, directory, git.kind === 'directory')
    if (gitDirectory !== undefined) await put('exclude', joinPath(gitDirectory, 'info/exclude'))
  }
  // With --no-require-git, repositories are not looked for, so none ends the rules above it.
  const hasGit = settings.requireGit && (git !== undefined || (!settings.noIgnoreVcs && (await isJujutsu())))
  return { directory, hasGit, rules, parent }
}

export function readRules(
  bytes: Uint8Array,
  { ignoreFileCaseInsensitive }: Pick<Settings, 'ignoreFileCaseInsensitive'>,
  onProblem: (problem: string) => void,
): IgnoreRules {
  const lines = decoder.decode(bytes).split('\n')
  for (const [index, line] of lines.entries()) {
    // An escaped blank at the end is a part of the rule.
    const rule = line.endsWith('\\ ') ? line : line.trimEnd()
    const problem = rule.startsWith('#') ? undefined : problemOfCharacters(rule)
    if (problem !== undefined) onProblem(`line ${index + 1}: error parsing glob '${rule}': ${problem}`)
  }
  const text = lines.map(asRipgrepReads).join('\n')
  return parseRules(ignoreFileCaseInsensitive ? withSmallLetters(text) : text)
}

/** The file that `core.excludesFile` of the user's configuration of git names, or else the one where git looks for it. */
export async function userRulesPath(files: FileReader, env: Readonly<Record<string, string>>): Promise<string | undefined> {
  const home = env['HOME'] ?? ''
  const settings = env['XDG_CONFIG_HOME'] || (home === '' ? '' : `${home}/.config`)
  for (const path of [home === '' ? '' : `${home}/.gitconfig`, settings === '' ? '' : `${settings}/git/config`]) {
    const bytes = path.startsWith('/') ? await readFileIfThere(files, resolved(rootPath, path)) : undefined
    const named = /^\s*excludesfile\s*=\s*"?\s*(\S+?)\s*"?\s*$/im.exec(decoder.decode(bytes ?? new Uint8Array()))?.[1]
    if (named !== undefined) return named.replace(/^~/, home)
  }
  return settings === '' ? undefined : `${settings}/git/ignore`
}

/** ripgrep reads two kinds of patterns literally that git treats as malformed: an escaped slash, and an unclosed bracket. */
function asRipgrepReads(rule: string): string {
  const written = rule.replaceAll('\\/', '/')
  const isOpen = written
    .replaceAll(/\\./g, '')
    .replaceAll(/\[[!^]?\]?[^\]]*\]/g, '')
    .includes('[')
  return isOpen ? written.replaceAll(/(?<!\\)\[/g, '\\[') : written
}

/** The directory that all worktrees of a repository share: in a worktree `.git` is a file that refers to it. */
async function commonDirectory(files: FileReader, directory: VfsPath, isDirectory: boolean): Promise<VfsPath | undefined> {
  const git = joinPath(directory, '.git')
  if (isDirectory) return git
  const pointer = /^gitdir: (.+?)\s*$/m.exec(decoder.decode((await readFileIfThere(files, git)) ?? new Uint8Array()))?.[1]
  if (pointer === undefined) return undefined
  // git resolves a relative path from the worktree, and ripgrep from its working directory. The first existing one is used.
  for (const base of [directory, joinPath(directory, '..')]) {
    const gitDirectory = resolved(base, pointer)
    const common = await readFileIfThere(files, joinPath(gitDirectory, 'commondir'))
    if (common !== undefined) return resolved(gitDirectory, decoder.decode(common).trim())
  }
  return undefined
}

function resolved(base: VfsPath, path: string): VfsPath {
  const names: string[] = []
  for (const name of (path.startsWith('/') ? path : `${base}/${path}`).split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return joinPath(rootPath, names.join('/'))
}

/** The decision of the rules about an entry below `level`. */
export function verdictOf(
  level: IgnoreLevel | undefined,
  explicit: ExplicitRules,
  path: VfsPath,
  isDirectory: boolean,
  settings: Settings,
): Verdict {
  const fold = (text: string): string => (settings.ignoreFileCaseInsensitive ? withSmallLetters(text) : text)
  const found: Partial<Record<Kind, Verdict>> = {}
  const isInGit = !settings.requireGit || isBelowGit(level)
  let isBehindGit = false
  for (let each = level; each !== undefined; each = each.parent) {
    for (const kind of kinds) {
      const rules = each.rules[kind]
      const counts = kind === 'rg' || kind === 'dot' || (isInGit && !isBehindGit)
      if (rules === undefined || !counts || found[kind] !== undefined) continue
      found[kind] = ruleFor(rules, fold(below(each.directory, path)), isDirectory)
    }
    isBehindGit ||= each.hasGit
  }
  for (const kind of kinds) if (found[kind] !== undefined) return found[kind]
  for (const rules of [isInGit ? explicit.ofUser : [], ...explicit.files.toReversed()]) {
    const verdict = ruleFor(rules, fold(below(explicit.directory, path)), isDirectory)
    if (verdict !== undefined) return verdict
  }
  return undefined
}

function isBelowGit(level: IgnoreLevel | undefined): boolean {
  for (let each = level; each !== undefined; each = each.parent) if (each.hasGit) return true
  return false
}

/** The path relative to `directory`; unchanged if it is not below it. */
export function below(directory: VfsPath, path: VfsPath): string {
  if (directory === '/') return path.slice(1)
  return path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : path.slice(1)
}
