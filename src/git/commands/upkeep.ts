// Maintenance of a repository: `fsck`, `gc`, `prune`, `pack-refs`, `count-objects`.

import { encodeText } from '../../shell/byte-text.ts'
import { GitFailure } from '../errors.ts'
import { approximateDate } from '../revs/read-date.ts'
import { peel } from '../revs/revision.ts'
import { linksOf, reachedObjects } from '../revs/reachable.ts'
import { Changes, type Repository } from '../repository.ts'
import { emptyTreeId, type ObjectId } from '../store/object-format.ts'
import { faultsOf } from '../store/object-faults.ts'
import type { GitCommand } from './command.ts'

/** The block size of a filesystem: a small file takes this much. */
const blockBytes = 4096

export const fsck: GitCommand = {
  name: 'fsck',
  summary: 'Verifies the connectivity and validity of the objects in the database',
  options: {
    rows: [
      { names: ['v', 'verbose', 'full', 'progress', 'cache'], isIgnored: true },
      { names: ['strict'] },
      { names: ['connectivity-only', 'name-objects'], refuses: 'it is not built into this git' },
      { names: ['tags'] },
      { names: ['root'] },
      { names: ['unreachable'] },
      { names: ['dangling'] },
      { names: ['reflogs'] },
      { names: ['lost-found'], refuses: 'writing lost objects is not built into this git' },
    ],
    usage: 'git fsck [--tags] [--root] [--unreachable] [--[no-]dangling] [--[no-]reflogs] [--[no-]full] [--strict] [<object>...]',
  },
  async run(call, options) {
    if (options.all.length > 0)
      throw new GitFailure('error: checking only what named objects reach is not built into this git; name none', 129)
    const repository = (await call.repository()).withoutReplacements()
    const { objects } = repository
    let exitCode = 0
    const { branch, oid: head } = await repository.head()
    if (head === undefined) {
      await call.warn(`notice: HEAD points to an unborn branch (${(branch ?? '').replace('refs/heads/', '')})`)
      if ((await repository.refs.list()).length === 0) await call.warn('notice: No default references')
    }
    const types = new Map<ObjectId, string>()
    const linked = new Set<ObjectId>()
    for (const oid of await objects.all()) {
      call.check()
      try {
        const object = await objects.read(oid)
        if (object === undefined) continue
        types.set(oid, object.type)
        for (const { level, name, text } of faultsOf(object.type, object.bytes)) {
          if (level === 'hint' && !options.has('strict')) continue
          const isError = level === 'error' || (level === 'warning' && options.has('strict'))
          await call.warn(`${isError ? 'error' : 'warning'} in ${object.type} ${oid}: ${name}: ${text}`)
          if (isError) exitCode |= 1
        }
        const links = await linksOf(repository, oid, object.type)
        for (const link of links) linked.add(link.oid)
        if (options.has('root') && object.type === 'commit' && links.length === 1) await call.print(`root ${oid}`)
        if (options.has('tags') && object.type === 'tag') {
          const tag = await objects.readTag(oid)
          await call.print(`tagged ${tag.type} ${tag.object} (${tag.name}) in ${oid}`)
        }
      } catch (error) {
        if (!(error instanceof GitFailure)) throw error
        await call.warn(`error: ${oid}: object corrupt or missing\n${error.message.replace(/^fatal: /, 'error: ')}`)
        exitCode |= 1
      }
    }
    const { found, missing } = await reachedObjects(repository, {
      logs: !options.isNegated('reflogs'),
      otherIndexes: false,
    })
    const absent = new Map(missing)
    // The empty tree can be read without being stored.
    if (found.has(emptyTreeId) && !types.has(emptyTreeId)) absent.set(emptyTreeId, 'tree')
    for (const oid of inHashOrder(new Set([...types.keys(), ...absent.keys()]))) {
      const [type, kind] = [types.get(oid), absent.get(oid)]
      if (kind !== undefined) {
        await call.print(`missing ${kind} ${oid}`)
        exitCode |= 2
      } else if (found.has(oid) || oid === emptyTreeId) continue
      else if (options.has('unreachable')) await call.print(`unreachable ${type} ${oid}`)
      else if (!linked.has(oid) && !options.isNegated('dangling')) await call.print(`dangling ${type} ${oid}`)
    }
    return exitCode
  },
}

/** The order of a hash table that doubles when it is half full, in which git lists objects. */
function inHashOrder(ids: ReadonlySet<ObjectId>): readonly ObjectId[] {
  let size = 32
  while (size - 1 <= (ids.size - 1) * 2) size *= 2
  const slots: (ObjectId | undefined)[] = Array.from({ length: size })
  for (const oid of ids) {
    // The first four bytes are a number, the lowest byte first.
    const first = Number.parseInt((oid.slice(0, 8).match(/../g) ?? []).toReversed().join(''), 16)
    let at = first % size
    while (slots[at] !== undefined) at = (at + 1) % size
    slots[at] = oid
  }
  return slots.filter(oid => oid !== undefined)
}

export const gc: GitCommand = {
  name: 'gc',
  summary: 'Cleanup unnecessary files and optimize the local repository',
  options: {
    rows: [
      { names: ['auto'], isNegatable: false },
      { names: ['prune'], argument: { name: 'date', isOptional: true }, isIgnored: true },
      { names: ['q', 'quiet', 'aggressive', 'force', 'keep-largest-pack', 'cruft'], isIgnored: true },
    ],
    usage: 'git gc [<options>]',
  },
  async run(call, options) {
    // Objects are not packed again: that would save space, and change nothing that a command shows.
    const repository = await call.repository()
    if (!options.has('auto')) await packAllRefs(repository, true)
    return 0
  },
}

