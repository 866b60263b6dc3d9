import type { ToolsetManifest } from '../../session/toolset-manifest.ts'

/** The toolset rye: edits by line IDs that persist. */
export const rye: ToolsetManifest<'rye'> = {
  name: 'rye',
  summary: 'Edits by line IDs that stay with their lines.',
  tools: ['read', 'write', 'edit_lines', 'glob', 'grep', 'ls'],
  resources: ['artifact://'],
  options: {},
  load: () => import('./tools.ts'),
}
