// `git format-patch`: commits as emails with patches, one file each.

import { encodeText } from '../../shell/byte-text.ts'
import { parsePath } from '../../core/path.ts'
import { DiffRenderer } from '../diff/render.ts'
import { type DiffSettings, diffOptionRows, readDiffSettings } from '../diff/settings.ts'
import { diffTrees } from '../diff/tree-diff.ts'
import type { GitCall } from '../call.ts'
import { fatal } from '../errors.ts'
import { Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import { mailOf } from '../revs/email.ts'
import { subjectOf } from '../revs/subject.ts'
import { readRevisions } from '../revs/revision-arguments.ts'
import { ShortIds } from '../revs/short-ids.ts'
import type { WalkedCommit } from '../revs/walk.ts'
import { type Commit, type Person, parsePerson, zeroId } from '../store/object-format.ts'
import { parsePathspec } from '../work/pathspec.ts'
import type { GitCommand } from './command.ts'
import { withTrailer } from './message.ts'
import { limitedWalk, revisionOptionRows } from './revision-options.ts'

const version = '2.39.5'
const statColumns = 72
/** The length of a file name, including its suffix. */
const nameMaxLength = 64

const ownNames: ReadonlySet<string> = new Set(['n', 's', 'q', 'signature', 'max-count'])
const others = [...revisionOptionRows, ...diffOptionRows].filter(({ names }) => !names.some(name => ownNames.has(name)))

export const formatPatch: GitCommand = {
  name: 'format-patch',
  summary: 'Prepare patches for e-mail submission',
  options: {
    rows: [
      { names: ['n', 'numbered'] },
      { names: ['N', 'no-numbered'], key: 'no-numbered', isNegatable: false },
      { names: ['s', 'signoff'] },
      { names: ['stdout'] },
      { names: ['numbered-files'] },
      { names: ['suffix'], argument: { name: 'sfx' } },
      { names: ['start-number'], argument: { name: 'n' } },
      { names: ['v', 'reroll-count'], argument: { name: 'n' } },
      { names: ['filename-max-length'], argument: { name: 'n' } },
      { names: ['rfc'] },
      { names: ['subject-prefix'], argument: { name: 'prefix' } },
      { names: ['o', 'output-directory'], argument: { name: 'dir' } },
      { names: ['k', 'keep-subject'] },
      { names: ['zero-commit'] },
      { names: ['ignore-if-in-upstream'] },
      { names: ['no-stat'], isNegatable: false },
      { names: ['add-header'], argument: { name: 'header' } },
      { names: ['to'], argument: { name: 'email' } },
      { names: ['cc'], argument: { name: 'email' } },
      { names: ['from'], argument: { name: 'ident', isOptional: true } },
      { names: ['in-reply-to'], argument: { name: 'message-id' } },
      { names: ['signature'], argument: { name: 'signature' } },
      { names: ['q', 'quiet'] },
      { names: ['max-count'], argument: { name: 'n' } },
      { names: ['root'] },
      { names: ['always'], isNegatable: false },
      { names: ['progress'], isIgnored: true },
      { names: ['encode-email-headers'], isIgnored: true, refusesNegated: 'headers are always encoded by this git' },
      { names: ['no-binary', 'force-in-body-from'], isNegatable: false, refuses: 'it is not built into this git' },
      { names: ['cover-letter'], refuses: 'a cover letter is not built into this git' },
      {
        names: ['attach', 'inline', 'thread', 'base', 'interdiff', 'range-diff', 'creation-factor', 'signature-file'],
        argument: { name: 'value', isOptional: true },
        refuses: 'it is not built into this git',
      },
      ...others,
    ],
    numberKey: 'max-count',
    onUnknown: 'revision',
    usage: 'git format-patch [<options>] [<since> | <revision-range>]',
  },
  async run(call, options) {
    const repository = await call.repository()
    const commits = await commitsOf(repository, options)
    const writer = new PatchWriter(call, repository, options, commits.length)
    for (const [index, walked] of commits.entries()) await writer.write(walked, index)
    return 0
  },
}

/** The oldest first. A single revision is the start of the range. */
async function commitsOf(repository: Repository, options: Options): Promise<readonly WalkedCommit[]> {
  const read = await readRevisions(repository, options)
  const [only, ...rest] = read.revisions
  const isSince =
    only !== undefined &&
    rest.length === 0 &&
    !only.isExcluded &&
    !options.has('root') &&
    options.value('max-count') === undefined
  const head = await repository.refs.idOf('HEAD')
  if (head === undefined && only === undefined) throw fatal("bad default revision 'HEAD'")
  const revisions = isSince
    ? [
        { ...only, isExcluded: true },
        { oid: head ?? zeroId, text: 'HEAD', isExcluded: false },
      ]
    : read.revisions
  if (only === undefined && options.value('max-count') === undefined && !options.has('root')) return []
  const forced = [{ key: 'max-parents', value: '1', isNegated: false }, ...options.given]
  const given = options.has('ignore-if-in-upstream')
    ? [...forced, { key: 'twins', value: 'leave-out', isNegated: false }]
    : forced
  const { commits } = await limitedWalk(
    repository,
    new Options(given, options.words, options.paths),
    { ...read, revisions },
    { defaultsToHead: true },
  )
  const found: WalkedCommit[] = []
  for await (const walked of commits) found.push(walked)
  return found.reverse()
}

class PatchWriter {
  readonly #call: GitCall
  readonly #repository: Repository
  readonly #options: Options
  readonly #count: number
  #hasWritten = false
  readonly #settings: DiffSettings
  readonly #renderer: DiffRenderer
  readonly #isWanted: ((path: string, isDirectory: boolean) => boolean) | undefined

  constructor(call: GitCall, repository: Repository, options: Options, count: number) {
    this.#call = call
    this.#repository = repository
    this.#options = options
    this.#count = count
    const config = repository.config()
    const settings = readDiffSettings(options, { format: undefined, config, prefix: repository.prefix })
    const isPlain = options.has('no-stat') || options.given.some(({ key, value }) => key === 'diff-format' && value === 'patch')
    const formats = new Set([...settings.formats, 'patch' as const])
    if (formats.size === 1 && !isPlain) formats.add('stat').add('summary')
    const stat =
      options.has('stat') && options.value('stat') !== undefined ? settings.stat : { ...settings.stat, width: statColumns }
    this.#settings = {
      ...settings,
      formats,
      stat,
      isBinaryPatch: true,
      fullIndex: settings.fullIndex === 'always' ? 'always' : 'binary',
    }
    this.#renderer = new DiffRenderer(repository, this.#settings, new ShortIds(repository))
    const pathspec = parsePathspec(repository, options.paths ?? [])
    this.#isWanted = pathspec.isEmpty || options.has('full-diff') ? undefined : pathspec.filter
  }

  async write({ oid, commit }: WalkedCommit, index: number): Promise<void> {
    const options = this.#options
    const number = Number(options.value('start-number') ?? 1) + index
    const signed = options.has('signoff') ? { ...commit, message: await this.#signedOff(commit) } : commit
    const [parent] = commit.parents
    const before = parent === undefined ? undefined : await this.#repository.treeOf(parent)
    const changes = await diffTrees(this.#repository, before, commit.tree, { isWanted: this.#isWanted })
    const pairs = await this.#renderer.pairs(changes)
    if (pairs.length === 0 && !options.has('always')) return
    const firstHeaders: string[] = []
    const headers: string[] = [...options.values('add-header').map(header => header.trim())]
    const list = (name: string, values: readonly string[]): void => {
      if (values.length > 0) headers.push(`${name}: ${values.join(',\n    ')}`)
    }
    list('To', options.values('to'))
    list('Cc', options.values('cc'))
    const replied = options.value('in-reply-to')
    if (replied !== undefined) {
      const id = `<${replied.replaceAll(/^<|>$/g, '')}>`
      firstHeaders.push(`In-Reply-To: ${id}`, `References: ${id}`)
    }
    const mail = mailOf(options.has('zero-commit') ? zeroId : oid, signed, {
      subjectPrefix: options.has('keep-subject') ? '' : this.#prefix(number),
      firstHeaders,
      headers,
      from: await this.#from(),
    })
    const name = this.#nameOf(commit, number)
    const target = options.has('stdout') ? undefined : `${options.value('output-directory') ?? ''}${name}`
    const isNext = target === undefined && this.#hasWritten
    this.#hasWritten = true
    const parts: (string | Uint8Array)[] = [isNext ? '\n' : '', `${mail}\n`]
    const output = { write: (data: string | Uint8Array) => void parts.push(typeof data === 'string' ? data : data.slice()) }
    const { CallOutput } = await import('../call.ts')
    const out = new CallOutput(output)
    const hasSums = this.#settings.formats.size > 1
    await out.write(hasSums ? '---\n' : '\n')
    await this.#renderer.write(out, pairs)
    const signature = options.isNegated('signature') ? '' : (options.value('signature') ?? version)
    if (signature !== '') await out.write(`-- \n${signature}\n\n`)
    await out.flush()
    const bytes = parts.map(part => (typeof part === 'string' ? encodeText(part) : part))
    if (target === undefined) {
      for (const part of bytes) await this.#call.out.write(part)
      return
    }
    await this.#save(options.value('output-directory'), name, bytes)
  }

  async #save(directory: string | undefined, name: string, parts: readonly Uint8Array[]): Promise<void> {
    const { cwd, files } = this.#call.environment
    const shown = directory === undefined ? name : `${directory.replace(/\/+$/, '')}/${name}`
    const path = shown.startsWith('/') ? shown : `${cwd}/${shown}`
    const { joinBytes } = await import('../../core/bytes.ts')
    await files.vfs.writeFile(parsePath(path), joinBytes([...parts]), { parents: true })
    if (!this.#options.has('quiet')) await this.#call.print(shown)
  }

  #prefix(number: number): string {
    const options = this.#options
    const config = this.#repository.config()
    let prefix = options.value('subject-prefix') ?? config.get('format.subjectprefix') ?? 'PATCH'
    if (options.has('rfc')) prefix = `RFC ${prefix}`
    const version = options.value('reroll-count')
    if (version !== undefined) prefix = `${prefix} v${version}`
    const isNumbered = options.has('numbered') || (this.#count > 1 && !options.has('no-numbered'))
    if (!isNumbered) return prefix
    const total = this.#count + Number(options.value('start-number') ?? 1) - 1
    return `${prefix}${prefix === '' ? '' : ' '}${String(number).padStart(String(total).length, '0')}/${total}`
  }

  #nameOf({ message }: Commit, number: number): string {
    const options = this.#options
    if (options.has('numbered-files')) return String(number)
    const suffix = options.value('suffix') ?? this.#repository.config().get('format.suffix') ?? '.patch'
    const version = options.value('reroll-count')
    const subject = subjectOf(message)
      .replaceAll(/[^A-Za-z0-9_.]+/g, '-')
      .replaceAll(/\.{2,}/g, '.')
      .replaceAll(/^-+|[-.]+$/g, '')
    const start = `${version === undefined ? '' : `v${version}-`}${String(number).padStart(4, '0')}-`
    const longest = Number(options.value('filename-max-length') ?? nameMaxLength) - suffix.length - 1
    return `${(start + subject).slice(0, longest)}${suffix}`
  }

  async #from(): Promise<Person | undefined> {
    const options = this.#options
    if (!options.has('from')) return undefined
    const text = options.value('from')
    return text === undefined ? this.#repository.identity('committer') : parsePerson(`${text} 0 +0000`)
  }

  async #signedOff({ message }: Commit): Promise<string> {
    const { name, email } = await this.#repository.identity('committer')
    return withTrailer(message, `Signed-off-by: ${name} <${email}>`)
  }
}
