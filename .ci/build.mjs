// npm run build: the package to dist/, then the demo to dist-demo/. With --package only the first. --unchecked does not look for type
// errors, for a run that does so itself.
import { existsSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { bin, root, run } from './run-command.mjs'

export async function buildPackage({ isChecked = true } = {}) {
  // Built beside dist and renamed at the end, so that other programs never read an incomplete dist.
  const fresh = `${root}.dist-${process.pid}`
  let typeErrors = ''
  try {
    // tsc writes output in spite of type errors. They fail the build, but only at its end, so that the output can be tried.
    await step('tsc', async () => {
      const { code, output } = await tool('tsc', [
        '-p',
        'src/tsconfig.build.json',
        '--outDir',
        fresh,
        ...(isChecked ? [] : ['--noCheck']),
      ])
      if (code !== 0) typeErrors = output
      return code === 0 ? undefined : 'with errors, see below'
    })
    if (!existsSync(fresh)) throw new Error(typeErrors)
    await step('engines', async () => {
      const { bundleVendors } = await import('./vendor-bundles.mjs')
      await bundleVendors(fresh)
    })
    await step('grammar', async () => {
      const { hashlineGrammar } = await import(pathToFileURL(`${fresh}/text/hashline/grammar.js`).href)
      await writeFile(`${fresh}/hashline.lark`, hashlineGrammar)
    })
    await step('code and types', async () => {
      const { slim } = await import('./slim.mjs')
      return await slim(fresh)
    })
    await step('worker files', async () => {
      const { leaveImportAlone, writeWorkerFiles } = await import('./worker-files.mjs')
      await writeWorkerFiles(fresh)
      // The host says where Pyodide lies.
      await leaveImportAlone(`${fresh}/backends/pyodide/interpreters.js`)
    })
    await step('joined files', async () => {
      const { joinModules } = await import('./join.mjs')
      return await joinModules(fresh)
    })
    await rm(`${root}dist`, { recursive: true, force: true })
    await rename(fresh, `${root}dist`)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
  if (typeErrors) throw new Error(typeErrors)
}

export async function buildDemo() {
  await step('demo', async () => {
    if (!existsSync(`${root}demo/index.html`)) return 'not there yet'
    await mustRun('vite', ['build', '--logLevel', 'warn'])
  })
}

async function mustRun(name, args) {
  const { code, output } = await tool(name, args)
  if (code !== 0) throw new Error(output)
  if (output) console.log(output)
}

async function tool(name, args) {
  const { code, output } = await run(bin(name), args)
  const failure = code === 0 ? '' : `\n${name} ${args.join(' ')} failed.`
  return { code, output: output.trimEnd() + failure }
}

async function step(name, work) {
  const startedAt = performance.now()
  const note = await work()
  console.log(`${name.padEnd(18)} ${((performance.now() - startedAt) / 1000).toFixed(1)} s${note ? `  ${note}` : ''}`)
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await buildPackage({ isChecked: !process.argv.includes('--unchecked') })
    if (!process.argv.includes('--package')) await buildDemo()
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
