// A custom worker module: it serves scripted workspaces instead of real ones.

import { serveWorkspace } from '../../worker/entry.ts'
import { createScriptedWorkspace } from './scripted-workspace.ts'

serveWorkspace(async () => createScriptedWorkspace({ 'a.txt': 'hello\n' }))
