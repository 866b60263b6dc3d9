import type { ToolsetManifest } from '../../session/toolset-manifest.ts'

/** The toolset ecs: edits by number and hash of a line. */
export const ecs: ToolsetManifest<'ecs'> = {
  name: 'ecs',
  summary: 'Edits lines by number and hash.',
  tools: ['read_file', 'write_file', 'edit_file', 'bash'],
  resources: ['artifact://'],
  options: {},
  load: () => import('./tools.ts'),
}
