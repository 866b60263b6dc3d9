// `git tag`.

import { titleOf } from '../revs/subject.ts'
import { encodeText } from '../../shell/byte-text.ts'
import { compileWildcard, matchesWildcard } from '../../search/wildmatch.ts'
import { fatal } from '../errors.ts'
import { Changes, type Repository } from '../repository.ts'
import { isAncestor } from '../revs/merge-base.ts'
import { needCommit, peel, resolveRevision } from '../revs/revision.ts'
import { formatDate } from '../revs/date.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { encodeTag } from '../store/object-format.ts'
import { isValidRefName, type Ref } from '../store/refs.ts'
import { columnStyle, inColumns, outputWidth } from '../text-columns.ts'
import type { GitCommand } from './command.ts'
import { commentMark } from '../merge/commit-text.ts'
import { cleanedBy, givenMessage, needsEditor } from './message.ts'
import { colorOptionRow, wantsColor } from '../color/wants-color.ts'
import { formatRefs, readRefFields, sortRefs } from './ref-format.ts'
import { pushAll } from '../../core/many.ts'

export const tag: GitCommand = {
  name: 'tag',
  summary: 'Create, list, delete or verify a tag object',
  options: {
    rows: [
      { names: ['l', 'list'] },
      { names: ['n'], argument: { name: 'n', isOptional: true }, key: 'lines' },
      { names: ['d', 'delete'] },
      { names: ['v', 'verify'], refuses: 'signatures are not built into this git' },
      { names: ['a', 'annotate'] },
      { names: ['m', 'message'], argument: { name: 'message' } },
      { names: ['F', 'file'], argument: { name: 'file' } },
      { names: ['e', 'edit'], refuses: 'editors are never run by this git' },
      { names: ['s', 'sign'], refuses: 'signing is not built into this git' },
      { names: ['u', 'local-user'], argument: { name: 'key-id' }, refuses: 'signing is not built into this git' },
      { names: ['cleanup'], argument: { name: 'mode' } },
      { names: ['f', 'force'] },
      { names: ['create-reflog'] },
      { names: ['column'], argument: { name: 'style', isOptional: true } },
      { names: ['contains'], argument: { name: 'commit', isOptionalAtEnd: true } },
      { names: ['no-contains'], argument: { name: 'commit', isOptionalAtEnd: true }, isNegatable: false },
      { names: ['merged'], argument: { name: 'commit', isOptionalAtEnd: true } },
      { names: ['no-merged'], argument: { name: 'commit', isOptionalAtEnd: true }, isNegatable: false },
      { names: ['sort'], argument: { name: 'key' } },
      { names: ['points-at'], argument: { name: 'object' } },
      { names: ['format'], argument: { name: 'format' } },
      colorOptionRow,
      { names: ['i', 'ignore-case'] },
    ],
    usage: 'git tag [-a] [-f] [-m <msg>] <tagname> [<commit> | <object>]',
  },
  async run(call, options) {
    const repository = await call.repository()
    const ids = new ShortIds(repository)
    const names = options.all
    if (options.has('delete')) {
      let exitCode = 0
      for (const name of names) {
        const oid = await repository.refs.idOf(`refs/tags/${name}`)
        if (oid === undefined) {
          await call.warn(`error: tag '${name}' not found.`)
          exitCode = 1
          continue
        }
        const changes = new Changes()
        await repository.refs.update(changes, { name: `refs/tags/${name}`, oid: undefined, message: '', noDeref: true })
        await repository.commit(changes)
        await call.print(`Deleted tag '${name}' (was ${await ids.of(oid)})`)
      }
      return exitCode
    }
    const isListing =
      names.length === 0 ||
      ['list', 'lines', 'contains', 'no-contains', 'merged', 'no-merged', 'points-at', 'sort', 'format'].some(key =>
        options.has(key),
      )
    if (isListing && options.value('message') === undefined) {
      const commitOf = async (key: string): Promise<string | undefined> =>
        options.has(key)
          ? needCommit(repository, options.value(key) ?? 'HEAD', `malformed object name ${options.value(key) ?? 'HEAD'}`)
          : undefined
      const filters = {
        contains: await commitOf('contains'),
        lacks: await commitOf('no-contains'),
        merged: await commitOf('merged'),
        unmerged: await commitOf('no-merged'),
      }
      const pointed = options.value('points-at')
      const target = pointed === undefined ? undefined : (await resolveRevision(repository, pointed))?.oid
      if (pointed !== undefined && target === undefined) throw fatal(`malformed object name '${pointed}'`)
      const folded = (text: string): string => (options.has('ignore-case') ? text.toLowerCase() : text)
      const wildcards = names.map(name => compileWildcard(encodeText(folded(name)), false))
      const kept: Ref[] = []
      for (const ref of await repository.refs.list('refs/tags/')) {
        const short = ref.name.slice('refs/tags/'.length)
        if (wildcards.length > 0 && !wildcards.some(wildcard => matchesWildcard(wildcard, encodeText(folded(short))))) continue
        const commit = await peel(repository, ref.oid, 'commit')
        if (target !== undefined && ref.oid !== target && commit !== target) continue
        if (!(await passes(repository, commit, filters))) continue
        kept.push(ref)
      }
      const configured = repository.config().get('tag.sort')
      const rows = sortRefs(
        await readRefFields(call, repository, kept),
        options.values('sort').length > 0 ? options.values('sort') : configured === undefined ? [] : [configured],
        options.has('ignore-case'),
      )
      const format = options.value('format')
      const config = repository.config()
      const column = { isGiven: options.has('column'), isNegated: options.isNegated('column'), value: options.value('column') }
      const style = columnStyle(column, [config.get('column.ui'), config.get('column.tag')])
      const lines: string[] = []
      if (format !== undefined) pushAll(lines, await formatRefs(rows, format, wantsColor(options, repository.config(), [])))
      else
        for (const { ref } of rows)
          lines.push(
            options.has('lines')
              ? await withLines(repository, ref, Number(options.value('lines') ?? 1))
              : ref.name.slice('refs/tags/'.length),
          )
      if (options.has('lines') && options.has('column')) throw fatal("options '--column' and '-n' cannot be used together")
      for (const line of inColumns(lines, options.has('lines') ? undefined : style, {
        indent: '',
        padding: 2,
        width: outputWidth(call.environment.env),
      }))
        await call.print(line)
      return 0
    }
    const [name = '', revision = 'HEAD', ...rest] = names
    if (rest.length > 0) throw fatal('too many arguments')
    const full = `refs/tags/${name}`
    if (!isValidRefName(full) || name.startsWith('-')) throw fatal(`'${name}' is not a valid tag name.`)
    const object = await resolveRevision(repository, revision)
    if (object === undefined) throw fatal(`Failed to resolve '${revision}' as a valid ref.`)
    const before = await repository.refs.idOf(full)
    if (before !== undefined && !options.has('force')) throw fatal(`tag '${name}' already exists`)
    let oid = object.oid
    if (options.has('annotate') || options.value('message') !== undefined || options.value('file') !== undefined) {
      const given = await givenMessage(call, options)
      if (given === undefined) throw needsEditor('give the message with -m or -F')
      const type = (await repository.objects.read(oid))?.type ?? 'commit'
      const message = cleanedBy(options.value('cleanup'), given, true, commentMark(repository.config()))
      oid = await repository.objects.write(
        'tag',
        encodeTag({ object: oid, type, name, tagger: await repository.identity('committer'), message }),
      )
    }
    const changes = new Changes()
    await repository.refs.update(changes, {
      name: full,
      oid,
      message: await logMessage(repository, object.oid),
      makesLog: options.has('create-reflog'),
    })
    await repository.commit(changes)
    if (before !== undefined && before !== oid) await call.print(`Updated tag '${name}' (was ${await ids.of(before)})`)
    return 0
  },
}

