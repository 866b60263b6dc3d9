// The texts for system prompts say what the descriptions say, and show calls that are run as tests.

import { expect, it } from 'vitest'

import { agshPrompt } from '../toolsets/agsh/index.ts'
import { ahPrompt } from '../toolsets/ah/index.ts'
import { hashlinePrompt } from '../toolsets/atomic/index.ts'
import { ecsPrompt } from '../toolsets/ecs/index.ts'
import { ryePrompt } from '../toolsets/rye/index.ts'
import type { ToolsetName } from '../workspace/toolsets.ts'
import { openToolSession } from './tool-session.ts'

const prompts: readonly (readonly [ToolsetName, tool: string, prompt: string])[] = [
  ['atomic', 'edit', hashlinePrompt],
  ['ah', 'edit', ahPrompt],
  ['agsh', 'edit_file', agshPrompt],
  ['ecs', 'edit_file', ecsPrompt],
  ['rye', 'edit_lines', ryePrompt],
]

it.each(prompts)('%s', async (name, tool, prompt) => {
  const { tools } = (await openToolSession({}, { name })).tools
  const definition = tools.find(each => each.name === tool)
  // atomic's description has a frame of its own around the rules.
  const rules = (definition?.description ?? '').split('\n').filter(line => name !== 'atomic' || line.startsWith('- '))
  expect(rules.length).toBeGreaterThan(0)
  for (const rule of rules) expect(prompt).toContain(rule)
  if (name === 'atomic') return
  for (const example of definition?.examples ?? []) {
    if (example.expect.error === undefined) expect(prompt).toContain(`${tool} ${JSON.stringify(example.arguments)}`)
  }
})
