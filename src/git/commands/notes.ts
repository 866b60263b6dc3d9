// `git notes`.

import { decodeText, encodeText } from '../../shell/byte-text.ts'
import type { GitCall } from '../call.ts'
import { failure, fatal, GitFailure } from '../errors.ts'
import { type Options, parseOptions, type OptionTable } from '../options.ts'
import { Changes, type Repository } from '../repository.ts'
import { resolveRevision } from '../revs/revision.ts'
import { Notes, notesRef } from '../store/notes.ts'
import type { ObjectId } from '../store/object-format.ts'
import type { GitCommand } from './command.ts'
import { cleanMessage } from '../merge/commit-text.ts'
import { needsEditor } from './message.ts'

const usage =
  'git notes [--ref <notes-ref>] [list [<object>]]\n   or: git notes [--ref <notes-ref>] add [-f] [--allow-empty] [-m <msg> | -F <file> | -C <object>] [<object>]\n' +
  '   or: git notes [--ref <notes-ref>] copy [-f] <from-object> <to-object>\n   or: git notes [--ref <notes-ref>] append [--allow-empty] [-m <msg> | -F <file> | -C <object>] [<object>]\n' +
  '   or: git notes [--ref <notes-ref>] show [<object>]\n   or: git notes [--ref <notes-ref>] remove [<object>...]\n   or: git notes [--ref <notes-ref>] prune [-n] [-v]\n   or: git notes [--ref <notes-ref>] get-ref'

const verbOptions: OptionTable = {
  rows: [
    { names: ['f', 'force'] },
    { names: ['allow-empty'] },
    { names: ['m', 'message'], argument: { name: 'message' }, key: 'text' },
    { names: ['F', 'file'], argument: { name: 'file' }, key: 'text-file' },
    { names: ['C', 'reuse-message'], argument: { name: 'object' }, key: 'text-object' },
    { names: ['c', 'reedit-message'], argument: { name: 'object' }, refuses: 'editors are never run by this git; use -C' },
    { names: ['ignore-missing'] },
    { names: ['stdin'] },
    { names: ['n', 'dry-run'] },
    { names: ['v', 'verbose'] },
  ],
  usage,
}

export const notes: GitCommand = {
  name: 'notes',
  summary: 'Add or inspect object notes',
  options: { rows: [{ names: ['ref'], argument: { name: 'notes-ref' } }], stopsAtWord: true, usage },
  async run(call, options) {
    const repository = await call.repository()
    const ref = notesRef(repository, options.value('ref'))
    const [verb = 'list', ...rest] = options.all
    const given = parseOptions(verbOptions, rest)
    switch (verb) {
      case 'get-ref':
        await call.print(ref)
        return 0
      case 'list':
        return list(call, repository, await Notes.read(repository, ref), given)
      case 'show':
        return show(call, repository, await Notes.read(repository, ref), given)
      case 'add':
      case 'append':
        return write(call, repository, await Notes.read(repository, ref), given, verb)
      case 'copy':
        return copy(call, repository, await Notes.read(repository, ref), given)
      case 'remove':
        return remove(call, repository, await Notes.read(repository, ref), given)
      case 'prune':
        return prune(call, repository, await Notes.read(repository, ref), given)
      case 'edit':
        throw needsEditor('give the text with git notes add -f -m')
      case 'merge':
        throw new GitFailure('error: git notes merge is not built into this git', 129)
      default:
        throw new GitFailure(`error: unknown subcommand: \`${verb}'\nusage: ${usage}\n`, 129)
    }
  },
}

async function objectOf(repository: Repository, word: string): Promise<ObjectId> {
  const revision = await resolveRevision(repository, word)
  if (revision === undefined) throw fatal(`failed to resolve '${word}' as a valid ref.`)
  return revision.oid
}

async function list(call: GitCall, repository: Repository, all: Notes, options: Options): Promise<number> {
  const [word] = options.all
  if (word === undefined) {
    for (const [object, note] of all.list()) await call.print(`${note} ${object}`)
    return 0
  }
  await call.print(await needNote(all, await objectOf(repository, word)))
  return 0
}

async function needNote(all: Notes, object: ObjectId): Promise<ObjectId> {
  const note = all.get(object)
  if (note === undefined) throw failure(`no note found for object ${object}.`)
  return Promise.resolve(note)
}

async function show(call: GitCall, repository: Repository, all: Notes, options: Options): Promise<number> {
  const note = await needNote(all, await objectOf(repository, options.all[0] ?? 'HEAD'))
  await call.out.write(await repository.objects.readBlob(note))
  return 0
}

