// A worker module of a user's own: it serves scripted workspaces in place of real ones.

import { serveWorkspace } from '../../worker/entry.ts'
import { createScriptedWorkspace } from './scripted-workspace.ts'

serveWorkspace(async () => createScriptedWorkspace({ 'a.txt': 'hello\n' }))
