// One script for each toolset. No DOM in this folder: the page, Node and workerd play the same steps.

import type { ToolsetName } from 'anchorage'
import { agshSteps } from './agsh.ts'
import { ahSteps } from './ah.ts'
import { atomicSteps } from './atomic.ts'
import { ecsSteps } from './ecs.ts'
import { ryeSteps } from './rye.ts'
import type { SessionStep } from './step.ts'

export const toolsetNames: readonly ToolsetName[] = ['atomic', 'ah', 'rye', 'agsh', 'ecs']

export const scripts: Readonly<Record<ToolsetName, readonly SessionStep[]>> = {
  atomic: atomicSteps,
  ah: ahSteps,
  rye: ryeSteps,
  agsh: agshSteps,
  ecs: ecsSteps,
}

/** What tells one toolset from the others, for people. */
export const toolsetFacts: Readonly<Record<ToolsetName, string>> = {
  atomic: 'edits under a tag of the file',
  ah: 'edits text that is there once',
  rye: 'edits lines by their IDs',
  agsh: 'edits what it has read; a scratchpad',
  ecs: 'edits lines by number and tag',
}