export const packRefs: GitCommand = {
  name: 'pack-refs',
  summary: 'Pack heads and tags for efficient repository access',
  options: { rows: [{ names: ['all'] }, { names: ['prune'] }], usage: 'git pack-refs [--all] [--no-prune]' },
  async run(call, options) {
    await packAllRefs(await call.repository(), options.has('all'), !options.isNegated('prune'))
    return 0
  },
}

async function packAllRefs(repository: Repository, isAll: boolean, removesLoose: boolean = true): Promise<void> {
  const { files, commonDir } = repository
  const lines = ['# pack-refs with: peeled fully-peeled sorted ']
  const changes = new Changes()
  for (const { name, oid } of await repository.refs.list()) {
    if ((await repository.refs.read(name))?.kind === 'symbolic') continue
    const path = `${commonDir}/${name}`
    const isLoose = (await files.lstat(path)) !== undefined
    if (isLoose && !isAll && !name.startsWith('refs/tags/')) continue
    lines.push(`${oid} ${name}`)
    const object = await repository.objects.read(oid)
    if (object?.type === 'tag') {
      const { object: target, type } = await repository.objects.readTag(oid)
      lines.push(`^${type === 'tag' ? ((await peel(repository, oid, 'commit')) ?? target) : target}`)
    }
    if (isLoose && removesLoose) changes.remove(path)
  }
  changes.write(`${commonDir}/packed-refs`, encodeText(`${lines.join('\n')}\n`))
  await repository.commit(changes)
}

export const prune: GitCommand = {
  name: 'prune',
  summary: 'Prune all unreachable objects from the object database',
  options: {
    rows: [
      { names: ['n', 'dry-run'] },
      { names: ['v', 'verbose'] },
      { names: ['expire'], argument: { name: 'time' } },
      { names: ['progress', 'exclude-promisor-objects'], isIgnored: true },
    ],
    usage: 'git prune [-n] [-v] [--progress] [--expire <time>] [--] [<head>...]',
  },
  async run(call, options) {
    const repository = (await call.repository()).withoutReplacements()
    const { found } = await reachedObjects(repository, { logs: true, otherIndexes: true })
    const expire = options.value('expire')
    const newestMs =
      expire === undefined || expire === 'now' ? Number.POSITIVE_INFINITY : approximateDate(expire, call.now) * 1000
    for (const { oid, path } of await looseObjects(repository)) {
      if (found.has(oid)) continue
      const stat = await repository.files.lstat(path)
      if (stat === undefined || stat.mtimeMs > newestMs) continue
      const object = await repository.objects.read(oid)
      if (options.has('dry-run') || options.has('verbose')) await call.print(`${oid} ${object?.type ?? 'unknown'}`)
      if (!options.has('dry-run')) await repository.files.vfs.rm(path)
    }
    repository.environment.cache.drop()
    return 0
  },
}

export const countObjects: GitCommand = {
  name: 'count-objects',
  summary: 'Count unpacked number of objects and their disk consumption',
  options: {
    rows: [{ names: ['v', 'verbose'] }, { names: ['H', 'human-readable'], refuses: 'it is not built into this git' }],
    usage: 'git count-objects [-v]',
  },
  async run(call, options) {
    const repository = await call.repository()
    const loose = await looseObjects(repository)
    let diskBytes = 0
    for (const { path } of loose) {
      const size = (await repository.files.lstat(path))?.sizeBytes ?? 0
      diskBytes += Math.ceil(size / blockBytes) * blockBytes
    }
    const kilobytes = Math.floor(diskBytes / 1024)
    if (!options.has('verbose')) {
      await call.print(`${loose.length} objects, ${kilobytes} kilobytes`)
      return 0
    }
    const packs = (await repository.files.list(`${repository.commonDir}/objects/pack`)).map(({ name }) => name)
    let packBytes = 0
    for (const name of packs)
      packBytes += (await repository.files.lstat(`${repository.commonDir}/objects/pack/${name}`))?.sizeBytes ?? 0
    const packed = new Set(await repository.objects.all())
    const looseIds = new Set(loose.map(({ oid }) => oid))
    for (const oid of looseIds) packed.delete(oid)
    const rows: readonly (readonly [string, number])[] = [
      ['count', loose.length],
      ['size', kilobytes],
      ['in-pack', packed.size],
      ['packs', packs.filter(name => name.endsWith('.pack')).length],
      ['size-pack', Math.floor(packBytes / 1024)],
      ['prune-packable', 0],
      ['garbage', 0],
      ['size-garbage', 0],
    ]
    for (const [name, value] of rows) await call.print(`${name}: ${value}`)
    return 0
  },
}

async function looseObjects(repository: Repository): Promise<readonly { readonly oid: ObjectId; readonly path: string }[]> {
  const found: { readonly oid: ObjectId; readonly path: string }[] = []
  const base = `${repository.commonDir}/objects`
  for (const { name } of await repository.files.list(base)) {
    if (!/^[0-9a-f]{2}$/.test(name)) continue
    for (const file of await repository.files.list(`${base}/${name}`))
      if (/^[0-9a-f]{38}$/.test(file.name)) found.push({ oid: name + file.name, path: `${base}/${name}/${file.name}` })
  }
  return found
}
