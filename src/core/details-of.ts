import { checkMember } from './errors.ts'
import type { ToolResult } from './tool.ts'
import type { ToolDetails } from './tool-details.ts'

/**
 * The details of a result, with the fields of the tool that was called. Every field may be absent.
 *
 * ```ts
 * const result = await tools.call('edit', args)
 * for (const { path, hunks } of detailsOf('edit', result).hunks ?? []) show(path, hunks)
 * ```
 */
export function detailsOf<Tool extends keyof ToolDetails>(_tool: Tool, result: Pick<ToolResult, 'details'>): ToolDetails[Tool] {
  checkMember('detailsOf', result, 'details', 'the result of a call')
  // The tests call every tool and compare its details with these fields.
  return result.details as ToolDetails[Tool]
}
