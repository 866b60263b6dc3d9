// One table of expectations for every SDK: what a scripted model calls, and what it must be told.

import { createWorkspace, textOf } from 'anchorage'
import { memory } from 'anchorage/fs/memory'
import { expect } from 'vitest'
import type { ApprovalRequest, Policy, ToolResult, Toolset, ToolsetName, Workspace } from 'anchorage'
import type { AdapterOptions } from 'anchorage/adapters/ai-sdk'

/** One call of the scripted model. */
export interface ScriptedCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** What the model was told of one call. */
export interface Told {
  readonly text: string
  /** As the SDK's own flag says; `undefined` where it has none. */
  readonly isError: boolean | undefined
  readonly images: number
  readonly structured?: unknown
}

/** A model's next turn: calls that it makes at once, or none when it is done. */
export type Script = (told: readonly Told[]) => readonly ScriptedCall[]

/** One run of an agent with the script as its model. */
export interface Run {
  readonly tools: Toolset
  readonly script: Script
  readonly signal: AbortSignal
  /** Every update that the SDK's own channel for progress carried. */
  readonly onProgress: (text: string) => void
  /** Passed to the adapter. */
  readonly options: AdapterOptions
}

/** How one SDK is plugged in. */
export interface Driver {
  readonly name: string
  /** What a user writes beside what the SDK's own documentation shows; the import counts. */
  readonly glue: readonly string[]
  /** False where the SDK has no place for what a running tool says. */
  readonly hasProgress: boolean
  readonly showsImages: boolean
  readonly flagsErrors: boolean
  /** Whether an aborted run rejects, or ends as one that was stopped. */
  readonly abort: 'rejects' | 'ends'
  /** The SDK's ID of a call reaches the toolset. */
  readonly hasCallIds: boolean
  /** The model's side is given `structuredContent`. */
  readonly hasStructuredContent?: boolean
  readonly run: (run: Run) => Promise<readonly Told[]>
}

/** A PNG of 2 by 2 pixels. */
const pngBase64 = 'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg=='

const files = {
  'a.txt': 'one\ntwo\nthree\n',
  'b.txt': 'four\nfive\n',
  'picture.png': Uint8Array.from(atob(pngBase64), character => character.charCodeAt(0)),
}

export interface Scenario {
  readonly name: string
  readonly toolset?: ToolsetName
  readonly policy?: Policy
  readonly check: (world: World) => Promise<void>
}

/** An update or a result, and the call that it was told with. */
export interface Heard {
  readonly name: string
  readonly callId: string | undefined
  readonly text?: string
  readonly result?: ToolResult
}

export interface World {
  readonly driver: Driver
  readonly workspace: Workspace
  readonly progress: readonly string[]
  /** What the host heard through the adapter's options. */
  readonly heard: readonly Heard[]
  readonly asked: readonly ApprovalRequest[]
  readonly run: (script: Script, signal?: AbortSignal) => Promise<readonly Told[]>
}

const tagOf = (text: string): string => /^\[[^\]\n]+#[0-9A-F]{4}\]$/m.exec(text)?.[0] ?? `no tag in ${text}`

/** Turns one after the other; the last is followed by an answer without calls. */
const turns =
  (...steps: Script[]): Script =>
  told => {
    let seen = 0
    for (const step of steps) {
      const calls = step(told)
      if (told.length === seen) return calls
      seen += calls.length
    }
    return []
  }
const call = (name: string, args: Readonly<Record<string, unknown>>): ScriptedCall => ({ name, args })

function expectError(driver: Driver, { isError, text }: Told | undefined = { isError: false, text: '', images: 0 }): void {
  if (driver.flagsErrors) expect(isError, text).toBe(true)
  else expect(text).toMatch(/^error/i)
}

