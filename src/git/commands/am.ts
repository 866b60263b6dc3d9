// `git am`: applies patches from emails, each as a commit. `rebase-apply/` keeps the remaining ones, where real git finds them too.

import { titleOf } from '../revs/subject.ts'
import { decodeText } from '../../shell/byte-text.ts'
import type { GitCall } from '../call.ts'
import { failure, fatal, GitFailure } from '../errors.ts'
import { cleanMessage } from '../merge/commit-text.ts'
import { resetToTree } from '../merge/reset-merge.ts'
import { stagedPaths } from '../merge/update-work-tree.ts'
import type { Options } from '../options.ts'
import { parsePatch } from '../patch/parse-patch.ts'
import { mergePatches } from '../patch/merge-patches.ts'
import { Patcher } from '../patch/patcher.ts'
import { problemsOf, tellProblems, whitespaceRules } from '../diff/whitespace.ts'
import { readMail, splitMailbox, type PatchMail } from '../patch/read-mail.ts'
import { shellQuoted } from '../quote.ts'
import { Changes, type Repository } from '../repository.ts'
import { dateGiven } from '../revs/read-date.ts'
import type { ObjectId, Person } from '../store/object-format.ts'
import { switchTree } from '../work/switch-tree.ts'
import type { GitCommand } from './command.ts'
import { applyOptions, readApplyOptions } from './am-options.ts'
import { withTrailer } from './message.ts'
import { pushAll } from '../../core/many.ts'

const notHere = 'it is not built into this git'

export const am: GitCommand = {
  name: 'am',
  summary: 'Apply a series of patches from a mailbox',
  options: {
    rows: [
      { names: ['3', '3way'] },
      { names: ['q', 'quiet'] },
      { names: ['s', 'signoff'] },
      { names: ['k', 'keep'] },
      { names: ['b', 'binary'], key: 'binary' },
      { names: ['keep-non-patch'] },
      { names: ['c', 'scissors'] },
      { names: ['continue', 'resolved', 'r'], key: 'step', value: 'continue', isNegatable: false },
      { names: ['skip'], key: 'step', value: 'skip', isNegatable: false },
      { names: ['abort'], key: 'step', value: 'abort', isNegatable: false },
      { names: ['quit'], key: 'step', value: 'quit', isNegatable: false },
      { names: ['show-current-patch'], argument: { name: 'form', isOptional: true }, isNegatable: false },
      { names: ['committer-date-is-author-date'] },
      { names: ['ignore-date'] },
      { names: ['ignore-space-change', 'ignore-whitespace'], key: 'ignore-whitespace' },
      { names: ['p'], argument: { name: 'num' } },
      { names: ['C'], argument: { name: 'n' } },
      { names: ['empty'], argument: { name: 'action' }, isNegatable: false },
      { names: ['allow-empty'], key: 'step', value: 'allow-empty', isNegatable: false },
      { names: ['patch-format'], argument: { name: 'format' }, accepts: ['mbox'], isIgnored: true },
      { names: ['u', 'utf8'], isIgnored: true, refusesNegated: notHere },
      { names: ['rerere-autoupdate'], isIgnored: true },
      { names: ['i', 'interactive'], refuses: 'asking for each patch is not built into this git' },
      { names: ['S', 'gpg-sign'], argument: { name: 'key-id', isOptional: true }, refuses: 'signing is not built into this git' },
      { names: ['m', 'message-id'], refuses: notHere },
      { names: ['reject'] },
      { names: ['quoted-cr'], argument: { name: 'action' } },
      { names: ['whitespace', 'directory', 'include', 'exclude'], argument: { name: 'value' }, refuses: notHere },
      { names: ['keep-cr'] },
    ],
    usage: 'git am [<options>] [(<mbox> | <Maildir>)...]\n   or: git am [<options>] (--continue | --skip | --abort)',
  },
  async run(call, options) {
    const repository = await call.repository()
    const session = new Mailbox(call, repository, options)
    const step = options.value('step')
    const isRunning = await session.isRunning()
    if (options.has('binary'))
      await call.warn(
        'The -b/--binary option has been a no-op for long time, and\nit will be removed. Please do not use it anymore.',
      )
    if (repository.config().bool('am.messageid', false))
      throw failure('am.messageId: it is not built into this git; run with -c am.messageId=false to leave it out', 129)
    if (step === undefined && !options.has('show-current-patch')) {
      if (isRunning) throw fatal(`previous rebase directory ${shownDirectory(call, repository)} still exists but mbox given.`)
      await session.start()
      return session.run()
    }
    if (!isRunning) throw fatal('Resolve operation not in progress, we are not resuming.')
    if (options.has('show-current-patch')) return session.show(options.value('show-current-patch') ?? 'raw')
    if (step === 'abort') return session.abort()
    if (step === 'quit') return session.end()
    await (step === 'skip' ? session.skip() : session.conclude())
    return session.run()
  },
}

