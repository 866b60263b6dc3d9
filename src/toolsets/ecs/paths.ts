// The words of ecs's tools for problems with a path.

import { ToolError } from '../../core/errors.ts'
import type { FileWords } from '../../session/resolve-text.ts'

export const ecsWords: FileWords = {
  missing: ({ path, display }) => new ToolError('ENOENT', `No such file: ${path}`, { details: { path: display } }),
  directory: ({ path, display }) => new ToolError('EISDIR', `Is a directory: ${path}`, { details: { path: display } }),
  outside: (given, cause) =>
    new ToolError('path-outside-root', `Path outside workspace: ${given}`, { details: { path: given }, cause }),
}
