// Commands for programs: objects, references and ancestors by name.

import { encodeText } from '../../shell/byte-text.ts'
import { fatal, GitFailure } from '../errors.ts'
import { Changes } from '../repository.ts'
import { isAncestor } from '../revs/merge-base.ts'
import { needCommit, peel, resolveRevision } from '../revs/revision.ts'
import { shortestRef } from '../revs/ref-names.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { isObjectType, typeOfMode, zeroId, type ObjectType } from '../store/object-format.ts'
import { hashObject } from '../store/objects.ts'
import { isValidRefName } from '../store/refs.ts'
import { parsePathspec } from '../work/pathspec.ts'
import type { GitCommand } from './command.ts'
import { colorOptionRow, wantsColor } from '../color/wants-color.ts'
import { formatRefs, readRefFields, sortRefs } from './ref-format.ts'

export const catFile: GitCommand = {
  name: 'cat-file',
  summary: 'Provide contents or details of repository objects',
  options: {
    rows: [
      { names: ['t'], key: 'type' },
      { names: ['s'], key: 'size' },
      { names: ['e'], key: 'exists' },
      { names: ['p'], key: 'pretty' },
      { names: ['batch'], argument: { name: 'format', isOptional: true } },
      { names: ['batch-check'], argument: { name: 'format', isOptional: true } },
      { names: ['batch-command'], argument: { name: 'format', isOptional: true } },
      { names: ['batch-all-objects'] },
      { names: ['allow-unknown-type', 'buffer', 'unordered'], isIgnored: true },
      { names: ['follow-symlinks'], refuses: 'following symlinks in trees is not built into this git' },
      { names: ['textconv', 'filters'], refuses: 'filters are never run by this git' },
    ],
    usage: 'git cat-file <type> <object>\n   or: git cat-file (-e | -p | -t | -s) <object>',
  },
  async run(call, options) {
    const opened = await call.repository()
    // The list is of what is stored.
    const repository = options.has('batch-all-objects') ? opened.withoutReplacements() : opened
    const kind = ['batch', 'batch-check', 'batch-command'].find(key => options.has(key))
    if (kind !== undefined) {
      const format = options.value(kind) ?? '%(objectname) %(objecttype) %(objectsize)'
      const names = options.has('batch-all-objects')
        ? [...(await repository.objects.all())].sort()
        : (await call.input()).split('\n').filter((line, index, all) => index < all.length - 1 || line !== '')
      const hasRest = format.includes('%(rest)')
      for (const [, field = ''] of format.matchAll(/%\(([^)]*)\)/g)) {
        if (/^(?:objectsize:disk|deltabase)$/.test(field)) throw fatal(`%(${field}): it is not built into this git`)
        if (!/^(?:objectname|objecttype|objectsize|rest)$/.test(field)) throw fatal(`unknown format element: ${field}`)
      }
      for (const given of names) {
        const [, command = kind, argument = given] =
          kind === 'batch-command' ? (/^(info|contents|flush)(?: (.*))?$/.exec(given) ?? []) : []
        if (command === 'flush') continue
        if (command === 'batch-command') throw fatal(`unknown command: '${given}'`)
        const [, line = argument, rest = ''] = hasRest ? (/^(\S*)\s*(.*)$/.exec(argument) ?? []) : []
        const revision = await resolveRevision(repository, line).catch(() => undefined)
        const object = revision === undefined ? undefined : await repository.objects.read(revision.oid)
        if (revision === undefined || object === undefined) {
          await call.print(`${line} missing`)
          continue
        }
        const fields: Readonly<Record<string, string>> = {
          objectname: revision.oid,
          objecttype: object.type,
          objectsize: String(object.bytes.length),
          rest,
        }
        await call.print(format.replaceAll(/%\(([^)]*)\)/g, (_, field: string) => fields[field] ?? ''))
        if (command !== 'batch' && command !== 'contents') continue
        await call.out.write(object.bytes)
        await call.out.write('\n')
      }
      return 0
    }
    const mode = ['type', 'size', 'exists', 'pretty'].find(key => options.has(key))
    const [first, second] = options.all
    const name = mode === undefined ? second : first
    if (name === undefined) throw new GitFailure('usage: git cat-file <type> <object>', 129)
    const revision = await resolveRevision(repository, name)
    const object = revision === undefined ? undefined : await repository.objects.read(revision.oid)
    if (mode === 'exists') {
      if (revision === undefined) throw fatal(`Not a valid object name ${name}`)
      return object === undefined ? 1 : 0
    }
    if (revision === undefined) throw fatal(`Not a valid object name ${name}`)
    if (object === undefined) throw fatal(`git cat-file: could not get object info`)
    if (mode === 'type') await call.print(object.type)
    else if (mode === 'size') await call.print(String(object.bytes.length))
    else if (mode === 'pretty') {
      if (object.type !== 'tree') await call.out.write(object.bytes)
      else
        for (const entry of await repository.objects.readTree(revision.oid))
          await call.print(`${entry.mode.toString(8).padStart(6, '0')} ${typeOfMode(entry.mode)} ${entry.oid}\t${entry.name}`)
    } else {
      if (!isObjectType(first)) throw fatal(`invalid object type "${first ?? ''}"`)
      const oid = await peel(repository, revision.oid, first)
      const wanted = oid === undefined ? undefined : await repository.objects.read(oid)
      if (wanted === undefined) throw fatal(`git cat-file ${name}: bad file`)
      await call.out.write(wanted.bytes)
    }
    return 0
  },
}

