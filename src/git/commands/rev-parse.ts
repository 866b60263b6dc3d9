// `git rev-parse`: prints the IDs of revisions and the paths of the repository.

import { matchesWildcard } from '../../search/wildmatch.ts'
import { decodeText, encodeText } from '../../shell/byte-text.ts'
import type { GitCall } from '../call.ts'
import { fatal, GitFailure } from '../errors.ts'
import type { Repository } from '../repository.ts'
import { mergeBases } from '../revs/merge-base.ts'
import { parentsOf } from '../revs/parents.ts'
import {
  ambiguousArgument,
  expandId,
  findRef,
  needCommit,
  previousBranch,
  resolveRevision,
  upstreamOf,
} from '../revs/revision.ts'
import { shellQuoted } from '../quote.ts'
import { ShortIds } from '../revs/short-ids.ts'
import type { GitCommand } from './command.ts'
import { shortestRef } from '../revs/ref-names.ts'
import { repositoryFact } from './repository-fact.ts'
import { joined, revisionFlag, splitOnce, toldAsIs, wildcardOf } from './rev-parse-words.ts'
import { ShownPaths } from './shown-paths.ts'

export const revParse: GitCommand = {
  name: 'rev-parse',
  summary: 'Pick out and massage parameters',
  options: { rows: [], usage: 'git rev-parse [<options>] <args>...' },
  isRaw: true,
  async run(call, _options, args) {
    const [first, ...rest] = args
    if (first === '--sq-quote') {
      await call.print(rest.map(word => ` ${shellQuoted(word)}`).join(''))
      return 0
    }
    return new RevParse(call).run(args)
  },
}

class RevParse {
  readonly #call: GitCall
  #symbolic: 'none' | 'short' | 'full' | 'abbrev' = 'none'
  #short: number | undefined
  #verifies = false
  #isQuiet = false
  #isNegated = false
  #quotes = false
  #defaultRevision: string | undefined
  readonly #paths: ShownPaths
  #onlyRevisions = false
  #skipsNames = false
  #skipsFlags = false
  #skipsRevisions = false
  /** Before dashes there are no files. */
  #hasDashes = false
  /** After the first file no revisions and options follow. */
  #isAfterFile = false
  #prefix: string | undefined
  #excluded: string[] = []
  #found = 0
  /** With `--verify` the only revision, which is printed at the end. */
  #verified: { readonly oid: string; readonly name: string; readonly isExcluded: boolean } | undefined

  constructor(call: GitCall) {
    this.#call = call
    this.#paths = new ShownPaths(call)
  }

