// `git bisect`: finds the commit that introduced a change, by testing commits between a good and a bad one.

import { subjectOf } from '../revs/subject.ts'
import { encodeText } from '../../shell/byte-text.ts'
import type { GitCall } from '../call.ts'
import { failure, fatal, GitFailure } from '../errors.ts'
import { Options, parseOptions } from '../options.ts'
import { Changes, type Repository } from '../repository.ts'
import { bisect as halve, stepsLeft } from '../revs/bisection.ts'
import { isAncestor, mergeBases } from '../revs/merge-base.ts'
import { readRevisions } from '../revs/revision-arguments.ts'
import { needCommit, peel, resolveRevision } from '../revs/revision.ts'
import { CommitWalk } from '../revs/walk.ts'
import type { ObjectId } from '../store/object-format.ts'
import { isValidRefName } from '../store/refs.ts'
import { parsePathspec } from '../work/pathspec.ts'
import type { GitCommand } from './command.ts'
import { targetOf } from './new-branch.ts'
import { switchTo } from './switch-branch.ts'

const usage =
  'git bisect start [--term-{new,bad}=<term> --term-{old,good}=<term>] [--first-parent] [<bad> [<good>...]] [--] [<pathspec>...]\n' +
  '   or: git bisect (bad|new) [<rev>]\n   or: git bisect (good|old) [<rev>...]\n   or: git bisect skip [(<rev>|<range>)...]\n' +
  '   or: git bisect reset [<commit>]\n   or: git bisect (visualize|view)\n   or: git bisect terms [--term-good | --term-bad]\n' +
  '   or: git bisect log\n   or: git bisect run <cmd> [<arg>...]'

const stateFiles = [
  'BISECT_EXPECTED_REV',
  'BISECT_ANCESTORS_OK',
  'BISECT_LOG',
  'BISECT_NAMES',
  'BISECT_RUN',
  'BISECT_TERMS',
  'BISECT_FIRST_PARENT',
  'BISECT_START',
]

interface Terms {
  readonly bad: string
  readonly good: string
}

