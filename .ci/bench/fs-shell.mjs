// `rm -rf` of a tree by the shell: ours on its filesystem in memory, and plain just-bash on its own.
import { planOf } from './fs-scenario.mjs'

export async function compareRemoval({ sizes, now, print }) {
  print('\nrm -rf by the shell, processor time for one file')
  const shells = { ours, 'just-bash': plainJustBash }
  for (const size of sizes) {
    const figures = []
    for (const [name, open] of Object.entries(shells)) {
      const { run, dispose } = await open(planOf(size, 10))
      // The shell loads with its first command.
      await run('true')
      const startedAt = now()
      const output = await run('rm -rf /p && ls / | wc -l')
      figures.push(`${name} ${(((now() - startedAt) * 1000) / size).toFixed(2)} µs`)
      if (output.includes('rm:')) throw new Error(`${name}: ${output}`)
      await dispose()
    }
    print(`${String(size).padStart(8)} files   ${figures.join('   ')}`)
  }
}

async function ours({ files, content }) {
  const [{ createWorkspace }, { memory }] = await Promise.all([import('anchorage'), import('anchorage/fs/memory')])
  const workspace = await createWorkspace({ fs: memory(Object.fromEntries(files.map(path => [path, content]))) })
  const tools = await workspace.toolset('atomic')
  const run = async command => (await tools.call('bash', { command })).content.map(({ text }) => text).join('')
  return { run, dispose: () => workspace.dispose() }
}

async function plainJustBash({ files }) {
  const { Bash, InMemoryFs } = await import('just-bash')
  const fs = new InMemoryFs(Object.fromEntries(files.map(path => [path, 'x'.repeat(10)])))
  const run = async command => {
    const { stdout, stderr } = await new Bash({ fs, defenseInDepth: false }).exec(command)
    return stdout + stderr
  }
  return { run, dispose: async () => {} }
}
