// The command `python3` of all tests in Node, so that they share its worker: one takes seconds to start.

import { python3 } from '../../backends/pyodide/index.ts'
import type { ShellCommandDefinition } from '../../shell/commands.ts'

/** Its worker outlives the shells of the tests. */
export const pythonCommand: ShellCommandDefinition = { ...python3(), dispose: () => undefined }
