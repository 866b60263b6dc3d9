// `%(refname:short)` and similar fields, for `for-each-ref`, `branch --format` and `tag --format`.

import { listWorkTrees } from '../work/worktrees.ts'
import { ownValue } from '../../core/record.ts'
import { bodyOf, sanitized, subjectOf } from '../revs/subject.ts'
import { encodeText } from '../../shell/byte-text.ts'
import { failure, fatal } from '../errors.ts'
import type { GitCall } from '../call.ts'
import type { Repository } from '../repository.ts'
import { formatDate } from '../revs/date.ts'
import { shortestRef } from '../revs/ref-names.ts'
import { peel, upstreamOf } from '../revs/revision.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { columnCount } from '../text-columns.ts'
import { trackingOf } from '../revs/tracking.ts'
import { type Commit, compareText, type ObjectId, type Person, type Tag } from '../store/object-format.ts'
import type { Ref } from '../store/refs.ts'

export interface RefFields {
  readonly ref: Ref
  readonly get: (field: string) => Promise<string>
  /** Known before formatting, for sorting. */
  readonly type: string
  readonly sizeBytes: number
  /** The time of the commit or tag, in seconds; 0 if it has none. */
  readonly times: Readonly<Record<'author' | 'committer' | 'tagger' | 'creator', number>>
  readonly subject: string
  readonly author: string
}

export async function readRefFields(call: GitCall, repository: Repository, refs: readonly Ref[]): Promise<readonly RefFields[]> {
  const ids = new ShortIds(repository)
  const head = (await repository.head()).branch
  const rows: RefFields[] = []
  for (const ref of refs) {
    const object = await repository.objects.read(ref.oid)
    const tag = object?.type === 'tag' ? await repository.objects.readTag(ref.oid) : undefined
    const commitId = await peel(repository, ref.oid, 'commit')
    const commit = commitId === undefined ? undefined : await repository.objects.readCommit(commitId)
    const own = object?.type === 'commit' ? commit : undefined
    rows.push({
      ref,
      get: field =>
        fieldOf(
          {
            call,
            repository,
            ids,
            ref,
            head,
            modifier: '',
            type: object?.type ?? '',
            sizeBytes: object?.bytes.length ?? 0,
            tag,
            commit,
            own,
          },
          field,
        ),
      type: object?.type ?? '',
      sizeBytes: object?.bytes.length ?? 0,
      times: {
        author: own?.author.time ?? 0,
        committer: own?.committer.time ?? 0,
        tagger: tag?.tagger?.time ?? 0,
        creator: tag?.tagger?.time ?? own?.committer.time ?? 0,
      },
      subject: subjectOf(tag?.message ?? commit?.message ?? ''),
      author: commit?.author.name ?? '',
    })
  }
  return rows
}

interface FieldContext {
  readonly call: GitCall
  readonly repository: Repository
  readonly ids: ShortIds
  readonly ref: Ref
  readonly head: string | undefined
  readonly type: string
  readonly sizeBytes: number
  readonly tag: Tag | undefined
  readonly commit: Commit | undefined
  /** The commit, if the reference names one itself. */
  readonly own: Commit | undefined
  /** The text after the field's colon. */
  readonly modifier: string
}

