// The options of a workspace on both sides of the wire: the page's objects (backends) become plain data (recipes), and the worker checks
// that data like any outside data.

import { AnchorageError } from '../core/errors.ts'
import type { WebContainerShell } from '../backends/webcontainer/shell.ts'
import type { GitHostOptions, GitWireOptions } from '../git/network/options.ts'
import type { HostFetch, ResourceRouter, UrlRules } from '../resources/host.ts'
import type { BackendRecipe, VfsBackend } from '../vfs/backend.ts'
import type { MemoryRecipe } from './memory-recipe.ts'
import { defined } from '../core/record.ts'
import { asList, asOptionalRecord, asOptionalText, asOptions, asRecord, asText } from './checks.ts'
import { receiveContainers } from './containers.ts'
import type { RouterMethod, WireContainerShell, WireFileSystem, WireWorkspaceOptions } from './wire.ts'

/** The filesystems that a page can pass: only the recipe is sent. */
export type SentFileSystem = VfsBackend | MemoryRecipe

/** The page's side: the recipe of a backend or of each mount. Throws `no-recipe` for a backend that cannot be created elsewhere. */
export function toWireFileSystem(fs: SentFileSystem | Readonly<Record<string, SentFileSystem>>): WireFileSystem {
  if (isOne(fs)) return { kind: 'one', recipe: recipeOf(fs, 'fs') }
  return {
    kind: 'mounts',
    mounts: Object.entries(fs).map(([path, backend]) => [path, recipeOf(backend, `fs[${JSON.stringify(path)}]`)] as const),
  }
}

/** A name is sent unchanged; for a container's shell, the data that is needed to create it in the worker. */
export function toWireShell(
  shell: 'just-bash' | 'none' | WebContainerShell,
): Pick<WireWorkspaceOptions, 'shell' | 'containerShell'> {
  if (typeof shell === 'string') return { shell }
  const { container, options } = shell.recipe
  return { containerShell: { container, options } }
}

/** The keys of a mount table are absolute paths. */
function isOne(fs: SentFileSystem | Readonly<Record<string, SentFileSystem>>): fs is SentFileSystem {
  return 'recipe' in fs || 'lookup' in fs
}

function recipeOf(backend: SentFileSystem, what: string): BackendRecipe {
  if (backend.recipe !== undefined) return backend.recipe
  throw new AnchorageError(
    'no-recipe',
    `The filesystem in \`${what}\` wraps a live object and cannot be sent to a worker. ` +
      'Next: create it in a custom worker module with serveWorkspace from anchorage/worker, and leave `fs` out here.',
    { details: { option: what } },
  )
}

/** The worker's side. Throws `wire-refused` for data in an unknown form. */
export function asWorkspaceOptions(value: unknown): WireWorkspaceOptions {
  const record = asRecord(value, 'options')
  const fs = record['fs'] === undefined ? undefined : asFileSystem(record['fs'])
  const root = asOptionalText(record['root'], 'root')
  const shell = asOptions(record, { shell: ['just-bash', 'none'] }, 'options')?.shell
  const outputs = asOptions(record, { outputs: ['auto', 'memory'] }, 'options')?.outputs
  // The workspace itself refuses unknown rules.
  const buffers = asOptionalRecord(record['buffers'], 'buffers') as WireWorkspaceOptions['buffers']
  const limits = asOptionalRecord(record['limits'], 'limits')
  const policy = asOptionalRecord(record['policy'], 'policy')
  const asks = asOptions(record, { asks: 'boolean' }, 'options')?.asks
  for (const [name, limit] of Object.entries(limits ?? {})) {
    if (typeof limit !== 'number')
      throw new AnchorageError('wire-refused', `limits.${name} must be a number. Next: check the options.`)
  }
  const containerShell = asContainerShell(record['containerShell'])
  const options: WireWorkspaceOptions = {
    ...defined({
      fs,
      root,
      shell,
      outputs,
      buffers,
      containerShell,
      asks,
      history: asHistory(record['history']),
      git: asGit(record['git']),
      routes: asRoutes(record['routes']),
      fetches: asOptions(record, { fetches: 'boolean' }, 'options')?.fetches,
      startsWorkers: asOptions(record, { startsWorkers: 'boolean' }, 'options')?.startsWorkers,
      urls: asOptions(record['urls'], { allow: 'strings', deny: 'strings' }, 'urls'),
    }),
    // The workspace itself refuses an invalid policy.
    ...defined({ policy: policy as WireWorkspaceOptions['policy'], limits: limits as WireWorkspaceOptions['limits'] }),
  }
  return receiveContainers(options, record['containers'])
}

