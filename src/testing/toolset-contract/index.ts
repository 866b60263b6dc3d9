// The contract of a toolset as one list, for authors of toolsets and of tools beside ours. It needs no test runner.

import { checkArguments } from '../../core/argument.ts'
import { isRecord } from '../../core/record.ts'
import { textOf } from '../../core/text-of.ts'
import type { ToolDefinition, ToolExample, ToolResult, Toolset } from '../../core/tool.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { check, checkEqual } from '../check.ts'
import { type ContractCase, type ContractRow, type Deviation, runContract } from '../contract.ts'

/** A toolset over a workspace of its own; closing it disposes of the workspace. */
export interface ToolsetSubject {
  readonly tools: Toolset
  readonly workspace: Workspace
}

/** Opens a fresh toolset over these files, by path from the root of its workspace. */
export type OpenToolset = (files: Readonly<Record<string, string>>) => Promise<ToolsetSubject>

/** One rule of the contract. */
export type ToolsetCase = ContractCase<OpenToolset>

/** All rules of the contract of toolsets. */
export const toolsetContract: readonly ToolsetCase[] = [
  {
    id: 'names.valid-and-unique',
    run: open => withTools(open, checkNames),
  },
  {
    id: 'definitions.plain-data',
    run: open => withTools(open, ({ tools }) => tools.tools.forEach(checkDefinition)),
  },
  {
    id: 'examples.hold',
    run: open => forExamples(open, checkExample),
  },
  {
    id: 'examples.read-only-tools-change-no-file',
    run: open =>
      forExamples(open, async ({ tools, workspace }, tool, example) => {
        if (!tool.annotations.readOnlyHint) return
        const before = await filesOf(workspace)
        await tools.call(tool.name, example.arguments)
        checkEqual(await filesOf(workspace), before, `the files after ${tool.name}, which has readOnlyHint`)
      }),
  },
  {
    id: 'preview.changes-no-file',
    run: open =>
      forExamples(open, async ({ tools, workspace }, tool, example) => {
        const before = await filesOf(workspace)
        const { kind } = await tools.preview(tool.name, example.arguments)
        check(previewKinds.has(kind), `a preview of ${tool.name} has the unknown kind ${kind}`)
        checkEqual(await filesOf(workspace), before, `the files after a preview of ${tool.name}`)
      }),
  },
  {
    id: 'arguments.wrong-ones-are-told-and-not-thrown',
    run: open =>
      withTools(open, async ({ tools, workspace }) => {
        const before = await filesOf(workspace)
        for (const { name, inputSchema } of tools.tools) {
          const isAnyRequired = Array.isArray(inputSchema['required']) && inputSchema['required'].length > 0
          for (const args of [7, 'not JSON', ...(isAnyRequired ? [{}] : [])]) {
            checkRefused(await tools.call(name, args), `${name} with the arguments ${JSON.stringify(args)}`)
          }
        }
        checkRefused(await tools.call('no_such_tool', {}), 'a tool that does not exist')
        checkEqual(await filesOf(workspace), before, 'the files after refused calls')
      }),
  },
  {
    id: 'call.gives-back-its-id',
    run: open =>
      forExamples(open, async ({ tools }, tool, example) => {
        const { details } = await tools.call(tool.name, example.arguments, { callId: 'call-7' })
        checkEqual(details['callId'], 'call-7', `details.callId of ${tool.name}`)
      }),
  },
  {
    id: 'abort.rejects-with-its-reason-and-changes-no-file',
    run: open =>
      forExamples(open, async ({ tools, workspace }, tool, example) => {
        const before = await filesOf(workspace)
        const reason = new Error('the person stopped it')
        const outcome = await tools.call(tool.name, example.arguments, { signal: AbortSignal.abort(reason) }).then(
          () => 'a result',
          (error: unknown) => error,
        )
        check(outcome === reason, `${tool.name} with an aborted signal must reject with its reason, and gave ${String(outcome)}`)
        checkEqual(await filesOf(workspace), before, `the files after an aborted ${tool.name}`)
      }),
  },
  {
    id: 'state.plain-data',
    run: open =>
      forExamples(open, async ({ tools }, tool, example) => {
        await tools.call(tool.name, example.arguments)
        checkPlain(await tools.state(), `the state after ${tool.name}`)
      }),
  },
  {
    id: 'close.twice-and-then-no-call',
    run: open =>
      withTools(open, async ({ tools }) => {
        await tools.close()
        await tools.close()
        for (const { name } of tools.tools) {
          const isRejected = await tools.call(name, {}).then(
            () => false,
            () => true,
          )
          check(isRejected, `${name} must reject after close()`)
        }
      }),
  },
]

/**
 * The contract for one toolset, as rows for any test runner. Examples of the definitions are run as tests, so that a tool without one is
 * named. `open` is called for each row and each example.
 *
 * ```ts
 * for (const row of toolsetContractRows(open)) test(row.name, row.run)
 * ```
 */
export function toolsetContractRows(
  open: OpenToolset,
  options: { readonly deviations?: readonly Deviation[] } = {},
): readonly ContractRow[] {
  checkArguments('toolsetContractRows', [open, options], ['function', ['deviations']])
  return runContract(toolsetContract, {
    open: async () => ({ context: open, close: async () => {} }),
    can: () => true,
    deviations: options.deviations ?? [],
  })
}