async function fieldOf(context: FieldContext, asked: string): Promise<string> {
  const isPeeled = asked.startsWith('*')
  const [name = '', ...rest] = asked.replace(/^\*/, '').split(':')
  const modifier = rest.join(':')
  checkModifier(name, modifier, asked)
  if (isPeeled && name === 'refname') return `${await refName(context.repository, context.ref.name, modifier)}^{}`
  if (isPeeled && context.tag === undefined) return ''
  const shown: FieldContext = isPeeled
    ? {
        ...context,
        ref: { ...context.ref, oid: context.tag?.object ?? '' },
        type: context.tag?.type ?? '',
        tag: undefined,
        own: context.commit,
        modifier,
      }
    : { ...context, modifier }
  const { repository, ref, head, tag, own, call } = shown
  const message = tag?.message ?? own?.message ?? ''
  const person = (who: Person | undefined, part: string): string => {
    if (who === undefined) return ''
    if (part === 'name') return who.name
    if (part === 'email')
      return modifier === 'trim' ? who.email : modifier === 'localpart' ? (who.email.split('@')[0] ?? '') : `<${who.email}>`
    if (part === 'date') return formatDate(who, modifier === '' ? 'default' : modifier, call.now) ?? ''
    return `${who.name} <${who.email}> ${who.time} ${who.zone}`
  }
  const part = /^(author|committer|tagger|creator)(name|email|date)?$/.exec(name)
  if (part !== null) {
    const who =
      part[1] === 'author'
        ? own?.author
        : part[1] === 'committer'
          ? own?.committer
          : part[1] === 'tagger'
            ? tag?.tagger
            : (tag?.tagger ?? own?.committer)
    return person(who, part[2] ?? '')
  }
  switch (name) {
    case 'refname':
      return refName(repository, ref.name, modifier)
    case 'objectname':
      return (await idsIn(shown, [ref.oid])).join('')
    case 'objecttype':
      return shown.type
    case 'objectsize':
      return String(shown.sizeBytes)
    case 'HEAD':
      return ref.name === head ? '*' : ' '
    case 'tree':
      return (await idsIn(shown, own === undefined ? [] : [own.tree])).join('')
    case 'parent':
      return (await idsIn(shown, own?.parents ?? [])).join(' ')
    case 'numparent':
      return own === undefined ? '' : String(own.parents.length)
    case 'object':
      return tag?.object ?? ''
    case 'type':
      return tag?.type ?? ''
    case 'tag':
      return tag?.name ?? ''
    case 'subject':
      return modifier === 'sanitize' ? sanitized(subjectOf(message)) : subjectOf(message)
    case 'body':
      return bodyOf(message)
    case 'contents':
      return modifier === 'subject'
        ? subjectOf(message)
        : modifier === 'body'
          ? bodyOf(message)
          : modifier === 'size'
            ? String(encodeText(message).length)
            : /^trailers(?::|$)/.test(modifier)
              ? await trailersIn(message, modifier.replace(/^trailers:?/, ''), asked)
              : modifier.startsWith('lines=')
                ? message
                    .split('\n')
                    .slice(0, Number(modifier.slice(6)))
                    .join('\n    ')
                    .trimEnd()
                : message
    case 'trailers':
      return trailersIn(message, modifier, asked)
    case 'symref': {
      const value = await repository.refs.read(ref.name)
      return value?.kind === 'symbolic' ? refName(repository, value.target, modifier) : ''
    }
    case 'upstream':
    case 'push':
      return upstream(repository, ref, name, modifier)
    case 'worktreepath':
      return (await workTreeOf(repository, ref.name)) ?? ''
    default:
      throw fatal(`unknown field name: ${asked}`)
  }
}

async function trailersIn(message: string, options: string, asked: string): Promise<string> {
  const { shownTrailers } = await import('../revs/rare-placeholders.ts')
  const text = shownTrailers(message, options)
  if (text === undefined) throw fatal(`unknown %(trailers) argument: ${asked}`)
  return text
}

async function refName(repository: Repository, name: string, modifier: string): Promise<string> {
  if (modifier === 'short') return shortestRef(repository, name)
  const strip = /^(lstrip|strip|rstrip)=(-?\d+)$/.exec(modifier)
  if (strip === null) return name
  const parts = name.split('/')
  const count = Number(strip[2])
  if (strip[1] === 'rstrip') return parts.slice(0, count < 0 ? -count : parts.length - count).join('/')
  return parts.slice(count < 0 ? Math.max(0, parts.length + count) : count).join('/')
}

/** Modifiers that are not built are refused: without them the field would show something else. */
function checkModifier(name: string, modifier: string, asked: string): void {
  const known = ownValue(modifiers, name)
  if (known !== undefined && modifier !== '' && !known.test(modifier)) throw fatal(`unrecognized %(${name}) argument: ${asked}`)
}

