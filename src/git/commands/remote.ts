// `git remote` and `git ls-remote`.

import type { GitCall } from '../call.ts'
import { failure, fatal, GitFailure } from '../errors.ts'
import { openRemote } from '../network/remote.ts'
import { defaultRemote, findRemote } from '../network/remotes.ts'
import type { Options } from '../options.ts'
import { Changes, type Repository } from '../repository.ts'
import { editConfig, editSection, withSettings } from '../store/config-edit.ts'
import { isValidRefName } from '../store/refs.ts'
import { compileWildcard, matchesWildcard } from '../../search/wildmatch.ts'
import { encodeText } from '../../shell/byte-text.ts'
import type { GitCommand } from './command.ts'

export const remote: GitCommand = {
  name: 'remote',
  summary: 'Manage set of tracked repositories',
  options: {
    rows: [
      { names: ['v', 'verbose'] },
      { names: ['f'], refuses: 'fetching along with it is not built into this git; run git fetch' },
      { names: ['tags'] },
      { names: ['t', 'track'], argument: { name: 'branch' } },
      { names: ['m', 'master'], argument: { name: 'branch' } },
      { names: ['mirror'], argument: { name: 'kind', isOptional: true }, refuses: 'mirrors are not built into this git' },
      { names: ['push'] },
      { names: ['all'] },
      { names: ['a', 'auto'] },
      { names: ['d', 'delete'] },
      { names: ['n', 'dry-run'], key: 'no-query' },
      { names: ['p', 'prune'] },
    ],
    usage:
      'git remote [-v | --verbose]\n   or: git remote add <name> <url>\n   or: git remote rename <old> <new>\n   or: git remote remove <name>\n' +
      '   or: git remote get-url [--push] [--all] <name>\n   or: git remote set-url [--push] <name> <newurl>\n   or: git remote set-head <name> (-a | -d | <branch>)\n' +
      '   or: git remote show [-n] <name>...\n   or: git remote prune [-n | --dry-run] <name>...\n   or: git remote update [-p] [<name>...]',
  },
  async run(call, options) {
    const repository = await call.repository()
    const [verb, ...words] = options.all
    const owners = { auto: ['set-head'], delete: ['set-head'], 'no-query': ['show', 'prune'], prune: ['update'] }
    for (const [key, verbs] of Object.entries(owners))
      if (!verbs.includes(verb ?? '') && options.has(key))
        throw new GitFailure(`error: unknown switch \`${key[0]}'\nusage: ${remote.options.usage}\n`, 129)
    const [name = '', second = ''] = words
    switch (verb) {
      case undefined:
        return list(call, repository, options)
      case 'add':
        return add(repository, name, second, options)
      case 'remove':
      case 'rm':
        return remove(repository, name)
      case 'rename':
        return rename(repository, name, second)
      case 'get-url':
        return getUrl(call, repository, name, options)
      case 'set-url':
        return setUrl(repository, name, second, options)
      case 'set-head':
        return (await import('./remote-show.ts')).setRemoteHead(call, repository, words, options)
      case 'show':
        if (words.length === 0) return list(call, repository, options)
        for (const own of words) await (await import('./remote-show.ts')).showRemote(call, repository, own, options)
        return 0
      case 'prune':
        if (words.length === 0) throw new GitFailure('usage: git remote prune [<options>] <name>\n', 129)
        for (const own of words)
          await (await import('./remote-show.ts')).pruneRemote(call, repository, own, options.has('no-query'))
        return 0
      case 'update':
        return (await import('./remote-show.ts')).updateRemotes(call, repository, words, options)
      default:
        throw new GitFailure(`error: Unknown subcommand: ${verb}\nusage: ${remote.options.usage}\n`, 129)
    }
  },
}

async function list(call: GitCall, repository: Repository, options: Options): Promise<number> {
  for (const name of repository.config().subsections('remote').toSorted()) {
    if (!options.has('verbose')) {
      await call.print(name)
      continue
    }
    const { url, pushUrl } = findRemote(repository, name)
    await call.print(`${name}\t${url} (fetch)\n${name}\t${pushUrl} (push)`)
  }
  return 0
}