const directory = 'rebase-apply'

/** Rejects if the text is not a mailbox. */
function checkFormat(text: string): void {
  const [first = '', second = '', third = ''] = text.replace(/^(?:[ \t\r]*\n)+/, '').split(/\r?\n/)
  if (/^From:? /.test(first)) return
  const isStacked =
    first.startsWith('# This series applies on GIT commit') ||
    (first !== '' && second === '' && /^(?:From|Author|Date):/.test(third))
  if (isStacked || first === '# HG changeset patch')
    throw failure('patches of StGit and Mercurial are not built into this git; give the output of git format-patch', 129)
  const headers = text.slice(0, /\r?\n\r?\n/.exec(text)?.index ?? text.length).split(/\r?\n/)
  const isMail = first !== '' && headers.every(line => /^[!-9;-~]+:/.test(line) || /^[ \t]/.test(line))
  if (!isMail) throw new GitFailure('Patch format detection failed.', 128)
}

function shownDirectory({ environment }: GitCall, { gitDir }: Repository): string {
  const base = `${environment.cwd}/`
  return `${gitDir.startsWith(base) ? gitDir.slice(base.length) : gitDir}/${directory}`
}

function numbered(position: number): string {
  return String(position).padStart(4, '0')
}

class Mailbox {
  readonly #call: GitCall
  readonly #repository: Repository
  readonly #options: Options

  constructor(call: GitCall, repository: Repository, options: Options) {
    this.#call = call
    this.#repository = repository
    this.#options = options
  }

  isRunning(): Promise<boolean> {
    return this.#repository.files.isDirectory(`${this.#repository.gitDir}/${directory}`)
  }

