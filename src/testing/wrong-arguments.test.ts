// No public function answers a wrong argument with an engine's `TypeError` from somewhere inside. The functions are those of every entry in
// package.json, so a new one is covered. An error with a `code` was thrown on purpose: it names the argument, or is one of Node's.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memory } from '../backends/memory/index.ts'
import { openGit } from '../git/api.ts'
import { createVfs, createWorkspace, type Workspace } from '../index.ts'
import { toolsets } from '../workspace/toolsets.ts'
import { sample } from './depth.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

const wrongValues: Readonly<Record<string, unknown>> = {
  null: null,
  undefined,
  'a number': 7,
  'a text': 'x',
  'an object': {},
  'a list': [],
  'a symbol': Symbol('s'),
  'a function': () => undefined,
}

type Called = (...args: readonly unknown[]) => unknown

/** Arguments that are right, so that the wrong one in a later place is reached. */
const rightArguments: Readonly<Record<string, readonly unknown[]>> = {
  atRoot: [memory(), '/a'],
  connectWorkspace: [() => ({}), {}],
  detailsOf: ['read'],
  exportZip: [createVfs(memory()), { path: '/' }],
  importZip: [new Uint8Array(), createVfs(memory()), { path: '/' }],
  exportTo: [createVfs(memory()), { values: () => [] }, { path: '/' }],
  importFrom: [{ values: () => [] }, createVfs(memory()), { path: '/' }],
  manifestOf: [createVfs(memory()), '/'],
  memory: [{}],
  overlay: [memory(), memory()],
  previewScript: ['', () => undefined],
  toNodeFs: [createVfs(memory())],
  webcontainer: [{ connect: () => ({}) }],
  webcontainerShell: [{ connect: () => ({}) }],
}

const paths: readonly unknown[] = ['/a.txt', '/b.txt']
const rightOfMethods: Readonly<Record<string, readonly unknown[]>> = {
  writeFile: ['/a.txt', 'x'],
  hash: ['/a.txt', 'sha256'],
  utimes: ['/a.txt', 1, 1],
  chmod: ['/a.txt', 1],
  watch: ['/a.txt', () => {}],
  batch: [() => {}],
  mkdir: ['/new'],
  call: ['read', { path: 'a.txt' }],
  preview: ['write', { path: 'a.txt', content: 'x' }],
}

/** Every wrong value in every place, with the right ones before it. Two places more than are counted: those that may be left out. */
function* wrongCalls(call: Called, right: readonly unknown[]): Generator<{ readonly name: string; readonly args: unknown[] }> {
  for (let place = 0; place < call.length + 2; place++) {
    for (const [name, value] of Object.entries(wrongValues)) {
      yield { name: `${name} in place ${place + 1}`, args: [...Array.from({ length: place }, (_, at) => right[at]), value] }
    }
  }
}

/** What an engine threw, as a text; `undefined` for an answer and for an error that was thrown on purpose. */
async function engineError(call: Called, self: unknown, args: readonly unknown[]): Promise<string | undefined> {
  try {
    const answer: unknown = await Reflect.apply(call, self, args)
    if (isWalk(answer)) await answer.next()
    return undefined
  } catch (error) {
    if (!(error instanceof Error)) return `not an error: ${String(error)}`
    const isOnPurpose = 'code' in error || error.name === 'CheckError' || error.message.startsWith('seed ')
    return isOnPurpose ? undefined : `${error.name}: ${error.message}`
  }
}

function isWalk(value: unknown): value is AsyncIterator<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value && 'next' in value
}

async function engineErrors(call: Called, self: unknown, right: readonly unknown[]): Promise<readonly string[]> {
  const failures: string[] = []
  for (const { name, args } of wrongCalls(call, right)) {
    const failure = await engineError(call, self, args)
    if (failure !== undefined) failures.push(`${name}: ${failure}`)
  }
  return failures
}