const nameModifier = /^(?:short|(?:l|r)?strip=-?\d+)$/
const idModifier = /^short(?:=\d+)?$/
const modifiers: Readonly<Record<string, RegExp>> = {
  refname: nameModifier,
  symref: nameModifier,
  upstream: /^(?:short|(?:l|r)?strip=-?\d+|track(?:short)?(?:,nobracket)?|nobracket,track|remotename|remoteref)$/,
  push: /^(?:short|(?:l|r)?strip=-?\d+|track(?:short)?(?:,nobracket)?|nobracket,track|remotename|remoteref)$/,
  objectname: idModifier,
  tree: idModifier,
  parent: idModifier,
  subject: /^sanitize$/,
  contents: /^(?:subject|body|size|lines=\d+|trailers(?::.*)?)$/,
}

async function workTreeOf(repository: Repository, name: string): Promise<string | undefined> {
  return (await listWorkTrees(repository)).find(({ branch, isBare }) => branch === name && !isBare)?.path
}

/** The IDs as the modifier asks for them. */
async function idsIn({ ids, modifier }: FieldContext, oids: readonly ObjectId[]): Promise<readonly string[]> {
  if (!modifier.startsWith('short')) return oids
  const digits = modifier === 'short' ? undefined : Number(modifier.slice('short='.length))
  const short: string[] = []
  for (const oid of oids) short.push(await ids.of(oid, digits))
  return short
}

async function upstream(repository: Repository, ref: Ref, name: string, modifier: string): Promise<string> {
  const target = upstreamOf(repository, ref.name)
  if (target === undefined) return ''
  const branch = ref.name.replace(/^refs\/heads\//, '')
  if (modifier === 'remotename') return repository.config().get(`branch.${branch}.remote`) ?? ''
  if (modifier === 'remoteref') return name === 'push' ? '' : (repository.config().get(`branch.${branch}.merge`) ?? '')
  if (!modifier.includes('track')) return refName(repository, target, modifier)
  const tracking = await trackingOf(repository, ref.name, ref.oid)
  if (tracking.kind === 'none') return ''
  if (modifier === 'trackshort')
    return tracking.kind === 'gone'
      ? ''
      : tracking.ahead > 0
        ? tracking.behind > 0
          ? '<>'
          : '>'
        : tracking.behind > 0
          ? '<'
          : '='
  const text =
    tracking.kind === 'gone'
      ? 'gone'
      : [tracking.ahead > 0 ? `ahead ${tracking.ahead}` : '', tracking.behind > 0 ? `behind ${tracking.behind}` : '']
          .filter(Boolean)
          .join(', ')
  return text === '' || modifier.includes('nobracket') ? text : `[${text}]`
}

/** An open `%(if)` or `%(align)`, up to its `%(end)`. */
interface Block {
  readonly kind: string
  readonly before: string
  /** For `%(if)`: the result of the condition; `undefined` before `%(then)`. */
  holds: boolean | undefined
  hasElse: boolean
  /** The text before `%(else)`. */
  shown: string
}

function openBlock(asked: string, before: string): Block | undefined {
  return /^(?:if|align)(?::|$)/.test(asked) ? { kind: asked, before, holds: undefined, hasElse: false, shown: '' } : undefined
}

function condition(kind: string, text: string): boolean {
  const [, isNot, wanted] = /^if:(not)?equals=(.*)$/s.exec(kind) ?? []
  return wanted === undefined ? text.trim() !== '' : (text === wanted) === (isNot === undefined)
}

function aligned(kind: string, text: string): string {
  const words = kind.slice('align:'.length).split(',')
  const width = Number(words.map(word => /^(?:width=)?(\d+)$/.exec(word)?.[1]).find(Boolean) ?? 0)
  const position = words.map(word => /^(?:position=)?(left|right|middle)$/.exec(word)?.[1]).find(Boolean) ?? 'left'
  const missing = Math.max(0, width - columnCount(text))
  const left = position === 'left' ? 0 : position === 'right' ? missing : Math.floor(missing / 2)
  return ' '.repeat(left) + text + ' '.repeat(missing - left)
}

function endOf({ kind, holds, hasElse, shown }: Block, text: string): string {
  if (!kind.startsWith('if')) return aligned(kind, text)
  if (holds === true) return hasElse ? shown : text
  return hasElse ? text : ''
}

/** `%(color:…)` shows nothing without a palette module. */
export async function formatRefs(rows: readonly RefFields[], format: string, isColored: boolean): Promise<readonly string[]> {
  const colors = isColored ? await import('../color/painting.ts') : undefined
  const lastColor = /.*%\(color(?::([^)]*))?\)/s.exec(format)?.[1]
  const atEnd = colors === undefined || lastColor === undefined || lastColor === 'reset' ? '' : colors.resetColor
  const lines: string[] = []
  for (const row of rows) {
    let line = ''
    let last = 0
    const blocks: Block[] = []
    /** Whether the field belongs to the blocks; then `line` is the text in the innermost one so far. */
    const isBlockPart = (asked: string): boolean => {
      const opened = openBlock(asked, line)
      const block = blocks.at(-1)
      if (opened !== undefined) blocks.push(opened)
      else if (asked === 'then' && block !== undefined) block.holds = condition(block.kind, line)
      else if (asked === 'else' && block !== undefined) {
        block.hasElse = true
        block.shown = line
      } else if (asked === 'end' && block !== undefined) {
        blocks.pop()
        line = block.before + endOf(block, line)
        return true
      } else return false
      line = ''
      return true
    }
    for (const found of format.matchAll(/%\(([^)]*)\)|%%|%([0-9a-fA-F]{2})/g)) {
      line += format.slice(last, found.index)
      last = found.index + found[0].length
      if (found[1] !== undefined && isBlockPart(found[1])) continue
      const words = /^color:(.*)$/s.exec(found[1] ?? '')?.[1]
      if (words !== undefined) {
        const color = colors?.parseColor(words)
        if (colors !== undefined && color === undefined)
          throw failure(`invalid color value: ${words}\nfatal: unrecognized color: %(color:${words})`, 128)
        line += color ?? ''
        continue
      }
      line +=
        found[1] !== undefined
          ? await row.get(found[1])
          : found[2] !== undefined
            ? String.fromCharCode(Number.parseInt(found[2], 16))
            : '%'
    }
    lines.push(line + format.slice(last) + atEnd)
  }
  return lines
}

