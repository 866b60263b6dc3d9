// Where the tests run, chosen by file name: *.test.ts in Node, *.browser.test.ts in Chromium and Firefox,
// *.workerd.test.ts in the runtime of Cloudflare Workers.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { TestProjectInlineConfiguration } from 'vitest/config'
import { servedCommands } from './served-commands.ts'
import { containerStandIn } from './webcontainer/serve-page.ts'

const root = new URL('../../', import.meta.url)
const here = (path: string): string => fileURLToPath(new URL(path, root))

// Shared memory and exact timers need an isolated page.
export const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
} as const

/** As long as the packages take to be bundled on a busy machine. Vitest takes it from the whole configuration, not from a project's. */
export const connectTimeout = 300_000

// 0 in the quick run. testing/depth.ts says what a number is worth.
const depth = Number(process.env['ANCHORAGE_DEEP'] ?? 0)
const provide = { anchorageDepth: depth }
const isDeep = depth > 0

// Time-outs only end tests that hang, so they are long enough for a machine that is busy with something else.
const patience = {
  testTimeout: isDeep ? 600_000 : 240_000,
  hookTimeout: 240_000,
  // A busy machine may need more than the second that Vitest allows for a state to be reached.
  expect: { poll: { timeout: 120_000 } },
} as const

// Other tests in the same browser would disturb these: some free space in the same origin, others run scripts without a pause.
const alone = ['src/backends/opfs/quota.browser.test.ts', 'src/worker/stuck-shell.browser.test.ts']

// What differs most between browsers: storage, locks and workers. The deep run has all files in both.
const quickIn = {
  chromium: [
    'src/backends/opfs/opfs.browser.test.ts',
    'src/backends/opfs/tabs/tabs.browser.test.ts',
    'src/backends/opfs/transfer.browser.test.ts',
    'src/worker/client.browser.test.ts',
  ],
  // It has ended workers in ways that stopped a page.
  firefox: ['src/backends/opfs/opfs.browser.test.ts', 'src/worker/two-commands.browser.test.ts'],
}
const quickInBrowsers = [...new Set([...quickIn.chromium, ...quickIn.firefox])]

// Only the deep run has these. Node runs the same cases as the first two, and the others take longest for what shorter tests of their rooms
// show as well.
const deepOnly = [
  'src/backends/just-bash/gnu-cases.workerd.test.ts',
  'src/backends/memory/memory.workerd.test.ts',
  '.ci/run-command.test.mjs',
  'src/backends/just-bash/bash-generated.test.ts',
  'src/backends/just-bash/commands/bc/bc.test.ts',
  'src/backends/just-bash/ended-commands.test.ts',
  'src/backends/just-bash/workers.test.ts',
  'src/backends/node/shell/contract.test.ts',
  'src/backends/node/shell/endings.test.ts',
  'src/backends/pyodide/python.test.ts',
  'src/backends/quickjs/js-in-shell.test.ts',
  'src/backends/quickjs/js.test.ts',
  'src/backends/webcontainer/contract.test.ts',
  'src/backends/webcontainer/runner.test.ts',
  'src/backends/webcontainer/shell-contract.test.ts',
  'src/backends/zip/zip.test.ts',
  'src/codec/unpackers.test.ts',
  'src/git/merge/real-git.test.ts',
  'src/git/network/http-backend.test.ts',
  'src/git/patch/choose-changes.test.ts',
  'src/git/random-histories.test.ts',
  'src/git/store/object-faults.test.ts',
  'src/resources/archive/archive.test.ts',
  'src/resources/document/document-workers.test.ts',
  'src/resources/document/hostile.test.ts',
  'src/resources/image/pictures.test.ts',
  'src/search/regex/break-properties.test.ts',
  'src/testing/examples-in-docs.test.ts',
  'src/text/diff.test.ts',
  'src/toolsets/atomic/find/real-tree.test.ts',
  'src/toolsets/atomic/read/large-text.test.ts',
  'src/worker/page-git.test.ts',
  'src/workspace/rg/random-calls.test.ts',
  'src/workspace/rg/random-perl.test.ts',
]

/** The deep run has only the files that do more in it. */
const deepFiles = isDeep ? [...new Set([...testFilesWith(/from '.*\/depth\.ts'/), ...deepOnly])] : []

