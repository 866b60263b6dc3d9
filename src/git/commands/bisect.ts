// `git bisect`: finds the commit that introduced a change, by testing commits between a good and a bad one.

import type { GitCall } from '../call.ts'
import { failure, fatal, GitFailure } from '../errors.ts'
import { Options, parseOptions } from '../options.ts'
import { shellQuoted } from '../quote.ts'
import { Changes, type Repository } from '../repository.ts'
import { readRevisions } from '../revs/revision-arguments.ts'
import { needCommit, peel, resolveRevision } from '../revs/revision.ts'
import type { ObjectId } from '../store/object-format.ts'
import { isValidRefName } from '../store/refs.ts'
import type { GitCommand } from './command.ts'
import { BisectSearch, mergeBaseExit, onlySkippedExit } from './bisect-search.ts'
import { BisectState, type Terms } from './bisect-state.ts'

const usage =
  'git bisect start [--term-{new,bad}=<term> --term-{old,good}=<term>] [--first-parent] [<bad> [<good>...]] [--] [<pathspec>...]\n' +
  '   or: git bisect (bad|new) [<rev>]\n   or: git bisect (good|old) [<rev>...]\n   or: git bisect skip [(<rev>|<range>)...]\n' +
  '   or: git bisect reset [<commit>]\n   or: git bisect (visualize|view)\n   or: git bisect terms [--term-good | --term-bad]\n' +
  '   or: git bisect log\n   or: git bisect run <cmd> [<arg>...]'

const untestableExit = 125

export const bisect: GitCommand = {
  name: 'bisect',
  summary: 'Use binary search to find the commit that introduced a bug',
  options: { rows: [], usage },
  isRaw: true,
  async run(call, _options, args) {
    const [verb, ...rest] = args
    const repository = await call.repository()
    const session = new BisectSession(call, repository)
    switch (verb) {
      case undefined:
        throw new GitFailure(`usage: ${usage}\n`, 1)
      case 'start':
        return session.start(rest)
      case 'reset':
        return session.reset(rest)
      case 'log':
        return session.log()
      case 'terms':
        return session.tellTerms(rest)
      case 'next':
        return session.next()
      case 'run':
        return session.run(rest)
      case 'skip':
        return session.skip(rest)
      case 'visualize':
      case 'view':
        return session.view(rest)
      case 'replay':
        throw new GitFailure('error: git bisect replay is not built into this git', 129)
      default:
        return session.answer(verb, rest)
    }
  },
}

class BisectSession {
  readonly #call: GitCall
  readonly #repository: Repository
  readonly #state: BisectState
  readonly #search: BisectSearch

  constructor(call: GitCall, repository: Repository) {
    this.#call = call
    this.#repository = repository
    this.#state = new BisectState(repository)
    this.#search = new BisectSearch(call, repository, this.#state)
  }

