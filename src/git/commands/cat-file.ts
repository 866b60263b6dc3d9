import type { GitCommand } from './command.ts'
import { fatal, GitFailure } from '../errors.ts'
import { peel, resolveRevision } from '../revs/revision.ts'
import { isObjectType, typeOfMode } from '../store/object-format.ts'

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
