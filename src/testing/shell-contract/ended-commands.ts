// Commands that write endlessly are ended at a random moment: after their result, no more files may change.

import { parsePath } from '../../core/path.ts'
import { runCommand } from '../../shell/run.ts'
import type { Shell } from '../../shell/shell.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { createRandom } from '../random.ts'
import { timeOutByHand } from './time-out-by-hand.ts'

export interface EndedCommand {
  readonly seed: number
  readonly script: string
  /** 'aborted', or the way in which it exited. */
  readonly ending: string
  /** The number of its changes when it answered. */
  readonly changeCount: number
  /** Paths that changed after the answer, or with contents that were not written. */
  readonly problems: readonly string[]
}

const scripts: readonly string[] = [
  'i=0; while :; do i=$((i+1)); echo "$i" > f$i; done',
  'while :; do echo line >> log; done',
  'while :; do mkdir -p d/e; echo x > d/e/f; rm -r d; done',
  'while :; do cp ../seed/tree -r t; rm -rf t; done',
  'while :; do echo a > a; mv a b; done',
  'seq 1 100000 | while read n; do echo $n > n$((n % 10)); done',
  'while :; do sleep 0.002; date > now; done',
  'for i in $(seq 1 5000); do sed "s/one/$i/" ../seed/text > s$((i % 7)); done',
  'while :; do tar cf t.tar -C ../seed tree; done',
  'while :; do cat ../seed/text | tee t1 t2 > t3; done',
  'while :; do i=$((i+1)); { echo "begin $i"; echo "end $i"; } > kept.txt; done',
  'while :; do { echo begin; cat ../seed/text | wc -l; echo end; } >> kept.txt; done',
  'while :; do i=$((i+1)); printf "begin %s\\n%s\\nend %s\\n" $i "$(seq 1 2000)" $i > kept.txt; done',
  'exec 3> kept.txt; echo "begin 1" >&3; while :; do echo middle >&3; date > now; done; echo "end 1" >&3',
]

/** What a redirected file may hold: what was there before, and then all of what one redirection or several wrote, or nothing of it. */
const wholeContent = /^(?:old\n)?(?:begin(?: (\d+))?\n(?:\d+\n)*end(?: \1)?\n)*$/
const redirected = 'kept.txt'

/** Runs one command in a separate directory and ends it, by an abort or a time-out, once it has made some changes. */
export async function endOneCommand(fs: Vfs, shell: Shell, seed: number, quietMs: number): Promise<EndedCommand> {
  const random = createRandom(seed)
  const script = random.pick(scripts)
  const how = random.chance(0.6) ? 'abort' : 'time-out'
  const changesBefore = random.below(40)
  const cwd = parsePath(`/workspace/run-${seed}`)
  await fs.mkdir(cwd, { recursive: true })
  await fs.writeFile(`${cwd}/${redirected}`, 'old\n')
  const controller = new AbortController()
  let changeCount = 0
  const time = timeOutByHand()
  const unwatch = await fs.watch(cwd, ({ changes }) => {
    changeCount += changes.length
    if (changeCount <= changesBefore) return
    if (how === 'abort') controller.abort()
    else time.ring()
  })
  const running = runCommand(
    shell,
    { kind: 'script', script: `: > started; ${script}` },
    { cwd, maxCaptureBytes: 1000, signal: controller.signal, ...time.options },
  ).then(
    ({ exit }) => exit.kind,
    (error: unknown) => {
      if (!controller.signal.aborted) throw error
      return 'aborted'
    },
  )
  const ending = await running
  unwatch()
  const kept = await fs.readText(`${cwd}/${redirected}`)
  const before = await contents(fs, cwd)
  await sleep(quietMs)
  const after = await contents(fs, cwd)
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(path => before.get(path) !== after.get(path))
  return {
    seed,
    script,
    ending,
    changeCount,
    problems: [
      ...changed.map(path => `${path} changed after the answer`),
      ...(kept === '' || !wholeContent.test(kept)
        ? [`${redirected} is half written: ${JSON.stringify(kept.slice(0, 100))}`]
        : []),
    ],
  }
}

/** The files that the scripts read. */
export async function seedFiles(fs: Vfs): Promise<void> {
  for (let index = 0; index < 20; index++) {
    await fs.writeFile(`/workspace/seed/tree/d${index % 4}/f${index}`, `content ${index}\n`, { parents: true })
  }
  await fs.writeFile('/workspace/seed/text', 'one\ntwo\n'.repeat(500))
}

async function contents(fs: Vfs, directory: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for await (const { path } of fs.walk(directory)) {
    const { kind, rev, sizeBytes } = await fs.lstat(path)
    found.set(path, `${kind} ${rev} ${sizeBytes}`)
  }
  return found
}

/** Ends `count` commands, four at a time. */
export async function endManyCommands(fs: Vfs, shell: Shell, count: number, quietMs: number): Promise<readonly EndedCommand[]> {
  const ended: EndedCommand[] = []
  let seed = 0
  const work = async (): Promise<void> => {
    while (seed < count) ended.push(await endOneCommand(fs, shell, ++seed, quietMs))
  }
  await Promise.all([work(), work(), work(), work()])
  return ended
}

function sleep(durationMs: number): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, durationMs)
  })
}
