import type { Drift } from '../../../session/drift-option.ts'

/** How to replace text: the description of `edit_file`. */
export function replaceRules(drift: Drift): string {
  return [
    drift === 'merge'
      ? 'Replace text in a file. The file must have been read with read_file before, unless force is set. If it changed since, the edit is made where its lines provably are now, or refused.'
      : 'Replace text in a file. The file must have been read with read_file before, and must not have changed since, unless force is set.',
    'Without replace_all only the first occurrence of old_string is replaced; the result names the others. LF matches CRLF too, and the file keeps its line endings.',
  ].join('\n')
}
