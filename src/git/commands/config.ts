// `git config`.

import type { GitCall } from '../call.ts'
import { failure, fatal, GitFailure } from '../errors.ts'
import type { Options } from '../options.ts'
import { Changes } from '../repository.ts'
import { globalConfigFiles, readAllConfig } from '../read-config.ts'
import { boolOf, Config, type ConfigEntry, expandHome, numberOf, readConfigFile } from '../store/config.ts'
import { editConfig, editSection, splitName } from '../store/config-edit.ts'
import { posixPattern } from '../revs/posix-pattern.ts'
import type { GitCommand } from './command.ts'
import { pushAll } from '../../core/many.ts'

const action = (
  name: string,
  letter?: string,
): { readonly names: readonly string[]; readonly key: string; readonly value: string; readonly isNegatable: false } => ({
  names: letter === undefined ? [name] : [letter, name],
  key: 'action',
  value: name,
  isNegatable: false,
})

export const config: GitCommand = {
  name: 'config',
  summary: 'Get and set repository or global options',
  options: {
    rows: [
      { names: ['global'] },
      { names: ['system'] },
      { names: ['local'] },
      { names: ['worktree'] },
      { names: ['f', 'file'], argument: { name: 'file' } },
      { names: ['blob'], argument: { name: 'blob-id' }, refuses: 'configuration in a blob is not built into this git' },
      action('get'),
      action('get-all'),
      action('get-regexp'),
      action('get-urlmatch'),
      action('replace-all'),
      action('add'),
      action('unset'),
      action('unset-all'),
      action('rename-section'),
      action('remove-section'),
      action('list', 'l'),
      action('edit', 'e'),
      action('get-color'),
      action('get-colorbool'),
      { names: ['fixed-value'] },
      { names: ['t', 'type'], argument: { name: 'type' } },
      { names: ['bool'], key: 'type', value: 'bool', isNegatable: false },
      { names: ['int'], key: 'type', value: 'int', isNegatable: false },
      { names: ['bool-or-int'], key: 'type', value: 'bool-or-int', isNegatable: false },
      { names: ['path'], key: 'type', value: 'path', isNegatable: false },
      { names: ['expiry-date'], key: 'type', value: 'expiry-date', isNegatable: false },
      { names: ['z', 'null'] },
      { names: ['name-only'] },
      { names: ['includes'] },
      { names: ['show-origin'] },
      { names: ['show-scope'] },
      { names: ['default'], argument: { name: 'value' } },
    ],
    usage: 'git config [<options>]',
    stopsAtWord: true,
  },
  run: (call, options) => new ConfigCall(call, options).run(),
}

/** How many words each action takes. */
const wordCounts: Readonly<Record<string, readonly [fewest: number, most: number]>> = {
  list: [0, 0],
  get: [1, 2],
  'get-all': [1, 2],
  'get-regexp': [1, 2],
  set: [2, 3],
  add: [2, 2],
  'replace-all': [2, 3],
  unset: [1, 2],
  'unset-all': [1, 2],
  'rename-section': [2, 2],
  'remove-section': [1, 1],
  edit: [0, 0],
}

class ConfigCall {
  readonly #call: GitCall
  readonly #options: Options

  constructor(call: GitCall, options: Options) {
    this.#call = call
    this.#options = options
  }

  async run(): Promise<number> {
    const words = this.#options.all
    const [name = '', value, pattern] = words
    const given = this.#options.value('action') ?? (words.length === 0 ? undefined : words.length === 1 ? 'get' : 'set')
    const [fewest, most] = wordCounts[given ?? ''] ?? [0, 3]
    if (words.length < fewest || words.length > most)
      throw new GitFailure(`${words.length > 3 ? '' : 'error: wrong number of arguments\n'}usage: git config [<options>]`, 129)
    switch (given) {
      case undefined:
        throw new GitFailure('usage: git config [<options>]', 129)
      case 'list':
        return this.#list()
      case 'get':
      case 'get-all':
        return this.#get(name, value, given === 'get-all')
      case 'get-regexp':
        return this.#getMatching(name, value)
      case 'set':
      case 'add':
      case 'replace-all':
        return this.#set(given, name, value ?? '', pattern)
      case 'unset':
      case 'unset-all':
        return this.#unset(given === 'unset-all', name, value)
      case 'rename-section':
      case 'remove-section':
        return this.#section(name, given === 'rename-section' ? value : undefined)
      case 'edit':
        throw failure('editors are never run by this git')
      default:
        throw new GitFailure(`error: --${given} is not built into this git`, 129)
    }
  }