/** The keys of `--sort`, the last one first. */
export function sortRefs(
  rows: readonly RefFields[],
  keys: readonly string[],
  ignoresCase: boolean = false,
): readonly RefFields[] {
  let sorted = [...rows]
  const byName = (a: RefFields, b: RefFields): number =>
    (ignoresCase ? compareText(a.ref.name.toLowerCase(), b.ref.name.toLowerCase()) : 0) || compareText(a.ref.name, b.ref.name)
  if (ignoresCase) sorted.sort(byName)
  for (const key of keys) {
    const isReverse = key.startsWith('-')
    const name = key.replace(/^-/, '').replace(/^\*/, '')
    const compare = name === 'refname' ? byName : comparison(name)
    sorted = sorted.toSorted((a, b) => (isReverse ? compare(b, a) : compare(a, b)) || byName(a, b))
  }
  return sorted
}

function comparison(name: string): (a: RefFields, b: RefFields) => number {
  if (name === 'version:refname' || name === 'v:refname')
    return (a, b) => a.ref.name.localeCompare(b.ref.name, 'en', { numeric: true })
  const who = /^(author|committer|tagger|creator)date$/.exec(name)?.[1]
  if (who === 'author' || who === 'committer' || who === 'tagger' || who === 'creator')
    return (a, b) => a.times[who] - b.times[who]
  if (name === 'objecttype') return (a, b) => compareText(a.type, b.type)
  if (name === 'objectsize') return (a, b) => a.sizeBytes - b.sizeBytes
  if (name === 'objectname') return (a, b) => compareText(a.ref.oid, b.ref.oid)
  if (name === 'subject') return (a, b) => compareText(a.subject, b.subject)
  if (name === 'authorname') return (a, b) => compareText(a.author, b.author)
  throw fatal(`unknown field name: ${name}`)
}
