// npm run bench:git [-- --sizes 1000,10000,50000] [--only ours,git]: git's daily commands on our filesystem in memory by ours, by isomorphic-git and by just-git
// (on its own filesystem in memory), and by real git on a disk. Processor time in milliseconds, the best of some rounds; real git's with the
// start of its process, as one pays it. Needs a build.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import isomorphic from 'isomorphic-git'
import { createWorkspace } from 'anchorage'
import { memory } from 'anchorage/fs/memory'
import { toNodeFs } from 'anchorage/fs/node-facade'
import { openGit } from 'anchorage/git'
import { benchPackages } from '../install.mjs'

const args = process.argv.slice(2)
const option = name => (args.includes(`--${name}`) ? args[args.indexOf(`--${name}`) + 1] : undefined)
const sizes = (option('sizes') ?? '1000,10000').split(',').map(Number)
const only = option('only')?.split(',')
const rounds = 5
const filesPerDirectory = 20
const author = { name: 'a', email: 'a@example.com' }
const dir = '/workspace'
/** Above it isomorphic-git would take minutes for its first `add`. */
const peerMaxFiles = 10_000
const endsAt = performance.now() + 280_000
const loggedCommits = 5000

const filler = '// a line of a file of the usual size, which is about nine hundred bytes\n'.repeat(12)
const pathOf = index =>
  `d${Math.floor(index / filesPerDirectory / 10)}/e${Math.floor(index / filesPerDirectory) % 10}/f${index}.ts`
const contentOf = (index, version) => `export const value${index} = ${version}\n${filler}`

/** How many times real git's processor time the design allows. */
const targets = {
  'add .': 3,
  'add . unchanged': 1,
  'commit of one': 2,
  status: 1,
  'status, 15 changed': 1,
  'diff of 10': 3,
  'checkout of half': 4,
  'log -5': 1,
  log: 5,
}

const justGit = await loadJustGit()
const hasGit = spawnSync('git', ['--version']).status === 0
if (!hasGit) console.log('skipped: real git, because there is no `git` on PATH')
if (justGit === undefined) console.log('skipped: just-git, because it is not installed (.ci/bench-packages)')

if (hasGit) await compareLogs()

for (const size of sizes) {
  const rows = new Map()
  const isWanted = name => only === undefined || only.includes(name)
  const peers = [
    ['ours', await ours()],
    ...(hasGit && isWanted('git') ? [['git', realGit()]] : []),
    ...(size <= peerMaxFiles && isWanted('isomorphic-git') ? [['isomorphic-git', await isomorphicGit()]] : []),
    ...(size <= peerMaxFiles && justGit !== undefined && isWanted('just-git') ? [['just-git', await justGitOnMemory()]] : []),
  ]
  for (const [name, peer] of peers) {
    await story(size, peer, (row, time) => {
      const times = rows.get(row) ?? {}
      rows.set(row, { ...times, [name]: Math.min(times[name] ?? Number.POSITIVE_INFINITY, time) })
    })
    await peer.dispose?.()
  }
  print(
    `${size} files`,
    peers.map(([name]) => name),
    rows,
  )
}

function print(what, names, rows) {
  console.log(`\n${`${what}, processor ms`.padEnd(32)}${names.map(name => name.padStart(15)).join('')}   ours / git  target`)
  for (const [row, times] of rows) {
    const cells = names.map(name => (times[name] === undefined ? '-' : times[name].toFixed(1)).padStart(15)).join('')
    const ratio = times.git === undefined || times.ours === undefined ? '' : `${(times.ours / times.git).toFixed(2)} x`
    const target = targets[row] === undefined ? '' : `${targets[row]} x`
    console.log(`${row.padEnd(32)}${cells}${ratio.padStart(13)}${target.padStart(8)}`)
  }
}

