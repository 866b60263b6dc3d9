import type { ToolsetManifest } from '../../session/toolset-manifest.ts'

/** The toolset ah: edits by text that occurs once, and tools that the workspace brings. */
export const ah: ToolsetManifest<'ah'> = {
  name: 'ah',
  summary: 'Four tools for paths and texts, and tools that the workspace defines.',
  tools: ['read', 'write', 'edit', 'bash'],
  resources: ['artifact://', 'image'],
  options: {},
  load: () => import('./tools.ts'),
}
