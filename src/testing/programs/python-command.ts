// The command `python3` of all tests in Node, so that they share its worker: one takes seconds to start.

import { python3 } from '../../backends/pyodide/index.ts'
import type { ShellCommandDefinition } from '../../shell/commands.ts'

export const pythonCommand: ShellCommandDefinition = python3()
