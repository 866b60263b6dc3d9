// `git format-patch`: commits as emails with patches, one file each.

import { joinBytes } from '../../core/bytes.ts'
import { subjectOf } from '../revs/subject.ts'
import { encodeText } from '../../shell/byte-text.ts'
import { parsePath } from '../../core/path.ts'
import { DiffRenderer } from '../diff/render.ts'
import { type DiffSettings, readDiffSettings } from '../diff/settings.ts'
import { diffOptionRows } from '../diff/option-rows.ts'
import { diffTrees } from '../diff/tree-diff.ts'
import { CallOutput, type GitCall } from '../call.ts'
import { failure, fatal } from '../errors.ts'
import { Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import { mailOf } from '../revs/email.ts'
import { readRevisions } from '../revs/revision-arguments.ts'
import { ShortIds } from '../revs/short-ids.ts'
import type { WalkedCommit } from '../revs/walk.ts'
import { boolOf, type Config } from '../store/config.ts'
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
      { names: ['encode-email-headers'] },
      { names: ['force-in-body-from'] },
      { names: ['no-binary'], isNegatable: false },
      { names: ['notes'], argument: { name: 'ref', isOptional: true }, refuses: 'notes in emails are not built into this git' },
      { names: ['attach'], argument: { name: 'boundary', isOptional: true } },
      { names: ['inline'], argument: { name: 'boundary', isOptional: true }, isNegatable: false },
      { names: ['cover-letter'], refuses: 'a cover letter is not built into this git' },
      {
        names: ['thread', 'base', 'interdiff', 'range-diff', 'creation-factor', 'signature-file'],
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
    if (options.has('stdout') && options.has('output-directory'))
      throw fatal("options '--stdout' and '--output-directory' cannot be used together")
    const commits = await commitsOf(repository, options)
    refuseSettings(repository.config(), options, commits.length)
    const settings = await readDiffSettings(options, {
      format: undefined,
      config: repository.config(),
      prefix: repository.prefix,
    })
    const writer = new PatchWriter(call, repository, options, settings, commits.length)
    for (const [index, walked] of commits.entries()) await writer.write(walked, index)
    return 0
  },
}

