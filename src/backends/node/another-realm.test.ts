// Our modules in a context of `vm`, as in Jest: Node's errors and Buffers are not of the context's classes there.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Vfs } from '../../vfs/vfs.ts'
import type { createVfs } from '../../vfs/create-vfs.ts'
import type { NodeFs, NodeFsSync, toNodeFs } from '../../vfs/facades/node/index.ts'
import type { memory } from '../memory/index.ts'
import type { runCommand } from '../../shell/run.ts'
import type { node } from './index.ts'
import type { nodeShell } from './shell/index.ts'
import { parsePath } from '../../core/path.ts'

interface Modules {
  readonly createVfs: typeof createVfs
  readonly toNodeFs: typeof toNodeFs
  readonly memory: typeof memory
  readonly node: typeof node
  readonly nodeShell: typeof nodeShell
  readonly runCommand: typeof runCommand
}

const given = {
  ...{ AbortController, AbortSignal, Buffer, TextDecoder, TextEncoder, URL, clearTimeout, crypto, performance, process },
  ...{ queueMicrotask, setImmediate, setTimeout, structuredClone, require: createRequire(import.meta.url), exports: {} },
}
const realm = createContext(given)
const inside = (code: string): never => runInContext(code, realm) as never
const directory = mkdtempSync(join(tmpdir(), 'machine-'))

beforeAll(async () => {
  const modules = {
    node: './index.ts',
    nodeShell: './shell/index.ts',
    runCommand: '../../shell/run.ts',
    memory: '../memory/index.ts',
    createVfs: '../../vfs/create-vfs.ts',
    toNodeFs: '../../vfs/facades/node/index.ts',
  }
  const contents = Object.entries(modules)
    .map(([name, path]) => `export { ${name} } from '${path}'`)
    .join('\n')
  const stdin = { contents, resolveDir: import.meta.dirname }
  const bundle = await build({ stdin, bundle: true, platform: 'node', format: 'iife', globalName: 'modules', write: false })
  runInContext(bundle.outputFiles[0]?.text ?? '', realm)
  symlinkSync('loop', join(directory, 'loop'))
})

afterAll(() => rmSync(directory, { recursive: true, force: true }))

type Act = (vfs: Vfs, fs: NodeFs & NodeFsSync) => unknown

const failing: Readonly<Record<string, Act>> = {
  ENOENT: vfs => vfs.readFile('/none'),
  EISDIR: vfs => vfs.readFile('/d'),
  ENOTDIR: vfs => vfs.readFile('/f/x'),
  ELOOP: vfs => vfs.writeFile('/loop', 'x'),
  ENAMETOOLONG: vfs => vfs.mkdir(`/${'n'.repeat(256)}`),
  EEXIST: (_vfs, fs) => fs.promises.mkdir('/d'),
  ENOTEMPTY: (_vfs, fs) => fs.promises.rmdir('/d'),
  EINVAL: (_vfs, fs) => fs.renameSync('/d', '/d/e'),
  ERR_INVALID_ARG_TYPE: (_vfs, fs) => fs.promises.readFile({} as never),
}

const working: Readonly<Record<string, readonly [act: Act, result: unknown]>> = {
  'bytes of this realm': [written(new Uint8Array([65])), 'A'],
  'bytes of the other realm': [written(inside('new Uint8Array([66])')), 'B'],
  'a Buffer': [written(Buffer.from('C')), 'C'],
  'a path in a Buffer': [(_vfs, fs) => fs.readFileSync(Buffer.from('/f'), 'utf8'), 'text'],
  'a URL': [(_vfs, fs) => fs.readFileSync(new URL('file:///f'), 'utf8'), 'text'],
  'a listing by a path in a Buffer': [(_vfs, fs) => fs.opendirSync(Buffer.from('/d')).readSync()?.name, 'x'],
  'a time of this realm': [timed(new Date(5000)), 5000],
  'a time of the other realm': [timed(inside('new Date(6000)')), 6000],
  'a Buffer to read into': [
    (_vfs, fs) => {
      const file = fs.openSync('/f', 'r')
      const buffer = Buffer.alloc(4)
      fs.readSync(file, buffer, 0, 4, 0)
      fs.closeSync(file)
      return String(buffer)
    },
    'text',
  ],
}

function written(bytes: Uint8Array): Act {
  return async (vfs, fs) => {
    await vfs.writeFile('/v', bytes)
    await fs.promises.writeFile('/w', bytes)
    return (await vfs.readText('/v')) === fs.readFileSync('/w', 'utf8') ? vfs.readText('/v') : 'they differ'
  }
}

function timed(time: Date): Act {
  return (_vfs, fs) => {
    fs.utimesSync('/f', time, time)
    return fs.statSync('/f').mtimeMs
  }
}

describe.each(['node', 'memory'] as const)('%s', kind => {
  const opened = async (): Promise<readonly [Vfs, NodeFs & NodeFsSync]> => {
    const modules: Modules = inside('modules')
    const vfs = modules.createVfs(kind === 'node' ? modules.node(directory) : modules.memory({}))
    await vfs.writeFile('/f', 'text')
    await vfs.mkdir('/d', { recursive: true })
    await vfs.writeFile('/d/x', '')
    if (kind === 'memory') await vfs.symlink('loop', '/loop')
    return [vfs, modules.toNodeFs(vfs) as NodeFs & NodeFsSync]
  }

  test.each(Object.entries(failing))('%s', async (code, act) => {
    const [vfs, fs] = await opened()
    const error: unknown = await (async () => act(vfs, fs))().catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(inside('Error'))
    expect(error).toMatchObject({ code })
    expect(`${(error as Error).stack}${JSON.stringify(error)}`).not.toContain(directory)
  })

  test.each(Object.entries(working))('%s', async (_name, [act, result]) => {
    expect(await act(...(await opened()))).toEqual(result)
  })
})

test('a command of the shell, and one that is too long for the system', async () => {
  const { createVfs: vfsOf, node: backend, nodeShell: shellOf, runCommand: run }: Modules = inside('modules')
  mkdirSync(join(directory, 'workspace'))
  const shell = await shellOf({ directory })({ fs: vfsOf(backend(directory)), root: parsePath('/workspace') })
  const outcome = (script: string): Promise<unknown> =>
    run(shell, { kind: 'script', script }, { maxCaptureBytes: 1_000, timeoutMs: 60_000 })
  expect(await outcome('echo hi')).toMatchObject({ stdout: 'hi\n', exit: { kind: 'exited', code: 0 } })
  await expect(outcome(`: ${'x'.repeat(8_000_000)}`)).rejects.toMatchObject({ code: 'command-too-long' })
  await shell.dispose()
})