async function write(
  call: GitCall,
  repository: Repository,
  all: Notes,
  options: Options,
  verb: 'add' | 'append',
): Promise<number> {
  const [word = 'HEAD', more] = options.all
  if (more !== undefined) throw new GitFailure(`error: too many arguments\nusage: ${usage}\n`, 129)
  const object = await objectOf(repository, word)
  const before = all.get(object)
  if (verb === 'add' && before !== undefined) {
    if (!options.has('force'))
      throw failure(`Cannot add notes. Found existing notes for object ${object}. Use '-f' to overwrite existing notes`)
    await call.warn(`Overwriting existing notes for object ${object}`)
  }
  const text = await textOf(call, repository, options)
  const old = verb === 'append' && before !== undefined ? decodeText(await repository.objects.readBlob(before)) : ''
  const whole = old !== '' && text !== '' ? `${old.replace(/\n$/, '')}\n\n${text}` : old + text
  if (whole === '' && !options.has('allow-empty')) {
    await call.warn(`Removing note for object ${object}`)
    if (before === undefined) return 0
    all.set(object, undefined)
    return keep(repository, all, `Notes removed by 'git notes ${verb}'`)
  }
  all.set(object, await repository.objects.write('blob', encodeText(whole)))
  return keep(repository, all, `Notes added by 'git notes ${verb}'`)
}

/** The texts of `-m`, `-F` and `-C` in order, each a paragraph. */
async function textOf(call: GitCall, repository: Repository, options: Options): Promise<string> {
  const parts: string[] = []
  let isCleaned = true
  for (const { key, value = '' } of options.given) {
    if (key === 'text') parts.push(value)
    else if (key === 'text-file') parts.push(await readText(call, value))
    else if (key === 'text-object') {
      const oid = await objectOf(repository, value)
      const object = await repository.objects.read(oid)
      if (object?.type !== 'blob') throw fatal(`cannot read note data from non-blob object '${value}'.`)
      parts.push(decodeText(object.bytes))
      isCleaned = false
    }
  }
  if (parts.length === 0) throw needsEditor('give the text with -m, -F or -C')
  const text = parts.map(part => part.replace(/\n$/, '')).join('\n\n')
  return isCleaned ? cleanMessage(text) : parts.join('\n')
}

async function readText(call: GitCall, file: string): Promise<string> {
  if (file === '-') return call.input()
  const { files, cwd } = call.environment
  const bytes = await files.read(file.startsWith('/') ? file : `${cwd}/${file}`)
  if (bytes === undefined) throw fatal(`could not open or read '${file}': No such file or directory`)
  return decodeText(bytes)
}

async function copy(call: GitCall, repository: Repository, all: Notes, options: Options): Promise<number> {
  if (options.has('stdin')) throw new GitFailure('error: --stdin is not built into this git', 129)
  const [from, to = 'HEAD', more] = options.all
  if (from === undefined || more !== undefined)
    throw new GitFailure(`error: too ${from === undefined ? 'few' : 'many'} arguments\nusage: ${usage}\n`, 129)
  const source = await objectOf(repository, from)
  const target = await objectOf(repository, to)
  if (all.get(target) !== undefined) {
    if (!options.has('force'))
      throw failure(`Cannot copy notes. Found existing notes for object ${target}. Use '-f' to overwrite existing notes`)
    await call.warn(`Overwriting existing notes for object ${target}`)
  }
  const note = all.get(source)
  if (note === undefined) throw failure(`missing notes on source object ${source}. Cannot copy.`)
  all.set(target, note)
  return keep(repository, all, "Notes added by 'git notes copy'")
}

async function remove(call: GitCall, repository: Repository, all: Notes, options: Options): Promise<number> {
  const words = options.has('stdin')
    ? (await call.input()).split('\n').filter(Boolean)
    : options.all.length === 0
      ? ['HEAD']
      : options.all
  let exitCode = 0
  let count = 0
  for (const word of words) {
    const object = await objectOf(repository, word)
    if (all.get(object) === undefined) {
      await call.warn(`Object ${word} has no note`)
      if (!options.has('ignore-missing')) exitCode = 1
      continue
    }
    await call.warn(`Removing note for object ${word}`)
    all.set(object, undefined)
    count++
  }
  if (exitCode === 0 && count > 0) await keep(repository, all, "Notes removed by 'git notes remove'")
  return exitCode
}

/** Notes of objects that no longer exist. */
async function prune(call: GitCall, repository: Repository, all: Notes, options: Options): Promise<number> {
  const isDry = options.has('dry-run')
  let count = 0
  for (const [object] of all.list()) {
    if (await repository.objects.has(object)) continue
    if (isDry || options.has('verbose')) await call.print(object)
    all.set(object, undefined)
    count++
  }
  return isDry || count === 0 ? 0 : keep(repository, all, "Notes removed by 'git notes prune'")
}

async function keep(repository: Repository, all: Notes, message: string): Promise<number> {
  const changes = new Changes()
  await all.commit(changes, message)
  await repository.commit(changes)
  return 0
}
