import { editPrompt } from '../../session/edit-prompt.ts'
import { lineTagRules } from './edit-file/rules.ts'
import { ecsExamples } from './examples.ts'

/** How to edit files with ecs, for a system prompt: the rules, and examples. */
export const ecsPrompt: string = editPrompt(
  'Files are changed by the numbers and tags of their lines, with',
  'edit_file',
  lineTagRules,
  ecsExamples['edit_file'],
)
