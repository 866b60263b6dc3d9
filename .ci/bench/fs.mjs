// npm run bench:fs [-- --sizes 1000,10000 --bytes 512 --turns 3 --rounds 1 --peers ours,memfs --no-handles --no-shell --zenfs-files 1000 --chromium]:
// our filesystem in memory compared with memfs, just-bash's InMemoryFs and ZenFS, in one run; its file handles with Node's, and `rm -rf` with
// plain just-bash's. Needs a build. Each takes its turns in a separate process, for time and for memory.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { benchPackages } from '../install.mjs'
import { compareHandles } from './fs-handles.mjs'
import { compareRemoval } from './fs-shell.mjs'
import { peersOf } from './fs-peers.mjs'
import { compare, floor } from './fs-report.mjs'
import { planOf } from './fs-scenario.mjs'
import { takeTurn } from './fs-turn.mjs'

const memoryBudget = 0.5
// Used instead of a peer: the same contents in an array, without a filesystem.
const contentAlone = 'content'
const args = process.argv.slice(2)
const option = name => (args.includes(`--${name}`) ? args[args.indexOf(`--${name}`) + 1] : undefined)
const sizes = (option('sizes') ?? '1000,10000,100000').split(',').map(Number)
const largest = Math.max(...sizes)
const fileBytes = Number(option('bytes') ?? 4096)

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

if (args.includes('--memory-of')) console.log(await residentBytes(option('memory-of'), largest))
else if (args.includes('--turn-of')) console.log(JSON.stringify(await turnOf(option('turn-of'), option('how'), largest)))
else if (args.includes('--chromium')) {
  const { compareInChromium } = await import('./fs-chromium.mjs')
  process.exitCode = (await compareInChromium(comparison())) ? 0 : 1
} else process.exitCode = (await compareInNode()) ? 0 : 1

/** The settings that both platforms share. `namesOf` selects the requested peers. */
function comparison() {
  return {
    sizes,
    fileBytes,
    turns: size => Number(option('turns') ?? (size <= 10_000 ? 3 : 2)),
    roundsOf,
    isMeasured: (name, size) => name !== 'zenfs' || size <= Number(option('zenfs-files') ?? 1000),
    isBudgeted: size => size >= 100_000,
    print: line => console.log(line),
    namesOf: peers => Object.fromEntries(Object.entries(peers).map(([how, group]) => [how, chosenOf(Object.keys(group))])),
  }
}

function chosenOf(names) {
  const only = option('peers')?.split(',')
  return only === undefined ? names : names.filter(name => only.includes(name))
}

/** The rounds in one turn. With few files, one round ends before the engine has compiled the code. */
function roundsOf(size) {
  if (option('rounds') !== undefined) return Number(option('rounds'))
  return size <= 1000 ? 12 : size <= 10_000 ? 3 : 1
}

/** Not wall time, because other programs on this machine must not affect the comparison. */
function processorMs() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

async function compareInNode() {
  const sameRounds = option('rounds') === undefined ? [] : ['--rounds', option('rounds')]
  const given = comparison()
  const names = given.namesOf(await peersInNode())
  console.log(`Files of ${fileBytes} bytes, Node ${process.version}, processor time`)
  const measure = ({ how, name, size }) =>
    JSON.parse(inOwnProcess(['--turn-of', name, '--how', how, '--sizes', String(size), ...sameRounds]))
  const isFast = await compare(names, { ...given, measure })
  const isMemoryRight = compareMemory(
    [...new Set([...names.sync, ...names.async])].filter(name => given.isMeasured(name, largest)),
  )
  const counts = sizes.filter(size => size >= 1000 && size <= 10_000)
  const areHandlesFast = args.includes('--no-handles') || (await compareHandles({ counts, now: processorMs, print: given.print }))
  if (!args.includes('--no-shell')) await compareRemoval({ sizes, now: processorMs, print: given.print })
  return isFast && isMemoryRight && areHandlesFast
}

async function turnOf(name, how, size) {
  const open = name === floor ? undefined : (await peersInNode())[how][name]
  return takeTurn(open, { size, fileBytes, rounds: roundsOf(size), now: processorMs, collect })
}

function compareMemory(names) {
  console.log(`\nResident memory of ${largest} files, ${megabytes(largest * fileBytes)} of content`)
  const used = new Map([...names, contentAlone].map(name => [name, memoryInOwnProcess(name)]))
  const ours = used.get('ours')
  const content = largest * fileBytes
  for (const [name, bytes] of used) {
    console.log(
      `${name.padEnd(12)}${megabytes(bytes).padStart(10)}  x${(bytes / ours).toFixed(2)}   beside the content ${megabytes(bytes - content)}`,
    )
  }
  const share = ours / (used.get('memfs') ?? Infinity)
  const shareBeside = (ours - content) / ((used.get('memfs') ?? Infinity) - content)
  if (share > memoryBudget) {
    console.log(
      `over budget: ${share.toFixed(2)} of memfs, should be ${memoryBudget}; beside the content ${shareBeside.toFixed(2)}`,
    )
  }
  const isPossible = content <= memoryBudget * (used.get('memfs') ?? Infinity)
  if (!isPossible) console.log(`The content alone is over ${memoryBudget} of memfs, so no filesystem can keep this budget.`)
  return share <= memoryBudget || !isPossible || largest < 100_000
}

function memoryInOwnProcess(name) {
  return Number(inOwnProcess(['--memory-of', name, '--sizes', String(largest)]))
}

function inOwnProcess(asked) {
  const options = ['--max-old-space-size=4096', fileURLToPath(import.meta.url), ...asked, '--bytes', String(fileBytes)]
  const child = spawnSync(process.execPath, options, { encoding: 'utf8' })
  if (child.status !== 0) throw new Error(`${asked.join(' ')} failed.\n${child.stderr}`)
  return child.stdout
}

async function residentBytes(name, size) {
  if (name === contentAlone) return residentContent(size)
  const { sync, async } = await peersInNode()
  const fs = await (sync[name] ?? async[name])()
  const plan = planOf(size, fileBytes)
  const { content } = plan
  for (const directory of plan.directories) await fs.mkdirp(directory)
  await fs.write('/p/warm', content)
  collect()
  const before = process.memoryUsage.rss()
  for (const path of plan.files) await fs.write(path, content.slice())
  collect()
  const used = process.memoryUsage.rss() - before
  // Keeps it alive until it was measured.
  if ((await fs.list('/p')).length === 0) throw new Error('nothing was written')
  return used
}

function residentContent(size) {
  const { content, files } = planOf(size, fileBytes)
  collect()
  const before = process.memoryUsage.rss()
  const kept = files.map(() => content.slice())
  collect()
  const used = process.memoryUsage.rss() - before
  if (kept.length !== size) throw new Error('nothing was kept')
  return used
}

async function peersInNode() {
  const [{ createWorkspace }, { memory }, { Volume }, zenfs, { InMemoryFs }] = await Promise.all([
    import('anchorage'),
    import('anchorage/fs/memory'),
    import('memfs'),
    zenfsIfInstalled(),
    import('just-bash'),
  ])
  return peersOf({ createWorkspace, memory, createVolume: () => new Volume(), zenfs, InMemoryFs })
}

/** `npm run bench:fs` installs it; the smallest form does without it. */
async function zenfsIfInstalled() {
  if (!existsSync(`${benchPackages}node_modules/@zenfs/core`)) return undefined
  return import(pathToFileURL(createRequire(`${benchPackages}package.json`).resolve('@zenfs/core')).href)
}

function megabytes(bytes) {
  return `${(bytes / 1_000_000).toFixed(0)} MB`
}
