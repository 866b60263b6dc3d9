// Finds and ends all processes that a command has started, also those that left its process group (as browsers do) or lost their parent.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** The variable that every process of a run inherits: the run's mark, followed by a slash and the mark of each command. */
export const markVariable = 'ANCHORAGE_RUN'

const roundLimit = 100
const roundPauseMs = 20

/** Ends every process with the mark, and all that belong to those. Returns when none is left. */
export function endMarked(mark) {
  const groups = new Set()
  for (let round = 0; round < roundLimit; round++) {
    const found = belongingTo(mark, groups)
    if (found.length === 0) return
    for (const { pid } of found) kill(pid)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, roundPauseMs)
  }
}

/** The processes with the mark, with their descendants and the other members of their process groups. */
export function marked(mark) {
  return belongingTo(mark, new Set())
}

// A browser overwrites its children's environment with their names, so the mark alone does not find them. The groups are kept from round to
// round, because nothing else identifies a process without parent and environment.
function belongingTo(mark, groups) {
  const all = processes()
  const own = all.find(({ pid }) => pid === process.pid)?.group
  const found = new Set()
  for (let size = -1; size < found.size;) {
    size = found.size
    for (const { pid, parent, group, mark: its } of all) {
      if (pid === process.pid) continue
      const isOurs = its === mark || its?.startsWith(`${mark}/`) || found.has(parent) || groups.has(group)
      if (!isOurs) continue
      found.add(pid)
      if (group !== own) groups.add(group)
    }
  }
  return all.filter(({ pid }) => found.has(pid))
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

function processes() {
  if (!existsSync('/proc/self/stat')) return listed()
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      try {
        // The command's name is in brackets and may contain any character.
        const [state, parent, group] = readFileSync(`/proc/${name}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ')
        if (state === 'Z') return []
        return [{ pid: Number(name), parent: Number(parent), group: Number(group), mark: markOf(name) }]
      } catch {
        // The process has ended meanwhile.
        return []
      }
    })
}

function markOf(pid) {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    return variables.find(variable => variable.startsWith(`${markVariable}=`))?.slice(markVariable.length + 1)
  } catch {
    // A process of another user.
    return undefined
  }
}

// Without /proc the environment is not readable, but parents and groups are.
function listed() {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid='], { encoding: 'utf8' }).trim().split('\n')
  return lines.map(line => {
    const [pid, parent, group] = line.trim().split(/\s+/).map(Number)
    return { pid, parent, group, mark: undefined }
  })
}
