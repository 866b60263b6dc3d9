// Toolsets by name, each loaded when it is first asked for.

import { AnchorageError } from '../core/errors.ts'
import type { Toolset } from '../core/tool.ts'
import type { Session } from '../session/session.ts'
import type { ToolsetOptions } from '../session/toolset.ts'
import type { ToolsetName } from './workspace.ts'

type CreateToolset = (session: Session, options: ToolsetOptions) => Toolset | Promise<Toolset>

const loaders: Readonly<Record<ToolsetName, () => Promise<CreateToolset>>> = {
  ah: async () => (await import('../toolsets/ah/index.ts')).createAhToolset,
  agsh: async () => (await import('../toolsets/agsh/index.ts')).createAgshToolset,
  atomic: async () => (await import('../toolsets/atomic/index.ts')).createAtomicToolset,
  ecs: async () => (await import('../toolsets/ecs/index.ts')).createEcsToolset,
  rye: async () => (await import('../toolsets/rye/index.ts')).createRyeToolset,
}

export async function loadToolset(name: ToolsetName, session: Session, options: ToolsetOptions): Promise<Toolset> {
  if (!Object.hasOwn(loaders, name)) {
    throw new AnchorageError(
      'unknown-toolset',
      `There is no toolset ${JSON.stringify(name)}. Toolsets: ${Object.keys(loaders).join(', ')}.`,
    )
  }
  const create = await loaders[name]()
  return create(session, options)
}
