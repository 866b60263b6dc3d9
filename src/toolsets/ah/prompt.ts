import { editPrompt } from '../../session/edit-prompt.ts'
import { editRules } from './edit/rules.ts'
import { ahExamples } from './examples.ts'

/** How to edit files with ah, for a system prompt: the rules, and examples. */
export const ahPrompt: string = editPrompt(
  'Files are changed by replacing text that occurs once, with',
  'edit',
  editRules,
  ahExamples['edit'],
)
