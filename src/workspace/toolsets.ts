// Values that are derived from the manifests: the list, the names and the options.

import { AnchorageError } from '../core/errors.ts'
import type { CommonToolsetOptions } from '../session/toolset.ts'
import type { ToolsetManifest } from '../session/toolset-manifest.ts'
import * as manifests from './toolset-manifests.ts'

type Manifest = (typeof manifests)[keyof typeof manifests]

/** The name of a toolset, for `workspace.toolset(name)`. */
export type ToolsetName = Manifest['name']

/** All toolsets, by name. No part of a toolset is loaded before it is opened. */
export const toolsets: readonly ToolsetManifest<ToolsetName>[] = Object.values(manifests)

type OptionsOf<Each> = Each extends ToolsetManifest<string, infer Options> ? Options : never
type AllOf<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void ? All : never

/** The common options, and those of single toolsets. A toolset refuses options that it does not have. */
export type ToolsetOptions = CommonToolsetOptions & AllOf<OptionsOf<Manifest>>

/** Throws `AnchorageError` `unknown-toolset`. */
export function findToolset(name: string): ToolsetManifest {
  const found = toolsets.find(toolset => toolset.name === name)
  if (found !== undefined) return found
  const names = toolsets.map(toolset => toolset.name).join(', ')
  throw new AnchorageError('unknown-toolset', `Unknown toolset ${JSON.stringify(String(name))}. Toolsets: ${names}.`)
}
