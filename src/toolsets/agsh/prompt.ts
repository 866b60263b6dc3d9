import { editPrompt } from '../../session/edit-prompt.ts'
import { replaceRules } from './edit-file/rules.ts'
import { agshExamples } from './examples.ts'

/** How to edit files with agsh, for a system prompt: the rules with default options, and examples. */
export const agshPrompt: string = editPrompt(
  'Files are changed by replacing text in them, with',
  'edit_file',
  replaceRules('refuse'),
  agshExamples['edit_file'],
)
