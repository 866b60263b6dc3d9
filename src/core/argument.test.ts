// No public function answers a wrong argument with a `TypeError` from somewhere inside: the error names the function and what it takes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { acpClient } from '../adapters/acp/index.ts'
import { aiSdkTools, sandbox, toolApproval } from '../adapters/ai-sdk/index.ts'
import { answerToolUses, anthropicTools } from '../adapters/anthropic/index.ts'
import { deepagentsBackend } from '../adapters/deepagents/index.ts'
import { langchainTools } from '../adapters/langchain/index.ts'
import { mastraTools } from '../adapters/mastra/index.ts'
import { registerTools } from '../adapters/mcp/index.ts'
import { agentTools } from '../adapters/openai-agents/index.ts'
import { answerResponseCalls, openaiTools, responseTools } from '../adapters/openai/index.ts'
import { justBash } from '../backends/just-bash/index.ts'
import { memory } from '../backends/memory/index.ts'
import { nodeShell } from '../backends/node/shell/index.ts'
import { exportTo, opfs } from '../backends/opfs/index.ts'
import { webcontainer } from '../backends/webcontainer/index.ts'
import { webcontainerShell } from '../backends/webcontainer/shell.ts'
import { exportZip, importZip } from '../backends/zip/index.ts'
import { openGit } from '../git/api.ts'
import { createWorkspace, type Workspace } from '../index.ts'
import { showShell } from '../terminal/index.ts'
import { toNodeFs } from '../vfs/facades/node/index.ts'
import { connectWorkspace, createWorker, memory as pageMemory } from '../worker/client.ts'
import { buildBackend, buildShell, buildWorkspace, hostWorkspace } from '../worker/entry.ts'
import { openContainer } from '../worker/webcontainer.ts'
import { AnchorageError } from './errors.ts'

let workspace: Workspace
beforeAll(async () => {
  workspace = await createWorkspace({ fs: memory({ 'a.txt': 'one\n' }), history: true })
})
afterAll(() => workspace.dispose())

type Called = (...args: unknown[]) => unknown

async function failure(call: () => unknown): Promise<Error | undefined> {
  try {
    await call()
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(`not an error: ${typeof error}`)
  }
}

const wrong = [undefined, null, 3, '', [], {}, { wrong: 1 }, Promise.resolve({ tools: [] })]

describe('an adapter refuses what is not a toolset or a workspace', () => {
  const adapters = {
    ...{ acpClient, agentTools, aiSdkTools, answerResponseCalls, answerToolUses, anthropicTools, deepagentsBackend },
    ...{ langchainTools, mastraTools, openaiTools, registerTools, responseTools, sandbox, toolApproval },
  }
  it.each(Object.entries(adapters))('%s', async (name, adapter) => {
    for (const value of wrong) {
      const error = await failure(() => Reflect.apply(adapter, undefined, [value]))
      expect(error).toMatchObject({ code: 'wrong-argument', message: expect.stringContaining(`${name}: the argument has no `) })
    }
  })

  it('and says that a promise must be awaited', async () => {
    const error = await failure(() => Reflect.apply(aiSdkTools, undefined, [workspace.toolset('atomic')]))
    expect(error?.message).toBe('aiSdkTools: the argument has no tools. Next: await the promise.')
  })
})