/** The message in the log of a tag, if it has one. */
async function logMessage(repository: Repository, oid: string): Promise<string> {
  const type = (await repository.objects.read(oid))?.type ?? 'commit'
  const id = await new ShortIds(repository).of(oid)
  if (type !== 'commit') return `tag: tagging ${id} (${type === 'tag' ? 'other tag' : type} object)`
  const { message, committer } = await repository.objects.readCommit(oid)
  return `tag: tagging ${id} (${titleOf(message)}, ${formatDate(committer, 'short', 0) ?? ''})`
}

interface Filters {
  readonly contains: string | undefined
  readonly lacks: string | undefined
  readonly merged: string | undefined
  readonly unmerged: string | undefined
}

async function passes(
  repository: Repository,
  commit: string | undefined,
  { contains, lacks, merged, unmerged }: Filters,
): Promise<boolean> {
  if (commit === undefined) return contains === undefined && merged === undefined
  if (contains !== undefined && !(await isAncestor(repository, contains, commit))) return false
  if (lacks !== undefined && (await isAncestor(repository, lacks, commit))) return false
  if (merged !== undefined && !(await isAncestor(repository, commit, merged))) return false
  return unmerged === undefined || !(await isAncestor(repository, commit, unmerged))
}

async function withLines(repository: Repository, ref: Ref, count: number): Promise<string> {
  const object = await repository.objects.read(ref.oid)
  const message =
    object?.type === 'tag'
      ? (await repository.objects.readTag(ref.oid)).message
      : object?.type === 'commit'
        ? (await repository.objects.readCommit(ref.oid)).message
        : ''
  const lines = message.replace(/\n+$/, '').split('\n').slice(0, count)
  return `${ref.name.slice('refs/tags/'.length).padEnd(15)} ${lines.join('\n    ')}`
}