/** Rejects where the configuration asks for what is not built. */
function refuseSettings(config: Config, options: Options, count: number): void {
  const isAsked = (name: string): boolean => config.has(name) && boolOf(config.get(name)) !== false && config.get(name) !== 'no'
  const asked = ['format.thread', 'format.attach', 'format.useautobase', 'format.notes', 'format.signaturefile'].find(isAsked)
  const cover = config.get('format.coverletter')
  const wantsCover = isAsked('format.coverletter') && (cover?.toLowerCase() !== 'auto' || count > 1)
  const name = asked ?? (wantsCover && !options.isNegated('cover-letter') ? 'format.coverletter' : undefined)
  if (name !== undefined) throw failure(`${name}: it is not built into this git; run with -c ${name}=false to leave it out`, 129)
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

/** A mail whose patch is a part beside the text. */
interface MailParts {
  readonly boundary: string
  readonly disposition: 'attachment' | 'inline'
  /** `undefined`: the patch stands in the text. */
  readonly patches: DiffRenderer | undefined
}

class PatchWriter {
  readonly #call: GitCall
  readonly #repository: Repository
  readonly #options: Options
  readonly #count: number
  #hasWritten = false
  readonly #settings: DiffSettings
  readonly #renderer: DiffRenderer
  readonly #parts: MailParts | undefined
  readonly #isWanted: ((path: string, isDirectory: boolean) => boolean) | undefined

  constructor(call: GitCall, repository: Repository, options: Options, settings: DiffSettings, count: number) {
    this.#call = call
    this.#repository = repository
    this.#options = options
    this.#count = count
    const isPlain = options.has('no-stat') || options.given.some(({ key, value }) => key === 'diff-format' && value === 'patch')
    const odd = (['name-only', 'name-status', 'check'] as const).find(name => settings.formats.has(name))
    if (odd !== undefined) throw fatal(`--${odd} does not make sense`)
    const formats = new Set([...settings.formats, 'patch' as const])
    if (formats.size === 1 && !isPlain) formats.add('stat').add('summary')
    const stat =
      options.has('stat') && options.value('stat') !== undefined ? settings.stat : { ...settings.stat, width: statColumns }
    this.#settings = {
      ...settings,
      formats,
      stat,
      // The configuration never colors a mail.
      isColored: options.has('color') && settings.isColored,
      isBinaryPatch: !options.has('no-binary'),
      fullIndex: settings.fullIndex === 'always' ? 'always' : options.has('no-binary') ? 'never' : 'binary',
    }
    const ids = new ShortIds(repository)
    const part = options.given.findLast(({ key }) => key === 'attach' || key === 'inline')
    // Without statistics the patch stands in the text.
    const isApart = part?.isNegated === false && formats.size > 1
    const rendererOf = (own: DiffSettings['formats']): DiffRenderer =>
      new DiffRenderer(repository, { ...this.#settings, formats: own }, ids)
    this.#renderer = rendererOf(isApart ? new Set([...formats].filter(format => format !== 'patch')) : formats)
    this.#parts =
      part?.isNegated === false
        ? {
            boundary: `------------${part.value ?? version}`,
            disposition: part.key === 'attach' ? 'attachment' : 'inline',
            patches: isApart ? rendererOf(new Set(['patch'])) : undefined,
          }
        : undefined
    const pathspec = parsePathspec(repository, options.paths ?? [])
    this.#isWanted = pathspec.isEmpty || options.has('full-diff') ? undefined : pathspec.filter
  }

  async write({ oid, commit }: WalkedCommit, index: number): Promise<void> {
    const options = this.#options
    const number = Number(options.value('start-number') ?? 1) + index
    const signed = this.#flag('signoff', 'format.signoff') ? { ...commit, message: await this.#signedOff(commit) } : commit
    const [parent] = commit.parents
    const before = parent === undefined ? undefined : await this.#repository.treeOf(parent)
    const changes = await diffTrees(this.#repository, before, commit.tree, { isWanted: this.#isWanted })
    const pairs = await this.#renderer.pairs(changes)
    const name = this.#nameOf(commit, number)
    const directory =
      options.value('output-directory') ?? this.#repository.config().get('format.outputdirectory')?.replace(/^$/, '.')
    const isEmpty = pairs.length === 0
    if (isEmpty && !options.has('always')) {
      if (!options.has('stdout')) await this.#save(directory, name, [])
      return
    }
    const config = this.#repository.config()
    const firstHeaders: string[] = []
    const headers: string[] = this.#all('add-header', 'format.headers').map(header => header.trim())
    const list = (key: string, values: readonly string[]): void => {
      if (values.length > 0) headers.push(`${key}: ${values.join(',\n    ')}`)
    }
    list('To', this.#all('to', 'format.to'))
    list('Cc', this.#all('cc', 'format.cc'))
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
      namesAuthor: this.#flag('force-in-body-from', 'format.forceinbodyfrom'),
      keepsHeadersPlain: !this.#flag('encode-email-headers', 'format.encodeemailheaders', true),
      quotesFrom: options.has('stdout') && config.bool('format.mboxrd', false),
      boundary: this.#parts?.boundary,
    })
    const isNext = options.has('stdout') && this.#hasWritten
    this.#hasWritten = true
    const parts: (string | Uint8Array)[] = [isNext ? '\n' : '', `${mail}\n`]
    const output = { write: (data: string | Uint8Array) => void parts.push(typeof data === 'string' ? data : data.slice()) }
    const out = new CallOutput(output)
    if (!isEmpty) await out.write(this.#settings.formats.has('stat') ? '---\n' : '\n')
    await this.#renderer.write(out, pairs)
    if (this.#parts === undefined) {
      const signature = options.isNegated('signature')
        ? ''
        : (options.value('signature') ?? config.get('format.signature') ?? version)
      if (signature !== '') await out.write(`-- \n${signature}\n\n`)
    } else {
      const { boundary, disposition, patches } = this.#parts
      if (patches !== undefined && !isEmpty) {
        await out.write(
          `\n\n--${boundary}\nContent-Type: text/x-patch; name="${name}"\nContent-Transfer-Encoding: 8bit\n` +
            `Content-Disposition: ${disposition}; filename="${name}"\n\n`,
        )
        await patches.write(out, pairs)
      }
      await out.write(`\n--${boundary}--\n\n\n`)
    }
    await out.flush()
    const bytes = parts.map(part => (typeof part === 'string' ? encodeText(part) : part))
    if (!options.has('stdout')) await this.#save(directory, name, bytes)
    else for (const part of bytes) await this.#call.out.write(part)
  }

  #flag(option: string, setting: string, usual = false): boolean {
    if (this.#options.has(option)) return true
    return !this.#options.isNegated(option) && this.#repository.config().bool(setting, usual)
  }

  /** The values of a setting, then those of the option. `--no-…` removes those before it. */
  #all(option: string, setting: string): readonly string[] {
    const isCleared = this.#options.given.some(({ key, isNegated }) => key === option && isNegated)
    return [...(isCleared ? [] : this.#repository.config().all(setting)), ...this.#options.values(option)]
  }

  async #save(directory: string | undefined, name: string, parts: readonly Uint8Array[]): Promise<void> {
    const { cwd, files } = this.#call.environment
    const shown = directory === undefined ? name : `${directory.replace(/\/+$/, '')}/${name}`
    const path = shown.startsWith('/') ? shown : `${cwd}/${shown}`
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
    const setting = config.get('format.numbered')
    const usual =
      config.has('format.numbered') && setting?.toLowerCase() !== 'auto' ? config.bool('format.numbered', false) : undefined
    const isNumbered =
      options.has('numbered') || (!options.has('no-numbered') && !options.isNegated('numbered') && (usual ?? this.#count > 1))
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
    const longest =
      Number(
        options.value('filename-max-length') ?? this.#repository.config().number('format.filenamemaxlength') ?? nameMaxLength,
      ) -
      suffix.length -
      1
    return `${(start + subject).slice(0, longest)}${suffix}`
  }

  async #from(): Promise<Person | undefined> {
    const options = this.#options
    const config = this.#repository.config()
    const isSet = config.has('format.from') && boolOf(config.get('format.from')) !== false
    if (options.isNegated('from') || (!options.has('from') && !isSet)) return undefined
    const text = options.has('from') ? options.value('from') : config.get('format.from')
    if (text === undefined || (!options.has('from') && boolOf(text) === true)) return this.#repository.identity('committer')
    if (!/<[^>]*>/.test(text)) throw fatal(`invalid ident line: ${text}`)
    return parsePerson(`${text} 0 +0000`)
  }

  async #signedOff({ message }: Commit): Promise<string> {
    const { name, email } = await this.#repository.identity('committer')
    return withTrailer(message, `Signed-off-by: ${name} <${email}>`)
  }
}
