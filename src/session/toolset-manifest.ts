// The properties of a toolset that are known before it is loaded. This is the only list of name, summary, tools and options.

import { array, custom, object, picklist, record, string } from 'valibot'

import { actorProblem } from '../core/actor.ts'
import { checkOptions, type OptionTable } from '../core/option.ts'
import type { Toolset } from '../core/tool.ts'
import type { Session } from './session.ts'
import { withExamples, type AnyTool, type ToolExamples } from './tool.ts'
import { createToolset, type CommonToolsetOptions, type RenderFailure } from './toolset.ts'

/** Describes a toolset without loading it: name, options, tools, and how long a call may take. */
export interface ToolsetManifest<Name extends string = string, Options extends object = object> {
  readonly name: Name
  /** One sentence for people: how this toolset differs from the others. */
  readonly summary: string
  /** The built-in tools, by their original names, in the order in which a model sees them. */
  readonly tools: readonly string[]
  /** The resources that its tools open in addition to plain files: address schemes, and kinds of files that are not shown as text. */
  readonly resources: readonly string[]
  /** The options in addition to those of every toolset. */
  readonly options: OptionTable<Options>
  /** Loads the parts of the toolset. */
  load(): Promise<ToolsetParts<Options>>
}

export interface ToolsetParts<Options extends object = object> {
  /** Creates the tools of one session. `options` have been checked. */
  createTools(session: Session, options: Options & CommonToolsetOptions): ToolsetTools | Promise<ToolsetTools>
}

export interface ToolsetTools {
  readonly tools: readonly AnyTool[]
  readonly examples: ToolExamples
  readonly renderFailure?: RenderFailure
  /** Notes on the toolset itself in the first result, and in its `details` under this name. */
  readonly openingNotes?: { readonly name: string; readonly notes: readonly string[] }
  /** Wraps every call of the toolset. */
  readonly wrap?: (toolset: Toolset) => Toolset
}

const commonOptions: OptionTable<CommonToolsetOptions> = {
  overwrite: {
    about: 'Whether a write over a file that changed since it was seen is done with a note, or refused. Default note.',
    schema: picklist(['note', 'refuse']),
  },
  only: { about: 'Only these tools, by their own names.', schema: array(string()) },
  actor: {
    about: 'Who calls its tools: { kind, name }. Default an agent.',
    schema: custom(value => actorProblem(value) === undefined, "Expected { kind: 'agent' | 'person' | 'shell' | 'host', name? }"),
  },
  policy: { about: "What this actor may do, in place of the workspace's policy.", schema: object({}) },
  rename: { about: 'Own name of a tool → the name that the model sees.', schema: record(string(), string()) },
  limits: { about: 'Tighter or wider limits for this toolset.', schema: object({}) },
  state: { about: 'What Toolset.state() of an earlier session gave.', schema: custom(value => value !== null) },
}

/** Throws `AnchorageError` `toolset-options` for an option that the toolset does not have. */
export function checkToolsetOptions(manifest: ToolsetManifest, options: object): void {
  checkOptions(options, { ...commonOptions, ...manifest.options }, `the toolset ${manifest.name}`)
}

/** Opens a toolset over a session. Call `checkToolsetOptions` first. */
export async function openToolset(manifest: ToolsetManifest, session: Session, options: CommonToolsetOptions): Promise<Toolset> {
  const parts = await manifest.load()
  const { tools, examples, renderFailure, openingNotes, wrap } = await parts.createTools(session, options)
  const toolset = createToolset(session, withExamples(tools, examples), options, renderFailure, {
    readsOutputs: manifest.resources.includes('artifact://'),
    openingNotes,
  })
  return wrap === undefined ? toolset : wrap(toolset)
}
