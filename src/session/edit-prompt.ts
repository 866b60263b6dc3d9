// A text about the edits of a toolset, for a host that writes the system prompt. It consists of the rules in the tool's
// description and of examples that are run as tests, so that all of it is true.

import type { ToolExample } from '../core/tool.ts'

/** `rules` is a text of complete lines. Examples that fail are left out. */
export function editPrompt(first: string, tool: string, rules: string, examples: readonly ToolExample[] = []): string {
  const shown = examples.filter(({ expect }) => expect.error === undefined)
  return [`${first} \`${tool}\`:`, rules, ...shown.map(example => describeExample(tool, example))].join('\n')
}

function describeExample(tool: string, { title, after = [], arguments: args }: ToolExample): string {
  const calls = [...after, { tool, arguments: args }]
  return [`\n${title}:`, ...calls.map(call => `${call.tool} ${JSON.stringify(call.arguments)}`)].join('\n')
}
