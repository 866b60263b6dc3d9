// npm run bench:git-status [-- --files 10000]: how long isomorphic-git takes to find out that nothing changed in a repository on our filesystem in
// memory, compared with memfs. Needs a build. Processor time.
import git from 'isomorphic-git'
import { Volume } from 'memfs'
import { createWorkspace } from 'anchorage'
import { memory } from 'anchorage/fs/memory'
import { toNodeFs } from 'anchorage/fs/node-facade'

const budgetMs = 500
const args = process.argv.slice(2)
const option = name => (args.includes(`--${name}`) ? args[args.indexOf(`--${name}`) + 1] : undefined)
const fileCount = Number(option('files') ?? 10_000)
const rounds = 6
const filesPerDirectory = 20
const author = { name: 'a', email: 'a@example.com', timestamp: 1_600_000_000, timezoneOffset: 0 }
const dir = '/workspace'

const { fs } = await createWorkspace({ fs: memory(), shell: 'none' })
const peers = [
  { name: 'ours', repository: await openRepository('ours', toNodeFs(fs).promises), times: [] },
  { name: 'memfs', repository: await openRepository('memfs', new Volume().promises), times: [] },
]
// In turns, because git's code is compiled as it runs, and the later filesystem would find it fast.
for (let round = 0; round < rounds; round++) {
  for (const { name, repository, times } of round % 2 === 0 ? peers : peers.toReversed()) {
    const { fs: gitFs, calls } = repository
    calls.clear()
    const startedAt = processorMs()
    const rows = await git.statusMatrix({ fs: gitFs, dir })
    times.push(processorMs() - startedAt)
    // A filesystem with a wrong result must not look fast.
    if (rows.length !== fileCount || rows.some(row => row.slice(1).join('') !== '111')) throw new Error(`${name}: not clean`)
    if (round === 0) console.log(`${name}: ${[...calls].map(([verb, count]) => `${count} ${verb}`).join(', ')}`)
  }
}
const [ours, memfs] = peers.map(({ times }) => Math.min(...times))
for (const { name, times } of peers) {
  console.log(
    `${name.padEnd(8)} statusMatrix of ${fileCount} clean files: the first ${times[0].toFixed(0)} ms, the best of ${rounds} ${Math.min(...times).toFixed(0)} ms`,
  )
}
console.log(`memfs takes ${(memfs / ours).toFixed(2)} times as long; the budget is ${budgetMs} ms`)
if (ours > budgetMs) process.exitCode = 1

async function openRepository(name, promises) {
  const calls = new Map()
  const verbs = ['readFile', 'writeFile', 'mkdir', 'rmdir', 'unlink', 'stat', 'lstat', 'readdir', 'readlink', 'symlink', 'chmod']
  const counting = verb => {
    return (...rest) => {
      calls.set(verb, (calls.get(verb) ?? 0) + 1)
      return promises[verb](...rest)
    }
  }
  const gitFs = { promises: Object.fromEntries(verbs.map(verb => [verb, counting(verb)])) }
  await promises.mkdir(dir, { recursive: true })
  await git.init({ fs: gitFs, dir })
  const paths = []
  for (let index = 0; index < fileCount; index++) {
    const directory = `d${Math.floor(index / filesPerDirectory / 10)}/e${Math.floor(index / filesPerDirectory) % 10}`
    if (index % filesPerDirectory === 0) await promises.mkdir(`${dir}/${directory}`, { recursive: true })
    const path = `${directory}/f${index}.ts`
    await promises.writeFile(`${dir}/${path}`, `export const value${index} = ${index}\n`)
    paths.push(path)
  }
  const startedAt = processorMs()
  await git.add({ fs: gitFs, dir, filepath: paths, parallel: true })
  await git.commit({ fs: gitFs, dir, message: 'all', author })
  console.log(`${name.padEnd(8)} add and commit of them: ${(processorMs() - startedAt).toFixed(0)} ms`)
  return { fs: gitFs, calls }
}

function processorMs() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
