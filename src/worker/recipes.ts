// Creates filesystems from recipes, in the worker. Each backend is loaded only when a recipe needs it; adding one is one line.

import { AnchorageError } from '../core/errors.ts'
import type { BackendRecipe, VfsBackend } from '../vfs/backend.ts'
import type { WebContainerShell } from '../backends/webcontainer/shell.ts'
import type { ContainerSource } from '../backends/webcontainer/wire.ts'
import { asList, asOptionalRecord, asRecord, asText } from './checks.ts'
import { isSource } from './containers.ts'
import type { WireContainerShell, WireFileSystem } from './wire.ts'

type Cook = (recipe: BackendRecipe) => Promise<VfsBackend>

const cooks: ReadonlyMap<string, Cook> = new Map([
  ['memory', cookMemory],
  ['opfs', cookOpfs],
  ['http', cookHttp],
  ['webcontainer', cookWebContainer],
  ['mount', cookMount],
  ['overlay', cookOverlay],
  ['readonly', async recipe => (await import('../vfs/readonly.ts')).readonly(await cookPart(recipe, 'whole'))],
  ['at-root', cookAtRoot],
])

async function cookMemory(recipe: BackendRecipe): Promise<VfsBackend> {
  const { memory } = await import('../backends/memory/index.ts')
  const files = Object.entries(asOptionalRecord(recipe['files'], 'the files of a recipe') ?? {}).map(([path, content]) => {
    if (typeof content === 'string' || content instanceof Uint8Array || content === null) return [path, content] as const
    throw new AnchorageError(
      'bad-recipe',
      `The content of ${JSON.stringify(path)} must be text or bytes. Next: give a string, a Uint8Array or null.`,
    )
  })
  // The content of a message belongs to the worker, so it need not be copied.
  return memory(Object.fromEntries(files), { transfer: true })
}

async function cookOpfs(recipe: BackendRecipe): Promise<VfsBackend> {
  const { openOpfs, parseOptions } = await import('../backends/opfs/index.ts')
  return await openOpfs(parseOptions(recipe))
}

async function cookHttp(recipe: BackendRecipe): Promise<VfsBackend> {
  const { http, parseHttpOptions } = await import('../backends/http/index.ts')
  return http(parseHttpOptions(recipe))
}

async function cookWebContainer(recipe: BackendRecipe): Promise<VfsBackend> {
  const { webcontainer } = await import('../backends/webcontainer/index.ts')
  const names = asList(recipe['exclude'] ?? ['node_modules'], 'exclude').map(name => asText(name, 'a name in exclude'))
  return webcontainer(asSource(recipe['container']), { exclude: names })
}

async function cookPart({ kind, parts = {} }: BackendRecipe, name: string): Promise<VfsBackend> {
  const part = Object.hasOwn(parts, name) ? parts[name] : undefined
  if (part !== undefined) return await cook(part)
  throw new AnchorageError(
    'bad-recipe',
    `The recipe ${JSON.stringify(kind)} has no part "${name}". Next: pass a filesystem from this release.`,
  )
}

/** One after the other, because a second mount of the same store must find the first one's lock. */
async function cookAll(
  recipes: Iterable<readonly [name: string, recipe: BackendRecipe]>,
): Promise<Readonly<Record<string, VfsBackend>>> {
  const backends: [string, VfsBackend][] = []
  for (const [name, recipe] of recipes) backends.push([name, await cook(recipe)])
  return Object.fromEntries(backends)
}

async function cookMount({ parts = {} }: BackendRecipe): Promise<VfsBackend> {
  const { mountBackends } = await import('../vfs/mount.ts')
  return mountBackends(await cookAll(Object.entries(parts)))
}

async function cookOverlay(recipe: BackendRecipe): Promise<VfsBackend> {
  const { overlay } = await import('../vfs/overlay.ts')
  const lower = await cookPart(recipe, 'lower')
  return recipe.parts?.['upper'] === undefined ? overlay(lower) : overlay(lower, await cookPart(recipe, 'upper'))
}

async function cookAtRoot(recipe: BackendRecipe): Promise<VfsBackend> {
  const { atRoot } = await import('../vfs/at-root.ts')
  return atRoot(await cookPart(recipe, 'whole'), asText(recipe['root'], 'the root of a recipe'))
}

function asSource(container: unknown): ContainerSource {
  if (isSource(container)) return container
  throw new AnchorageError('bad-recipe', 'A container is missing. Next: connect with connectWorkspace, which sends a port to it.')
}

/** The `shell` argument for `createWorkspace`, if the page passed more than a shell's name. */
export async function cookShell(recipe: WireContainerShell): Promise<WebContainerShell> {
  asRecord(recipe, 'the recipe of a shell')
  const { webcontainerShell } = await import('../backends/webcontainer/shell.ts')
  return webcontainerShell(asSource(recipe.container), recipe.options)
}

/** Throws `unknown-recipe` for an unknown kind. */
export async function cook(recipe: BackendRecipe): Promise<VfsBackend> {
  asRecord(recipe, 'a recipe')
  const known = cooks.get(recipe.kind)
  if (known !== undefined) return await known(recipe)
  throw new AnchorageError(
    'unknown-recipe',
    `This worker cannot create a filesystem of kind ${JSON.stringify(recipe.kind)}; it knows ${[...cooks.keys()].join(', ')}. ` +
      'Next: create that one in a custom worker module with serveWorkspace from anchorage/worker.',
    { details: { kind: recipe.kind, known: [...cooks.keys()] } },
  )
}

/** The `fs` argument for `createWorkspace`. */
export async function cookFileSystem(fs: WireFileSystem): Promise<VfsBackend | Readonly<Record<string, VfsBackend>>> {
  if (fs.kind === 'one') return await cook(fs.recipe)
  return await cookAll(fs.mounts)
}