const previewKinds: ReadonlySet<string> = new Set(['changes', 'unchanged', 'refused', 'unavailable'])
const namePattern = /^[a-z][a-z0-9_]{0,63}$/

async function withTools(
  open: OpenToolset,
  use: (subject: ToolsetSubject) => void | Promise<void>,
  files: Readonly<Record<string, string>> = {},
): Promise<void> {
  const subject = await open(files)
  try {
    await use(subject)
  } finally {
    await subject.tools.close()
    await subject.workspace.dispose()
  }
}

/** Each example in a workspace of its own, after the calls that it follows. */
async function forExamples(
  open: OpenToolset,
  use: (subject: ToolsetSubject, tool: ToolDefinition, example: ToolExample) => Promise<void>,
): Promise<void> {
  let definitions: readonly ToolDefinition[] = []
  await withTools(open, ({ tools }) => void (definitions = tools.tools))
  for (const tool of definitions) {
    check((tool.examples ?? []).length > 0, `${tool.name} has no example, so its calls cannot be tested`)
    for (const example of tool.examples ?? []) {
      const run = async (subject: ToolsetSubject): Promise<void> => {
        for (const call of example.after ?? []) await subject.tools.call(call.tool, call.arguments)
        await use(subject, tool, example)
      }
      await withTools(open, run, example.files)
    }
  }
}

function checkNames({ tools }: ToolsetSubject): void {
  const names = tools.tools.map(({ name }) => name)
  check(names.length > 0, 'there are no tools')
  for (const name of names) check(namePattern.test(name), `the name ${name} does not match ${String(namePattern)}`)
  check(new Set(names).size === names.length, `two tools have the same name: ${names.join(', ')}`)
}

function checkDefinition(tool: ToolDefinition): void {
  const { name, description, inputSchema, annotations, executionMode, busy } = tool
  checkPlain(tool, `the definition of ${name}`)
  check(description.trim() !== '', `${name} has no description`)
  checkEqual(inputSchema.type, 'object', `the type of the schema of ${name}`)
  const properties = inputSchema['properties'] ?? {}
  for (const required of (inputSchema['required'] ?? []) as readonly string[]) {
    check(Object.hasOwn(properties, required), `${name} requires ${required}, which its schema does not describe`)
  }
  for (const hint of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const) {
    checkEqual(typeof annotations[hint], 'boolean', `the type of ${hint} of ${name}`)
  }
  check(!(annotations.readOnlyHint && annotations.destructiveHint), `${name} cannot both only read and destroy`)
  check(['parallel', 'sequential'].includes(executionMode), `${name} has the unknown executionMode ${executionMode}`)
  check(busy.defaultMs > 0 && busy.minMs >= 0, `the limits of time of ${name} are not positive`)
}

async function checkExample({ tools, workspace }: ToolsetSubject, tool: ToolDefinition, example: ToolExample): Promise<void> {
  const what = `the example "${example.title}" of ${tool.name}`
  const result = await tools.call(tool.name, example.arguments)
  checkResult(result, what)
  check(textOf(result).includes(example.expect.text), `${what} must contain ${example.expect.text}: ${textOf(result)}`)
  const error: unknown = result.details['error']
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  checkEqual(code, example.expect.error, `the code of ${what}`)
  const files = await filesOf(workspace)
  for (const [path, content] of Object.entries(example.expect.files ?? {}))
    checkEqual(files[path], content, `${path} after ${what}`)
}

function checkRefused(result: ToolResult, what: string): void {
  checkResult(result, what)
  check(result.isError, `${what} must be an error`)
  check(textOf(result).trim() !== '', `the error of ${what} has no text for the model`)
}

function checkResult({ isError, content, details, structuredContent }: ToolResult, what: string): void {
  checkEqual(typeof isError, 'boolean', `the type of isError of ${what}`)
  for (const block of content) {
    const isBlock =
      block.type === 'text' ? typeof block.text === 'string' : /^image\/\w/.test(block.mimeType) && block.data !== ''
    check(isBlock, `${what} has a block that is neither text nor an image`)
  }
  checkPlain(content, `the content of ${what}`)
  checkPlain(details, `the details of ${what}`)
  checkPlain(structuredContent, `the structured content of ${what}`)
}

/** What may cross a worker and a file of JSON, unchanged. A missing value is one that is `undefined`. */
function checkPlain(value: unknown, what: string): void {
  if (value === undefined || value === null || typeof value === 'string' || typeof value === 'boolean') return
  if (typeof value === 'number') return check(Number.isFinite(value), `${what} is ${value}, which JSON does not have`)
  const isPlain =
    Array.isArray(value) || (isRecord(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value) as object))
  check(isPlain, `${what} is not plain data`)
  for (const [key, inner] of Object.entries(value)) checkPlain(inner, `${key} of ${what}`)
}

/** By path from the root, sorted. */
async function filesOf({ fs, root }: Workspace): Promise<Readonly<Record<string, string>>> {
  const files: [string, string][] = []
  for await (const { path, kind } of fs.walk(root)) {
    if (kind === 'file') files.push([path.slice(root === '/' ? 1 : root.length + 1), await fs.readText(path)])
  }
  return Object.fromEntries(files.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
