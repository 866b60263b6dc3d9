import { checkMember } from './errors.ts'
import type { ToolResult } from './tool.ts'

/**
 * The text of a result: its text blocks, joined by line breaks. Images are left out.
 *
 * @example
 * import { createWorkspace, textOf } from 'anchorage'
 * import { memory } from 'anchorage/fs/memory'
 *
 * const workspace = await createWorkspace({ fs: memory({ 'a.txt': 'hello\n' }) })
 * const tools = await workspace.toolset('atomic')
 * console.log(textOf(await tools.call('read', { path: 'a.txt' })))
 */
export function textOf(result: Pick<ToolResult, 'content'>): string {
  checkMember('textOf', result, 'content', 'the result of a call')
  return result.content.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n')
}
