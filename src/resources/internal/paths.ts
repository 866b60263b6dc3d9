// Which file of the workspace an address stands for.

import { ToolError } from '../../core/errors.ts'
import type { ResourceContext } from '../kind.ts'

/** In the workspace; those of the host are looked at first. */
const skillDirectories: readonly string[] = ['.agents/skills', 'packages/subagents/skills', 'packages/workflows/skills']

export function schemeOf(url: string): string {
  return /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase() ?? ''
}

/** The path that the host's router gives. Throws `ToolError` when the host fails. */
export async function routedPath(url: string, { host }: ResourceContext): Promise<string | undefined> {
  return asHostFailure(url, async () => host.router?.resolve?.(url))
}

/** `local://a.txt` is `a.txt`; `skill://name/rest` is that file of the first skill of this name. Throws `ToolError` for a path that leads outside. */
export async function builtInPath(url: string, context: ResourceContext): Promise<string | undefined> {
  const rest = url.slice(url.indexOf('://') + 3)
  switch (schemeOf(url)) {
    case 'local':
      return rest === '' ? '.' : rest
    case 'skill':
      return skillPath(url, rest, context)
    default:
      return undefined
  }
}

async function skillPath(url: string, rest: string, context: ResourceContext): Promise<string | undefined> {
  const [name = '', ...below] = rest.split('/')
  if (name === '' || [name, ...below].some(part => part === '..' || part === '.')) throw escapes(url)
  for (const directory of [...context.host.skillRoots, ...skillDirectories]) {
    const root = `${directory}/${name}`
    const path = below.length === 0 || rest === `${name}/` ? `${root}/SKILL.md` : `${root}/${below.join('/')}`
    const file = await context.resolve(path)
    if (file === undefined) continue
    // The resolver keeps it inside of the workspace; a link must not lead out of the skill either.
    const real = file.stored?.path ?? ''
    const own = await context.resolveDirectory(root)
    if (own !== undefined && !real.startsWith(`${own}/`)) throw escapes(url)
    return path
  }
  return undefined
}

function escapes(url: string): ToolError {
  return new ToolError('path-outside-root', `${url} leads outside of its skill.`, {
    nextStep: 'Name a file inside it, such as skill://name/SKILL.md.',
    details: { path: url },
  })
}

/** An error of the host's function becomes a `ToolError`, so that it never ends a session. */
export async function asHostFailure<T>(url: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ToolError) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new ToolError('router-failed', `${url} could not be opened: ${why}.`, {
      nextStep: 'Try again once; if it fails again, tell the user.',
      details: { path: url },
      cause: error,
    })
  }
}
