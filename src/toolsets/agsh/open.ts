// The words of agsh's tools for problems with a file.

import { ToolError } from '../../core/errors.ts'
import type { FileWords } from '../../session/resolve-text.ts'

export const agshWords: FileWords = {
  missing: ({ display }) =>
    new ToolError('ENOENT', `failed to resolve path '${display}': no such file or directory.`, {
      nextStep: 'Check the path; relative paths start at the workspace.',
      details: { path: display },
    }),
  directory: ({ display }) =>
    new ToolError('EISDIR', `failed to open '${display}': it is a directory.`, {
      nextStep: 'Name a file inside it.',
      details: { path: display },
    }),
  notText: ({ display }, error) => {
    const reason = error.code === 'binary-file' ? 'it is not text in valid UTF-8 without null bytes' : error.message
    return new ToolError(error.code, `failed to read '${display}': ${reason}.`, {
      nextStep: 'Only text and the images that read_file lists can be read.',
      details: error.details,
      cause: error,
    })
  },
}
