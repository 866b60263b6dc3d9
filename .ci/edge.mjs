// The package in one file for workerd, with the plugin of docs/edge.md: it must stay within the budget, and run there.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { root } from './run-command.mjs'

const budgetBytes = 410_000

const worker = `
  import { createWorkspace, textOf } from 'anchorage'
  import { memory } from 'anchorage/fs/memory'
  export default {
    async fetch(request) {
      const workspace = await createWorkspace({ fs: memory({ 'a.txt': 'one\\ntwo\\n', 'b/c.txt': 'two\\n', 'd.pdf': '%PDF-1.7' }) })
      const tools = await workspace.toolset('atomic', { policy: { rules: [{ tool: 'write', path: 'b/**', action: 'deny' }] } })
      const answers = []
      for (const [name, args] of await request.json()) answers.push(await tools.call(name, args).then(textOf, String))
      await workspace.dispose()
      return Response.json(answers)
    },
  }`

const rows = [
  { tool: 'read', args: { path: 'a.txt' }, expected: /1:one\n2:two/ },
  {
    tool: 'bash',
    args: { command: "sed -i s/two/TWO/ a.txt; sort -r a.txt | awk '{ print NR, $0 }'" },
    expected: /^1 one\n2 TWO/,
  },
  { tool: 'edit', args: { input: '[a.txt#0127]\nreplace 1..1:\n+ONE' }, expected: /changed/ },
  { tool: 'search', args: { pattern: 'two' }, expected: /b\/c\.txt/ },
  { tool: 'find', args: { pattern: '**/*.txt' }, expected: /a\.txt[^]*c\.txt/ },
  { tool: 'write', args: { path: 'b/new.txt', content: 'x' }, expected: /policy/i },
  // What was left out says so.
  { tool: 'bash', args: { command: 'git status' }, expected: /git: .*program\.js was left out of this bundle/ },
  { tool: 'read', args: { path: 'd.pdf' }, expected: /left out of this bundle/ },
]

const folder = mkdtempSync(`${root}.dist-edge-`)
try {
  const script = await oneFile()
  const sizeBytes = gzipSync(script, { level: 9 }).length
  const isTooMuch = sizeBytes > budgetBytes
  console.log(
    `one file in workerd  ${(sizeBytes / 1000).toFixed(1)} kB of ${budgetBytes / 1000} kB${isTooMuch ? '  over budget' : ''}`,
  )
  if (isTooMuch) process.exitCode = 1
  const answers = await answersOf(script)
  for (const [index, { tool, args, expected }] of rows.entries()) {
    if (expected.test(answers[index])) continue
    process.exitCode = 1
    console.log(`${tool} ${JSON.stringify(args)} answered ${JSON.stringify(answers[index])}, which is not ${expected}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function oneFile() {
  const [, plugin] = /```js\n([^]*?)```/.exec(readFileSync(`${root}docs/edge.md`, 'utf8'))
  writeFileSync(join(folder, 'plugin.mjs'), plugin)
  const { leaveOut } = await import(pathToFileURL(join(folder, 'plugin.mjs')).href)
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents: worker, resolveDir: root, sourcefile: 'worker.js' },
    outfile: 'worker.js',
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['node:*'],
    plugins: [leaveOut],
    tsconfigRaw: '{}',
    logLevel: 'error',
  })
  return outputFiles[0].text
}

async function answersOf(contents) {
  const runtime = new Miniflare({ modules: [{ type: 'ESModule', path: 'worker.js', contents }], compatibilityDate: '2026-04-01' })
  try {
    const body = JSON.stringify(rows.map(({ tool, args }) => [tool, args]))
    const answer = await runtime.dispatchFetch('http://localhost/', { method: 'POST', body })
    const text = await answer.text()
    if (!answer.ok) throw new Error(text)
    return JSON.parse(text)
  } finally {
    await runtime.dispose()
  }
}