  async #state(name: string): Promise<string | undefined> {
    return this.#repository.readState(`${directory}/${name}`)
  }

  async #write(state: Readonly<Record<string, string>>): Promise<void> {
    const changes = new Changes()
    for (const [name, text] of Object.entries(state)) this.#repository.writeState(changes, `${directory}/${name}`, text)
    await this.#repository.commit(changes)
  }

  async start(): Promise<void> {
    const { files, cwd } = this.#call.environment
    const texts: string[] = []
    const keepsReturns = this.#flag('keep-cr', 'am.keepcr')
    for (const name of this.#options.all.length > 0 ? this.#options.all : ['-']) {
      const path = name.startsWith('/') ? name : `${cwd}/${name}`
      const bytes = name === '-' ? await this.#call.inputBytes() : await files.read(path)
      if (bytes === undefined && (await files.isDirectory(path)))
        throw failure(`'${name}' is a directory: a Maildir is not built into this git; give the files in it`, 129)
      if (bytes === undefined) throw fatal(`could not open '${name}' for reading: No such file or directory`)
      const text = decodeText(bytes)
      if (texts.length === 0) checkFormat(text)
      pushAll(texts, splitMailbox(keepsReturns ? text : text.replaceAll('\r\n', '\n')))
    }
    const { oid } = await this.#repository.head()
    const flag = (name: string, setting?: string): string => (this.#flag(name, setting) ? 't\n' : 'f\n')
    const changes = new Changes()
    if (oid !== undefined) this.#repository.writeState(changes, 'ORIG_HEAD', `${oid}\n`)
    await this.#repository.commit(changes)
    await this.#write({
      applying: '',
      next: '1\n',
      last: `${texts.length}\n`,
      'abort-safety': oid === undefined ? '' : `${oid}\n`,
      threeway: flag('3way', 'am.threeway'),
      quiet: flag('quiet'),
      sign: flag('signoff'),
      utf8: 't\n',
      keep: this.#options.has('keep') ? 't\n' : this.#options.has('keep-non-patch') ? 'b\n' : 'f\n',
      scissors: flag('scissors', 'mailinfo.scissors'),
      'quoted-cr': `${this.#options.value('quoted-cr') ?? this.#repository.config().get('mailinfo.quotedcr') ?? 'warn'}\n`,
      'apply-opt': `${applyOptions(this.#options)
        .map(option => ` '${option}'`)
        .join('')}\n`,
      messageid: 'f\n',
      ...Object.fromEntries(texts.map((text, at) => [numbered(at + 1), text])),
    })
  }

  async #has(name: string, state: string): Promise<boolean> {
    return this.#options.has(name) || (!this.#options.isNegated(name) && (await this.#state(state)) === 't')
  }

  #flag(option: string, setting: string | undefined): boolean {
    if (this.#options.has(option)) return true
    return setting !== undefined && !this.#options.isNegated(option) && this.#repository.config().bool(setting, false)
  }

  async run(): Promise<number> {
    if ((await this.#repository.head()).oid === undefined) await this.#call.warn('applying to an empty history')
    const last = Number(await this.#state('last'))
    for (let position = Number(await this.#state('next')); position <= last; position++) {
      this.#call.check()
      await this.#apply(position, await this.#mail(position))
      await this.#write({ next: `${position + 1}\n` })
    }
    return this.end()
  }

  async #mail(position: number): Promise<PatchMail> {
    const keep = await this.#state('keep')
    const bytes = await this.#repository.files.read(`${this.#repository.gitDir}/${directory}/${numbered(position)}`)
    const action = await this.#state('quoted-cr')
    const mail = readMail(decodeText(bytes ?? new Uint8Array()), {
      dropsReturns: action === 'strip',
      keepsSubject: keep === 't',
      keepsOtherBrackets: keep === 'b',
      cutsAtScissors: await this.#has('scissors', 'scissors'),
    })
    if (mail.hasReturns && action === 'warn') await this.#call.warn('warning: quoted CRLF detected')
    return mail
  }

  async #apply(position: number, mail: PatchMail): Promise<void> {
    const repository = this.#repository
    const { oid: head } = await repository.head()
    const headTree = head === undefined ? undefined : await repository.treeOf(head)
    const dirty = await stagedPaths(repository, await repository.readIndex(), headTree)
    if (dirty.length > 0) await this.#write({ dirtyindex: 't\n' })
    if (dirty.length > 0) throw fatal(`Dirty index: cannot apply patches (dirty: ${dirty.join(' ')})`)
    const signed = (await this.#has('signoff', 'sign')) ? await this.#signedOff(mail.message) : mail.message
    const message = cleanMessage(signed)
    await this.#write({
      'final-commit': message,
      patch: mail.patch,
      'author-script': `GIT_AUTHOR_NAME=${shellQuoted(mail.name)}\nGIT_AUTHOR_EMAIL=${shellQuoted(mail.email)}\nGIT_AUTHOR_DATE=${shellQuoted(mail.date)}\n`,
    })
    const isQuiet = await this.#has('quiet', 'quiet')
    const isEmpty = mail.patch === ''
    if (isEmpty) {
      const empty = this.#options.value('empty') ?? 'stop'
      if (empty === 'drop') {
        if (!isQuiet) await this.#call.print(`Skipping: ${mail.subject}`)
        return
      }
      if (empty !== 'keep') {
        await this.#call.print('Patch is empty.')
        throw await this.#stopped('', '\nTo record the empty patch as an empty commit, run "git am --allow-empty".')
      }
    }
    if (!isQuiet) await this.#call.print(isEmpty ? `Creating an empty commit: ${mail.subject}` : `Applying: ${mail.subject}`)
    if (!isEmpty && !(await this.#applyPatch(position, mail, headTree))) return
    await this.#commit(message, mail)
  }

  async #signedOff(message: string): Promise<string> {
    const { name, email } = await this.#repository.identity('committer')
    return withTrailer(cleanMessage(message), `Signed-off-by: ${name} <${email}>`)
  }

  /** False if files and index have the changes of the patch already. Rejects if it does not fit. */
  async #applyPatch(position: number, mail: PatchMail, headTree: ObjectId | undefined): Promise<boolean> {
    const repository = this.#repository
    const threeWay = await this.#has('3way', 'threeway')
    const { strip, ...kept } = readApplyOptions((await this.#state('apply-opt')) ?? '', this.#options)
    const settings = { threeWay: false, intendsToAdd: false, isVerbose: kept.rejects, ...kept }
    try {
      const patches = parsePatch(mail.patch, { strip, recounts: false })
      const shown = `${shownDirectory(this.#call, repository)}/patch`
      await tellProblems(this.#call, problemsOf(shown, patches, whitespaceRules(repository.config())), 'warn')
      if (patches.length === 0) throw failure('No valid patches in input (allow with "--allow-empty")', 128)
      try {
        const patcher = new Patcher(this.#call, repository, await repository.readIndex(), patches, {
          ...settings,
          target: 'index',
          isSilent: threeWay,
        })
        if ((await patcher.run(false)) === 0) return true
      } catch (error) {
        if (!(error instanceof GitFailure) || !threeWay || headTree === undefined) throw error
        const isQuiet = await this.#has('quiet', 'quiet')
        return await mergePatches(this.#call, repository, patches, { headTree, settings, isQuiet, theirs: mail.subject })
      }
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error
      if (error.message !== '') await this.#call.warn(error.message)
    }
    await this.#call.print(`Patch failed at ${numbered(position)} ${mail.subject}`)
    throw await this.#stopped("hint: Use 'git am --show-current-patch=diff' to see the failed patch")
  }

  async #stopped(hint: string, more = ''): Promise<GitFailure> {
    await this.#call.print(
      'When you have resolved this problem, run "git am --continue".\n' +
        'If you prefer to skip this patch, run "git am --skip" instead.' +
        `${more}\nTo restore the original branch and stop patching, run "git am --abort".`,
    )
    return new GitFailure(hint, 128)
  }

  async #commit(message: string, mail: PatchMail): Promise<void> {
    const repository = this.#repository
    const index = await repository.readIndex()
    const { oid: parent } = await repository.head()
    const committer = await repository.identity('committer')
    const author = this.#author(mail, committer)
    const changes = new Changes()
    const oid = await repository.writeCommit({
      tree: await repository.writeTree(index),
      parents: parent === undefined ? [] : [parent],
      author,
      committer: this.#options.has('committer-date-is-author-date')
        ? { ...committer, time: author.time, zone: author.zone }
        : committer,
      message,
    })
    await repository.refs.update(changes, { name: 'HEAD', oid, message: `am: ${titleOf(message)}` })
    await repository.commit(changes, index)
    await this.#write({ 'abort-safety': `${oid}\n` })
  }

  #author({ name, email, date }: PatchMail, now: Person): Person {
    if (this.#options.has('ignore-date') || date === '') return { name, email, time: this.#call.now, zone: now.zone }
    const read = dateGiven(date, this.#call.now)
    if (read === undefined) throw fatal(`invalid date format: ${date}`)
    return { name, email, ...read }
  }

  /** `--continue`: commits what was resolved by hand. */
  async conclude(): Promise<void> {
    const repository = this.#repository
    const position = Number(await this.#state('next'))
    const mail = await this.#mail(position)
    const index = await repository.readIndex()
    if (!(await this.#has('quiet', 'quiet'))) await this.#call.print(`Applying: ${mail.subject}`)
    if (index.hasConflicts) {
      await this.#call.print(
        "You still have unmerged paths in your index.\nYou should 'git add' each file with resolved conflicts to mark them as such.\n" +
          'You might run `git rm` on a file to accept "deleted by them" for it.',
      )
      throw await this.#stopped('')
    }
    const { oid: head } = await repository.head()
    const staged = await stagedPaths(repository, index, head === undefined ? undefined : await repository.treeOf(head))
    const isEmpty = this.#options.value('step') === 'allow-empty' && mail.patch === ''
    if (staged.length === 0 && isEmpty) await this.#call.print('No changes - recorded it as an empty commit.')
    else if (staged.length === 0) {
      await this.#call.print(
        "No changes - did you forget to use 'git add'?\nIf there is nothing left to stage, chances are that something else\n" +
          'already introduced the same changes; you might want to skip this patch.',
      )
      throw await this.#stopped('')
    }
    const final = await repository.files.read(`${repository.gitDir}/${directory}/final-commit`)
    await this.#commit(decodeText(final ?? new Uint8Array()), mail)
    await this.#write({ next: `${position + 1}\n` })
  }

  async skip(): Promise<void> {
    await this.#clean()
    await this.#write({ next: `${Number(await this.#state('next')) + 1}\n` })
  }

  /** Restores index and files to the last commit, where the patch changed them. */
  async #clean(): Promise<void> {
    const repository = this.#repository
    const { oid } = await repository.head()
    const index = await repository.readIndex()
    const changes = new Changes()
    if (oid === undefined) return
    await resetToTree(repository, index, changes, await repository.treeOf(oid), {
      lists: false,
      failure: 'failed to clean index',
    })
    await repository.commit(changes, index)
  }

  async abort(): Promise<number> {
    const repository = this.#repository
    const { oid: head } = await repository.head()
    const start = await repository.readState('ORIG_HEAD')
    const safe = await this.#state('abort-safety')
    if ((await this.#state('dirtyindex')) !== undefined) return this.end()
    await this.#clean()
    if (safe !== (head ?? '') || start === undefined)
      await this.#call.warn("warning: You seem to have moved HEAD since the last 'am' failure.\nNot rewinding to ORIG_HEAD")
    else if (head !== undefined) {
      const index = await repository.readIndex()
      const changes = new Changes()
      await switchTree(repository, changes, index, await repository.treeOf(head), await repository.treeOf(start))
      await repository.refs.update(changes, { name: 'HEAD', oid: start, message: 'am --abort' })
      await repository.commit(changes, index)
    }
    return this.end()
  }

  async end(): Promise<number> {
    const changes = new Changes()
    await this.#repository.removeState(changes, directory)
    await this.#repository.commit(changes)
    return 0
  }

  async show(form: string): Promise<number> {
    if (form !== 'raw' && form !== 'diff') throw new GitFailure(`error: Invalid value for --show-current-patch: ${form}`, 129)
    const name = form === 'diff' ? 'patch' : numbered(Number(await this.#state('next')))
    const bytes = await this.#repository.files.read(`${this.#repository.gitDir}/${directory}/${name}`)
    await this.#call.out.write(bytes ?? '')
    return 0
  }
}