describe('a function refuses options that it does not have', () => {
  const container = { connect() {} }
  const functions: Readonly<Record<string, (tools: object, options: unknown) => unknown>> = {
    acpClient: (_, options) => Reflect.apply(acpClient, undefined, [workspace, options]),
    agentTools: (tools, options) => Reflect.apply(agentTools, undefined, [tools, options]),
    aiSdkTools: (tools, options) => Reflect.apply(aiSdkTools, undefined, [tools, options]),
    answerResponseCalls: (tools, options) => Reflect.apply(answerResponseCalls, undefined, [tools, { output: [] }, options]),
    answerToolUses: (tools, options) => Reflect.apply(answerToolUses, undefined, [tools, { content: [] }, options]),
    anthropicTools: (tools, options) => Reflect.apply(anthropicTools, undefined, [tools, options]),
    deepagentsBackend: (_, options) => Reflect.apply(deepagentsBackend, undefined, [workspace, options]),
    exportTo: (_, options) => Reflect.apply(exportTo, undefined, [workspace.fs, { values() {} }, options]),
    exportZip: (_, options) => Reflect.apply(exportZip, undefined, [workspace.fs, options]),
    importZip: (_, options) => Reflect.apply(importZip, undefined, [new Uint8Array(), workspace.fs, options]),
    justBash: (_, options) => Reflect.apply(justBash, undefined, [options]),
    langchainTools: (tools, options) => Reflect.apply(langchainTools, undefined, [tools, options]),
    mastraTools: (tools, options) => Reflect.apply(mastraTools, undefined, [tools, options]),
    nodeShell: (_, options) => Reflect.apply(nodeShell, undefined, [options]),
    openContainer: (_, options) => Reflect.apply(openContainer, undefined, [options]),
    openGit: (_, options) => Reflect.apply(openGit, undefined, [workspace.fs, options]),
    openaiTools: (tools, options) => Reflect.apply(openaiTools, undefined, [tools, options]),
    opfs: (_, options) => Reflect.apply(opfs, undefined, [options]),
    registerTools: (tools, options) => Reflect.apply(registerTools, undefined, [{ registerTool() {} }, tools, options]),
    responseTools: (tools, options) => Reflect.apply(responseTools, undefined, [tools, options]),
    sandbox: (_, options) => Reflect.apply(sandbox, undefined, [workspace, options]),
    showShell: (_, options) => Reflect.apply(showShell, undefined, [{ onData() {} }, { run() {} }, options]),
    toNodeFs: (_, options) => Reflect.apply(toNodeFs, undefined, [workspace.fs, options]),
    webcontainer: (_, options) => Reflect.apply(webcontainer, undefined, [container, options]),
    webcontainerShell: (_, options) => Reflect.apply(webcontainerShell, undefined, [container, options]),
  }
  /** Without which the function refuses the options for another reason. */
  const needed = { path: '/', dir: '/', directory: '/', name: 'a' }

  it.each(Object.entries(functions))('%s', async (name, call) => {
    const tools = await workspace.toolset('atomic')
    const unknown = await failure(() => call(tools, { sginal: 1, ...needed }))
    expect(unknown).toMatchObject({
      code: 'wrong-argument',
      message: expect.stringContaining(`${name}: unknown option sginal. It takes `),
    })
    for (const value of [null, 3, 'x', []])
      expect(await failure(() => call(tools, value)), JSON.stringify(value)).toMatchObject({ code: 'wrong-argument' })
  })

  it('the filesystem', async () => {
    const fs = workspace.fs
    const rows: readonly (readonly [verb: string, args: readonly unknown[], options: string])[] = [
      ['readFile', ['/workspace/a.txt'], 'start, end'],
      ['writeFile', ['/workspace/new.txt', ''], 'mode, create, ifRev, append, transfer, parents'],
      ['stat', ['/'], 'none'],
      ['lstat', ['/'], 'none'],
      ['readdir', ['/'], 'none'],
      ['mkdir', ['/new'], 'recursive, mode'],
      ['rm', ['/new'], 'recursive, force, emptyDirectory'],
      ['copy', ['/workspace/a.txt', '/new.txt'], 'recursive, force'],
      ['walk', ['/'], 'maxDepth, maxEntries, prune, signal'],
      ['watch', ['/', () => {}], 'recursive, sinceSeq, immediate'],
      ['batch', [() => {}], 'expect'],
      ['hash', ['/workspace/a.txt', 'sha256'], 'signal'],
    ]
    for (const [verb, args, options] of rows) {
      const method: Called = Reflect.get(fs, verb)
      const error = await failure(() => method.apply(fs, [...args, { sginal: 1 }]))
      expect(error).toMatchObject({
        code: 'EINVAL',
        message: expect.stringContaining(`(unknown option sginal; options: ${options})`),
      })
    }
    expect(await fs.exists('/workspace/new.txt')).toBe(false)
    for (const [verb, ...args] of [
      ['walk', '/'],
      ['hash', '/workspace/a.txt', 'sha256'],
    ] as const) {
      expect(await failure(() => Reflect.apply(fs[verb], fs, [...args, { signal: 3 }]))).toMatchObject({
        code: 'EINVAL',
        message: expect.stringContaining('(signal must be an AbortSignal)'),
      })
    }
    // An index is no mistake.
    const stat: Called = Reflect.get(fs, 'stat' as string)
    expect(await stat.apply(fs, ['/', 0])).toMatchObject({ kind: 'directory' })
  })

  it('memory', async () => {
    for (const fs of [memory({}, { nope: 1 } as object), { '/': memory({}, { nope: 1 } as object) }])
      expect(await failure(() => createWorkspace({ fs }))).toMatchObject({
        code: 'EINVAL',
        message: expect.stringContaining('(unknown option nope; options: clock, transfer)'),
      })
    expect(await failure(() => Reflect.apply(pageMemory, undefined, [{}, { clock: Date.now }]))).toMatchObject({
      code: 'wrong-argument',
    })
    for (const args of [[null], [{}, null], [3], [{}, 3], [Promise.resolve({})], [new Map([['a', '']])], [['a.txt']]])
      expect(await failure(() => Reflect.apply(memory, undefined, args))).toMatchObject({ code: 'EINVAL' })
  })

  it('toolset', async () => {
    const on = async (object: object, verb: string, ...args: readonly unknown[]): Promise<unknown> => {
      const method: Called = Reflect.get(object, verb)
      return method.apply(object, [...args])
    }
    const tools = await workspace.toolset('atomic')
    for (const options of [null, 3, 'x'])
      for (const call of [
        () => on(workspace, 'toolset', 'ah', options),
        () => on(tools, 'call', 'read', { path: 'a.txt' }, options),
        () => on(tools, 'preview', 'read', { path: 'a.txt' }, options),
        () => on(tools, 'close', options),
      ])
        expect(await failure(call), JSON.stringify(options)).toMatchObject({ code: 'wrong-argument' })
    const { signal } = new AbortController()
    for (const [verb, wrong, name] of [
      ['call', signal, 'aborted'],
      ['call', { onupdate: () => {} }, 'onupdate'],
      ['preview', { turn: '1' }, 'turn'],
      ['close', { forgt: true }, 'forgt'],
    ] as const)
      expect(
        await failure(() => on(tools, verb, ...(verb === 'close' ? [wrong] : ['read', { path: 'a.txt' }, wrong]))),
      ).toMatchObject({
        code: 'wrong-argument',
        message: expect.stringContaining(`toolset.${verb}: unknown option ${name}. It takes `),
      })
    expect(await failure(() => on(workspace, 'toolset', 1n))).toMatchObject({
      code: 'unknown-toolset',
      message: expect.stringContaining('"1"'),
    })
  })
})

