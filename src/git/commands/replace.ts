// `git replace`.

import { compileWildcard, matchesWildcard } from '../../search/wildmatch.ts'
import { decodeText, encodeText } from '../../shell/byte-text.ts'
import type { GitCall } from '../call.ts'
import { failure, GitFailure } from '../errors.ts'
import type { Options } from '../options.ts'
import { Changes, type Repository } from '../repository.ts'
import { peel, resolveRevision } from '../revs/revision.ts'
import type { ObjectId } from '../store/object-format.ts'
import { graftsFile, replacementsPlace } from '../store/replacements.ts'
import type { GitCommand } from './command.ts'

const usage =
  'git replace [-f] <object> <replacement>\n   or: git replace [-f] --graft <commit> [<parent>...]\n   or: git replace [-f] --convert-graft-file\n' +
  '   or: git replace -d <object>...\n   or: git replace [--format=<format>] [-l [<pattern>]]'

export const replace: GitCommand = {
  name: 'replace',
  summary: 'Create, list, delete refs to replace objects',
  options: {
    rows: [
      { names: ['l', 'list'], key: 'mode', value: 'list', isNegatable: false },
      { names: ['d', 'delete'], key: 'mode', value: 'delete', isNegatable: false },
      { names: ['g', 'graft'], key: 'mode', value: 'graft', isNegatable: false },
      { names: ['convert-graft-file'], key: 'mode', value: 'convert', isNegatable: false },
      { names: ['e', 'edit', 'raw'], refuses: 'editors are never run by this git; use git hash-object and git replace' },
      { names: ['f', 'force'] },
      { names: ['format'], argument: { name: 'format' } },
    ],
    usage,
  },
  async run(call, options) {
    // A file of grafts, which other commands refuse, is converted here.
    const repository = ((await call.findRepository()) ?? (await call.repository())).withoutReplacements()
    const words = options.all
    const mode = modeOf(options)
    switch (mode) {
      case 'list':
        return list(call, repository, words[0] ?? '*', options.value('format') ?? 'short')
      case 'delete':
        return remove(call, repository, words)
      case 'graft':
        await graft(call, repository, words, options.has('force'))
        return 0
      case 'convert':
        return convertGrafts(call, repository, options.has('force'))
      default: {
        const [object = '', replacement = ''] = words
        const [oid, by] = [await named(repository, object), await named(repository, replacement)]
        const force = options.has('force')
        if (!force) await refuseOtherType(repository, [object, oid], [replacement, by])
        await put(repository, oid, by, force)
        return 0
      }
    }
  },
}

function modeOf(options: Options): string {
  const count = options.all.length
  const mode = options.value('mode') ?? (count > 0 ? 'replace' : 'list')
  const misuse = (text: string): GitFailure => new GitFailure(`fatal: ${text}\n\nusage: ${usage}\n`, 129)
  if (options.value('format') !== undefined && mode !== 'list') throw misuse('--format cannot be used when not listing')
  if (options.has('force') && (mode === 'list' || mode === 'delete'))
    throw misuse('-f only makes sense when writing a replacement')
  if (mode === 'delete' && count === 0) throw misuse('-d needs at least one argument')
  if (mode === 'replace' && count !== 2) throw misuse('bad number of arguments')
  if (mode === 'graft' && count === 0) throw misuse('-g needs at least one argument')
  if (mode === 'convert' && count > 0) throw misuse('--convert-graft-file takes no argument')
  if (mode === 'list' && count > 1) throw misuse('only one pattern can be given with -l')
  return mode
}

async function named(repository: Repository, word: string): Promise<ObjectId> {
  const found = await resolveRevision(repository, word)
  if (found === undefined) throw failure(`failed to resolve '${word}' as a valid ref`, 255)
  return found.oid
}

async function typeOf(repository: Repository, oid: ObjectId): Promise<string> {
  return (await repository.objects.read(oid))?.type ?? 'unknown'
}

async function list(call: GitCall, repository: Repository, pattern: string, format: string): Promise<number> {
  if (!['short', 'medium', 'long', ''].includes(format))
    throw failure(`invalid replace format '${format}'\nvalid formats are 'short', 'medium' and 'long'`, 255)
  const wildcard = compileWildcard(encodeText(pattern), false)
  const place = replacementsPlace(repository.environment.env)
  for (const { name, oid } of await repository.refs.list(place)) {
    const object = name.slice(place.length)
    if (!matchesWildcard(wildcard, encodeText(object))) continue
    if (format === 'medium') await call.print(`${object} -> ${oid}`)
    else if (format === 'long')
      await call.print(`${object} (${await typeOf(repository, object)}) -> ${oid} (${await typeOf(repository, oid)})`)
    else await call.print(object)
  }
  return 0
}

