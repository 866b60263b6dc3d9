// Every SDK against the one table, and how much a user has to write for each.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openaiAgents } from './drivers-agents.ts'
import { aiSdk6, aiSdk7 } from './drivers-ai.ts'
import { anthropicLoop, anthropicRunner } from './drivers-anthropic.ts'
import { langchain } from './drivers-langchain.ts'
import { mastra } from './drivers-mastra.ts'
import { mcp1, mcp2 } from './drivers-mcp.ts'
import { openaiChat, openaiResponses } from './drivers-openai.ts'
import { webMcp } from './drivers-webmcp.ts'
import { runScenario, scenarios, type Driver } from './scenarios.ts'

const drivers: readonly Driver[] = [
  aiSdk7,
  aiSdk6,
  mcp2,
  mcp1,
  anthropicRunner,
  anthropicLoop,
  openaiChat,
  openaiResponses,
  openaiAgents,
  langchain,
  mastra,
  webMcp,
]

/** SDKs that call the workspace, and no tools: each is tested in a file of its own, in these words. */
const peers: readonly (Pick<Driver, 'name' | 'glue'> & { readonly file: string })[] = [
  {
    name: 'deepagents',
    file: 'deepagents.test.ts',
    glue: ['backend: deepagentsBackend(workspace)'],
  },
  {
    name: 'Agent Client Protocol',
    file: 'acp.test.ts',
    glue: ['const acp = acpClient(workspace', "acp.register(client({ name: 'page' }))"],
  },
]

describe.concurrent.each(drivers)('$name', driver => {
  it.each(scenarios)('$name', scenario => runScenario(driver, scenario))
})

it('needs one to three lines of glue', () => {
  for (const { file, glue } of peers) {
    const text = readFileSync(new URL(file, import.meta.url), 'utf8')
    for (const line of glue) expect(text).toContain(line)
  }
  // The import of the adapter counts.
  const rows = [...drivers, ...peers.map(({ name, glue }) => ({ name, glue: ['import', ...glue] }))]
  for (const { name, glue } of rows) {
    console.log(`${name.padEnd(24)}${glue.length} lines of glue`)
    expect(glue.length).toBeLessThanOrEqual(3)
  }
})
