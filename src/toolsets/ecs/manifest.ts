import type { ToolsetManifest } from '../../session/toolset-manifest.ts'

export const ecs: ToolsetManifest<'ecs'> = {
  name: 'ecs',
  summary: 'Edits by line number and tag.',
  tools: ['read_file', 'write_file', 'edit_file', 'bash'],
  resources: ['artifact://'],
  options: {},
  load: () => import('./tools.ts'),
}