/** Edits the repository's own configuration. */
async function edit(
  repository: Repository,
  changes: Changes,
  change: (bytes: Uint8Array | undefined, path: string) => Uint8Array | undefined,
): Promise<void> {
  const path = `${repository.commonDir}/config`
  const bytes = change(await repository.files.read(path), path)
  if (bytes !== undefined) changes.write(path, bytes)
}

function isKnown(repository: Repository, name: string): boolean {
  return repository.config().has(`remote.${name}.url`)
}

function needKnown(repository: Repository, name: string): void {
  if (!isKnown(repository, name)) throw failure(`No such remote '${name}'`, 2)
}

async function add(repository: Repository, name: string, url: string, options: Options): Promise<number> {
  if (name === '' || url === '') throw new GitFailure(`usage: ${remote.options.usage}\n`, 129)
  if (!isValidRefName(`refs/remotes/${name}/test`)) throw fatal(`'${name}' is not a valid remote name`)
  if (isKnown(repository, name)) throw failure(`remote ${name} already exists.`, 3)
  const changes = new Changes()
  const tracked = options.values('track')
  const tags: readonly (readonly [string, string])[] = options.has('tags')
    ? [[`remote.${name}.tagOpt`, '--tags']]
    : options.isNegated('tags')
      ? [[`remote.${name}.tagOpt`, '--no-tags']]
      : []
  await edit(repository, changes, (bytes, path) => {
    let result = withSettings(bytes, path, [[`remote.${name}.url`, url]])
    for (const branch of tracked.length === 0 ? ['*'] : tracked) {
      const value = `+refs/heads/${branch}:refs/remotes/${name}/${branch}`
      result = editConfig(result, path, { name: `remote.${name}.fetch`, value, replaces: () => false }) ?? result
    }
    return withSettings(result, path, tags)
  })
  const main = options.value('master')
  if (main !== undefined) {
    const target = `refs/remotes/${name}/${main}`
    const isThere = (await repository.refs.idOf(target)) !== undefined
    await repository.refs.setSymbolic(changes, `refs/remotes/${name}/HEAD`, target, isThere ? 'remote add' : undefined)
  }
  await repository.commit(changes)
  return 0
}

async function remove(repository: Repository, name: string): Promise<number> {
  needKnown(repository, name)
  const changes = new Changes()
  await edit(repository, changes, (bytes, path) => {
    let result = editSection(bytes, path, `remote.${name}`, undefined)
    for (const branch of repository.config().subsections('branch')) {
      if (repository.config().get(`branch.${branch}.remote`) !== name) continue
      for (const key of ['remote', 'merge', 'pushremote']) {
        result = editConfig(result, path, { name: `branch.${branch}.${key}`, value: undefined, replaces: () => true })
      }
    }
    return result
  })
  for (const ref of await repository.refs.list(`refs/remotes/${name}/`)) {
    await repository.refs.update(changes, { name: ref.name, oid: undefined, message: '', noDeref: true })
  }
  await repository.commit(changes)
  return 0
}

async function rename(repository: Repository, from: string, to: string): Promise<number> {
  needKnown(repository, from)
  if (isKnown(repository, to)) throw failure(`remote ${to} already exists.`, 3)
  if (!isValidRefName(`refs/remotes/${to}/test`)) throw fatal(`'${to}' is not a valid remote name`)
  const changes = new Changes()
  const config = repository.config()
  await edit(repository, changes, (bytes, path) => {
    let result = editSection(bytes, path, `remote.${from}`, `remote.${to}`)
    const specs = config.all(`remote.${from}.fetch`)
    for (const spec of specs) {
      const value = spec.replace(`:refs/remotes/${from}/`, () => `:refs/remotes/${to}/`)
      result = editConfig(result, path, { name: `remote.${to}.fetch`, value, replaces: entry => entry.value === spec })
    }
    for (const branch of config.subsections('branch')) {
      if (config.get(`branch.${branch}.remote`) === from) result = withSettings(result, path, [[`branch.${branch}.remote`, to]])
    }
    return result
  })
  const prefix = `refs/remotes/${from}/`
  for (const { name, oid } of await repository.refs.list(prefix)) {
    const target = `refs/remotes/${to}/${name.slice(prefix.length)}`
    const value = await repository.refs.read(name)
    await repository.refs.update(changes, { name, oid: undefined, message: '', noDeref: true })
    if (value?.kind === 'symbolic')
      await repository.refs.setSymbolic(
        changes,
        target,
        value.target.replace(prefix, () => `refs/remotes/${to}/`),
      )
    else await repository.refs.update(changes, { name: target, oid, message: `remote: renamed ${name} to ${target}` })
  }
  await repository.commit(changes)
  return 0
}

