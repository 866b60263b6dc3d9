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
export function detailsOf<Tool extends keyof ToolDetails>(
  _tool: Tool,
  { details }: Pick<ToolResult, 'details'>,
): ToolDetails[Tool] {
  // The tests call every tool and compare its details with these fields.
  return details as ToolDetails[Tool]
}