/** The page's side. Throws `workspace-options` if an option is a function, because it would have to run on the page. */
export function toWireGit(git: GitHostOptions): GitWireOptions {
  const { credentials, fetch, ...sent } = git
  if (credentials === undefined && fetch === undefined) return sent
  throw new AnchorageError(
    'workspace-options',
    'git: credentials and fetch cannot be sent to a worker. Next: fetch and push on this side with openGit(workspace.fs, { credentials }), or ' +
      'create the workspace in a worker module of your own with serveWorkspace.',
  )
}

const routerMethods: readonly RouterMethod[] = ['read', 'write', 'resolve', 'list']

/** The page's side: the functions of the host that the worker may call. Throws `workspace-options`. */
export function toWireResources({
  router,
  fetch,
  urls,
}: {
  readonly router?: ResourceRouter | undefined
  readonly fetch?: HostFetch | undefined
  readonly urls?: UrlRules | undefined
}): Pick<WireWorkspaceOptions, 'routes' | 'fetches' | 'urls'> {
  if (router !== undefined && (typeof router !== 'object' || router === null))
    throw new AnchorageError('workspace-options', 'router must be an object with read, write, resolve or list. Next: correct it.')
  if (fetch !== undefined && typeof fetch !== 'function')
    throw new AnchorageError('workspace-options', 'fetch must be a function. Next: correct it, or leave it out.')
  const routes = router && routerMethods.filter(method => typeof router[method] === 'function')
  return defined({ routes, fetches: fetch && true, urls })
}

function asRoutes(value: unknown): readonly RouterMethod[] | undefined {
  return value === undefined ? undefined : routerMethods.filter(method => asList(value, 'routes').includes(method))
}

function asGit(value: unknown): GitWireOptions | undefined {
  if (value === undefined) return undefined
  const known = asOptions(value, { remotes: 'strings', corsProxy: 'string', maxBytes: 'number', timeoutMs: 'number' }, 'git')
  const author = asOptionalRecord(asRecord(value, 'git')['author'], 'git.author')
  return {
    ...known,
    ...defined({
      author: author && { name: asText(author['name'], 'git.author.name'), email: asText(author['email'], 'git.author.email') },
    }),
  }
}

function asHistory(value: unknown): WireWorkspaceOptions['history'] {
  return typeof value === 'boolean' ? value : asOptions(value, { maxEntries: 'number', maxBytes: 'number' }, 'history')
}

function asContainerShell(value: unknown): WireContainerShell | undefined {
  if (value === undefined) return undefined
  const record = asRecord(value, 'containerShell')
  const options = asOptionalRecord(record['options'], 'containerShell.options') ?? {}
  const known = asOptions(
    options,
    { files: ['shared', 'synced'], mountedAt: 'string', exclude: 'strings' },
    'containerShell.options',
  )
  const env = asOptionalRecord(options['env'], 'containerShell.options.env')
  return {
    container: record['container'],
    options: {
      ...known,
      ...defined({ env: env && Object.fromEntries(Object.entries(env).map(([name, text]) => [name, asText(text, name)])) }),
    },
  }
}

function asFileSystem(value: unknown): WireFileSystem {
  const record = asRecord(value, 'fs')
  if (record['kind'] === 'one') return { kind: 'one', recipe: asRecipe(record['recipe']) }
  const mounts = asList(record['mounts'], 'fs.mounts').map(mount => {
    const [path, recipe] = asList(mount, 'a mount')
    return [asText(path, 'the path of a mount'), asRecipe(recipe)] as const
  })
  return { kind: 'mounts', mounts }
}

function asRecipe(value: unknown): BackendRecipe {
  const { parts: givenParts, ...record } = asRecord(value, 'a recipe')
  const parts = asOptionalRecord(givenParts, 'the parts of a recipe')
  return {
    ...record,
    kind: asText(record['kind'], 'the kind of a recipe'),
    ...defined({ parts: parts && Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, asRecipe(part)])) }),
  }
}
