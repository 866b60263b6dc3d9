// npm run store -- check|list|repair DIR: reads a stored filesystem that was copied out of a browser. DIR contains the store's files; see
// docs/store-format.md for how to copy them. Nothing in DIR is ever changed: a repaired store is written to another directory.
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { root } from './run-command.mjs'

const usage = `Usage: npm run store -- check DIR    tells what of the store is damaged; the exit code is 1 if anything is
       npm run store -- list DIR     lists the files in it
       npm run store -- repair DIR   lists what is lost, and writes a store with the rest to DIR.repaired`

const [command, directory] = process.argv.slice(2)
if (directory === undefined || !['check', 'list', 'repair'].includes(command ?? '')) {
  refuse(usage)
}
const target = `${directory.replace(/\/+$/, '')}.repaired`
if (!existsSync(directory)) refuse(`There is no directory ${directory}.`)
if (command === 'repair' && existsSync(target)) refuse(`${target} exists already. Next: move it away, and repair again.`)

const { inspectStore, repairedStore } = await loadInspect()
const names = (await readdir(directory)).filter(name => /^\d+\.log$/.test(name))
if (names.length === 0) {
  refuse(`There is no store in ${directory}: it has no files that are called 1.log, 2.log and so on.`)
}
const files = await Promise.all(names.map(async name => new Uint8Array(await readFile(join(directory, name)))))
const { opens, problems, losses, entries } = inspected(files)

if (command === 'list') {
  for (const { path, sizeBytes, mode, mtimeMs, problem } of entries) {
    const time = new Date(mtimeMs).toISOString().slice(0, 19)
    console.log(
      [mode.toString(8), String(sizeBytes).padStart(12), time, path, ...(problem === undefined ? [] : ['DAMAGED'])].join('  '),
    )
  }
} else {
  const sizeBytes = entries.reduce((sum, entry) => sum + entry.sizeBytes, 0)
  console.log(`${entries.length} files with ${sizeBytes} bytes in ${names.length} files of the store.`)
  console.log(opens ? 'The store opens.' : "The store opens only with onDamage: 'cut'.")
  for (const problem of problems) console.log(`- ${problem}`)
  if (problems.length === 0) console.log('Nothing is damaged.')
}
if (command === 'repair') {
  await mkdir(target)
  for (const [index, bytes] of repairedStore(files).entries()) await writeFile(join(target, `${index + 1}.log`), bytes)
  console.log(`The repaired store is in ${target}. ${losses.length === 0 ? 'Nothing is lost.' : 'What is listed above is lost.'}`)
}
process.exitCode = command === 'check' && problems.length > 0 ? 1 : 0

function inspected(contents) {
  try {
    return inspectStore(contents)
  } catch (error) {
    if (!error.code?.startsWith('store-')) throw error
    return refuse(error.message)
  }
}

function refuse(message) {
  console.error(message)
  process.exit(2)
}

/** The store's code, from the sources. */
async function loadInspect() {
  const folder = await mkdtemp(join(tmpdir(), 'anchorage-store-'))
  try {
    const outfile = join(folder, 'inspect.mjs')
    const entryPoints = [join(root, 'src/backends/opfs/log/inspect.ts')]
    await build({ entryPoints, outfile, bundle: true, format: 'esm', platform: 'neutral', logLevel: 'error' })
    return await import(pathToFileURL(outfile).href)
  } finally {
    await rm(folder, { recursive: true })
  }
}
