// One script for each toolset. No DOM in this folder: the page, Node and workerd play the same steps.

import { toolsets, type ToolsetName } from 'anchorage'
import { agshSteps } from './agsh.ts'
import { ahSteps } from './ah.ts'
import { atomicSteps } from './atomic.ts'
import { ecsSteps } from './ecs.ts'
import { ryeSteps } from './rye.ts'
import type { SessionStep } from './step.ts'

export const toolsetNames: readonly ToolsetName[] = toolsets.map(({ name }) => name)

export const scripts: Readonly<Record<ToolsetName, readonly SessionStep[]>> = {
  atomic: atomicSteps,
  ah: ahSteps,
  rye: ryeSteps,
  agsh: agshSteps,
  ecs: ecsSteps,
}
