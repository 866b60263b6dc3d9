// The `git` program: options before the command's name, the choice of the command, and how failures are reported.

import { BrokenPipeError, type ShellInput, type ShellOutput } from '../shell/commands.ts'
import { GitCall } from './call.ts'
import { usage } from './commands/program-usage.ts'
import { commandTable } from './commands/table.ts'
import { fatal, GitFailure } from './errors.ts'
import { parseOptions } from './options.ts'
import type { GitEnvironment } from './repository.ts'
import { commandSetting } from './read-config.ts'
import type { ConfigEntry } from './store/config.ts'

export interface GitStreams {
  readonly stdin: ShellInput
  readonly stdout: ShellOutput
  readonly stderr: ShellOutput
}

/** The version of git that this follows. */
const version = '2.39.5'

/** Runs one call of git and returns its exit code. Rejects after an abort or a broken pipe. */
export async function runGit(args: readonly string[], environment: GitEnvironment, streams: GitStreams): Promise<number> {
  let call = new GitCall(environment, streams)
  try {
    const { rest, changed } = await readGlobal(args, environment)
    const told = new Set<string>()
    const warn = async (text: string): Promise<void> => {
      if (told.has(text)) return
      told.add(text)
      await call.warn(`warning: ${text}`)
    }
    const isSilent = rest[0] === 'rev-parse' && rest.some(word => word === '-q' || word === '--quiet')
    call = new GitCall(isSilent ? changed : { ...changed, warn }, streams)
    return await runCommand(call, rest, [])
  } catch (error) {
    if (error instanceof BrokenPipeError) throw error
    // The next command must not write the new objects of a failed one.
    environment.cache.drop()
    if (!(error instanceof GitFailure)) throw error
    if (error.message !== '') await call.warn(error.message)
    return error.exitCode
  } finally {
    await call.err.flush()
    await call.out.flush()
  }
}

async function readGlobal(
  args: readonly string[],
  environment: GitEnvironment,
): Promise<{ readonly rest: readonly string[]; readonly changed: GitEnvironment }> {
  const settings: ConfigEntry[] = [...environment.settings]
  const env = { ...environment.env }
  let { cwd } = environment
  let at = 0
  const value = (word: string, name: string): string | undefined => {
    if (word.startsWith(`${name}=`)) return word.slice(name.length + 1)
    if (word !== name) return undefined
    const next = args[++at]
    if (next === undefined) throw new GitFailure(`no directory given for '${name}' option\n${usage}`, 129)
    return next
  }
  for (; at < args.length; at++) {
    const word = args[at] ?? ''
    if (!word.startsWith('-')) break
    if (['--no-pager', '-P', '-p', '--paginate', '--no-lazy-fetch', '--no-advice'].includes(word)) continue
    if (word === '--no-optional-locks') env['GIT_OPTIONAL_LOCKS'] = '0'
    else if (word === '--no-replace-objects') env['GIT_NO_REPLACE_OBJECTS'] = '1'
    else if (word === '--literal-pathspecs') env['GIT_LITERAL_PATHSPECS'] = '1'
    else if (word === '--glob-pathspecs') env['GIT_GLOB_PATHSPECS'] = '1'
    else if (word === '--noglob-pathspecs') env['GIT_NOGLOB_PATHSPECS'] = '1'
    else if (word === '--icase-pathspecs') env['GIT_ICASE_PATHSPECS'] = '1'
    else if (word === '-C') {
      const given = args[++at]
      if (given === undefined) throw new GitFailure(`no directory given for '-C' option\n${usage}`, 129)
      if (given !== '') cwd = await changeDirectory(environment, cwd, given)
    } else if (word === '-c') {
      const given = args[++at]
      if (given === undefined) throw new GitFailure(`-c expects a configuration string\n${usage}`, 129)
      settings.push(setting(given))
    } else if (word === '--bare') env['GIT_DIR'] = cwd
    else if (
      word === '--version' ||
      word === '-v' ||
      word === '--help' ||
      word === '-h' ||
      word === '--exec-path' ||
      word === '--html-path'
    )
      break
    else {
      const gitDir = value(word, '--git-dir')
      const workTree = gitDir === undefined ? value(word, '--work-tree') : undefined
      if (gitDir !== undefined) env['GIT_DIR'] = gitDir
      else if (workTree !== undefined) env['GIT_WORK_TREE'] = workTree
      else if (/^--(?:namespace|super-prefix|config-env|attr-source|list-cmds)(?:=|$)/.test(word))
        throw new GitFailure(`error: ${word.replace(/=.*/s, '')} is not built into this git`, 129)
      else throw new GitFailure(`unknown option: ${word}\n${usage}`, 129)
    }
  }
  return { rest: args.slice(at), changed: { ...environment, cwd, env, settings } }
}

