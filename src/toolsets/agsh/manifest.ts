import type { ToolsetManifest } from '../../session/toolset-manifest.ts'
import { agshOptions, type AgshOptions } from './options.ts'

/** The toolset agsh: edits by text in files that were read, with a scratchpad and images. */
export const agsh: ToolsetManifest<'agsh', AgshOptions> = {
  name: 'agsh',
  summary: 'Replaces texts in files that were read, and keeps notes in a scratchpad.',
  tools: [
    'read_file',
    'edit_file',
    'write_file',
    'scratchpad_write',
    'scratchpad_read',
    'scratchpad_edit',
    'scratchpad_list',
    'scratchpad_delete',
  ],
  resources: ['image'],
  options: agshOptions,
  load: () => import('./tools.ts'),
}