export const hashObjectCommand: GitCommand = {
  name: 'hash-object',
  summary: 'Compute object ID and optionally create an object from a file',
  options: {
    rows: [
      { names: ['t'], argument: { name: 'type' }, key: 'type' },
      { names: ['w'], key: 'write' },
      { names: ['stdin'] },
      { names: ['stdin-paths'] },
      { names: ['no-filters'], isNegatable: false },
      { names: ['literally'], isIgnored: true },
      { names: ['path'], argument: { name: 'file' } },
    ],
    usage: 'git hash-object [-t <type>] [-w] [--stdin | <file>...]',
  },
  async run(call, options) {
    const type = options.value('type') ?? 'blob'
    if (options.has('no-filters') && options.value('path') !== undefined)
      throw fatal("options '--path' and '--no-filters' cannot be used together")
    if (options.value('path') !== undefined)
      throw new GitFailure('error: --path: converting as another file is not built into this git', 129)
    if (!isObjectType(type)) throw fatal(`invalid object type "${type}"`)
    const repository = await call.findRepository()
    const { files, cwd } = call.environment
    const put = async (bytes: Uint8Array, kind: ObjectType): Promise<void> => {
      if (options.has('write') && repository === undefined)
        throw fatal('not a git repository (or any of the parent directories): .git')
      await call.print(
        options.has('write') && repository !== undefined ? await repository.objects.write(kind, bytes) : hashObject(kind, bytes),
      )
    }
    if (options.has('stdin')) await put(await call.inputBytes(), type)
    const names = options.has('stdin-paths') ? (await call.input()).split('\n').filter(Boolean) : options.all
    for (const name of names) {
      const path = name.startsWith('/') ? name : `${cwd}/${name}`
      let bytes = await files.read(path)
      if (bytes === undefined) throw fatal(`could not open '${name}' for reading: No such file or directory`)
      if (repository !== undefined && !repository.isBare && type === 'blob' && path.startsWith(`${repository.root}/`)) {
        const tree = await repository.workTree()
        const own = path.slice(repository.root.length + 1)
        if (!options.has('no-filters'))
          bytes = (await tree.readForRepository(own, await tree.lstat(own), undefined))?.bytes ?? bytes
      }
      await put(bytes, type)
    }
    await repository?.objects.flush()
    return 0
  },
}