const mergeBaseExit = 3
const onlySkippedExit = 2
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

  constructor(call: GitCall, repository: Repository) {
    this.#call = call
    this.#repository = repository
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
    if (before !== undefined) await this.#checkOut(before, true)
    const { branch, oid } = await repository.head()
    if (oid === undefined) throw fatal('bad HEAD - I need a HEAD')
    const from = before ?? branch?.replace('refs/heads/', '') ?? oid
    const changes = new Changes()
    await this.#clear(changes)
    repository.writeState(changes, 'BISECT_START', `${from}\n`)
    if (isFirstParent) repository.writeState(changes, 'BISECT_FIRST_PARENT', '')
    repository.writeState(changes, 'BISECT_NAMES', `${paths.length === 0 ? '' : quoted(['--', ...paths])}\n`)
    const isNamed = terms.bad !== 'bad' || terms.good !== 'good'
    if (oids.length > 0 || isNamed) repository.writeState(changes, 'BISECT_TERMS', `${terms.bad}\n${terms.good}\n`)
    let text = ''
    for (const [index, one] of oids.entries()) {
      const state = index === 0 ? terms.bad : terms.good
      await this.#mark(changes, state, terms, one)
      text += `# ${state}: ${await this.#described(one)}\n`
    }
    text += `git bisect start${quoted(args)}\n`
    repository.writeState(changes, 'BISECT_LOG', text)
    await repository.commit(changes)
    let exitCode = 1
    try {
      exitCode = await this.#goOn(terms)
    } finally {
      // What cannot start is not left open.
      if (exitCode !== 0) await this.#end()
    }
    return exitCode === mergeBaseExit ? 1 : exitCode
  }

  async #end(): Promise<void> {
    const changes = new Changes()
    await this.#clear(changes)
    await this.#repository.commit(changes)
  }

  /** `good`, `bad`, or the names that replace them. */
  async answer(verb: string, args: readonly string[]): Promise<number> {
    const known = await this.#readTerms()
    const terms = known ?? (verb === 'new' || verb === 'old' ? { bad: 'new', good: 'old' } : { bad: 'bad', good: 'good' })
    if (verb !== terms.bad && verb !== terms.good) {
      if (/^(good|bad|new|old)$/.test(verb) && known !== undefined)
        throw failure(`Invalid command: you're currently in a ${terms.bad}/${terms.good} bisect`)
      throw new GitFailure(`usage: ${usage}\n`, 1)
    }
    await this.#needSession()
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
    await this.#needSession()
    const terms = (await this.#readTerms()) ?? { bad: 'bad', good: 'good' }
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
      for await (const { oid } of this.#walk(include, exclude, [])) oids.push(oid)
    }
    return this.#keepAnswers('skip', terms, oids)
  }

  async next(): Promise<number> {
    await this.#needSession()
    return this.#goOn((await this.#readTerms()) ?? { bad: 'bad', good: 'good' }, true)
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
    await this.#checkOut(given ?? from ?? '', false)
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
    const terms = await this.#readTerms()
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
    await this.#needSession()
    const { bad, good } = await this.#known((await this.#readTerms()) ?? { bad: 'bad', good: 'good' })
    if (bad === undefined) throw failure('You need to give me at least one bad revision.')
    const words = [...args, bad, ...good.map(oid => `^${oid}`), '--', ...(await this.#paths())]
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
    await this.#needSession()
    const terms = (await this.#readTerms()) ?? { bad: 'bad', good: 'good' }
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
      await this.#mark(changes, state, terms, oid)
      text += `# ${state}: ${await this.#described(oid)}\ngit bisect ${state} ${oid}\n`
      if (oid !== expected) await repository.removeState(changes, 'BISECT_ANCESTORS_OK', 'BISECT_EXPECTED_REV')
    }
    this.#note(changes, text)
    if ((await this.#readTerms()) === undefined) repository.writeState(changes, 'BISECT_TERMS', `${terms.bad}\n${terms.good}\n`)
    await repository.commit(changes)
    return this.#goOn(terms)
  }

  /** Reports what is missing, or chooses the next commit and checks it out. */
  async #goOn(terms: Terms, isAsked: boolean = false): Promise<number> {
    const { bad, good, skipped } = await this.#known(terms)
    if (bad === undefined || good.length === 0) {
      if (isAsked)
        throw failure(
          `You need to give me at least one ${terms.good} and ${terms.bad} revision.\nYou can use "git bisect ${terms.bad}" and "git bisect ${terms.good}" for that.`,
        )
      const text =
        bad !== undefined
          ? 'status: waiting for good commit(s), bad commit known'
          : good.length > 0
            ? `status: waiting for bad commit, ${good.length} good commit${good.length === 1 ? '' : 's'} known`
            : 'status: waiting for both good and bad commits'
      await this.#call.print(text)
      const changes = new Changes()
      this.#note(changes, `# ${text}\n`)
      await this.#repository.commit(changes)
      return 0
    }
    const early = await this.#testMergeBases(terms, bad, good, skipped)
    if (early !== undefined) return early
    return this.#choose(terms, bad, good, skipped)
  }

  async #choose(terms: Terms, bad: ObjectId, good: readonly ObjectId[], skipped: ReadonlySet<ObjectId>): Promise<number> {
    const commits: { readonly oid: ObjectId; readonly parents: readonly ObjectId[] }[] = []
    for await (const { oid, parents } of this.#walk([bad], good, await this.#paths())) commits.push({ oid, parents })
    const isFirstParent = (await this.#repository.readState('BISECT_FIRST_PARENT')) !== undefined
    const { next, skipped: passed, reaches } = halve(commits, bad, skipped, isFirstParent)
    if (next === undefined && passed.length > 0) return this.#onlySkipped(terms, passed, undefined, bad, good)
    if (next === undefined && commits.length === 0) {
      const isSame = good.includes(bad)
      if (isSame) {
        await this.#call.print(`${bad} was both ${terms.good} and ${terms.bad}`)
        return 1
      }
      throw new GitFailure('No testable commit found.\nMaybe you started with bad path arguments?', 4)
    }
    if (next === undefined) throw fatal('no commit to test was found')
    if (next === bad) {
      if (passed.length > 0) return this.#onlySkipped(terms, passed, bad, bad, good)
      await this.#call.print(`${bad} is the first ${terms.bad} commit`)
      const words = ['--pretty', '--stat', '--summary', '--cc', bad]
      const { diffTree } = await import('./diff-plumbing.ts')
      await diffTree.run(this.#call, parseOptions(diffTree.options, words), words)
      const changes = new Changes()
      this.#note(changes, `# first ${terms.bad} commit: ${await this.#described(bad)}\n`)
      await this.#repository.commit(changes)
      return 0
    }
    const left = commits.length - reaches - 1
    const steps = stepsLeft(commits.length)
    await this.#call.print(
      `Bisecting: ${left} revision${left === 1 ? '' : 's'} left to test after this (roughly ${steps} step${steps === 1 ? '' : 's'})`,
    )
    await this.#test(next)
    return 0
  }

  async #onlySkipped(
    terms: Terms,
    passed: readonly ObjectId[],
    last: ObjectId | undefined,
    bad: ObjectId,
    good: readonly ObjectId[],
  ): Promise<number> {
    const rows = [...passed, ...(last === undefined ? [] : [last])]
    await this.#call.print(
      `There are only 'skip'ped commits left to test.\nThe first ${terms.bad} commit could be any of:\n${rows.join('\n')}\nWe cannot bisect more!`,
    )
    const changes = new Changes()
    let text = '# only skipped commits left to test\n'
    for await (const { oid } of this.#walk([bad], good, []))
      text += `# possible first ${terms.bad} commit: ${await this.#described(oid)}\n`
    this.#note(changes, text)
    await this.#repository.commit(changes)
    return onlySkippedExit
  }

  /** If a good commit is not an ancestor of the bad one, their common ancestor must be known to be good first. */
  async #testMergeBases(
    terms: Terms,
    bad: ObjectId,
    good: readonly ObjectId[],
    skipped: ReadonlySet<ObjectId>,
  ): Promise<number | undefined> {
    const repository = this.#repository
    if ((await repository.readState('BISECT_ANCESTORS_OK')) !== undefined) return undefined
    let isStraight = true
    for (const oid of good) isStraight &&= await isAncestor(repository, oid, bad)
    for (const base of isStraight ? [] : await mergeBases(repository, bad, good)) {
      if (base === bad) {
        await this.#call.warn(
          terms.bad === 'bad' && terms.good === 'good'
            ? `The merge base ${bad} is bad.\nThis means the bug has been fixed between ${bad} and [${good.join(' ')}].`
            : `The merge base ${bad} is ${terms.bad}.\nThis means the first '${terms.good}' commit is between ${bad} and [${good.join(' ')}].`,
        )
        return mergeBaseExit
      }
      if (good.includes(base)) continue
      if (skipped.has(base)) {
        await this.#call.warn(
          `warning: the merge base between ${bad} and [${good.join(' ')}] must be skipped.\nSo we cannot be sure the first ${terms.bad} commit is between ${base} and ${bad}.\nWe continue anyway.`,
        )
        continue
      }
      await this.#call.print('Bisecting: a merge base must be tested')
      await this.#test(base)
      return 0
    }
    const changes = new Changes()
    repository.writeState(changes, 'BISECT_ANCESTORS_OK', '')
    await repository.commit(changes)
    return undefined
  }

  async #test(oid: ObjectId): Promise<void> {
    const changes = new Changes()
    this.#repository.writeState(changes, 'BISECT_EXPECTED_REV', `${oid}\n`)
    await this.#repository.commit(changes)
    await this.#checkOut(oid, true)
    await this.#call.print(await this.#described(oid))
  }

  async #checkOut(word: string, isQuiet: boolean): Promise<void> {
    const target = await targetOf(this.#repository, word, false)
    if (target === undefined) throw failure(`'${word}' is not a valid commit`)
    const settings = { isQuiet, force: 'none', keepsIgnored: false, showsAdvice: false } as const
    await switchTo(this.#call, this.#repository, target, settings)
  }

  #walk(include: readonly ObjectId[], exclude: readonly ObjectId[], paths: readonly string[]): CommitWalk {
    const pathspec = parsePathspec(this.#repository, paths)
    return new CommitWalk(this.#repository, {
      include,
      exclude,
      order: 'date',
      isWanted: pathspec.isEmpty ? undefined : pathspec.filter,
      rewritesParents: !pathspec.isEmpty,
      signal: this.#repository.environment.signal,
    })
  }

  async #mark(changes: Changes, state: string, terms: Terms, oid: ObjectId): Promise<void> {
    const name = state === terms.bad ? terms.bad : `${state}-${oid}`
    await this.#repository.refs.update(changes, { name: `refs/bisect/${name}`, oid, message: '' })
  }

  async #known(terms: Terms): Promise<{
    readonly bad: ObjectId | undefined
    readonly good: readonly ObjectId[]
    readonly skipped: ReadonlySet<ObjectId>
  }> {
    let bad: ObjectId | undefined
    const good: ObjectId[] = []
    const skipped = new Set<ObjectId>()
    for (const { name, oid } of await this.#repository.refs.list('refs/bisect/')) {
      const own = name.slice('refs/bisect/'.length)
      if (own === terms.bad) bad = oid
      else if (own.startsWith(`${terms.good}-`)) good.push(oid)
      else if (own.startsWith('skip-')) skipped.add(oid)
    }
    return { bad, good, skipped }
  }

  async #readTerms(): Promise<Terms | undefined> {
    const text = await this.#repository.readState('BISECT_TERMS')
    if (text === undefined) return undefined
    const [bad = 'bad', good = 'good'] = text.split('\n')
    return { bad, good }
  }

  async #paths(): Promise<readonly string[]> {
    const text = (await this.#repository.readState('BISECT_NAMES')) ?? ''
    const words = [...text.matchAll(/'((?:[^']|'\\['!]')*)'/g)].map(([, word = '']) => word.replaceAll(/'\\(['!])'/g, '$1'))
    return words.slice(words[0] === '--' ? 1 : 0).map(word => `:(top)${word}`)
  }

  async #needSession(): Promise<void> {
    if ((await this.#repository.readState('BISECT_START')) === undefined)
      throw new GitFailure('You need to start by "git bisect start"\n', 1)
  }

  async #clear(changes: Changes): Promise<void> {
    for (const { name } of await this.#repository.refs.list('refs/bisect/'))
      await this.#repository.refs.update(changes, { name, oid: undefined, message: '', noDeref: true })
    await this.#repository.removeState(changes, ...stateFiles)
  }

  #note(changes: Changes, text: string): void {
    changes.append(`${this.#repository.gitDir}/BISECT_LOG`, encodeText(text))
  }

  async #described(oid: ObjectId): Promise<string> {
    return `[${oid}] ${subjectOf((await this.#repository.objects.readCommit(oid)).message)}`
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

/** Quoted for a shell, each with a blank before it. */
function quoted(words: readonly string[]): string {
  return words.map(word => ` '${word.replaceAll(/['!]/g, String.raw`'\$&'`)}'`).join('')
}