async function remove(call: GitCall, repository: Repository, words: readonly string[]): Promise<number> {
  let exitCode = 0
  for (const word of words) {
    const found = await resolveRevision(repository, word)
    const name = found === undefined ? undefined : `${replacementsPlace(repository.environment.env)}${found.oid}`
    if (name === undefined) await call.warn(`error: failed to resolve '${word}' as a valid ref`)
    else if ((await repository.refs.idOf(name)) === undefined)
      await call.warn(`error: replace ref '${found?.oid ?? ''}' not found`)
    else {
      const changes = new Changes()
      await repository.refs.update(changes, { name, oid: undefined, message: '', noDeref: true })
      await repository.commit(changes)
      await call.print(`Deleted replace ref '${found?.oid ?? ''}'`)
      continue
    }
    exitCode = 1
  }
  return exitCode
}

async function refuseOtherType(
  repository: Repository,
  [object, oid]: readonly [string, ObjectId],
  [replacement, by]: readonly [string, ObjectId],
): Promise<void> {
  const [type, other] = [await typeOf(repository, oid), await typeOf(repository, by)]
  if (type === other) return
  throw failure(
    `Objects must be of the same type.\n'${object}' points to a replaced object of type '${type}'\nwhile '${replacement}' points to a replacement object of type '${other}'.`,
    255,
  )
}

async function put(repository: Repository, oid: ObjectId, by: ObjectId, force: boolean): Promise<void> {
  const name = `${replacementsPlace(repository.environment.env)}${oid}`
  if (!force && (await repository.refs.idOf(name)) !== undefined) throw failure(`replace ref '${name}' already exists`, 255)
  const changes = new Changes()
  await repository.refs.update(changes, { name, oid: by, message: '' })
  await repository.commit(changes)
}

async function commitOf(repository: Repository, word: string, problem: string): Promise<ObjectId> {
  const found = await resolveRevision(repository, word)
  if (found === undefined) throw failure(`not a valid object name: '${word}'`, 255)
  const commit = await peel(repository, found.oid, 'commit')
  if (commit === undefined) throw failure(problem, 255)
  return commit
}

/** Replaces a commit by one with other parents. `isGentle`: one that has these already is only told. */
async function graft(
  call: GitCall,
  repository: Repository,
  [word = '', ...parentWords]: readonly string[],
  force: boolean,
  isGentle: boolean = false,
): Promise<void> {
  const oid = await commitOf(repository, word, `could not parse ${word}`)
  const parents: ObjectId[] = []
  for (const parent of parentWords) parents.push(await commitOf(repository, parent, `could not parse ${parent} as a commit`))
  const { head, message } = splitCommit(decodeText(await repository.objects.readAs(oid, 'commit')))
  const kept = head.filter(({ key }) => key !== 'parent')
  const mergedTags = kept.filter(({ key }) => key === 'mergetag')
  for (const { text } of mergedTags) {
    const [, tagged] = /^mergetag object ([0-9a-f]{40})/.exec(text) ?? []
    if (tagged !== undefined && !parents.includes(tagged))
      throw failure(`original commit '${word}' contains mergetag that is discarded; use --edit instead of --graft`, 255)
  }
  if (kept.some(({ key }) => key === 'gpgsig')) {
    await call.warn(
      `warning: the original commit '${word}' has a gpg signature\nwarning: the signature will be removed in the replacement commit!`,
    )
  }
  const lines = kept.filter(({ key }) => key !== 'gpgsig' && key !== 'gpgsig-sha256').map(({ text }) => text)
  lines.splice(1, 0, ...parents.map(parent => `parent ${parent}`))
  const made = await repository.objects.write('commit', encodeText(`${lines.join('\n')}\n${message}`))
  if (made !== oid) {
    await put(repository, oid, made, force)
    return
  }
  if (!isGentle) throw failure(`new commit is the same as the old one: '${oid}'`, 255)
  await call.warn(`warning: graft for '${oid}' unnecessary`)
}

interface Header {
  readonly key: string
  /** With the lines that continue it. */
  readonly text: string
}

/** The headers of a commit, and everything from the blank line on. */
function splitCommit(text: string): { readonly head: readonly Header[]; readonly message: string } {
  const end = text.indexOf('\n\n')
  const lines = text.slice(0, end === -1 ? text.length : end).split(/\n(?! )/)
  return {
    head: lines.map(line => ({ key: line.slice(0, line.search(/ |$/)), text: line })),
    message: end === -1 ? '' : text.slice(end + 1),
  }
}

async function convertGrafts(call: GitCall, repository: Repository, force: boolean): Promise<number> {
  const path = graftsFile(repository.commonDir, repository.environment.env)
  const bytes = await repository.files.read(path)
  if (bytes === undefined) return 1
  const failed: string[] = []
  for (const line of decodeText(bytes).split('\n')) {
    const words = line.split(' ').filter(Boolean)
    if (line.startsWith('#') || words.length === 0) continue
    try {
      await graft(call, repository, words, force, true)
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error
      await call.warn(error.message)
      failed.push(line)
    }
  }
  if (failed.length === 0) {
    await repository.files.vfs.rm(path)
    return 0
  }
  await call.warn(`warning: could not convert the following graft(s):\n${failed.map(line => `\n\t${line}`).join('')}`)
  return 1
}
