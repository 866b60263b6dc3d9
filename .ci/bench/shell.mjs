// npm run bench:shell [-- --rounds 5 --files 10000 --commands 1000]: our shell, in workers and on the workspace's thread, compared with
// plain just-bash on its own filesystem, with the same files and scripts. Needs a build. Each contestant runs in a separate process, in
// turns within each round. The compared value is the processor time of the whole process, with all its threads, relative to plain just-bash
// in the same round, so that a busy machine does not matter. Wall time is printed beside it.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const args = process.argv.slice(2)
const option = (name, fallback) => (args.includes(`--${name}`) ? Number(args[args.indexOf(`--${name}`) + 1]) : fallback)
const rounds = option('rounds', 5)
const fileCount = option('files', 10_000)
const commandCount = option('commands', 1_000)

const contestants = ['plain just-bash', 'ours, in a worker', 'ours, on the thread']
const scripts = {
  'cat 10k files | wc -l': 'cat d*/*.txt | wc -l',
  'grep -r | wc -l': 'grep -r needle . | wc -l',
  'find | xargs cat | wc -l': "find . -name '*.txt' | xargs cat | wc -l",
  // Not counted with ls, because just-bash's ls prints an empty line between names.
  '300 files written': 'for i in $(seq 1 300); do echo "$i" > "new$i"; done; set -- new*; echo $#',
  'a loop of 20,000 turns': 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo $i',
  // Last, because the index is filled after the first search, while no search runs.
  'rg | wc -l, first': 'rg needle | wc -l',
  'rg | wc -l, again': 'rg needle | wc -l',
}

const child = args.indexOf('--child')
if (child >= 0) {
  console.log(JSON.stringify(await measure(args[child + 1])))
  process.exit()
}
const samples = new Map()
const outputs = new Map()
for (let round = 0; round < rounds; round++) {
  for (const contestant of contestants) {
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [fileURLToPath(import.meta.url), ...args, '--child', contestant],
      {
        encoding: 'utf8',
      },
    )
    if (status !== 0) throw new Error(stderr)
    for (const [what, { ms, processorMs, output }] of Object.entries(JSON.parse(stdout))) {
      const key = `${what}\0${contestant}`
      samples.set(key, [...(samples.get(key) ?? []), { ms, processorMs }])
      checkSame(what, output)
    }
  }
}
report()

async function measure(contestant) {
  const results = {}
  const time = async (what, work) => {
    const startedAt = performance.now()
    const before = process.cpuUsage()
    const output = await work()
    results[what] = { ms: performance.now() - startedAt, processorMs: processorMsSince(before), output }
  }
  const files = Object.fromEntries(
    Array.from({ length: fileCount }, (_, index) => [`/workspace/d${index % 100}/f${index}.txt`, `hello ${index}\nneedle\n`]),
  )
  const prepare = contestant === 'plain just-bash' ? preparePlain : prepareOurs
  // The files are created before; only the shell is measured.
  const open = await prepare(files, contestant)
  let run
  await time('start to the first prompt', async () => {
    run = await open()
    return run('echo ready')
  })
  results['start to the first prompt'].ms += open.load?.ms ?? 0
  results['start to the first prompt'].processorMs += open.load?.processorMs ?? 0
  await time(`${commandCount} small commands`, async () => {
    let output = ''
    for (let index = 0; index < commandCount; index++) output = await run(`echo ${index}`)
    return output
  })
  for (const [what, script] of Object.entries(scripts)) await time(what, () => run(script))
  return results
}

async function preparePlain(files) {
  const startedAt = performance.now()
  const before = process.cpuUsage()
  const { Bash, InMemoryFs } = await import('just-bash/browser')
  // Its filesystem is part of the interpreter, so that is loaded already; it is counted anyway.
  const load = { ms: performance.now() - startedAt, processorMs: processorMsSince(before) }
  const fs = new InMemoryFs(files)
  const open = async () => {
    // Each command starts a new interpreter state, as in our shell.
    const limits = { maxCommandCount: 50_000_000, maxLoopIterations: 50_000_000 }
    return async script => {
      const bash = new Bash({ fs, cwd: '/workspace', executionLimits: limits, defenseInDepth: false })
      const { stdout, stderr } = await bash.exec(script, { rawScript: true })
      return stdout + stderr
    }
  }
  return Object.assign(open, { load })
}

async function prepareOurs(files, contestant) {
  const dist = path => import(new URL(`../../dist/${path}`, import.meta.url).href)
  const { createWorkspace } = await dist('index.js')
  const { memory } = await dist('backends/memory/index.js')
  const { runCommand } = await dist('shell/run.js')
  const { justBash } = await dist('backends/just-bash/index.js')
  let context
  const worker = contestant === 'ours, in a worker' ? 'auto' : 'none'
  // The workspace adds its commands and its ordering; creating a toolset opens the shell.
  const workspace = await createWorkspace({
    fs: memory(files),
    shell: given => {
      context = given
      return Promise.resolve({
        capabilities: { notes: [] },
        start: () => Promise.reject(new Error('unused')),
        dispose: async () => {},
      })
    },
  })
  await workspace.toolset('atomic')
  return async () => {
    const opened = await justBash({ worker })(context)
    return async script =>
      (await runCommand(opened, { kind: 'script', script }, { maxCaptureBytes: 1_000_000, timeoutMs: 300_000 })).output
  }
}

function checkSame(what, output) {
  const known = outputs.get(what)
  if (known !== undefined && known !== output)
    throw new Error(`${what}: ${JSON.stringify(output)} is not ${JSON.stringify(known)}`)
  outputs.set(what, output)
}

function processorMsSince(before) {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

function report() {
  console.log(
    `${fileCount} files, ${rounds} rounds: processor time (time by the clock), medians; how many times plain just-bash's\n`,
  )
  console.log(`${''.padEnd(28)}${contestants.map(name => name.padStart(32)).join('')}`)
  for (const what of outputs.keys()) {
    const [plain, ...ours] = contestants.map(contestant => samples.get(`${what}\0${contestant}`))
    const cells = [shown(plain), ...ours.map(own => `${shown(own)} ${ratio(own, plain).toFixed(2).padStart(7)}×`)]
    console.log(what.padEnd(28) + cells.map(cell => cell.padStart(32)).join(''))
  }
}

function shown(measured) {
  const [processor, clock] = ['processorMs', 'ms'].map(unit => median(measured.map(sample => sample[unit])))
  return `${processor.toFixed(1)} ms (${clock.toFixed(0)})`
}

/** The ratio of each round, and of these the median. */
function ratio(own, plain) {
  return median(own.map(({ processorMs }, round) => processorMs / plain[round].processorMs))
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1]
}
