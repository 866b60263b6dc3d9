// `git clone`.

import { fatal } from '../errors.ts'
import type { GitCall } from '../call.ts'
import { checkOutMerge } from '../merge/outcome.ts'
import { fetchFrom } from '../network/fetcher.ts'
import { checkedAddress } from '../network/guard.ts'
import { isPath, openRemote } from '../network/remote.ts'
import { findRemote } from '../network/remotes.ts'
import { parseRefSpec } from '../network/ref-spec.ts'
import { type Options, parseOptions } from '../options.ts'
import { Changes, type GitEnvironment, Repository } from '../repository.ts'
import type { GitCommand } from './command.ts'
import { withSettings } from '../store/config-edit.ts'

export const clone: GitCommand = {
  name: 'clone',
  summary: 'Clone a repository into a new directory',
  options: {
    rows: [
      { names: ['v', 'verbose'], isIgnored: true },
      { names: ['q', 'quiet'] },
      { names: ['progress'], isIgnored: true },
      { names: ['n', 'no-checkout'], isNegatable: false },
      { names: ['bare'] },
      { names: ['mirror'] },
      { names: ['l', 'local'] },
      { names: ['hardlinks'], isIgnored: true },
      { names: ['s', 'shared'], refuses: 'sharing objects is not built into this git' },
      {
        names: ['reference', 'reference-if-able'],
        argument: { name: 'repo' },
        refuses: 'sharing objects is not built into this git',
      },
      { names: ['c', 'config'], argument: { name: 'key=value' } },
      { names: ['j', 'jobs'], argument: { name: 'n' }, isIgnored: true },
      { names: ['template'], argument: { name: 'directory' }, refuses: 'templates are not built into this git' },
      {
        names: ['recurse-submodules', 'recursive'],
        argument: { name: 'path', isOptional: true },
        refuses: 'submodules are not built into this git',
      },
      { names: ['o', 'origin'], argument: { name: 'name' } },
      { names: ['b', 'branch'], argument: { name: 'branch' } },
      { names: ['depth'], argument: { name: 'depth' } },
      { names: ['single-branch'] },
      { names: ['no-tags'], isNegatable: false },
      {
        names: ['filter'],
        argument: { name: 'args' },
        refuses: 'cloning without some objects is not built into this git; use --depth',
      },
    ],
    usage: 'git clone [<options>] [--] <repo> [<dir>]',
  },
  async run(call, options) {
    const [url, given, ...more] = options.all
    if (url === undefined) throw fatal('You must specify a repository to clone.', 129)
    if (more.length > 0) throw fatal('Too many arguments.', 129)
    const { environment } = call
    if (!isPath(url)) checkedAddress(url, environment.network)
    const local = isPath(url) ? await localAddress(call, url) : undefined
    const isBare = options.has('bare') || options.has('mirror')
    const guessed = /([^/:]+?)(?:\.git)?\/*$/.exec(url.replace(/\/\.git\/*$/, ''))?.[1]
    const name = given ?? (guessed === undefined ? '' : isBare ? `${guessed}.git` : guessed)
    if (name === '') throw fatal(`could not guess a directory for '${url}'; name one behind the address`)
    const directory = name.startsWith('/') ? name : `${environment.cwd}/${name}`
    const { files } = environment
    const before = await files.stat(directory)
    if (before !== undefined && (before.kind !== 'directory' || (await files.list(directory)).length > 0)) {
      throw fatal(`destination path '${name}' already exists and is not an empty directory.`)
    }
    const isQuiet = options.has('quiet')
    if (!isQuiet) await call.warn(`Cloning into ${isBare ? 'bare repository ' : ''}'${name}'...`)
    if (options.has('depth') && copiesWhole(url, options))
      await call.warn('warning: --depth is ignored in local clones; use file:// instead.')
    const { init } = await import('./init.ts')
    await init.run(call, parseOptions(init.options, ['-q', '-b', 'master', ...(isBare ? ['--bare'] : []), directory]), [])
    try {
      await fill(call, directory, local ?? url, options)
      if (!isQuiet && local !== undefined) await call.warn('done.')
    } catch (error) {
      // An unfinished clone is useless, and would be in the way of the next attempt.
      if (before === undefined) await files.vfs.rm(directory, { recursive: true, force: true })
      else
        for (const { name: own } of await files.list(directory))
          await files.vfs.rm(`${directory}/${own}`, { recursive: true, force: true })
      throw error
    }
    return 0
  },
}

/** Whether a repository is copied with its whole history, whatever the depth. */
function copiesWhole(url: string, options: Options): boolean {
  return isPath(url) && !url.startsWith('file://') && !options.isNegated('local')
}

/** The address of a repository of this filesystem, as the clone remembers it. */
async function localAddress(call: GitCall, url: string): Promise<string> {
  const { findLocal } = await import('../network/local-remote.ts')
  const found = await findLocal(call, url, call.environment.cwd)
  if (found === undefined) throw fatal(`repository '${url}' does not exist`)
  return /^(?:file:\/)?\//.test(url) ? url : `${call.environment.cwd}/${url}`
}

async function fill(call: GitCall, directory: string, url: string, options: Options): Promise<void> {
  const { environment } = call
  const origin = options.value('origin') ?? 'origin'
  const root = await environment.files.vfs.realpath(directory)
  const isBare = options.has('bare') || options.has('mirror')
  const config = isBare ? `${root}/config` : `${root}/.git/config`
  const branch = options.value('branch')
  const depth = copiesWhole(url, options) ? undefined : options.number('depth')
  const isSingle = options.has('single-branch') || (options.has('depth') && !options.isNegated('single-branch'))
  const side = isBare ? 'refs/heads/' : `refs/remotes/${origin}/`
  const open = async (): Promise<Repository> => openAt(environment, root)
  const write = async (settings: readonly (readonly [string, string])[]): Promise<void> => {
    const changes = new Changes()
    const bytes = withSettings(await environment.files.read(config), config, settings)
    if (bytes !== undefined) changes.write(config, bytes)
    await changes.commit(environment.files, environment.signal)
  }
  const all = options.has('mirror') ? '+refs/*:refs/*' : `+refs/heads/*:${side}*`
  await write([
    ...options
      .values('config')
      .map(text => [text.replace(/=.*/s, ''), text.includes('=') ? text.replace(/^[^=]*=/, '') : 'true'] as const),
    [`remote.${origin}.url`, url],
    ...(isBare && !options.has('mirror') ? [] : [[`remote.${origin}.fetch`, all] as const]),
    ...(options.has('mirror') ? [[`remote.${origin}.mirror`, 'true'] as const] : []),
  ])
  const first = await open()
  const remote = findRemote(first, origin)
  const { refs, head } = await (await openRemote(call, url, root)).advertised('git-upload-pack')
  const named = branch === undefined ? head : [`refs/heads/${branch}`, `refs/tags/${branch}`].find(name => refs.has(name))
  if (branch !== undefined && named === undefined) throw fatal(`Remote branch ${branch} not found in upstream ${origin}`)
  if (refs.size === 0) {
    await call.warn('warning: You appear to have cloned an empty repository.')
    if (head === undefined) return
    const changes = new Changes()
    await first.refs.setSymbolic(changes, 'HEAD', head)
    await first.commit(changes)
    if (!isBare) await write(trackedBy(origin, head))
    return
  }
  const spec = named?.startsWith('refs/heads/') ? `+${named}:${side}${named.slice('refs/heads/'.length)}` : undefined
  if (isSingle && spec !== undefined && !isBare) await write([[`remote.${origin}.fetch`, spec]])
  const { advertised } = await fetchFrom(call, first, remote, {
    specs: [
      isSingle && spec !== undefined ? parseRefSpec(spec) : parseRefSpec(all),
      ...(named?.startsWith('refs/tags/') ? [parseRefSpec(`${named}:${named}`)] : []),
    ],
    prunes: false,
    tags: options.has('no-tags') ? 'none' : isSingle && !url.startsWith('/') ? 'followed' : 'all',
    depth: depth === undefined ? undefined : { commits: depth, isRelative: false },
    isForced: false,
    isQuiet: true,
    isClone: true,
  })
  const repository = await open()
  const oid =
    named === undefined ? advertised.refs.get('HEAD') : (advertised.refs.get(`${named}^{}`) ?? advertised.refs.get(named))
  const changes = new Changes()
  if (isBare) {
    if (named?.startsWith('refs/heads/')) await repository.refs.setSymbolic(changes, 'HEAD', named)
    else if (oid !== undefined) await repository.refs.detach(changes, oid, '')
    await changes.commit(environment.files, environment.signal)
    return
  }
  if (head !== undefined && refs.has(head) && (!isSingle || head === named)) {
    await repository.refs.setSymbolic(
      changes,
      `refs/remotes/${origin}/HEAD`,
      head.replace('refs/heads/', () => `refs/remotes/${origin}/`),
    )
  }
  if (oid === undefined) {
    await repository.commit(changes)
    await call.warn('warning: remote HEAD refers to nonexistent ref, unable to checkout.')
    return
  }
  const index = await repository.readIndex()
  const message = `clone: from ${url}`
  if (named?.startsWith('refs/heads/')) {
    await repository.refs.setSymbolic(changes, 'HEAD', named)
    await repository.refs.update(changes, { name: named, oid, message })
    await repository.refs.log(changes, 'HEAD', '0'.repeat(40), oid, message)
    const bytes = withSettings(await environment.files.read(config), config, trackedBy(origin, named))
    if (bytes !== undefined) changes.write(config, bytes)
  } else await repository.refs.detach(changes, oid, message)
  if (!options.has('no-checkout')) {
    await checkOutMerge(repository, index, changes, {
      from: undefined,
      into: await repository.treeOf(oid),
      operation: 'checkout',
    })
  }
  await repository.commit(changes, index)
}

function trackedBy(remote: string, branch: string): readonly (readonly [string, string])[] {
  const short = branch.slice('refs/heads/'.length)
  return [
    [`branch.${short}.remote`, remote],
    [`branch.${short}.merge`, branch],
  ]
}

async function openAt(environment: GitEnvironment, cwd: string): Promise<Repository> {
  const repository = await Repository.open({ ...environment, cwd })
  if (repository === undefined) throw fatal(`not a git repository: ${cwd}`)
  return repository
}
