import type { ToolsetManifest } from '../../session/toolset-manifest.ts'
import { ryeOptions, type RyeOptions } from './options.ts'

/** The toolset rye: edits by line IDs that persist. */
export const rye: ToolsetManifest<'rye', RyeOptions> = {
  name: 'rye',
  summary: 'Edits lines by IDs that stay with them.',
  tools: ['read', 'write', 'edit_lines', 'glob', 'grep', 'ls'],
  resources: ['artifact://'],
  options: ryeOptions,
  load: () => import('./tools.ts'),
}
