// How a filesystem made of others is built again on the other side of a Worker.

import type { BackendRecipe, VfsBackend } from './backend.ts'

/** Only if each part can be built again elsewhere. */
export function composedRecipe(
  kind: string,
  parts: Readonly<Record<string, VfsBackend>>,
  options: Readonly<Record<string, unknown>> = {},
): Pick<VfsBackend, 'recipe'> {
  const recipes: Record<string, BackendRecipe> = {}
  for (const [name, { recipe }] of Object.entries(parts)) {
    if (recipe === undefined) return {}
    recipes[name] = recipe
  }
  return { recipe: { kind, parts: recipes, ...options } }
}