async function getUrl(call: GitCall, repository: Repository, name: string, options: Options): Promise<number> {
  needKnown(repository, name)
  const config = repository.config()
  const pushed = options.has('push') ? config.all(`remote.${name}.pushurl`) : []
  const urls = pushed.length > 0 ? pushed : config.all(`remote.${name}.url`)
  for (const url of options.has('all') ? urls : urls.slice(0, 1)) await call.print(url)
  return 0
}

async function setUrl(repository: Repository, name: string, url: string, options: Options): Promise<number> {
  needKnown(repository, name)
  if (url === '') throw new GitFailure(`usage: ${remote.options.usage}\n`, 129)
  const changes = new Changes()
  await edit(repository, changes, (bytes, path) =>
    withSettings(bytes, path, [[`remote.${name}.${options.has('push') ? 'pushurl' : 'url'}`, url]]),
  )
  await repository.commit(changes)
  return 0
}

export const lsRemote: GitCommand = {
  name: 'ls-remote',
  summary: 'List references in a remote repository',
  options: {
    rows: [
      { names: ['h', 'heads'] },
      { names: ['t', 'tags'] },
      { names: ['refs'] },
      { names: ['q', 'quiet'] },
      { names: ['symref'] },
      { names: ['exit-code'] },
      { names: ['get-url'] },
    ],
    usage: 'git ls-remote [--heads] [--tags] [--refs] [-q | --quiet] [--exit-code] [--symref] [<repository> [<patterns>...]]',
  },
  async run(call, options) {
    const repository = await call.findRepository()
    const [given, ...patterns] = options.all
    const name = given ?? (repository === undefined ? undefined : await defaultRemote(repository))
    if (name === undefined) throw fatal('No remote configured to list refs from.')
    // An address works anywhere; a name needs a repository.
    const url = repository === undefined ? name : findRemote(repository, name).url
    if (options.has('get-url')) {
      await call.print(url)
      return 0
    }
    const { refs, head } = await (
      await openRemote(call, url, repository?.baseDirectory ?? call.environment.cwd)
    ).advertised('git-upload-pack')
    if (options.all.length === 0 && !options.has('quiet')) await call.warn(`From ${url}`)
    const wildcards = patterns.map(pattern => compileWildcard(encodeText(`*/${pattern}`), false))
    let found = 0
    for (const [ref, oid] of refs) {
      const isKind = options.has('heads') || options.has('tags')
      if (
        isKind &&
        !(options.has('heads') && ref.startsWith('refs/heads/')) &&
        !(options.has('tags') && ref.startsWith('refs/tags/'))
      )
        continue
      if (options.has('refs') && (ref.endsWith('^{}') || !ref.startsWith('refs/'))) continue
      if (
        wildcards.length > 0 &&
        !wildcards.some(
          (wildcard, at) => matchesWildcard(wildcard, encodeText(`/${ref}`)) || ref.endsWith(`/${patterns[at] ?? ''}`),
        )
      )
        continue
      found++
      if (ref === 'HEAD' && head !== undefined && options.has('symref')) await call.print(`ref: ${head}\tHEAD`)
      await call.print(`${oid}\t${ref}`)
    }
    return found === 0 && options.has('exit-code') ? 2 : 0
  },
}