/** A history that real git wrote into one pack, read by ours, by isomorphic-git and by real git. */
async function compareLogs() {
  const peer = realGit()
  const marks = Array.from(
    { length: loggedCommits },
    (_, index) =>
      `commit refs/heads/main\nmark :${index + 1}\ncommitter a <a@b.c> ${1_600_000_000 + index * 60} +0000\ndata 12\ncommit ${String(index).padStart(5)}\n${index === 0 ? '' : `from :${index}\n`}M 100644 inline f\ndata ${String(index).length}\n${index}\n`,
  )
  spawnSync('git', ['fast-import', '--quiet'], { cwd: peer.place, input: marks.join('') })
  const workspace = await createWorkspace({ fs: memory(), shell: 'none' })
  for (const entry of readdirSync(join(peer.place, '.git'), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile())
      await workspace.fs.writeFile(`${dir}${path.slice(peer.place.length)}`, readFileSync(path), { parents: true })
  }
  const git = openGit(workspace.fs, { dir, author })
  const fs = { promises: toNodeFs(workspace.fs).promises }
  const count = text => text.split('\n').filter(line => line.startsWith('commit ')).length
  const readers = {
    ours: { clock: processorMs, log: async () => count((await git.run(['log'])).stdout) },
    git: { clock: peer.clock, log: async () => count(await peer.run('log')) },
    'isomorphic-git': { clock: processorMs, log: async () => (await isomorphic.log({ fs, dir, cache: {} })).length },
  }
  const times = {}
  for (let round = 0; round < rounds; round++) {
    for (const [name, { clock, log }] of Object.entries(readers)) {
      if (only !== undefined && !only.includes(name)) continue
      const startedAt = clock()
      if ((await log()) !== loggedCommits) throw new Error(`log: a wrong answer of ${name}`)
      const time = clock() - startedAt
      times[name] = Math.min(times[name] ?? Number.POSITIVE_INFINITY, time)
      if (round === 0) times[`${name}, first`] = time
    }
  }
  const named = suffix => Object.fromEntries(Object.keys(readers).map(name => [name, times[name + suffix]]))
  print(`${loggedCommits} commits in a pack`, Object.keys(readers), [
    ['log, first', named(', first')],
    ['log', named('')],
  ])
  await workspace.dispose()
  peer.dispose()
}

/** The same steps for everyone; a step that a peer does not have is left out. */
async function story(size, peer, tell) {
  const timed = async (row, run, count = 1) => {
    if (run === undefined || performance.now() > endsAt) return
    for (let round = 0; round < count; round++) {
      const startedAt = peer.clock()
      const check = await run()
      tell(row, peer.clock() - startedAt)
      // Something fast and wrong must not look fast.
      if (check === false) throw new Error(`${row}: a wrong answer`)
    }
  }
  for (let index = 0; index < size; index++) await peer.write(pathOf(index), contentOf(index, 0))
  await timed('add .', peer.add)
  await timed('first commit', () => peer.commit('first'))
  await timed('status, first', async () => (await peer.status()) === 0)
  await timed('status', async () => (await peer.status()) === 0, rounds)
  await timed('add . unchanged', peer.addUnchanged, rounds)
  for (let index = 0; index < 15; index++) await peer.write(pathOf(index * 37), contentOf(index * 37, 1))
  await timed('status, 15 changed', async () => (await peer.status()) === 15, rounds)
  await timed('diff of 10', peer.diff, rounds)
  await timed('add of 15', peer.add)
  await timed('commit of 15', () => peer.commit('second'))
  for (let round = 0; round < rounds; round++) {
    await peer.write(pathOf(1), contentOf(1, 2 + round))
    await peer.addOne(pathOf(1))
    await timed('commit of one', () => peer.commit(`one ${round}`))
  }
  await timed('log -5', peer.logFive, rounds)
  if (peer.branch !== undefined) {
    await peer.branch('side')
    for (let index = 0; index < size / 2; index++) await peer.write(pathOf(index), contentOf(index, 9))
    await peer.add()
    await peer.commit('half')
    await timed('checkout of half', () => peer.checkout('main'))
    await timed('checkout of half', () => peer.checkout('side'))
  }
}

function processorMs() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

async function ours() {
  const workspace = await createWorkspace({ fs: memory(), shell: 'none' })
  const git = openGit(workspace.fs, { dir, author })
  const run = async (...words) => {
    const { exitCode, stdout, stderr } = await git.run(words)
    if (exitCode !== 0) throw new Error(`git ${words.join(' ')}: ${stderr}`)
    return stdout
  }
  await run('init', '-q', '-b', 'main')
  return commandPeer(run, {
    clock: processorMs,
    write: (path, text) => workspace.fs.writeFile(`${dir}/${path}`, text, { parents: true }),
    dispose: () => workspace.dispose(),
  })
}

