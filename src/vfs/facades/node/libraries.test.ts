// Libraries for Node, unchanged, on a filesystem in memory. esbuild bundles those that import `fs` themselves, with the facade in its place.
import { createRequire } from 'node:module'
import { compileFunction } from 'node:vm'
import { build, type Plugin } from 'esbuild'
import fastGlob from 'fast-glob'
import typescript from 'typescript'
import { describe, expect, test } from 'vitest'
import { inDeepRun } from '../../../testing/depth.ts'
import { createVfs } from '../../create-vfs.ts'
import { type NodeFs, type NodeFsSync, type NodeStream, toNodeFs } from './index.ts'
import { emptyTree } from '../../../testing/empty-tree.ts'

type SyncFs = NodeFs & NodeFsSync

const project = {
  '/p/src/a.ts': 'export const a: number = 1\n',
  '/p/src/sub/b.ts': "import { a } from '../a'\nexport const b: string = a\n",
  '/p/main.js': "import { x } from './lib/x.js'\nconsole.log(x)\n",
  '/p/lib/x.js': 'export const x = 42\n',
}

function open(): SyncFs {
  const fs = toNodeFs(createVfs(emptyTree())) as SyncFs
  for (const [path, text] of Object.entries(project)) {
    fs.mkdirSync(path.slice(0, path.lastIndexOf('/')), { recursive: true })
    fs.writeFileSync(path, text)
  }
  return fs
}

const require = createRequire(import.meta.url)

/** The library at `path`, with `fs` in place of Node's. */
async function load(path: string, fs: NodeFs): Promise<never> {
  const replacing: Plugin = {
    name: 'fs',
    setup(bundle) {
      bundle.onResolve({ filter: /^(?:node:)?fs(?:\/promises)?$/ }, found => ({ path: found.path, namespace: 'given' }))
      bundle.onLoad({ filter: /./, namespace: 'given' }, found => ({
        contents: `module.exports = ${found.path.endsWith('promises') ? 'givenFs.promises' : 'givenFs'}`,
      }))
    },
  }
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
    plugins: [replacing],
  })
  const module = { exports: {} }
  const evaluate = compileFunction(outputFiles[0]?.text ?? '', ['module', 'exports', 'require', 'givenFs'])
  evaluate(module, module.exports, require, fs)
  return module.exports as never
}

const ended = (stream: unknown): Promise<void> =>
  new Promise((resolve, reject) => {
    ;(stream as NodeStream).on('close', resolve).on('error', reject)
  })

test('fast-glob, with callbacks and synchronously', async () => {
  const fs = open() as never
  expect(await fastGlob('**/*.ts', { cwd: '/p', fs })).toEqual(['src/a.ts', 'src/sub/b.ts'])
  expect(fastGlob.sync('*/*', { cwd: '/p', fs }).toSorted()).toEqual(['lib/x.js', 'src/a.ts'])
})

/** What the compiler asks of a machine, answered by `fs` alone. */
function typescriptSystem(fs: SyncFs): typescript.System {
  const isOf = (path: string, kind: 'isFile' | 'isDirectory'): boolean => fs.existsSync(path) && fs.statSync(path)[kind]()
  return {
    args: [],
    newLine: '\n',
    useCaseSensitiveFileNames: true,
    write() {},
    exit(code) {
      throw new Error(`The compiler ended with ${code}.`)
    },
    readFile: path => (fs.existsSync(path) ? String(fs.readFileSync(path, 'utf8')) : undefined),
    writeFile: (path, data) => fs.writeFileSync(path, data),
    deleteFile: path => fs.unlinkSync(path),
    fileExists: path => isOf(path, 'isFile'),
    directoryExists: path => isOf(path, 'isDirectory'),
    createDirectory: path => fs.mkdirSync(path),
    getDirectories: path =>
      fs
        .readdirSync(path)
        .map(String)
        .filter(name => isOf(`${path}/${name}`, 'isDirectory')),
    readDirectory: (path, extensions = []) =>
      fs
        .globSync(`${path}/**/*`)
        .map(String)
        .filter(found => extensions.some(extension => found.endsWith(extension))),
    realpath: path => String(fs.realpathSync(path)),
    resolvePath: path => path,
    getCurrentDirectory: () => '/p',
    // The declarations of the standard library are beside it.
    getExecutingFilePath: () => '/lib/tsc.js',
  }
}