describe('a function refuses a signal or a listener of another type', () => {
  const given = { signal: 3, onUpdate: 'x', onProgress: 3 }
  const calls: readonly (readonly [
    name: string,
    call: (tools: object, options: object) => unknown,
    option: keyof typeof given,
  ])[] = [
    ['toolset.call', (tools, options) => Reflect.apply(Reflect.get(tools, 'call'), tools, ['read', {}, options]), 'signal'],
    ['toolset.call', (tools, options) => Reflect.apply(Reflect.get(tools, 'call'), tools, ['read', {}, options]), 'onUpdate'],
    ['toolset.preview', (tools, options) => Reflect.apply(Reflect.get(tools, 'preview'), tools, ['read', {}, options]), 'signal'],
    ['exportZip', (_, options) => Reflect.apply(exportZip, undefined, [workspace.fs, { path: '/', ...options }]), 'signal'],
    ['exportZip', (_, options) => Reflect.apply(exportZip, undefined, [workspace.fs, { path: '/', ...options }]), 'onProgress'],
    ['git.run', (_, options) => openGit(workspace.fs, { dir: '/' }).run(['status'], options), 'signal'],
    ['session.run', async (_, options) => (await workspace.shell.open()).run('ls', options), 'signal'],
  ]
  it.each(calls)('%s', async (name, call, option) => {
    const tools = await workspace.toolset('atomic')
    const kind = option === 'signal' ? 'an AbortSignal' : 'a function'
    for (const value of option === 'signal' ? [given[option], null] : [given[option]])
      expect(await failure(() => call(tools, { [option]: value }))).toMatchObject({
        code: 'wrong-argument',
        message: `${name}: ${option} must be ${kind}.`,
      })
  })
})

it.each(Object.entries({ buildBackend, buildShell, buildWorkspace, hostWorkspace }))(
  '%s refuses what is no object',
  async (_name, call) => {
    const { port1 } = new MessageChannel()
    const rows = [
      ...[undefined, null, 3, '', [], {}, () => {}].map(value => [value, value, value]),
      [port1, 3],
      [port1, () => {}, null],
    ]
    for (const args of rows) expect(await failure(() => Reflect.apply(call, undefined, args))).toBeInstanceOf(AnchorageError)
    port1.close()
  },
)

it('a workspace that was disposed says so for its files', async () => {
  const own = await createWorkspace({ fs: memory({ 'a.txt': '' }) })
  const { fs } = own
  await own.dispose()
  expect(Object.keys(fs).length).toBeGreaterThan(20)
  for (const name of Object.keys(fs)) {
    const method: unknown = Reflect.get(fs, name)
    if (typeof method === 'function')
      expect(await failure(() => Reflect.apply(method, fs, ['/workspace/a.txt', 'x'])), name).toMatchObject({
        code: 'workspace-disposed',
      })
  }
  expect(fs.sync).toBeUndefined()
  expect(await failure(() => own.as({ kind: 'person' }))).toMatchObject({ code: 'workspace-disposed' })
})

it('without web workers the next step is named', async () => {
  for (const call of [
    createWorker,
    () => connectWorkspace('/worker.js', { fs: memory() }),
    () => connectWorkspace(createWorker, { fs: memory() }),
  ])
    expect(await failure(call)).toMatchObject({
      code: 'no-workers',
      message: expect.stringContaining('Next: use createWorkspace'),
    })
})

