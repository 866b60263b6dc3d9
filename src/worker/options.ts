// The options of a workspace on both sides of the wire: the page's objects (backends) become plain data (recipes), and the worker checks
// that data like any outside data.

import { AnchorageError } from '../core/errors.ts'
import type { WebContainerShell } from '../backends/webcontainer/shell.ts'
import type { GitHostOptions, GitWireOptions } from '../git/network/options.ts'
import type { HostFetch, ResourceRouter } from '../resources/host.ts'
import type { BackendRecipe, VfsBackend } from '../vfs/backend.ts'
import type { MemoryRecipe } from './memory-recipe.ts'
import { defined } from '../core/record.ts'
import { asList, asOptionalRecord, asOptionalText, asOptions, asRecord, asText } from './checks.ts'
import { receiveContainers } from './containers.ts'
import type { PageMethod, RouterMethod, WireContainerShell, WireFileSystem, WireWorkspaceOptions } from './wire.ts'

/** The host's functions, which stay on the page. */
export interface PageResources {
  readonly router?: ResourceRouter | undefined
  readonly fetch?: HostFetch | undefined
  readonly git?: GitHostOptions | undefined
}

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
      answers: asAnswers(record['answers']),
      startsWorkers: asOptions(record, { startsWorkers: 'boolean' }, 'options')?.startsWorkers,
      urls: asOptions(record['urls'], { allow: 'strings', deny: 'strings' }, 'urls'),
    }),
    // The workspace itself refuses an invalid policy.
    ...defined({ policy: policy as WireWorkspaceOptions['policy'], limits: limits as WireWorkspaceOptions['limits'] }),
  }
  return receiveContainers(options, record['containers'])
}

export const routerMethods: readonly RouterMethod[] = ['read', 'write', 'resolve', 'list']

/** The page's side: what the worker may ask for. */
export function toWireResources(resources: PageResources): Pick<WireWorkspaceOptions, 'answers' | 'git'> {
  const { router, fetch, git } = resources
  const { credentials: _credentials, fetch: _fetch, ...sent } = git ?? {}
  const answers: readonly PageMethod[] = [
    ...routerMethods.filter(method => typeof router?.[method] === 'function'),
    ...(fetch === undefined ? [] : (['fetch'] as const)),
    ...(git?.credentials === undefined ? [] : (['gitCredentials'] as const)),
    ...(git?.fetch === undefined ? [] : (['gitFetch'] as const)),
  ]
  return defined({ answers: answers.length === 0 ? undefined : answers, git: git && sent })
}

const pageMethods: readonly PageMethod[] = [...routerMethods, 'fetch', 'gitCredentials', 'gitFetch']

function asAnswers(value: unknown): readonly PageMethod[] | undefined {
  return value === undefined ? undefined : pageMethods.filter(method => asList(value, 'answers').includes(method))
}

function asGit(value: unknown): GitWireOptions | undefined {
  if (value === undefined) return undefined
  const known = asOptions(
    value,
    { remotes: 'strings', push: 'boolean', corsProxy: 'string', maxBytes: 'number', timeoutMs: 'number' },
    'git',
  )
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
