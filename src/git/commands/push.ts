// `git push`.

import { failure, fatal } from '../errors.ts'
import { pushTo } from '../network/pusher.ts'
import { defaultRemote, findRemote } from '../network/remotes.ts'
import { mapped, parseRefSpec } from '../network/ref-spec.ts'
import type { Options } from '../options.ts'
import { Changes, type Repository } from '../repository.ts'
import type { GitCall } from '../call.ts'
import type { Config } from '../store/config.ts'
import { shortRefName } from '../store/refs.ts'
import type { GitCommand } from './command.ts'
import { withSettings } from '../store/config-edit.ts'

export const push: GitCommand = {
  name: 'push',
  summary: 'Update remote refs along with associated objects',
  options: {
    rows: [
      { names: ['v', 'verbose'], isIgnored: true },
      { names: ['q', 'quiet'] },
      { names: ['all'] },
      { names: ['mirror'], refuses: 'pushing a mirror is not built into this git' },
      { names: ['d', 'delete'] },
      { names: ['tags'] },
      { names: ['n', 'dry-run'] },
      { names: ['porcelain'] },
      { names: ['f', 'force'] },
      { names: ['force-with-lease'], argument: { name: 'refname>:<expect', isOptional: true } },
      {
        names: ['force-if-includes'],
        refuses:
          'comparing with the log of the remote branch is not built into this git; use --force-with-lease=<branch>:<commit>',
      },
      { names: ['u', 'set-upstream'] },
      { names: ['progress'], isIgnored: true },
      { names: ['follow-tags'], refuses: 'following tags is not built into this git; name them, or use --tags' },
      { names: ['no-verify'], isIgnored: true },
      { names: ['atomic'], refuses: 'an atomic push is not built into this git' },
    ],
    usage: 'git push [<options>] [<repository> [<refspec>...]]',
  },
  async run(call, options) {
    const repository = await call.repository()
    const [name = await pushedRemote(repository), ...given] = options.all
    if (name === undefined)
      throw fatal(
        'No configured push destination.\nEither specify the URL from the command-line or configure a remote repository using\n\n' +
          '    git remote add <name> <url>\n\nand then push using the remote name\n\n    git push <name>\n',
      )
    refuseSettings(repository.config(), name)
    await refuseFollowedTags(repository)
    const remote = findRemote(repository, name)
    const specs = await pushedSpecs(repository, name, given, options)
    const leases = options.values('force-with-lease')
    const code = await pushTo(call, repository, remote, specs, {
      isForced: options.has('force'),
      isDryRun: options.has('dry-run'),
      isQuiet: options.has('quiet'),
      isForPrograms: options.has('porcelain'),
      lease: options.has('force-with-lease') ? { expected: new Map(leases.map(leaseOf)) } : undefined,
    })
    if (code === 0 && options.has('set-upstream') && !options.has('dry-run'))
      await setUpstream(call, repository, name, specs, options.has('quiet'))
    return code
  },
}

/** `branch.<name>.pushRemote` and `remote.pushDefault` come before the remote of the branch. */
async function pushedRemote(repository: Repository): Promise<string | undefined> {
  const { branch } = await repository.head()
  const config = repository.config()
  const own = branch === undefined ? undefined : config.get(`branch.${branch.replace('refs/heads/', '')}.pushremote`)
  return own ?? config.get('remote.pushdefault') ?? defaultRemote(repository)
}

const defaults: ReadonlySet<string> = new Set(['nothing', 'current', 'upstream', 'tracking', 'simple', 'matching'])

/** Rejects where the configuration asks for what is not built. */
function refuseSettings(config: Config, remote: string): void {
  const setting = config.get('push.default') ?? 'simple'
  if (!defaults.has(setting))
    throw config.bad(
      'push.default',
      `error: malformed value for push.default: ${setting}\nerror: Must be one of nothing, matching, simple, upstream or current.`,
    )
  const isOn = (name: string): boolean => config.bool(name, false)
  const name = isOn(`remote.${remote}.mirror`)
    ? `remote.${remote}.mirror`
    : config.get('push.gpgsign') !== 'if-asked' && isOn('push.gpgsign')
      ? 'push.gpgSign'
      : undefined
  const asked = name ?? (config.all('push.pushoption').some(text => text !== '') ? 'push.pushOption' : undefined)
  if (asked !== undefined)
    throw failure(`${asked}: it is not built into this git; unset it, or name what to push without it`, 129)
}

function leaseOf(text: string): readonly [string, string] {
  const colon = text.indexOf(':')
  return colon === -1 ? [shortRefName(text), ''] : [shortRefName(text.slice(0, colon)), text.slice(colon + 1)]
}