/** What prints as git prints. */
function commandPeer(run, rest) {
  return {
    ...rest,
    add: () => run('add', '.'),
    addUnchanged: () => run('add', '.'),
    addOne: path => run('add', path),
    commit: message => run('commit', '-qm', message),
    status: async () => (await run('status', '--porcelain')).split('\n').length - 1,
    diff: async () => (await run('diff', '--', ...Array.from({ length: 10 }, (_, index) => pathOf(index * 37)))).includes('@@'),
    logFive: async () => (await run('log', '--oneline', '-5')).split('\n').length === 6,
    branch: name => run('checkout', '-q', '-b', name),
    checkout: name => run('checkout', '-q', name),
  }
}

function realGit() {
  const place = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'bench-git-'))
  const env = {
    ...process.env,
    GIT_CONFIG_NOSYSTEM: '1',
    HOME: place,
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@b.c',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@b.c',
    GIT_TEST_FSYNC: '0',
  }
  const work = join(place, 'work')
  mkdirSync(work)
  let spentMs = 0
  const run = (...words) => {
    // The shell's `times` tells what its children took.
    const script = 'git "$@"; code=$?; times >&2; exit $code'
    const { status, stdout, stderr } = spawnSync('bash', ['-c', script, 'git', ...words], {
      cwd: work,
      env,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    })
    if (status !== 0) throw new Error(`git ${words.join(' ')}: ${stderr}`)
    const children = stderr.trim().split('\n').at(-1) ?? ''
    for (const [, minutes, seconds] of children.matchAll(/(\d+)m([\d.]+)s/g))
      spentMs += Number(minutes) * 60_000 + Number(seconds) * 1000
    return stdout
  }
  run('init', '-q', '-b', 'main')
  return commandPeer(async (...words) => run(...words), {
    place: work,
    run,
    clock: () => spentMs,
    write(path, text) {
      mkdirSync(join(work, dirname(path)), { recursive: true })
      writeFileSync(join(work, path), text)
    },
    dispose: () => rmSync(place, { recursive: true, force: true }),
  })
}

async function isomorphicGit() {
  const workspace = await createWorkspace({ fs: memory(), shell: 'none' })
  const fs = { promises: toNodeFs(workspace.fs).promises }
  const cache = {}
  await isomorphic.init({ fs, dir, defaultBranch: 'main' })
  const stamp = { ...author, timestamp: 1_600_000_000, timezoneOffset: 0 }
  return {
    clock: processorMs,
    write: (path, text) => workspace.fs.writeFile(`${dir}/${path}`, text, { parents: true }),
    add: () => isomorphic.add({ fs, dir, cache, filepath: '.' }),
    addUnchanged: undefined,
    addOne: path => isomorphic.add({ fs, dir, cache, filepath: path }),
    commit: message => isomorphic.commit({ fs, dir, cache, message, author: stamp }),
    status: async () => (await isomorphic.statusMatrix({ fs, dir, cache })).filter(row => row.slice(1).join('') !== '111').length,
    diff: undefined,
    logFive: async () => (await isomorphic.log({ fs, dir, cache, depth: 5 })).length === 5,
    branch: name => isomorphic.branch({ fs, dir, ref: name, checkout: true }),
    checkout: name => isomorphic.checkout({ fs, dir, cache, ref: name }),
    dispose: () => workspace.dispose(),
  }
}

async function loadJustGit() {
  const entry = `${benchPackages}node_modules/just-git/dist/index.js`
  return existsSync(entry) ? await import(pathToFileURL(entry).href) : undefined
}

async function justGitOnMemory() {
  const { createGit, MemoryFileSystem } = justGit
  const fs = new MemoryFileSystem()
  const git = createGit({ fs, cwd: dir, identity: author })
  await fs.mkdir(dir, { recursive: true })
  const run = async (...given) => {
    // It does not know `-q`.
    const words = given.map(word => (word === '-qm' ? '-m' : word)).filter(word => word !== '-q')
    const { stdout, stderr, exitCode } = await git.exec(
      `git ${words.map(word => (/^[\w./-]+$/.test(word) ? word : `'${word}'`)).join(' ')}`,
    )
    if (exitCode !== 0) throw new Error(`just-git ${words.join(' ')}: ${stderr}`)
    return stdout
  }
  await run('init', '-b', 'main')
  return commandPeer(run, {
    clock: processorMs,
    async write(path, text) {
      await fs.mkdir(`${dir}/${dirname(path)}`, { recursive: true })
      await fs.writeFile(`${dir}/${path}`, text)
    },
  })
}
