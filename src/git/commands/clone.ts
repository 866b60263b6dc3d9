// `git clone`.

import { fatal } from '../errors.ts'
import type { GitCall } from '../call.ts'
import { checkOutMerge } from '../merge/outcome.ts'
import { fetchFrom } from '../network/fetcher.ts'
import { checkedAddress } from '../network/guard.ts'
import { HttpRemote } from '../network/http-remote.ts'
import { findRemote, parseRefSpec } from '../network/remotes.ts'
import { parseOptions } from '../options.ts'
import { Changes, discover, type GitEnvironment, Repository } from '../repository.ts'
import type { GitCommand } from './command.ts'
import { init } from './init.ts'
import { withSettings } from './remote.ts'

export const clone: GitCommand = {
  name: 'clone',
  summary: 'Clone a repository into a new directory',
  options: {
    rows: [
      { names: ['v', 'verbose'], isIgnored: true },
      { names: ['q', 'quiet'] },
      { names: ['progress'], isIgnored: true },
      { names: ['n', 'no-checkout'], isNegatable: false },
      { names: ['bare'], refuses: 'a bare clone is not built into this git' },
      { names: ['mirror'], refuses: 'a mirror is not built into this git' },
      {
        names: ['recurse-submodules'],
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
    checkedAddress(url, environment.network)
    const name = given ?? /([^/:]+?)(?:\.git)?\/*$/.exec(url)?.[1] ?? ''
    if (name === '') throw fatal(`could not guess a directory for '${url}'; name one behind the address`)
    const directory = name.startsWith('/') ? name : `${environment.cwd}/${name}`
    const { files } = environment
    const before = await files.stat(directory)
    if (before !== undefined && (before.kind !== 'directory' || (await files.list(directory)).length > 0)) {
      throw fatal(`destination path '${name}' already exists and is not an empty directory.`)
    }
    const isQuiet = options.has('quiet')
    if (!isQuiet) await call.warn(`Cloning into '${name}'...`)
    await init.run(call, parseOptions(init.options, ['-q', '-b', 'master', directory]), [])
    try {
      await fill(call, directory, url, options)
    } catch (error) {
      // What was begun is worth nothing, and would be in the way of the next try.
      if (before === undefined) await files.vfs.rm(directory, { recursive: true, force: true })
      else await files.vfs.rm(`${directory}/.git`, { recursive: true, force: true })
      throw error
    }
    return 0
  },
}

async function fill(call: GitCall, directory: string, url: string, options: ReturnType<typeof parseOptions>): Promise<void> {
  const { environment } = call
  const origin = options.value('origin') ?? 'origin'
  const root = await environment.files.vfs.realpath(directory)
  const config = `${root}/.git/config`
  const branch = options.value('branch')
  const isSingle = options.has('single-branch') || (options.number('depth') !== undefined && !options.isNegated('single-branch'))
  const open = async (): Promise<Repository> => openAt(environment, root)
  const write = async (settings: readonly (readonly [string, string])[]): Promise<void> => {
    const changes = new Changes()
    const bytes = withSettings(await environment.files.read(config), config, settings)
    if (bytes !== undefined) changes.write(config, bytes)
    await changes.commit(environment.files, environment.signal)
  }
  await write([
    [`remote.${origin}.url`, url],
    [`remote.${origin}.fetch`, `+refs/heads/*:refs/remotes/${origin}/*`],
  ])
  const first = await open()
  const remote = findRemote(first, origin)
  const { refs, head } = await new HttpRemote(url, environment).advertised('git-upload-pack')
  const named = branch === undefined ? head : [`refs/heads/${branch}`, `refs/tags/${branch}`].find(name => refs.has(name))
  if (branch !== undefined && named === undefined) throw fatal(`Remote branch ${branch} not found in upstream ${origin}`)
  if (refs.size === 0) {
    await call.warn('warning: You appear to have cloned an empty repository.')
    return
  }
  const spec = named?.startsWith('refs/heads/')
    ? `+${named}:refs/remotes/${origin}/${named.slice('refs/heads/'.length)}`
    : undefined
  if (isSingle && spec !== undefined) await write([[`remote.${origin}.fetch`, spec]])
  const { advertised } = await fetchFrom(call, first, remote, {
    specs: [
      isSingle && spec !== undefined ? parseRefSpec(spec) : parseRefSpec(`+refs/heads/*:refs/remotes/${origin}/*`),
      ...(named?.startsWith('refs/tags/') ? [parseRefSpec(`${named}:${named}`)] : []),
    ],
    prunes: false,
    tags: options.has('no-tags') ? 'none' : isSingle ? 'followed' : 'all',
    depth: options.number('depth'),
    isForced: false,
    isQuiet: true,
  })
  const repository = await open()
  const oid =
    named === undefined ? advertised.refs.get('HEAD') : (advertised.refs.get(`${named}^{}`) ?? advertised.refs.get(named))
  const changes = new Changes()
  if (head !== undefined && (!isSingle || head === named)) {
    await repository.refs.setSymbolic(
      changes,
      `refs/remotes/${origin}/HEAD`,
      head.replace('refs/heads/', `refs/remotes/${origin}/`),
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
    const short = named.slice('refs/heads/'.length)
    await repository.refs.setSymbolic(changes, 'HEAD', named)
    await repository.refs.update(changes, { name: named, oid, message })
    await repository.refs.log(changes, 'HEAD', '0'.repeat(40), oid, message)
    const bytes = withSettings(await environment.files.read(config), config, [
      [`branch.${short}.remote`, origin],
      [`branch.${short}.merge`, named],
    ])
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

async function openAt(environment: GitEnvironment, cwd: string): Promise<Repository> {
  const place = await discover({ ...environment, cwd })
  if (place === undefined) throw fatal(`not a git repository: ${cwd}`)
  return Repository.open({ ...environment, cwd }, place)
}