export const showRef: GitCommand = {
  name: 'show-ref',
  summary: 'List references in a local repository',
  options: {
    rows: [
      { names: ['tags'] },
      { names: ['heads'] },
      { names: ['verify'] },
      { names: ['head'] },
      { names: ['d', 'dereference'] },
      { names: ['s', 'hash'], argument: { name: 'n', isOptional: true } },
      { names: ['abbrev'], argument: { name: 'n', isOptional: true } },
      { names: ['q', 'quiet'] },
      {
        names: ['exclude-existing'],
        argument: { name: 'pattern', isOptional: true },
        refuses: 'filtering a list is not built into this git',
      },
    ],
    usage: 'git show-ref [-q | --quiet] [--verify] [--head] [-d | --dereference] [--tags] [--heads] [--] [<pattern>...]',
  },
  async run(call, options) {
    const repository = await call.repository()
    const ids = new ShortIds(repository)
    const shown = async (name: string, oid: string): Promise<void> => {
      if (options.has('quiet')) return
      const digits = options.value('hash') ?? options.value('abbrev')
      const id =
        digits === undefined ? (options.has('abbrev') ? await ids.of(oid) : oid) : oid.slice(0, Math.max(4, Number(digits)))
      await call.print(options.has('hash') ? id : `${id} ${name}`)
      if (!options.has('dereference')) return
      const object = await repository.objects.read(oid)
      const target = object?.type === 'tag' ? await resolveRevision(repository, `${oid}^{}`) : undefined
      if (target !== undefined) await call.print(options.has('hash') ? target.oid : `${target.oid} ${name}^{}`)
    }
    if (options.has('verify')) {
      for (const name of options.all) {
        const oid = /^(refs\/|HEAD$|[A-Z_]+$)/.test(name) ? await repository.refs.idOf(name) : undefined
        if (oid === undefined) {
          if (options.has('quiet')) return 1
          throw fatal(`'${name}' - not a valid ref`)
        }
        await shown(name, oid)
      }
      return 0
    }
    let count = 0
    const head = options.has('head') ? await repository.refs.idOf('HEAD') : undefined
    if (head !== undefined) {
      count++
      await shown('HEAD', head)
    }
    for (const { name, oid } of await repository.refs.list()) {
      const isKind =
        (!options.has('tags') && !options.has('heads')) ||
        (options.has('tags') && name.startsWith('refs/tags/')) ||
        (options.has('heads') && name.startsWith('refs/heads/'))
      if (!isKind) continue
      if (options.all.length > 0 && !options.all.some(pattern => name === pattern || name.endsWith(`/${pattern}`))) continue
      count++
      await shown(name, oid)
    }
    return count > 0 ? 0 : 1
  },
}

export const forEachRef: GitCommand = {
  name: 'for-each-ref',
  summary: 'Output information on each ref',
  options: {
    rows: [
      { names: ['count'], argument: { name: 'n' } },
      { names: ['format'], argument: { name: 'format' } },
      { names: ['sort'], argument: { name: 'key' } },
      { names: ['points-at'], argument: { name: 'object' } },
      { names: ['merged'], argument: { name: 'commit', isOptionalAtEnd: true } },
      { names: ['no-merged'], argument: { name: 'commit', isOptionalAtEnd: true }, isNegatable: false },
      { names: ['contains'], argument: { name: 'commit', isOptionalAtEnd: true } },
      { names: ['no-contains'], argument: { name: 'commit', isOptionalAtEnd: true }, isNegatable: false },
      { names: ['shell', 'perl', 'python', 'tcl'], refuses: 'quoting for other programs is not built into this git' },
      colorOptionRow,
      { names: ['ignore-case'] },
    ],
    usage: 'git for-each-ref [<options>] [<pattern>]',
  },
  async run(call, options) {
    const repository = await call.repository()
    const patterns = options.all
    const { compileWildcard, matchesWildcard } = await import('../../search/wildmatch.ts')
    const folded = (text: string): string => (options.has('ignore-case') ? text.toLowerCase() : text)
    const matches = (name: string): boolean =>
      patterns.length === 0 ||
      patterns.some(given => {
        const [pattern, own] = [folded(given), folded(name)]
        return (
          own === pattern ||
          own.startsWith(pattern.endsWith('/') ? pattern : `${pattern}/`) ||
          matchesWildcard(compileWildcard(encodeText(pattern), true), encodeText(own))
        )
      })
    const commitOf = async (key: string): Promise<string | undefined> =>
      options.has(key) ? needCommit(repository, options.value(key) ?? 'HEAD') : undefined
    const [merged, unmerged, contains, lacks, pointsAt] = [
      await commitOf('merged'),
      await commitOf('no-merged'),
      await commitOf('contains'),
      await commitOf('no-contains'),
      options.value('points-at'),
    ]
    const target = pointsAt === undefined ? undefined : (await resolveRevision(repository, pointsAt))?.oid
    const refs = []
    for (const ref of await repository.refs.list()) {
      if (!matches(ref.name)) continue
      const commit = await peel(repository, ref.oid, 'commit')
      if (target !== undefined && ref.oid !== target && commit !== target) continue
      if (merged !== undefined && (commit === undefined || !(await isAncestor(repository, commit, merged)))) continue
      if (unmerged !== undefined && (commit === undefined || (await isAncestor(repository, commit, unmerged)))) continue
      if (contains !== undefined && (commit === undefined || !(await isAncestor(repository, contains, commit)))) continue
      if (lacks !== undefined && (commit === undefined || (await isAncestor(repository, lacks, commit)))) continue
      refs.push(ref)
    }
    const rows = sortRefs(await readRefFields(call, repository, refs), options.values('sort'), options.has('ignore-case'))
    const count = options.number('count') ?? rows.length
    for (const line of await formatRefs(
      rows.slice(0, count),
      options.value('format') ?? '%(objectname) %(objecttype)\t%(refname)',
      wantsColor(options, repository.config(), []),
    ))
      await call.print(line)
    return 0
  },
}