describe('a function of an object refuses a wrong argument', () => {
  const objects: Readonly<Record<string, () => Promise<object>>> = {
    buffers: async () => workspace.buffers,
    buffer: () => workspace.buffers.open('a.txt'),
    fork: () => workspace.fork(),
    git: async () => openGit(workspace.fs, { dir: '/workspace' }),
    stash: async () => openGit(workspace.fs, { dir: '/workspace' }).stash,
    history: async () => workspace.history,
    session: () => workspace.shell.open(),
  }
  const changed = 'buffer.change: each edit must be an object { from, to, insert } whose insert is a string.'
  const rows: readonly (readonly [object: string, verb: string, args: readonly unknown[], told: string])[] = [
    ['buffers', 'open', [3], 'buffers: argument 1 must be a string.'],
    ['buffers', 'open', ['a.txt', null], 'buffers: argument 2 must be an object of options. It takes actor, create, unsaved.'],
    ['buffers', 'connect', ['a.txt'], 'buffers: argument 3 must be a function.'],
    ['buffer', 'change', [], 'buffer.change: argument 1 must be a list.'],
    ['buffer', 'change', [[null]], changed],
    ['buffer', 'change', [[{ from: 0, insert: 3 }]], changed],
    ['buffer', 'on', ['typed', () => {}], 'buffer.on: unknown option typed. It takes edit, conflict, state, lost.'],
    ['buffer', 'save', [null], 'buffer.save: argument 1 must be an object of options. It takes overwrite.'],
    ['buffer', 'close', [{ force: true }], 'buffer.close: unknown option force. It takes discard.'],
    ['fork', 'fork', [null], 'workspace.fork: argument 1 must be an object of options. It takes actor.'],
    ['fork', 'fork', [{ acter: 1 }], 'workspace.fork: unknown option acter. It takes actor.'],
    ['fork', 'merge', [null], 'fork.merge: argument 1 must be an object of options. It takes review, onConflict.'],
    ['git', 'run', ['status'], 'git.run: argument 1 must be a list of strings.'],
    ['git', 'stage', ['a.txt'], 'git.stage: argument 1 must be a list of strings.'],
    ['git', 'commit', [], 'git.commit: argument 1 must be a string.'],
    ['git', 'commit', ['First', { amendd: true }], 'git.commit: unknown option amendd. It takes signal, amend.'],
    ['git', 'log', [null], 'git.log: argument 1 must be an object of options. It takes signal, from, count, skip, paths.'],
    ['git', 'watch', [], 'git.watch: argument 1 must be a function.'],
    ['stash', 'apply', ['0'], 'git.stash.apply: argument 1 must be a number, or left out.'],
    ['history', 'changes', ['1'], 'history.changes: argument 1 must be a number.'],
    [
      'history',
      'undo',
      [],
      'history.undo: argument 1 must be an object of options. It takes id, call, turn, session, actor, since.',
    ],
    ['history', 'turn', [null], 'history.beginTurn: argument 1 must be an object of options. It takes label, actor.'],
    ['session', 'run', [], 'session.run: argument 1 must be a string.'],
    ['session', 'run', ['ls', new AbortController().signal], 'session.run: unknown option aborted. It takes signal.'],
    ['session', 'write', [3], 'session.write: argument 1 must be a string or bytes.'],
    ['session', 'complete', ['ls'], 'session.complete: argument 2 must be a number.'],
  ]
  it.each(rows)('%s.%s(%j)', async (object, verb, args, told) => {
    const on = (await objects[object]?.()) ?? {}
    const method: Called = Reflect.get(on, verb)
    expect(await failure(() => method.apply(on, [...args]))).toMatchObject({ code: 'wrong-argument', message: told })
  })

  it('whatever the argument is', async () => {
    const raw: string[] = []
    for (const [name, open] of Object.entries(objects)) {
      const on = await open()
      const prototype: object = Object.getPrototypeOf(on)
      const inherited = prototype === Object.prototype ? [] : Object.getOwnPropertyNames(prototype)
      for (const verb of [...Object.keys(on), ...inherited]) {
        const method: unknown = Reflect.get(on, verb)
        // These do not belong to the public interface, or they end the object or wait.
        if (typeof method !== 'function' || /^(constructor|dispose|receive|rejoin|lose|changed|output|idle)$/.test(verb)) continue
        for (const value of [null, 3, [], '']) {
          const error = await failure(() => Reflect.apply(method, on, [value, null, null]))
          if (error !== undefined && !(error instanceof AnchorageError))
            raw.push(`${name}.${verb}(${JSON.stringify(value)}): ${error.name}, ${error.message}`)
        }
      }
    }
    expect(raw).toEqual([])
  })
})
