// How to create a filesystem made of others on the other side of a Worker.

import type { BackendRecipe, VfsBackend } from './backend.ts'

/** Exists only if each part has a recipe. */
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