  async run(args: readonly string[]): Promise<number> {
    let isPaths = false
    let isEndOfOptions = false
    this.#hasDashes = args.includes('--')
    for (let at = 0; at < args.length; at++) {
      const word = args[at] ?? ''
      if (isPaths) {
        await this.#path(word)
        continue
      }
      if (this.#isAfterFile) {
        if (await this.#path(word)) await this.#needFile(word)
        continue
      }
      if (word === '--') {
        isPaths = true
        await this.#path(word, '')
        continue
      }
      if (
        !isEndOfOptions &&
        (word === '--default' || word === '--prefix' || word === '--git-path' || word === '--resolve-git-dir')
      ) {
        const value = args[++at]
        if (value === undefined) throw fatal(`${word} requires an argument`)
        if (word === '--default') this.#defaultRevision = value
        else if (word === '--prefix') this.#prefix = value
        else if (word === '--resolve-git-dir')
          await this.#call.print(await (await import('./repository-facts.ts')).resolvedGitDir(this.#call.environment, value))
        else await this.#call.print(await this.#paths.shared(await this.#gitPath(value)))
        continue
      }
      if (word === '-n' && !isEndOfOptions) {
        const value = args[++at]
        if (value === undefined) throw fatal('-n requires an argument')
        await this.#flag(word)
        await this.#flag(value, true)
        continue
      }
      if (word === '--end-of-options' && !isEndOfOptions) {
        isEndOfOptions = true
        await this.#path(word, '')
        continue
      }
      if (!isEndOfOptions && word.startsWith('-') && (await this.#option(word))) continue
      await this.#revision(word)
    }
    if (this.#found === 0 && this.#defaultRevision !== undefined) await this.#revision(this.#defaultRevision)
    if (!this.#verifies) return 0
    if (this.#found !== 1) {
      if (this.#isQuiet) return 1
      throw fatal('Needed a single revision')
    }
    if (this.#verified !== undefined) {
      const { oid, name, isExcluded } = this.#verified
      await this.#show(await this.#call.repository(), oid, name, isExcluded)
    }
    return 0
  }

  /** A word that is a path: `--prefix` names the directory that it is relative to. */
  async #path(word: string, prefix = this.#prefix): Promise<boolean> {
    if (this.#verifies) return false
    if (this.#found === 0 && this.#defaultRevision !== undefined) {
      const name = this.#defaultRevision
      this.#defaultRevision = undefined
      const repository = await this.#call.repository()
      const revision = await resolveRevision(repository, name)
      if (revision !== undefined) await this.#show(repository, revision.oid, name)
    }
    if (this.#onlyRevisions || this.#skipsNames) return false
    await this.#tell(prefix === undefined ? word : joined(prefix, word))
    return true
  }

  async #flag(word: string, isRevision = revisionFlag.test(word)): Promise<void> {
    if (!this.#skipsFlags && !(isRevision ? this.#skipsRevisions : this.#onlyRevisions)) await this.#tell(word)
  }

  async #gitPath(name: string): Promise<string> {
    const repository = await this.#call.repository()
    const isOwn = /^(HEAD|index|ORIG_HEAD|MERGE_|CHERRY_PICK_HEAD|REVERT_HEAD|FETCH_HEAD|logs\/HEAD|rebase-)/.test(name)
    return `${isOwn ? repository.gitDir : repository.commonDir}/${name}`
  }

  /** Quoted for a shell, on one line. */
  async #tell(text: string): Promise<void> {
    if (this.#quotes) await this.#call.out.write(`${shellQuoted(text)} `)
    else await this.#call.print(text)
  }

  async #option(word: string): Promise<boolean> {
    const call = this.#call
    const [name, value] = splitOnce(word)
    switch (name) {
      case '--verify':
        this.#verifies = true
        return true
      case '-q':
      case '--quiet':
        this.#isQuiet = true
        return true
      case '--short':
        this.#short = value === undefined ? 0 : Math.max(4, Number.parseInt(value, 10) || 0)
        this.#verifies = true
        return true
      case '--symbolic':
        this.#symbolic = 'short'
        return true
      case '--symbolic-full-name':
        this.#symbolic = 'full'
        return true
      case '--abbrev-ref':
        if (value !== undefined && value !== 'strict' && value !== 'loose') throw fatal(`unknown mode for --abbrev-ref: ${value}`)
        this.#symbolic = 'abbrev'
        return true
      case '--not':
        this.#isNegated = !this.#isNegated
        return true
      case '--revs-only':
        this.#onlyRevisions = true
        return true
      case '--no-revs':
        this.#skipsRevisions = true
        return true
      case '--flags':
        this.#skipsNames = true
        return true
      case '--no-flags':
        this.#skipsFlags = true
        return true
      case '--sq':
        this.#quotes = true
        return true
      case '--show-object-format':
        if (value !== undefined && !['storage', 'input', 'output'].includes(value))
          throw fatal(`unknown mode for --show-object-format: ${value}`)
        await call.print('sha1')
        return true
      case '--parseopt':
      case '--exclude-hidden':
        throw new GitFailure(`error: ${name} is not built into this git`, 129)
      case '--exclude':
        this.#excluded.push(value ?? '')
        return true
      case '--disambiguate':
        if (!/^[0-9a-f]{4,40}$/.test(value ?? '')) return true
        for (const oid of (await expandId(await call.repository(), value ?? '')).candidates) await this.#tell(oid)
        return true
      case '--bisect':
        for (const ref of await (await call.repository()).refs.list('refs/bisect/')) {
          if (ref.name.startsWith('refs/bisect/bad')) await this.#show(await call.repository(), ref.oid, ref.name)
          else if (ref.name.startsWith('refs/bisect/good')) await this.#show(await call.repository(), ref.oid, ref.name, true)
        }
        return true
      case '--path-format':
        if (value !== 'absolute' && value !== 'relative') throw fatal(`unknown argument to --path-format: ${value ?? ''}`)
        this.#paths.format = value
        return true
      case '--since':
      case '--after':
      case '--until':
      case '--before': {
        const { approximateDate } = await import('../revs/read-date.ts')
        const kind = name === '--since' || name === '--after' ? 'max' : 'min'
        await this.#tell(`--${kind}-age=${approximateDate(value ?? '', call.now)}`)
        return true
      }
      case '--all':
      case '--branches':
      case '--tags':
      case '--remotes':
      case '--glob':
        if (name === '--all' && value !== undefined) break
        await this.#refs(name, value)
        return true
      case '--local-env-vars':
        for (const variable of (await import('./repository-facts.ts')).localVariables) await call.print(variable)
        return true
      default:
        break
    }
    const fact = await repositoryFact(call, name, this.#paths)
    if (fact !== undefined) {
      const isTold = name === '--show-prefix' || (name === '--show-cdup' && (await call.repository()).isInWorkTree)
      if (fact !== '' || isTold) await call.print(fact)
      return true
    }
    if (/^-.*\d/.test(word) || word.startsWith('-')) {
      if (this.#verifies) throw fatal('Needed a single revision')
      await this.#flag(word)
      return true
    }
    return false
  }

  async #refs(name: string, pattern: string | undefined): Promise<void> {
    const repository = await this.#call.repository()
    const prefix =
      { '--all': 'refs/', '--branches': 'refs/heads/', '--tags': 'refs/tags/', '--remotes': 'refs/remotes/' }[name] ?? 'refs/'
    const excluded = this.#excluded.map(text => wildcardOf(text))
    this.#excluded = []
    const base = pattern?.startsWith('refs/') === true ? '' : prefix
    const wanted = pattern === undefined ? undefined : wildcardOf(base + (/[*?[]/.test(pattern) ? pattern : joined(pattern, '*')))
    for (const ref of await repository.refs.list(prefix)) {
      const own = encodeText(name === '--all' || name === '--glob' ? ref.name : ref.name.slice(prefix.length))
      if (excluded.some(wildcard => matchesWildcard(wildcard, own))) continue
      const shown = this.#symbolic === 'short' ? decodeText(own) : ref.name
      if (wanted === undefined || matchesWildcard(wanted, encodeText(ref.name))) await this.#show(repository, ref.oid, shown)
    }
  }

  async #revision(word: string): Promise<void> {
    const repository = await this.#call.repository()
    if (await this.#range(repository, word)) return
    const isExcluded = word.startsWith('^')
    const name = isExcluded ? word.slice(1) : word
    let reason: GitFailure | undefined
    const revision = await this.#quietly(() => resolveRevision(repository, name)).catch((error: unknown) => {
      // A word that is not a revision may be a file.
      if (!(error instanceof GitFailure) || this.#verifies || toldAsIs.test(error.message)) throw error
      reason = error
      return undefined
    })
    if (revision !== undefined) {
      if (!this.#verifies) return this.#show(repository, revision.oid, name, isExcluded)
      this.#found++
      this.#verified = { oid: revision.oid, name, isExcluded }
      return
    }
    if (this.#verifies) {
      if (this.#isQuiet) throw new GitFailure('', 1)
      throw fatal('Needed a single revision')
    }
    if (this.#hasDashes) throw fatal(`bad revision '${word}'`)
    this.#isAfterFile = true
    if (await this.#path(word)) await this.#needFile(word, reason)
  }

  async #needFile(word: string, reason?: GitFailure): Promise<void> {
    const repository = await this.#call.repository()
    const name = word.startsWith('^') ? word.slice(1) : word
    if (word.startsWith('-')) throw fatal(`option '${word}' must come before non-option arguments`)
    // A pattern of paths needs no file.
    if (/^(?:\\.|[^\\*?[])*[*?[]|^:\(/s.test(name)) return
    const shown = this.#prefix === undefined ? name : joined(this.#prefix, name)
    const top = this.#prefix === undefined || repository.isBare ? this.#call.environment.cwd : repository.root
    const path = shown.startsWith('/') ? shown : `${top}/${shown}`
    if (name !== '' && !repository.isBare && (await repository.files.lstat(path)) !== undefined) return
    if (reason !== undefined) throw reason
    const { candidates } = /^[0-9a-f]{4,40}$/i.test(name) ? await expandId(repository, name.toLowerCase()) : { candidates: [] }
    if (candidates.length > 1) await this.#call.warn(`error: short object ID ${name} is ambiguous`)
    throw ambiguousArgument(word)
  }

  async #quietly<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      return await ask()
    } catch (error) {
      if (error instanceof GitFailure && this.#isQuiet && this.#verifies)
        throw new GitFailure('', error.message.includes('log for') ? 128 : 1)
      if (error instanceof GitFailure && this.#verifies && !toldAsIs.test(error.message)) return undefined
      throw error
    }
  }

  async #range(repository: Repository, word: string): Promise<boolean> {
    const dots = /^(.*?)(\.\.\.?)(.*)$/s.exec(word)
    if (dots !== null && !word.startsWith(':') && word !== '..') {
      const [, left = '', kind, right = ''] = dots
      const one = await resolveRevision(repository, left === '' ? 'HEAD' : left)
      const two = await resolveRevision(repository, right === '' ? 'HEAD' : right)
      if (one === undefined || two === undefined) return false
      await this.#show(repository, two.oid, right === '' ? 'HEAD' : right)
      await this.#show(repository, one.oid, left === '' ? 'HEAD' : left, kind === '..')
      if (kind === '...') {
        const bases = await mergeBases(repository, await needCommit(repository, one.oid), [await needCommit(repository, two.oid)])
        for (const base of bases) await this.#show(repository, base, '', true)
      }
      return true
    }
    const parents = /^(.+)\^([@!]|-\d*)$/s.exec(word)
    if (parents === null) return false
    const [, base = '', kind = ''] = parents
    const oid = await needCommit(
      repository,
      base,
      `ambiguous argument '${word}': unknown revision or path not in the working tree.`,
    )
    const all = await parentsOf(repository, oid)
    const wanted = kind.startsWith('-') ? all.slice(Number(kind.slice(1) || 1) - 1, Number(kind.slice(1) || 1)) : all
    if (kind.startsWith('-') && wanted.length === 0) return false
    if (kind !== '@') await this.#show(repository, oid, base)
    const nameOf = (parent: string): string => (this.#symbolic === 'abbrev' ? '' : `${base}^${all.indexOf(parent) + 1}`)
    for (const parent of wanted) await this.#show(repository, parent, nameOf(parent), kind !== '@')
    return true
  }

  async #show(repository: Repository, oid: string, name: string, isExcluded: boolean = false): Promise<void> {
    if (!this.#verifies) this.#found++
    if (this.#skipsRevisions) return
    const sign = isExcluded !== this.#isNegated ? '^' : ''
    if (this.#symbolic !== 'none' && name !== '') {
      const text = await this.#symbolicName(repository, name)
      if (text !== undefined) {
        if (text !== '') await this.#tell(sign + text)
        return
      }
      if (this.#symbolic !== 'short') return
      await this.#tell(sign + name)
      return
    }
    const shown =
      this.#short === undefined ? oid : await new ShortIds(repository, this.#short === 0 ? undefined : this.#short).of(oid)
    await this.#tell(sign + shown)
  }

  async #symbolicName(repository: Repository, name: string): Promise<string | undefined> {
    if (this.#symbolic === 'short') return undefined
    const upstream = /@\{/.test(name)
    const found = upstream ? await this.#loggedRef(repository, name) : await findRef(repository, name)
    if (found === undefined) return ''
    const full = (await repository.refs.resolve(found.name)).name
    if (this.#symbolic === 'full') return full
    return full === 'HEAD' ? 'HEAD' : shortestRef(repository, full)
  }

  async #loggedRef(repository: Repository, name: string): Promise<{ readonly name: string } | undefined> {
    const [, base = '', inside = ''] = /^(.*)@\{(.*)\}$/.exec(name) ?? []
    const previous = /^-(\d+)$/.exec(inside)?.[1]
    if (previous !== undefined) {
      const branch = await previousBranch(repository, Number(previous))
      return branch === undefined ? undefined : findRef(repository, branch)
    }
    if (!/^(u|upstream|push)$/i.test(inside)) return undefined
    const branch = base === '' || base === 'HEAD' || base === '@' ? (await repository.head()).branch : `refs/heads/${base}`
    const target = branch === undefined ? undefined : upstreamOf(repository, branch)
    return target === undefined ? undefined : { name: target }
  }
}
