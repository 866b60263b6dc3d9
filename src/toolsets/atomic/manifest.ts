import type { ToolsetManifest } from '../../session/toolset-manifest.ts'
import { atomicOptions, type AtomicOptions } from './options.ts'

/** The toolset atomic: edits by line numbers under a tag of the content. */
export const atomic: ToolsetManifest<'atomic', AtomicOptions> = {
  name: 'atomic',
  summary: 'Edits lines by number under a tag of the file; finds, searches and runs commands.',
  tools: ['read', 'write', 'edit', 'bash', 'find', 'search'],
  resources: ['artifact://', 'conflict://', 'archive', 'document', 'image', 'internal', 'notebook', 'sqlite', 'url'],
  options: atomicOptions,
  load: () => import('./tools.ts'),
}