  async #entries(): Promise<readonly ConfigEntry[]> {
    const { environment } = this.#call
    const options = this.#options
    const named = options.value('file')
    const place = { home: environment.env['HOME'], gitDir: undefined, branch: undefined }
    const isOneFile =
      named !== undefined || options.has('global') || options.has('system') || options.has('local') || options.has('worktree')
    const where = options.has('includes') ? place : undefined
    if (!isOneFile) {
      if (options.isNegated('includes'))
        throw new GitFailure(
          'error: --no-includes: leaving out included files is not built into this git; name a file with --file',
          129,
        )
      const repository = await this.#call.findRepository()
      if (repository !== undefined) return repository.config().entries
      return readAllConfig(environment, undefined)
    }
    if (options.has('global')) {
      const found: ConfigEntry[] = []
      for (const file of globalConfigFiles(environment.env))
        pushAll(found, await readConfigFile(environment.files, file, 'global', where))
      return found
    }
    const file = await this.#file()
    if (named !== undefined && !(await environment.files.isFile(file))) {
      if (options.value('action') === 'list') throw fatal(`unable to read config file '${named}': No such file or directory`)
      return []
    }
    return readConfigFile(environment.files, file, options.has('system') ? 'system' : 'local', where)
  }

  /** The file to write. */
  async #file(): Promise<string> {
    const { environment } = this.#call
    const options = this.#options
    const named = options.value('file')
    if (named !== undefined) return named.startsWith('/') ? named : `${environment.cwd}/${named}`
    if (options.has('global')) {
      const files = globalConfigFiles(environment.env)
      const [xdg] = files
      const own = files.at(-1)
      if (own === undefined) throw fatal('$HOME not set')
      return files.length > 1 &&
        xdg !== undefined &&
        !(await environment.files.isFile(own)) &&
        (await environment.files.isFile(xdg))
        ? xdg
        : own
    }
    if (options.has('system')) return environment.env['GIT_CONFIG_SYSTEM'] ?? '/etc/gitconfig'
    const repository = await this.#call.findRepository()
    if (repository === undefined)
      throw fatal(options.has('local') ? '--local can only be used inside a git repository' : 'not in a git directory')
    return options.has('worktree') && repository.config().has('extensions.worktreeconfig')
      ? `${repository.gitDir}/config.worktree`
      : `${repository.commonDir}/config`
  }

  #shown(value: string | undefined, name: string): string {
    const type = this.#options.value('type')
    if (type === undefined) return value ?? ''
    const bad = (kind: string): GitFailure =>
      fatal(`bad ${kind} config value '${value ?? ''}' for '${name}'${kind === 'numeric' ? ': invalid unit' : ''}`)
    switch (type) {
      case 'bool': {
        const meant = boolOf(value)
        if (meant === undefined) throw bad('boolean')
        return String(meant)
      }
      case 'int': {
        const meant = numberOf(value ?? '')
        if (meant === undefined) throw bad('numeric')
        return String(meant)
      }
      case 'bool-or-int':
        return value !== undefined && numberOf(value) !== undefined ? String(numberOf(value)) : String(boolOf(value) ?? false)
      case 'path':
        return expandHome(value ?? '', this.#call.environment.env['HOME'])
      case 'expiry-date':
      case 'color':
        return value ?? ''
      default:
        throw fatal(`unrecognized --type argument, ${type}`)
    }
  }

  #prefix(entry: ConfigEntry): string {
    const end = this.#options.has('null') ? '\0' : '\t'
    const scope = this.#options.has('show-scope') ? `${entry.scope}${end}` : ''
    if (!this.#options.has('show-origin')) return scope
    const { cwd } = this.#call.environment
    const file = entry.file.startsWith(`${cwd}/`) ? entry.file.slice(cwd.length + 1) : entry.file
    return `${scope}${entry.file === '' ? 'command line:' : `file:${file}`}${end}`
  }

  async #list(): Promise<number> {
    const isNull = this.#options.has('null')
    for (const entry of await this.#entries()) {
      const { name, value } = entry
      const shown =
        this.#options.has('name-only') || value === undefined ? name : `${name}${isNull ? '\n' : '='}${this.#shown(value, name)}`
      await this.#call.out.write(this.#prefix(entry) + shown + (isNull ? '\0' : '\n'))
    }
    return 0
  }

  async #get(name: string, pattern: string | undefined, isAll: boolean): Promise<number> {
    const canonical = this.#canonical(name, true)
    const test = this.#tester(pattern)
    const found = (await this.#entries()).filter(entry => entry.name === canonical && test(entry.value ?? ''))
    const otherwise = this.#options.value('default')
    const end = this.#options.has('null') ? '\0' : '\n'
    if (found.length === 0) {
      if (otherwise === undefined || isAll) return 1
      await this.#call.out.write(this.#shown(otherwise, name) + end)
      return 0
    }
    for (const entry of isAll ? found : found.slice(-1))
      await this.#call.out.write(this.#prefix(entry) + this.#shown(entry.value, name) + end)
    return 0
  }

  async #getMatching(source: string, pattern: string | undefined): Promise<number> {
    const names = this.#pattern(source, 'key')
    const test = this.#tester(pattern)
    const found = (await this.#entries()).filter(({ name, value }) => names.test(name) && test(value ?? ''))
    const isNull = this.#options.has('null')
    for (const entry of found) {
      const { name, value } = entry
      const shown =
        this.#options.has('name-only') || value === undefined ? name : `${name}${isNull ? '\n' : ' '}${this.#shown(value, name)}`
      await this.#call.out.write(this.#prefix(entry) + shown + (isNull ? '\0' : '\n'))
    }
    return found.length > 0 ? 0 : 1
  }

  #canonical(name: string, isRead: boolean): string {
    const split = splitName(name)
    if (split !== undefined) return `${split.section}.${split.key}`
    const last = name.lastIndexOf('.')
    if (last === -1 || last === 0) throw new GitFailure(`error: key does not contain a section: ${name}`, isRead ? 1 : 2)
    if (last === name.length - 1) throw new GitFailure(`error: key does not contain variable name: ${name}`, 2)
    throw new GitFailure(`error: invalid key: ${name}`, 1)
  }

  #pattern(source: string, what: 'key' | undefined): RegExp {
    try {
      return posixPattern(source, 'extended', '')
    } catch {
      throw failure(`invalid ${what === undefined ? '' : `${what} `}pattern: ${source}`, 6)
    }
  }

  #tester(pattern: string | undefined): (value: string) => boolean {
    if (pattern === undefined) return () => true
    if (this.#options.has('fixed-value')) return value => value === pattern
    const isNegated = pattern.startsWith('!')
    const compiled = this.#pattern(isNegated ? pattern.slice(1) : pattern, undefined)
    return value => compiled.test(value) !== isNegated
  }

  async #write(file: string, bytes: Uint8Array): Promise<number> {
    const changes = new Changes()
    changes.lock(`${file}.lock`)
    changes.write(file, bytes)
    await changes.commit(this.#call.environment.files, this.#call.environment.signal)
    return 0
  }

  async #set(kind: 'set' | 'add' | 'replace-all', name: string, given: string, pattern: string | undefined): Promise<number> {
    const canonical = this.#canonical(name, false)
    const file = await this.#file()
    const { files } = this.#call.environment
    const bytes = await files.read(file)
    const value =
      this.#options.value('type') === undefined || this.#options.value('type') === 'path' ? given : this.#shown(given, name)
    const test = this.#tester(pattern)
    const own = new Config(
      bytes === undefined
        ? []
        : (await readConfigFile(files, file, 'local', { home: undefined, gitDir: undefined, branch: undefined })).filter(
            entry => entry.file === file,
          ),
    )
    const count = own.entries.filter(entry => entry.name === canonical && test(entry.value ?? '')).length
    if (kind === 'set' && count > 1) {
      throw new GitFailure(
        `warning: ${name} has multiple values\nerror: cannot overwrite multiple values with a single value\n       Use a regexp, --add or --replace-all to change ${name}.`,
        5,
      )
    }
    return this.#write(
      file,
      editConfig(bytes, file, { name, value, replaces: entry => kind !== 'add' && test(entry.value ?? '') }),
    )
  }

  async #unset(isAll: boolean, name: string, pattern: string | undefined): Promise<number> {
    const canonical = this.#canonical(name, false)
    const file = await this.#file()
    const { files } = this.#call.environment
    const bytes = await files.read(file)
    const test = this.#tester(pattern)
    const entries = await readConfigFile(files, file, 'local', { home: undefined, gitDir: undefined, branch: undefined })
    const count = entries.filter(entry => entry.file === file && entry.name === canonical && test(entry.value ?? '')).length
    if (count === 0) return 5
    if (count > 1 && !isAll) throw new GitFailure(`warning: ${name} has multiple values`, 5)
    return this.#write(file, editConfig(bytes, file, { name, value: undefined, replaces: entry => test(entry.value ?? '') }))
  }

  async #section(name: string, to: string | undefined): Promise<number> {
    const file = await this.#file()
    const edited = editSection(await this.#call.environment.files.read(file), file, name, to)
    if (edited === undefined) throw fatal(`no such section: ${name}`)
    return this.#write(file, edited)
  }
}