export const symbolicRef: GitCommand = {
  name: 'symbolic-ref',
  summary: 'Read, modify and delete symbolic refs',
  options: {
    rows: [
      { names: ['q', 'quiet'] },
      { names: ['d', 'delete'] },
      { names: ['short'] },
      { names: ['recurse'] },
      { names: ['m'], argument: { name: 'reason' }, key: 'reason' },
    ],
    usage: 'git symbolic-ref [-m <reason>] <name> <ref>\n   or: git symbolic-ref [-q] [--short] <name>',
  },
  async run(call, options) {
    const repository = await call.repository()
    const [name, target] = options.all
    if (name === undefined) throw new GitFailure(`usage: ${symbolicRef.options.usage}`, 129)
    const changes = new Changes()
    const value = await repository.refs.read(name)
    if (options.has('delete')) {
      if (value?.kind !== 'symbolic') throw fatal(`Cannot delete ${name}, not a symbolic ref`)
      if (name === 'HEAD') throw fatal("deleting 'HEAD' is not allowed")
      await repository.refs.update(changes, { name, oid: undefined, message: '', noDeref: true })
      await repository.commit(changes)
      return 0
    }
    if (target !== undefined) {
      if (name === 'HEAD' && !target.startsWith('refs/')) throw fatal('Refusing to point HEAD outside of refs/')
      if (!isValidRefName(target)) throw fatal(`Refusing to set '${name}' to invalid ref '${target}'`)
      // `HEAD` has a log of its past values; the reason may be missing.
      await repository.refs.setSymbolic(changes, name, target, options.value('reason') ?? (name === 'HEAD' ? '' : undefined))
      await repository.commit(changes)
      return 0
    }
    if (value?.kind !== 'symbolic') {
      if (options.has('quiet')) return 1
      throw fatal(value === undefined ? `No such ref: ${name}` : `ref ${name} is not a symbolic ref`)
    }
    const shown = options.isNegated('recurse') ? value.target : (await repository.refs.resolve(name)).name
    await call.print(options.has('short') ? await shortestRef(repository, shown) : shown)
    return 0
  },
}

