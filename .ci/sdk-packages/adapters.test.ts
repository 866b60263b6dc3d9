// Every SDK against the one table, and how much a user has to write for each.

import { describe, expect, it } from 'vitest'
import { openaiAgents } from './drivers-agents.ts'
import { aiSdk6, aiSdk7 } from './drivers-ai.ts'
import { anthropicLoop, anthropicRunner } from './drivers-anthropic.ts'
import { langchain } from './drivers-langchain.ts'
import { mastra } from './drivers-mastra.ts'
import { mcp1, mcp2 } from './drivers-mcp.ts'
import { openaiChat, openaiResponses } from './drivers-openai.ts'
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
]

describe.concurrent.each(drivers)('$name', driver => {
  it.each(scenarios)('$name', scenario => runScenario(driver, scenario))
})

it('needs one to three lines of glue', () => {
  for (const { name, glue } of drivers) {
    console.log(`${name.padEnd(24)}${glue.length} lines of glue`)
    expect(glue.length).toBeLessThanOrEqual(3)
  }
})