async function pushedSpecs(
  repository: Repository,
  remote: string,
  given: readonly string[],
  options: Options,
): Promise<readonly string[]> {
  if (options.has('all')) return (await repository.refs.list('refs/heads/')).map(({ name }) => `${name}:${name}`)
  const tags = options.has('tags') ? (await repository.refs.list('refs/tags/')).map(({ name }) => `${name}:${name}`) : []
  if (options.has('delete')) {
    if (given.length === 0) throw fatal("--delete doesn't make sense without any refs")
    return given.map(name => `:${name}`)
  }
  const config = repository.config()
  const { branch } = await repository.head()
  if (given.length > 0)
    return [...given.map(spec => (/^(?:HEAD|@)$/.test(spec) && branch !== undefined ? `HEAD:${branch}` : spec)), ...tags]
  const configured = config.all(`remote.${remote}.push`)
  if (configured.length > 0) return [...(await expanded(repository, configured)), ...tags]
  if (tags.length > 0) return tags
  if (branch === undefined) {
    throw fatal(
      'You are not currently on a branch.\nTo push the history leading to the current (detached HEAD)\nstate now, use\n\n' +
        `    git push ${remote} HEAD:<name-of-remote-branch>\n`,
    )
  }
  const short = branch.replace(/^refs\/heads\//, '')
  const setting = config.get('push.default') ?? 'simple'
  const upstream = config.get(`branch.${short}.merge`)
  const upstreamRemote = config.get(`branch.${short}.remote`)
  if (setting === 'current' || options.has('set-upstream') || config.bool('push.autosetupremote', false))
    return [`${branch}:${branch}`]
  if (setting === 'nothing') throw fatal('You didn\'t specify any refspecs to push, and push.default is "nothing".')
  if (setting === 'matching')
    throw failure(
      'push.default=matching: it is not built into this git; name the branches, or run with -c push.default=simple',
      129,
    )
  if (upstreamRemote !== undefined && upstreamRemote !== remote) return [`${branch}:${branch}`]
  if (upstream === undefined) {
    throw fatal(
      `The current branch ${short} has no upstream branch.\nTo push the current branch and set the remote as upstream, use\n\n` +
        `    git push --set-upstream ${remote} ${short}\n\nTo have this happen automatically for branches without a tracking\n` +
        "upstream, see 'push.autoSetupRemote' in 'git help config'.\n",
    )
  }
  if (setting === 'simple' && upstream !== branch) {
    throw fatal(
      'The upstream branch of your current branch does not match\nthe name of your current branch.  To push to the upstream branch\n' +
        `on the remote, use\n\n    git push ${remote} HEAD:${shortRefName(upstream)}\n\nTo push to the branch of the same name on the remote, use\n\n` +
        `    git push ${remote} HEAD\n`,
    )
  }
  return [`${branch}:${upstream}`]
}

/** Tags that are annotated would have to follow; where there are none, the setting changes nothing. */
async function refuseFollowedTags(repository: Repository): Promise<void> {
  if (!repository.config().bool('push.followtags', false)) return
  for (const { oid } of await repository.refs.list('refs/tags/'))
    if ((await repository.objects.read(oid))?.type === 'tag')
      throw failure('push.followTags: it is not built into this git; push tags by name, with -c push.followTags=false', 129)
}

/** Patterns of references as one entry for each that exists. */
async function expanded(repository: Repository, specs: readonly string[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const text of specs) {
    const spec = parseRefSpec(text)
    if (!spec.from.includes('*')) {
      found.push(text)
      continue
    }
    for (const { name } of await repository.refs.list('refs/')) {
      const to = mapped(spec, name)
      if (to !== undefined) found.push(`${spec.isForced ? '+' : ''}${name}:${to}`)
    }
  }
  return found
}

async function setUpstream(
  call: GitCall,
  repository: Repository,
  remote: string,
  specs: readonly string[],
  isQuiet: boolean,
): Promise<void> {
  const changes = new Changes()
  const path = `${repository.commonDir}/config`
  let bytes = await repository.files.read(path)
  const lines: string[] = []
  const { branch: head } = await repository.head()
  for (const text of specs) {
    const { from, to } = parseRefSpec(text)
    const branch = (from === 'HEAD' ? (head ?? '') : from).replace(/^refs\/heads\//, '')
    if (branch === '' || (await repository.refs.read(`refs/heads/${branch}`)) === undefined) continue
    const target = (to === '' ? branch : to).replace(/^refs\/heads\//, '')
    bytes = withSettings(bytes, path, [
      [`branch.${branch}.remote`, remote],
      [`branch.${branch}.merge`, `refs/heads/${target}`],
    ])
    lines.push(`branch '${branch}' set up to track '${remote}/${target}'.`)
  }
  if (bytes !== undefined && lines.length > 0) changes.write(path, bytes)
  await repository.commit(changes)
  for (const line of isQuiet ? [] : lines) await call.print(line)
}
