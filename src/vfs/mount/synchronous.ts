// Primitives that are written as steps, run synchronously or with waits.

import type { VfsSync } from '../backend.ts'
import { mapPrimitives, mapWaiting, primitiveNames, type Waiting } from '../port.ts'
import { runNow, runWaiting } from '../steps.ts'
import type { MountSteps } from './primitives.ts'

export function synchronous(steps: MountSteps): VfsSync {
  return mapPrimitives(primitiveNames, (name, args) => runNow(steps[name](...args)))
}

export function waiting(steps: MountSteps): Waiting {
  return mapWaiting(primitiveNames, (name, args) => runWaiting(steps[name](...args)))
}