export const scenarios: readonly Scenario[] = [
  {
    name: 'a read, then two edits of two files and two of one at once',
    async check({ run, workspace, driver }) {
      const told = await run(
        turns(
          () => [call('read', { path: 'a.txt' }), call('read', { path: 'b.txt' })],
          ([a, b]) => [
            call('edit', { input: `${tagOf(a?.text ?? '')}\nreplace 1..1:\n+ONE` }),
            call('edit', { input: `${tagOf(a?.text ?? '')}\nreplace 3..3:\n+THREE` }),
            call('edit', { input: `${tagOf(b?.text ?? '')}\nreplace 2..2:\n+FIVE` }),
          ],
        ),
      )
      expect(told).toHaveLength(5)
      expect(told[0]?.text).toContain('[a.txt#')
      for (const { isError, text } of told) expect(driver.flagsErrors ? isError : /^error/i.test(text), text).toBe(false)
      expect(await workspace.fs.readText('/workspace/a.txt')).toBe('ONE\ntwo\nTHREE\n')
      expect(await workspace.fs.readText('/workspace/b.txt')).toBe('four\nFIVE\n')
    },
  },
  {
    name: 'progress of a command',
    async check({ run, progress, heard, driver }) {
      const command = 'for i in 1 2 3 4 5; do echo step $i; sleep 0.2; done'
      const told = await run(turns(() => [call('bash', { command })]))
      expect(told[0]?.text).toBe('step 1\nstep 2\nstep 3\nstep 4\nstep 5\n')
      if (driver.hasProgress) expect(progress.join('')).toContain('step 1')
      const updates = heard.filter(({ text }) => text !== undefined)
      expect(updates.map(({ text }) => text).join('')).toContain('step 1')
      const results = heard.filter(({ result }) => result !== undefined)
      expect(results.map(({ result }) => result?.details['durationMs'])).toEqual([expect.any(Number)])
      for (const { name, callId } of heard) expect([name, callId !== undefined]).toEqual(['bash', driver.hasCallIds])
    },
  },
  {
    name: 'an approval that is denied in the call, with its reason',
    policy: { level: 'ask', approve: () => Promise.resolve({ deny: 'the release is frozen' }) },
    async check({ run, driver, asked, workspace }) {
      const told = await run(turns(() => [call('write', { path: 'new.txt', content: 'x\n' })]))
      expectError(driver, told[0])
      expect(told[0]?.text).toContain('the release is frozen')
      expect(asked.map(({ tool, files: paths }) => ({ tool, paths }))).toEqual([{ tool: 'write', paths: ['/workspace/new.txt'] }])
      expect(asked[0]).toMatchObject({ actor: { kind: 'agent' }, turn: 'turn 7' })
      expect(await workspace.fs.exists('/workspace/new.txt')).toBe(false)
    },
  },
  {
    name: 'an image',
    toolset: 'agsh',
    async check({ run, driver }) {
      const told = await run(turns(() => [call('read_file', { path: 'picture.png' })]))
      if (driver.showsImages) expect(told[0]?.images).toBe(1)
      else expect(told[0]?.text).toContain('image/png')
    },
  },
  {
    name: 'an abort in the middle of a command',
    async check({ run, workspace, driver }) {
      const controller = new AbortController()
      const script = turns(() => [call('bash', { command: 'echo begun > begun; while :; do :; done' })])
      const running = run(script, controller.signal).then(
        () => 'ended',
        (error: unknown) => error,
      )
      await expect.poll(() => workspace.fs.exists('/workspace/begun')).toBe(true)
      controller.abort()
      expect(await running).toEqual(driver.abort === 'rejects' ? expect.any(Error) : 'ended')
      // No call of a tool is under way any more: the command was ended, and not only no longer waited for.
      await workspace.idle()
    },
  },
  {
    name: 'results as data',
    toolset: 'rye',
    async check({ run, heard, driver }) {
      const told = await run(turns(() => [call('read', { file_path: 'a.txt' })]))
      const [data] = heard.flatMap(({ result }) => (result === undefined ? [] : [result.structuredContent]))
      expect(data).toBeTypeOf('object')
      if (driver.hasStructuredContent === true) expect(told[0]?.structured).toEqual(data)
    },
  },
  {
    name: 'slips in arguments: repaired where they can be, and told in our words where not',
    async check({ run, driver }) {
      const told = await run(
        turns(() => [
          call('read', { file_path: 'a.txt' }),
          call('find', { paths: '["*.txt"]', limit: '1' }),
          call('read', {}),
          call('read', { path: 'missing.txt' }),
        ]),
      )
      const [aliased, texts, without, missing] = told
      expect(aliased?.text).toContain('[a.txt#')
      expect(aliased?.text).toContain('"file_path" was read as "path"')
      expect(texts?.text).toMatch(/[ab]\.txt/)
      expectError(driver, without)
      expect(without?.text).toContain('invalid-arguments: Invalid arguments for read')
      expectError(driver, missing)
      expect(missing?.text).toContain('missing.txt')
    },
  },
]

/** Runs one row with one SDK. */
export async function runScenario(driver: Driver, { toolset = 'atomic', policy, check }: Scenario): Promise<void> {
  const asked: ApprovalRequest[] = []
  const progress: string[] = []
  const heard: Heard[] = []
  const options: AdapterOptions = {
    turn: () => 'turn 7',
    onUpdate: (update, { name, callId }) => heard.push({ name, callId, text: textOf(update) }),
    onResult: (result, { name, callId }) => heard.push({ name, callId, result }),
  }
  const approve = policy?.approve
  const workspace = await createWorkspace({
    fs: memory(files),
    ...(policy === undefined
      ? {}
      : {
          policy: {
            ...policy,
            ...(approve && {
              approve: request => {
                asked.push(request)
                return approve(request)
              },
            }),
          },
        }),
  })
  try {
    const tools = await workspace.toolset(toolset)
    await check({
      driver,
      workspace,
      progress,
      heard,
      asked,
      run: (script, signal = new AbortController().signal) =>
        driver.run({ tools, script, signal, onProgress: text => progress.push(text), options }),
    })
  } finally {
    await workspace.dispose()
  }
}
