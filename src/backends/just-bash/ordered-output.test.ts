// Catching the output must change nothing but its order: each script is run with and without, by the same interpreter.
import { Bash, getCommandNames } from 'just-bash/browser'
import { describe, expect, it } from 'vitest'
import { createVfs } from '../../vfs/create-vfs.ts'
import { toJustBashFs } from '../../vfs/facades/just-bash.ts'
import { memory } from '../memory/index.ts'
import { createDeviceFs } from './device-fs.ts'
import { runScript } from './engine.ts'

const workspace = () =>
  toJustBashFs(createVfs(memory({ '/workspace/u': 'é\n', '/workspace/s.sh': 'echo sourced; echo se >&2; sv=1\n' })))
const env = { HOME: '/workspace', LANG: 'C.UTF-8' }

interface Result {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

async function plainly(script: string): Promise<Result> {
  const fs = createDeviceFs(workspace(), {
    commands: new Set([...getCommandNames(), 'mktemp']),
    write: () => undefined,
    pause: () => Promise.resolve(),
    hasOwnPrograms: false,
  })
  const { stdout, stderr, exitCode } = await new Bash({ fs, cwd: '/workspace', env, defenseInDepth: false }).exec(script, {
    rawScript: true,
  })
  return { stdout, stderr, exitCode }
}

async function caught(script: string): Promise<Result> {
  const bytes: Record<'stdout' | 'stderr', Uint8Array[]> = { stdout: [], stderr: [] }
  const exitCode = await runScript({
    script,
    env,
    files: workspace(),
    cwd: '/workspace',
    timeoutMs: 10_000,
    signal: new AbortController().signal,
    isStopped: () => false,
    pause: () => Promise.resolve(),
    commands: [],
    hasOwnPrograms: false,
    onOutput: (channel, chunk) => bytes[channel].push(chunk),
  })
  const text = (chunks: Uint8Array[]): string => Buffer.concat(chunks).toString()
  return { stdout: text(bytes.stdout), stderr: text(bytes.stderr), exitCode }
}

const scripts = [
  'echo a; echo b >&2; echo c',
  'for i in 1 2; do echo $i; nosuch; done; echo rc=$?',
  'set -e; false || echo ok; { false; } || echo ok2; if false; then :; fi; ! true; echo z; false; echo never',
  'set -eo pipefail; false | true; echo never',
  'set -euo pipefail; x=$(false) || echo caught; echo $(nosuch || echo d); echo "${unset_name:-default}"; echo "$unset_name"; echo never',
  'false | true; echo "${PIPESTATUS[@]}"; ! false | true; echo $?',
  'x=$(echo q; echo w >&2); echo "[$x] $?"',
  'x=$(false); echo $?; y=1 z=$(exit 3); echo $?',
  'f() { echo f; cat /nosuch; echo f2; return 4; }; f; echo $?; f | cat; v=$(f 2>&1); echo "[$v]"; f 2>/dev/null; f > out.txt; cat out.txt',
  '(echo o; echo e >&2; exit 5); echo $?',
  '(echo o; echo e >&2; echo o2) | tr a-z A-Z',
  '{ echo e >&2; cat /nosuch; echo o; } 2>/dev/null',
  '{ echo o; echo e >&2; } 2>&1 | tr a-z A-Z',
  'for i in 1 2; do echo $i; nosuch; done 2>&1 | sort',
  'for i in a b c; do [ $i = b ] && continue; echo $i; [ $i = c ] && break; done; echo end',
  'for i in 1 2; do for j in x y; do echo $i$j; [ $j = x ] && continue 2; done; done',
  'while read -r l; do echo "L:$l"; echo E >&2; done <<< "one"; echo "$l."',
  'printf \'a b\\nc d\\n\' | while read x y; do echo "$y $x"; done',
  'exec 3>&1; echo three >&3; exec 2>&1; echo t >&2; cat /nosuch',
  'exec > log.txt; echo hidden; cat /nosuch; exec 1>&2; cat log.txt',
  'nosuch 2>/dev/null || echo fallback; nosuch &>/dev/null; echo $?',
  'cat nofile | wc -l; cat /nosuch | wc -l',
  'echo x >/dev/stderr; echo y >/dev/stdout; echo z 2>/dev/null',
  'echo x > f; echo y >> f; cat < f; wc -l < f; cat f > g; cat g; echo both &> h; cat h',
  'set -x; echo hi; x=1; for i in 1; do :; done',
  'set -u; echo a; echo $nope; echo x',
  'echo ${x?bad}; echo z',
  'case foo in f*) echo m; echo e >&2 ;; *) echo no;; esac',
  'if cat /nosuch; then echo t; elif echo cond; then echo b; else echo e; fi',
  'eval "echo ev; echo eve >&2"; eval "q=5"; echo $q',
  'a=(1 2 3); for x in "${a[@]}"; do echo $x; done; b+=foo; echo $b; unset a; echo "${#a[@]}"',
  'mkdir -p d/e; cd d/e; pwd; cd ..; pwd; cd nowhere || echo nocd',
  'echo a && echo b || echo c; false && echo d || echo e; true; false; echo $?',
  'function g { local v=1; echo $v; echo err >&2; exit 7; }; g; echo never',
  '! cat /nosuch; echo $?',
  'echo $(cat /nosuch) done',
  'diff <(echo a; echo e >&2) <(echo a) && echo same',
  "read x <<< hello; echo $x; mapfile -t arr < <(printf '1\\n2\\n'); echo ${arr[1]}",
  "cat u; cat u | cat; echo é >&2; printf 'ünï\\n'",
  "bash -c 'echo in; echo err >&2; exit 9'; echo $?",
  'exit 3',
  'set -C; echo a > k; echo b > k; echo rc=$?; echo c >| k; cat k',
  'until [ "${n:-0}" -ge 3 ]; do n=$((n+1)); echo $n; done',
  'for ((i = 0; i < 3; i++)); do echo $i; done',
  'echo a | tee t1 | cat; cat t1',
  '{ echo 1; { echo 2 >&2; echo 3; }; (echo 4); } | cat -n',
  'cat <<EOF\n  a $((1+1)) $(echo sub)\nEOF',
  'echo one |& cat; nosuch |& cat',
  'f() { for i in 1 2; do echo $i; return 2; done; }; f; echo $?; h() { f; }; h || echo "h $?"',
  'echo a; if then; fi',
  'x=5; { x=6; y=7; }; echo $x $y; (x=8); echo $x; echo z | x=9; echo $x',
  "alias ll='echo aliased'; shopt -s expand_aliases\nll",
  "A=1 B=2 env | grep '^[AB]='; A=5 bash -c 'echo $A'",
  'test; [ 1 -eq x ]; echo $?; [[ a =~ ( ]]; echo $?; [[ a == a ]] && echo yes; ((1 > 2)) || echo no',
  ": > empty; > empty2; ls; printf '%s\\n' a b | xargs -I {} echo '<{}>'",
  'exec 2>/dev/null; cat /nosuch; nosuch; echo ok',
  'source ./nofile; echo $?; . ./s.sh; echo $sv; sh s.sh',
  'getopts ab: o -a; echo $o',
  'declare -A m; m[k]=v; echo "${m[k]}"; declare -p m; readonly r=1; r=2; echo $?',
  'f() { cat; }; echo piped | f; f <<< here; echo "$(f <<< sub)"',
  'i=0; echo x > "f$((i++))"; ls; echo $i; echo y > $(echo g); cat g',
  'while :; do echo loop; break; done; echo "unterminated',
  "bash -c 'echo x; echo y >&2' | wc -l",
  "x=$(bash -c 'echo hi'); echo \"[$x]\"; sh -c 'echo a; exit 4'; echo $?",
  'echo a b | xargs -n 1 echo | cat -n; find . -name u | xargs cat | wc -l',
  'bash -c \'bash -c "echo in"\' | cat; bash -c \'x=$(bash -c "echo in"); echo "[$x]"\'',
  'bash nosuch.sh; x=$(bash -c "echo hi"); echo "[$x]"; bash s.sh 2>/dev/null; bash s.sh > kept; cat kept',
  'timeout 2 bash -c "echo t" | cat -n; timeout 2 echo u; x=$(timeout 2 echo v); echo "[$x]"',
  "f() { bash -c 'echo in f'; }; f | cat -n; echo 'echo from stdin' | bash",
]

describe('catching the output changes nothing but its order', () => {
  it.each(scripts)('%s', async script => {
    expect(await caught(script)).toEqual(await plainly(script))
  })
})