/** The sources of the entries. Files with side effects are scripts of workers. */
function entryFiles(): readonly string[] {
  const manifest: { exports: Record<string, string | { default: string }>; sideEffects: readonly string[] } = JSON.parse(
    readFileSync(`${root}package.json`, 'utf8'),
  )
  const targets = Object.values(manifest.exports).map(target => (typeof target === 'string' ? target : target.default))
  return targets
    .filter(target => target.endsWith('.js') && !manifest.sideEffects.includes(target) && !target.includes('/worker-files/'))
    .map(target => target.replace('./dist/', 'src/').replace(/js$/, 'ts'))
    .flatMap(file => {
      const [folder = '', rest] = file.split('*')
      if (rest === undefined) return [file]
      const entries = readdirSync(`${root}${folder}`, { withFileTypes: true })
      return entries.filter(entry => entry.isDirectory()).map(entry => `${folder}${entry.name}${rest}`)
    })
}

describe('no public function throws the error of an engine for a wrong argument', () => {
  const files = entryFiles()
  it('finds the entries', () => expect(files.length).toBeGreaterThan(30))

  // Loading an entry takes longer than its calls.
  it.each(sample(files, 4))('%s', async file => {
    const exported: object = await import(/* @vite-ignore */ `${root}${file}`)
    const failures: string[] = []
    for (const [name, value] of Object.entries(exported)) {
      if (typeof value !== 'function' || /^class\b/.test(String(value))) continue
      for (const failure of await engineErrors(value, undefined, rightArguments[name] ?? [])) failures.push(`${name}: ${failure}`)
    }
    expect(failures).toEqual([])
  })
})

describe('nor does a function of a public object', () => {
  let workspace: Workspace
  beforeAll(async () => {
    workspace = await createWorkspace({ fs: memory({ '/a.txt': 'one\n' }), root: '/', history: true })
  })
  afterAll(() => workspace.dispose())

  const objects: Readonly<Record<string, () => unknown>> = {
    workspace: () => workspace,
    'workspace.fs': () => workspace.fs,
    'workspace.history': () => workspace.history,
    'workspace.buffers': () => workspace.buffers,
    'workspace.shell': () => workspace.shell,
    'a session': () => workspace.shell.open(),
    'a fork': () => workspace.fork(),
    git: () => openGit(workspace.fs, { dir: '/' }),
    'createVfs()': () => createVfs(memory({ '/a.txt': 'one\n' })),
    ...Object.fromEntries(toolsets.map(({ name }) => [name, () => workspace.toolset(name)])),
  }

  it.each(Object.entries(objects))('%s', async (_name, openObject) => {
    const object: unknown = await openObject()
    const failures: string[] = []
    for (const name of functionNames(object)) {
      const method: unknown = Reflect.get(Object(object), name)
      if (typeof method !== 'function') continue
      for (const failure of await engineErrors(method as Called, object, rightOfMethods[name] ?? paths)) {
        failures.push(`${name}: ${failure}`)
      }
    }
    expect(failures).toEqual([])
  })

  /** Without those that end the object. */
  function functionNames(object: unknown): readonly string[] {
    return Object.keys(Object(object)).filter(name => !/^(?:dispose|close|kill|exit)$/.test(name))
  }
})

describe('a function of a filesystem refuses', () => {
  const fs = createVfs(memory({ 'a.txt': 'one', 'd/b.txt': 'two' }))
  const rows: Readonly<Record<string, () => unknown>> = {
    'an encoding as the range of readFile': () => fs.readFile('/a.txt', 'utf8' as never),
    'null as options of writeFile': () => fs.writeFile('/a.txt', 'x', null as never),
    'a text as options of mkdir': () => fs.mkdir('/e', 'recursive' as never),
    'permission bits as a text': () => fs.mkdir('/e', { mode: '755' as never }),
    'a flag as options of rm': () => fs.rm('/d', true as never),
    'null as options of copy': () => fs.copy('/a.txt', '/c', null as never),
    'a number as options of walk': () => fs.walk('/', 7 as never),
    'null as options of watch': () => fs.watch('/', () => {}, null as never),
    'null as options of batch': () => fs.batch(() => {}, null as never),
    'null as options of hash': () => fs.hash('/a.txt', 'sha256', null as never),
    'a text as a mode': () => fs.chmod('/a.txt', '755' as never),
    'a text as a time': () => fs.utimes('/a.txt', '1' as never),
    'NaN as a mode': () => fs.chmod('/a.txt', Number.NaN),
  }
  it.each(Object.entries(rows))('%s', async (_name, act) => {
    await expect((async () => await act())()).rejects.toMatchObject({ code: 'EINVAL' })
  })
})