async function changeDirectory({ files }: GitEnvironment, cwd: string, given: string): Promise<string> {
  const path = given.startsWith('/') ? given : `${cwd}/${given}`
  const stat = await files.stat(path)
  if (stat === undefined) throw fatal(`cannot change to '${given}': No such file or directory`)
  if (stat.kind !== 'directory') throw fatal(`cannot change to '${given}': Not a directory`)
  return files.vfs.realpath(path)
}

function setting(text: string): ConfigEntry {
  const equals = text.indexOf('=')
  const name = equals === -1 ? text : text.slice(0, equals)
  if (!name.includes('.'))
    throw new GitFailure(`error: key does not contain a section: ${name}\nfatal: unable to parse command-line config`, 128)
  return commandSetting(name, equals === -1 ? undefined : text.slice(equals + 1))
}

async function runCommand(call: GitCall, args: readonly string[], aliases: readonly string[]): Promise<number> {
  const [name, ...rest] = args
  const isHelp = name === undefined || name === '--help' || name === '-h' || name === 'help'
  if (isHelp || rest[0] === '--help')
    return (await import('./commands/help.ts')).help(call, isHelp ? rest[0] : name, name === undefined, isHelp)
  if (name === '--version' || name === '-v' || name === 'version') {
    await call.print(`git version ${version}`)
    return 0
  }
  const load = Object.hasOwn(commandTable, name) ? commandTable[name] : undefined
  if (load === undefined) {
    const alias = (await call.config()).get(`alias.${name}`)
    if (alias === undefined)
      return runCommand(call, [await (await import('./commands/help.ts')).meantCommand(call, name), ...rest], aliases)
    if (alias.startsWith('!')) throw fatal(`alias '${name}' runs a shell command, which this git never does`)
    if (aliases.includes(name))
      throw fatal(`alias loop detected: expansion of '${aliases[0] ?? ''}' does not terminate:\n  ${aliases.join('\n  ')}`)
    const words = splitWords(alias)
    if (words.length === 0) throw fatal(`empty alias for ${name}`)
    if (words[0] === name) throw fatal(`recursive alias: ${name}`)
    return runCommand(call, [...words, ...rest], [...aliases, name])
  }
  const command = await load()
  if (rest.length === 1 && rest[0] === '-h') {
    await call.print(`usage: ${command.options.usage}\n`)
    return 129
  }
  if (!checksNoSettings.test(name)) {
    const config = await call.config()
    if (config.entries.some(entry => isOddSetting(entry)))
      (await import('./commands/odd-settings.ts')).checkSettings(name, config)
  }
  return command.isRaw
    ? command.run(call, parseOptions(command.options, []), rest)
    : command.run(call, parseOptions(command.options, rest), rest)
}

/** Commands that run whatever the settings of other commands say. */
const checksNoSettings = /^(?:init|clone|config|check-ref-format|rev-parse|worktree|submodule)$/

/** Whether the value may be one that some command cannot read. */
function isOddSetting({ name, value }: ConfigEntry): boolean {
  return (
    /^(?:color|commit|core(?!\.repo)|diff|log|merge|pull|push|stash|status)\./.test(name) &&
    value !== undefined &&
    !/^(?:true|false|[a-z]:.*|[/~].*)$/i.test(value)
  )
}

/** Splits an alias into words, with quotes as in a shell. */
function splitWords(text: string): readonly string[] {
  return [...text.matchAll(/(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|(?:[^\s"'\\]|\\.)+)+/g)].map(([whole]) =>
    whole.replaceAll(
      /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/g,
      (_, double?: string, single?: string, escaped?: string) => double?.replaceAll(/\\(.)/g, '$1') ?? single ?? escaped ?? '',
    ),
  )
}

export { RepositoryCache } from './repository-cache.ts'