test('a TypeScript System reads a configuration, type-checks its project and writes the output', () => {
  const fs = open()
  const globals = [
    'Boolean',
    'Function',
    'CallableFunction',
    'NewableFunction',
    'IArguments',
    'Number',
    'Object',
    'RegExp',
    'String',
  ]
  fs.mkdirSync('/lib')
  fs.writeFileSync(
    '/lib/lib.d.ts',
    ['interface Array<T> { length: number }', ...globals.map(name => `interface ${name} {}`)].join('\n'),
  )
  const compilerOptions = {
    strict: true,
    target: 'es5',
    ignoreDeprecations: '6.0',
    rootDir: 'src',
    outDir: '../dist',
    incremental: true,
    types: [],
  }
  fs.writeFileSync('/p/tsconfig.json', JSON.stringify({ compilerOptions, include: ['src'] }))
  const system = typescriptSystem(fs)
  const said = ({ file, messageText }: typescript.Diagnostic): string =>
    `${file?.fileName}: ${typescript.flattenDiagnosticMessageText(messageText, ' ')}`
  const problems: string[] = []
  const configured = typescript.getParsedCommandLineOfConfigFile(
    '/p/tsconfig.json',
    {},
    {
      ...system,
      onUnRecoverableConfigFileDiagnostic: diagnostic => problems.push(said(diagnostic)),
    },
  )
  const options = configured?.options ?? {}
  const host = typescript.createIncrementalCompilerHost(options, system)
  const program = typescript.createIncrementalProgram({ rootNames: configured?.fileNames ?? [], options, host })
  problems.push(...typescript.getPreEmitDiagnostics(program.getProgram()).map(said))
  expect(problems).toEqual(["/p/src/sub/b.ts: Type 'number' is not assignable to type 'string'."])
  program.emit()
  expect(fs.readdirSync('/dist').map(String)).toEqual(expect.arrayContaining(['a.js', 'sub']))
  expect(String(fs.readFileSync('/dist/a.js', 'utf8'))).toContain('a = 1')
})

// Bundling these packages takes seconds.
inDeepRun(() =>
  describe('in the deep run', () => {
    test('fs-extra', async () => {
      const fs = open()
      const extra: Readonly<Record<string, (...args: readonly unknown[]) => unknown>> = await load(
        require.resolve('fs-extra'),
        fs,
      )
      const call = (name: string, ...args: readonly unknown[]): unknown => extra[name]?.(...args)
      await call('outputFile', '/x/y/z.txt', 'hi')
      await call('copy', '/x', '/w')
      await call('move', '/w/y', '/v/y')
      await call('outputJson', '/j.json', { a: 1 })
      await call('ensureSymlink', '/j.json', '/link')
      await call('emptyDir', '/x')
      call('copySync', '/p', '/q')
      call('moveSync', '/q', '/r')
      call('removeSync', '/p')
      expect([
        await call('readFile', '/v/y/z.txt', 'utf8'),
        await call('readJson', '/link'),
        call('readdirSync', '/x'),
        await call('pathExists', '/r/src/a.ts'),
        call('existsSync', '/p'),
      ]).toEqual(['hi', { a: 1 }, [], true, false])
    })

    test('chokidar', async () => {
      const fs = open()
      const chokidar: { watch(path: string): NodeStream & { close(): Promise<void> } } = await load(
        require.resolve('chokidar'),
        fs,
      )
      const watcher = chokidar.watch('/p')
      const events: string[] = []
      watcher.on('all', (...args: never[]) => void events.push(args.slice(0, 2).join(' ')))
      await new Promise<void>(resolve => {
        watcher.on('ready', resolve)
      })
      expect(events).toContain('add /p/src/sub/b.ts')
      fs.writeFileSync('/p/new', '1')
      await expect.poll(() => events).toContain('add /p/new')
      fs.appendFileSync('/p/new', '2')
      await expect.poll(() => events).toContain('change /p/new')
      fs.unlinkSync('/p/new')
      await expect.poll(() => events).toContain('unlink /p/new')
      await watcher.close()
    })

    test('archiver', async () => {
      const fs = open()
      interface Archive {
        pipe(stream: unknown): void
        directory(path: string, name: string): void
        finalize(): Promise<void>
      }
      const { ZipArchive }: { ZipArchive: new () => Archive } = await load(require.resolve('archiver'), fs)
      const archive = new ZipArchive()
      const out = fs.createWriteStream('/p.zip')
      const closed = ended(out)
      archive.pipe(out)
      archive.directory('/p', 'p')
      await archive.finalize()
      await closed
      const zip = String(fs.readFileSync('/p.zip', 'latin1'))
      expect(zip.slice(0, 2)).toBe('PK')
      for (const name of ['p/main.js', 'p/src/sub/b.ts']) expect(zip).toContain(name)
    })

    test('plug-ins of esbuild and Vite', async () => {
      const fs = open()
      const bundle = await build({
        entryPoints: ['/p/main.js'],
        bundle: true,
        write: false,
        format: 'esm',
        plugins: [
          {
            name: 'memory',
            setup(plugged) {
              plugged.onResolve({ filter: /./ }, ({ path, resolveDir }) => ({
                path: new URL(path, `file://${resolveDir}/`).pathname,
                namespace: 'memory',
              }))
              plugged.onLoad({ filter: /./, namespace: 'memory' }, async ({ path }) => ({
                contents: await fs.promises.readFile(path),
                resolveDir: path.slice(0, path.lastIndexOf('/')),
              }))
            },
          },
        ],
      })
      expect(bundle.outputFiles[0]?.text).toContain('42')
      const { build: viteBuild } = await import('vite')
      const built = await viteBuild({
        logLevel: 'error',
        configFile: false,
        build: { write: false, minify: false, lib: { entry: '/p/main.js', formats: ['es'] } },
        plugins: [
          {
            name: 'memory',
            enforce: 'pre',
            resolveId(id, importer) {
              const path = new URL(id, `file://${importer?.replace('\0', '') ?? '/'}`).pathname
              return fs.existsSync(path) ? `\0${path}` : null
            },
            load: async id => (id.startsWith('\0/p/') ? String(await fs.promises.readFile(id.slice(1), 'utf8')) : null),
          },
        ],
      })
      expect(JSON.stringify(built)).toContain('42')
    })
  }),
)