export const updateRef: GitCommand = {
  name: 'update-ref',
  summary: 'Update the object name stored in a ref safely',
  options: {
    rows: [
      { names: ['m'], argument: { name: 'reason' }, key: 'reason' },
      { names: ['d'], key: 'delete' },
      { names: ['no-deref'], isNegatable: false },
      { names: ['z'], refuses: 'input with NUL is not built into this git' },
      { names: ['stdin'] },
      { names: ['create-reflog'] },
    ],
    usage: 'git update-ref [<options>] <refname> <new-oid> [<old-oid>]',
  },
  async run(call, options) {
    const repository = await call.repository()
    const idOf = async (text: string): Promise<string> => {
      if (text === '' || /^0+$/.test(text)) return zeroId
      const revision = await resolveRevision(repository, text)
      if (revision === undefined || !(await repository.objects.has(revision.oid))) throw fatal(`${text}: not a valid SHA1`)
      return revision.oid
    }
    const changes = new Changes()
    const message = options.value('reason') ?? ''
    const noDeref = options.has('no-deref')
    const makesLog = options.has('create-reflog')
    if (options.has('stdin')) {
      for (const line of (await call.input()).split('\n').filter(Boolean)) {
        const [verb = '', name = '', first, second] = line.split(' ')
        if (verb === 'start' || verb === 'prepare' || verb === 'commit') continue
        if (verb === 'create')
          await repository.refs.update(changes, {
            name,
            oid: await idOf(first ?? ''),
            expected: zeroId,
            message,
            noDeref,
            makesLog,
          })
        else if (verb === 'update')
          await repository.refs.update(changes, {
            name,
            oid: await idOf(first ?? ''),
            ...(second === undefined ? {} : { expected: await idOf(second) }),
            message,
            noDeref,
            makesLog,
          })
        else if (verb === 'delete')
          await repository.refs.update(changes, {
            name,
            oid: undefined,
            ...(first === undefined ? {} : { expected: await idOf(first) }),
            message,
            noDeref,
          })
        else throw fatal(`unknown command: ${line}`)
      }
      await repository.commit(changes)
      return 0
    }
    const [name, first, second] = options.all
    if (name === undefined || (first === undefined && !options.has('delete')))
      throw new GitFailure(`usage: ${updateRef.options.usage}`, 129)
    if (!/^(refs\/.|[A-Z_]+$)/.test(name) || !isValidRefName(name))
      throw fatal(`update_ref failed for ref '${name}': refusing to update ref with bad name '${name}'`)
    const oid = options.has('delete') ? undefined : await idOf(first ?? '')
    const expected = options.has('delete') ? first : second
    await repository.refs.update(changes, {
      name,
      oid: oid === zeroId ? undefined : oid,
      ...(expected === undefined ? {} : { expected: await idOf(expected) }),
      message,
      noDeref,
      makesLog,
    })
    await repository.commit(changes)
    return 0
  },
}

export const checkIgnore: GitCommand = {
  name: 'check-ignore',
  summary: 'Debug gitignore / exclude files',
  options: {
    rows: [
      { names: ['q', 'quiet'] },
      { names: ['v', 'verbose'] },
      { names: ['stdin'] },
      { names: ['z'] },
      { names: ['n', 'non-matching'] },
      { names: ['no-index'], isNegatable: false },
    ],
    usage: 'git check-ignore [<options>] <pathname>...',
  },
  async run(call, options) {
    const repository = await call.repository()
    const isNull = options.has('z')
    const names = options.has('stdin') ? (await call.input()).split(isNull ? '\0' : '\n').filter(Boolean) : options.all
    if (names.length === 0 && !options.has('stdin')) throw fatal('no path specified')
    const { quotePath } = await import('../quote.ts')
    const rules = repository.ignore()
    const index = await repository.readIndex()
    const tree = await repository.workTree()
    let count = 0
    for (const name of names) {
      const path = parsePathspec(repository, [`:(literal)${name}`]).items[0]?.path ?? ''
      const isTracked = !options.has('no-index') && index.has(path)
      const stat = await tree.lstat(path)
      const found =
        isTracked || path === '' ? undefined : await rules.match(path, stat?.kind === 'directory' || name.endsWith('/'))
      const isShown = found !== undefined && (found.isIgnored || options.has('verbose'))
      if (isShown && found.isIgnored) count++
      else if (isShown && options.has('verbose')) count++
      if (options.has('quiet') || (!isShown && !options.has('non-matching'))) continue
      const shown = isNull ? name : quotePath(name, repository.config().bool('core.quotepath', true))
      if (!options.has('verbose')) await call.out.write(shown + (isNull ? '\0' : '\n'))
      else if (isNull) await call.out.write(`${found?.source ?? ''}\0${found?.line ?? ''}\0${found?.pattern ?? ''}\0${name}\0`)
      else await call.print(`${found === undefined ? '::' : `${found.source}:${found.line}:${found.pattern}`}\t${shown}`)
    }
    return count > 0 ? 0 : 1
  },
}

export const writeTree: GitCommand = {
  name: 'write-tree',
  summary: 'Create a tree object from the current index',
  options: { rows: [{ names: ['missing-ok'], isIgnored: true }], usage: 'git write-tree' },
  async run(call) {
    const repository = await call.repository()
    const index = await repository.readIndex()
    const oid = await repository.writeTree(index)
    await repository.objects.flush()
    await call.print(oid)
    return 0
  },
}
