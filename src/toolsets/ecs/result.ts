// Results are texts, and so are failures: `Error executing tool 'NAME': MESSAGE`.

import type { RenderFailure } from '../../session/toolset.ts'
import { textContent } from '../../session/tool.ts'

/** Next steps that name ecs's four tools, because shared code names other tools. */
const nextSteps: Readonly<Record<string, string>> = {
  ENOENT: 'Check the path; bash can list directories.',
  ENOTDIR: 'A part of the path is a file, not a directory. Look with bash: ls -la',
  EISDIR: 'Name a file inside it; bash can list it.',
  'path-outside-root': 'Use a path inside the workspace; relative paths start at its root.',
  'file-changed': 'Read the file again and repeat the edit with its new tags.',
}

export const renderEcsFailure: RenderFailure = (error, toolName) => {
  const nextStep = nextSteps[error.code] ?? error.nextStep
  const message =
    error.code === 'unknown-tool' ? `Error: unknown tool '${toolName}'` : `Error executing tool '${toolName}': ${error.message}`
  return { content: textContent(nextStep === undefined ? message : `${message}\n${nextStep}`) }
}

/** Sentences in brackets behind a result. */
export function withNotes(text: string, notes: readonly string[]): string {
  return [text, ...notes.map(note => `[${note}.]`)].join('\n')
}