// These files replace modules or globals for their whole process. In the quick run all other files of Node share two processes and their
// modules, so that the package is loaded twice and not once for each file.
const isolated = [
  ...testFilesWith(/\bvi\.(?:mock|doMock|resetModules|stubGlobal)\(/).filter(
    file => !/\.(?:browser|workerd)\.test\.ts$/.test(file),
  ),
  // It loads every entry, and an editor's package looks for a page where another test has put a part of one.
  'src/testing/wrong-arguments.test.ts',
  'src/vfs/facades/node/warnings.test.ts',
  'src/workspace/shell-sessions.test.ts',
]

// These files start programs of the machine many times. A larger process takes longer to start one, so they have separate processes.
const startingPrograms = testFilesWith(
  /from '(?:node:child_process|.*\/(?:compare-program|git-server|git-twins|git-walk|real-bash|real-program|run-both)\.ts)'/,
).filter(file => !/\.(?:browser|workerd|deep)\.test\.ts$/.test(file) && !isolated.includes(file))

/** What one browser excludes in the quick run. It replaces what the project excludes. */
function notQuickIn(browser: keyof typeof quickIn): { exclude?: string[] } {
  return isDeep ? {} : { exclude: quickInBrowsers.filter(file => !quickIn[browser].includes(file)) }
}

function testFilesWith(pattern: RegExp): string[] {
  return ['src', 'demo', 'e2e'].flatMap(folder =>
    readdirSync(here(folder), { recursive: true, encoding: 'utf8' })
      .map(file => `${folder}/${file}`)
      .filter(file => file.endsWith('.test.ts') && pattern.test(readFileSync(here(file), 'utf8'))),
  )
}

// Imported here and not above: only tests need these packages, and `npm start` should not wait for them.
export async function testProjects(): Promise<TestProjectInlineConfiguration[]> {
  const [{ playwright }, { cloudflareTest }] = await Promise.all([
    import('@vitest/browser-playwright'),
    import('@cloudflare/vitest-pool-workers'),
  ])
  const chromium = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
  const firefox = process.env['FIREFOX'] ?? '/usr/bin/firefox-esr'
  // Made anew for each project, because Vitest writes a project's name into them.
  const instances = () => [
    // WebMCP is on trial in both.
    {
      browser: 'chromium' as const,
      ...notQuickIn('chromium'),
      provider: playwright({ launchOptions: { executablePath: chromium, args: ['--enable-features=WebMCP'] } }),
    },
    // The stock Firefox over WebDriver BiDi; Playwright's own patched build is not needed.
    {
      browser: 'firefox' as const,
      ...notQuickIn('firefox'),
      provider: playwright({
        launchOptions: {
          channel: 'moz-firefox',
          executablePath: firefox,
          firefoxUserPrefs: { 'dom.modelcontext.enabled': true, 'dom.modelcontext.testing.enabled': true },
        },
      }),
    },
  ]
  const browsers = (
    name: string,
    chosen: NonNullable<TestProjectInlineConfiguration['test']>,
    only?: 'chromium' | 'firefox',
  ): TestProjectInlineConfiguration => ({
    plugins: [
      shippedEngine('backends/memfs'),
      shippedEngine('resources/sqlite'),
      bundledWorkers(),
      workerSources(),
      containerStandIn(isolation),
    ],
    resolve: { alias: sources() },
    server: { headers: isolation },
    worker: { format: 'es' },
    // Vite looks for packages in the test files only. One that first turns up inside a worker is bundled then, and the
    // page reloads under the running test.
    optimizeDeps: { entries: ['src/**/*.ts', '!src/**/!(*.browser).test.ts', '!src/testing/vitest-projects.ts'] },
    test: {
      ...patience,
      provide,
      name,
      root: here('.'),
      ...chosen,
      globalSetup: here('.ci/browsers.mjs'),
      browser: {
        enabled: true,
        headless: true,
        // Files of one browser share its storage and its locks.
        fileParallelism: false,
        screenshotFailures: false,
        commands: servedCommands,
        instances: instances().filter(({ browser }) => only === undefined || browser === only),
      },
    },
  })
  const workerd: TestProjectInlineConfiguration = {
    plugins: [cloudflareTest({ miniflare: { compatibilityDate: '2026-04-01', compatibilityFlags: ['nodejs_compat'] } })],
    resolve: { alias: sources() },
    test: {
      ...patience,
      provide,
      name: 'workerd',
      root: here('.'),
      include: isDeep ? deepFiles.filter(file => file.endsWith('.workerd.test.ts')) : ['{src,e2e}/**/*.workerd.test.ts'],
      exclude: isDeep ? [] : deepOnly,
    },
  }
  const node = (
    name: string,
    { include, exclude }: { readonly include: string[]; readonly exclude: string[] },
    isolate: boolean,
  ): TestProjectInlineConfiguration => ({
    plugins: [shippedWorkers()],
    resolve: { alias: sources() },
    test: { ...patience, provide, name, root: here('.'), include, exclude, isolate },
  })
  const elsewhere = ['src/**/*.browser.test.ts', 'src/**/*.workerd.test.ts', ...(isDeep ? [] : deepOnly)]
  const everyFile = ['src/**/*.test.ts', 'demo/**/*.test.ts', 'e2e/**/*.node.test.ts', '.ci/*.test.mjs']
  return [
    // The deep run has few files, and each does much.
    node(
      'node',
      {
        include: isDeep ? deepFiles : everyFile,
        exclude: [...elsewhere, ...isolated, ...(isDeep ? [] : ['src/**/*.deep.test.ts', ...startingPrograms])],
      },
      isDeep,
    ),
    ...(isDeep ? [] : [node('node, programs', { include: startingPrograms, exclude: deepOnly }, false)]),
    node(
      'node, isolated',
      { include: isDeep ? isolated.filter(file => deepFiles.includes(file)) : isolated, exclude: isDeep ? [] : deepOnly },
      true,
    ),
    workerd,
    // One group after the other: Node's processes and two browsers at once are too much for two cores.
    browsers('browser', {
      include: isDeep ? ['src/**/*.browser.test.ts'] : quickInBrowsers,
      exclude: alone,
      sequence: { groupOrder: 1 },
    }),
    // Firefox at times deadlocks when a large module worker is ended soon after it has loaded, mostly after many tests.
    ...(isDeep ? (['chromium', 'firefox'] as const) : []).map((browser, index) =>
      browsers(`alone in ${browser}`, { include: alone, sequence: { groupOrder: 2 + index } }, browser),
    ),
  ]
}

// memfs does not run in a page as it comes, and SQLite does not find its file there, so the tests get the bundles that the package ships.
function shippedEngine(room: string): { name: string; load(id: string): Promise<string | undefined> } {
  const engine = here(`src/${room}/engine.ts`)
  return {
    name: `shipped-engine-${room}`,
    async load(id) {
      if (id.split('?')[0] !== engine) return undefined
      const { engineText } = (await import(here('.ci/vendor-bundles.mjs'))) as {
        readonly engineText: (room: string) => Promise<string>
      }
      return engineText(room)
    },
  }
}

/** The workers that the package starts within its own: the room, and the script. `spawn.ts` in that room starts it. */
const innerWorkers = [
  ['backends/just-bash', 'shell-worker'],
  ['backends/quickjs', 'js-worker'],
  ['backends/pyodide', 'python-worker'],
  ['resources/document', 'document-worker'],
] as const

function startedBy(id: string): (typeof innerWorkers)[number] | undefined {
  return innerWorkers.find(([room]) => id.split('?')[0] === here(`src/${room}/spawn.ts`))
}

interface Loaded {
  readonly code: string
  readonly map: { readonly mappings: '' }
}

/** Workers that tests start many times. They start no others. */
const startedOften = ['src/testing/opfs/opfs-worker.ts', 'src/testing/opfs/search-worker.ts']

// A worker of one file starts in a fraction of the time that a browser takes to fetch hundreds of modules.
function bundledWorkers(): { name: string; enforce: 'pre'; load(id: string): Promise<Loaded | undefined> } {
  return {
    name: 'bundled-workers',
    enforce: 'pre',
    async load(id) {
      const [file = '', query = ''] = id.split('?')
      if (!query.includes('worker_file') || !startedOften.some(often => file === here(often))) return undefined
      const { workerText } = (await import(here('.ci/vendor-bundles.mjs'))) as {
        readonly workerText: (file: string) => Promise<string>
      }
      // Vite would make a source map of its own, as large as the code.
      return { code: await workerText(file), map: { mappings: '' } }
    },
  }
}

// A thread of Node runs no TypeScript, so it gets the bundle that the package ships.
function shippedWorkers(): { name: string; transform(code: string, id: string): Promise<string | undefined> } {
  return {
    name: 'shipped-workers',
    async transform(code, id) {
      const [room, script] = startedBy(id) ?? []
      if (room === undefined) return undefined
      const { engineText } = (await import(here('.ci/vendor-bundles.mjs'))) as {
        readonly engineText: (room: string, file: string) => Promise<string>
      }
      const text = await engineText(room, `${script}.ts`)
      // By its content, so that runs share it, and renamed, so that none of them starts half of it.
      const cache = here('node_modules/.cache/anchorage')
      await mkdir(cache, { recursive: true })
      const file = join(cache, `${script}-${createHash('sha256').update(text).digest('hex')}.mjs`)
      const part = `${file}.${process.pid}`
      await writeFile(part, text)
      await rename(part, file)
      return code.replace(/const threadScript = .*/, `const threadScript = ${JSON.stringify(pathToFileURL(file).href)}`)
    },
  }
}

// The package's sources name its workers as the built package does.
function workerSources(): { name: string; enforce: 'pre'; transform(code: string, id: string): string | undefined } {
  return {
    name: 'worker-sources',
    enforce: 'pre',
    transform(code, id) {
      const [, script] = startedBy(id) ?? []
      return script === undefined ? undefined : code.replaceAll(`./${script}.js`, `./${script}.ts`)
    },
  }
}

// Tests name the package as its users do, and get the sources.
function sources(): { find: RegExp; replacement: string }[] {
  const { exports } = JSON.parse(readFileSync(here('package.json'), 'utf8')) as {
    exports: Record<string, string | { default: string }>
  }
  return Object.entries(exports).flatMap(([entry, target]) =>
    typeof target === 'string'
      ? []
      : [
          {
            find: new RegExp(`^anchorage${entry.slice(1).replace('*', '([^/]+)')}$`),
            replacement: here(target.default.replace(/^\.\/dist\/(.*)\.js$/, 'src/$1.ts')).replace('*', '$1'),
          },
        ],
  )
}
