import { editPrompt } from '../../session/edit-prompt.ts'
import { lineIdRules } from './edit-lines/rules.ts'
import { ryeExamples } from './examples.ts'

/** How to edit files with rye, for a system prompt: the rules with default options, and examples. */
export const ryePrompt: string = editPrompt(
  'Files are changed by the IDs of their lines, with',
  'edit_lines',
  lineIdRules('refuse'),
  ryeExamples['edit_lines'],
)