  async start(args: readonly string[]): Promise<number> {
    const repository = this.#repository
    let terms: Terms = { bad: 'bad', good: 'good' }
    let isFirstParent = false
    const words: string[] = []
    const hasDashes = args.includes('--')
    let paths: readonly string[] = []
    for (let at = 0; at < args.length; at++) {
      const word = args[at] ?? ''
      const [, name, inline] = /^--term-(new|bad|old|good)(?:=(.*))?$/.exec(word) ?? []
      if (word === '--') {
        paths = args.slice(at + 1)
        break
      }
      if (word === '--first-parent') isFirstParent = true
      else if (word === '--no-checkout') throw new GitFailure('error: --no-checkout is not built into this git', 129)
      else if (name !== undefined) {
        const value = inline ?? args[++at] ?? ''
        terms = name === 'new' || name === 'bad' ? { ...terms, bad: value } : { ...terms, good: value }
      } else if (word.startsWith('--')) throw failure(`unrecognized option: '${word}'`)
      else if (hasDashes || (await this.#commitOf(word)) !== undefined) words.push(word)
      else {
        paths = args.slice(at)
        break
      }
    }
    for (const term of [terms.bad, terms.good]) checkTerm(term)
    const oids: ObjectId[] = []
    for (const word of words) {
      const oid = await this.#commitOf(word)
      if (oid === undefined) throw fatal(`'${word}' does not appear to be a valid revision`)
      oids.push(oid)
    }
    const before = await repository.readState('BISECT_START')
    if (before !== undefined) await this.#search.checkOut(before, true)
    const { branch, oid } = await repository.head()
    if (oid === undefined) throw failure('bad HEAD - strange symbolic ref')
    const from = before ?? branch?.replace('refs/heads/', '') ?? oid
    const changes = new Changes()
    await this.#state.clear(changes)
    repository.writeState(changes, 'BISECT_START', `${from}\n`)
    if (isFirstParent) repository.writeState(changes, 'BISECT_FIRST_PARENT', '')
    repository.writeState(changes, 'BISECT_NAMES', `${paths.length === 0 ? '' : quoted(['--', ...paths])}\n`)
    const isNamed = terms.bad !== 'bad' || terms.good !== 'good'
    if (oids.length > 0 || isNamed) repository.writeState(changes, 'BISECT_TERMS', `${terms.bad}\n${terms.good}\n`)
    let text = ''
    for (const [index, one] of oids.entries()) {
      const state = index === 0 ? terms.bad : terms.good
      await this.#state.mark(changes, state, terms, one)
      text += `# ${state}: ${await this.#search.described(one)}\n`
    }
    text += `git bisect start${quoted(args)}\n`
    repository.writeState(changes, 'BISECT_LOG', text)
    await repository.commit(changes)
    let exitCode = 1
    try {
      exitCode = await this.#search.goOn(terms)
    } finally {
      // What cannot start is not left open.
      if (exitCode !== 0) await this.#end()
    }
    return exitCode === mergeBaseExit ? 1 : exitCode
  }

  async #end(): Promise<void> {
    const changes = new Changes()
    await this.#state.clear(changes)
    await this.#repository.commit(changes)
  }

  /** `good`, `bad`, or the names that replace them. */
  async answer(verb: string, args: readonly string[]): Promise<number> {
    const known = await this.#state.readTerms()
    const terms = known ?? (verb === 'new' || verb === 'old' ? { bad: 'new', good: 'old' } : { bad: 'bad', good: 'good' })
    if (verb !== terms.bad && verb !== terms.good) {
      if (/^(good|bad|new|old)$/.test(verb) && known !== undefined)
        throw failure(`Invalid command: you're currently in a ${terms.bad}/${terms.good} bisect`)
      throw new GitFailure(`error: unknown subcommand: \`${verb}'\nusage: ${usage}\n`, 129)
    }
    await this.#state.needSession()
    if (verb === terms.bad && args.length > 1) throw failure(`'git bisect ${terms.bad}' can take only one argument.`)
    const oids: ObjectId[] = []
    for (const word of args.length === 0 ? ['HEAD'] : args) {
      const oid = await this.#commitOf(word)
      if (oid === undefined) throw failure(`Bad rev input: ${word}`)
      oids.push(oid)
    }
    return this.#keepAnswers(verb, terms, oids)
  }

  async skip(args: readonly string[]): Promise<number> {
    await this.#state.needSession()
    const terms = (await this.#state.readTerms()) ?? { bad: 'bad', good: 'good' }
    const oids: ObjectId[] = []
    for (const word of args.length === 0 ? ['HEAD'] : args) {
      if (!word.includes('..')) {
        const oid = await this.#commitOf(word)
        if (oid === undefined) throw failure(`Bad rev input: ${word}`)
        oids.push(oid)
        continue
      }
      const { revisions } = await readRevisions(this.#repository, new Options([], [word], []))
      const include = revisions.filter(({ isExcluded }) => !isExcluded).map(({ oid }) => oid)
      const exclude = revisions.filter(({ isExcluded }) => isExcluded).map(({ oid }) => oid)
      for await (const { oid } of this.#search.walk(include, exclude, [])) oids.push(oid)
    }
    return this.#keepAnswers('skip', terms, oids)
  }

  async next(): Promise<number> {
    await this.#state.needSession()
    return this.#search.goOn((await this.#state.readTerms()) ?? { bad: 'bad', good: 'good' }, true)
  }

  async reset(args: readonly string[]): Promise<number> {
    const [given, more] = args
    if (more !== undefined) throw new GitFailure(`usage: ${usage}\n`, 1)
    const from = await this.#repository.readState('BISECT_START')
    if (given === undefined && from === undefined) {
      await this.#call.print('We are not bisecting.')
      return 0
    }
    if (given !== undefined && (await this.#commitOf(given)) === undefined) throw failure(`'${given}' is not a valid commit`)
    await this.#search.checkOut(given ?? from ?? '', false)
    await this.#end()
    return 0
  }

  async log(): Promise<number> {
    const text = await this.#repository.readState('BISECT_LOG')
    if (text === undefined) throw failure('We are not bisecting.')
    await this.#call.print(text)
    return 0
  }

  async tellTerms(args: readonly string[]): Promise<number> {
    const terms = await this.#state.readTerms()
    if (terms === undefined) throw failure('no terms defined')
    const [option] = args
    if (option === undefined)
      await this.#call.print(`Your current terms are ${terms.good} for the old state\nand ${terms.bad} for the new state.`)
    else if (option === '--term-good' || option === '--term-old') await this.#call.print(terms.good)
    else if (option === '--term-bad' || option === '--term-new') await this.#call.print(terms.bad)
    else
      throw failure(
        `invalid argument ${option} for 'git bisect terms'.\nSupported options are: --term-good|--term-old and --term-bad|--term-new.`,
      )
    return 0
  }

  /** Shows the remaining commits. */
  async view(args: readonly string[]): Promise<number> {
    await this.#state.needSession()
    const { bad, good } = await this.#state.known((await this.#state.readTerms()) ?? { bad: 'bad', good: 'good' })
    if (bad === undefined) throw failure('You need to give me at least one bad revision.')
    const words = [...args, bad, ...good.map(oid => `^${oid}`), '--', ...(await this.#state.paths())]
    const { log } = await import('./log.ts')
    return log.run(this.#call, parseOptions(log.options, words), words)
  }

  /** Runs a command until the commit is found. */
  async run(args: readonly string[]): Promise<number> {
    const { exec } = this.#call.environment
    if (args.length === 0) throw failure(`'git bisect run' failed: no command provided.`)
    if (exec === undefined)
      throw new GitFailure(
        'error: git bisect run: no command can be run from here; run it yourself and answer with git bisect good, bad or skip',
        129,
      )
    await this.#state.needSession()
    const terms = (await this.#state.readTerms()) ?? { bad: 'bad', good: 'good' }
    const shown = quoted(args)
    for (;;) {
      this.#call.check()
      await this.#call.print(`running ${shown}`)
      await this.#call.out.flush()
      const code = await exec(args)
      if (code < 0 || code >= 128) throw failure(`bisect run failed: exit code ${code} from '${shown}' is < 0 or >= 128`)
      const oid = await needCommit(this.#repository, 'HEAD')
      const state = code === untestableExit ? 'skip' : code === 0 ? terms.good : terms.bad
      const result = await this.#keepAnswers(state, terms, [oid])
      if (result === onlySkippedExit) {
        await this.#call.warn('error: bisect run cannot continue any more')
        return result
      }
      if (result !== 0) return result
      if (/^# first .* commit: /m.test((await this.#repository.readState('BISECT_LOG')) ?? '')) {
        await this.#call.out.write('bisect found first bad commit')
        return 0
      }
    }
  }

  async #keepAnswers(state: string, terms: Terms, oids: readonly ObjectId[]): Promise<number> {
    const repository = this.#repository
    const changes = new Changes()
    let text = ''
    const expected = await repository.readState('BISECT_EXPECTED_REV')
    for (const oid of oids) {
      await this.#state.mark(changes, state, terms, oid)
      text += `# ${state}: ${await this.#search.described(oid)}\ngit bisect ${state} ${oid}\n`
      if (oid !== expected) await repository.removeState(changes, 'BISECT_ANCESTORS_OK', 'BISECT_EXPECTED_REV')
    }
    this.#state.note(changes, text)
    if ((await this.#state.readTerms()) === undefined)
      repository.writeState(changes, 'BISECT_TERMS', `${terms.bad}\n${terms.good}\n`)
    await repository.commit(changes)
    return this.#search.goOn(terms)
  }

  async #commitOf(word: string): Promise<ObjectId | undefined> {
    const revision = await resolveRevision(this.#repository, word).catch(() => undefined)
    return revision === undefined ? undefined : peel(this.#repository, revision.oid, 'commit')
  }
}

const builtIn = new Set(['help', 'start', 'skip', 'next', 'reset', 'visualize', 'view', 'replay', 'log', 'run', 'terms'])

function checkTerm(term: string): void {
  if (!isValidRefName(`refs/bisect/${term}`)) throw failure(`'${term}' is not a valid term`)
  if (builtIn.has(term)) throw failure(`can't use the builtin command '${term}' as a term`)
}

/** Each with a blank before it. */
function quoted(words: readonly string[]): string {
  return words.map(word => ` ${shellQuoted(word)}`).join('')
}
