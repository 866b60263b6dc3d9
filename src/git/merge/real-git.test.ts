// Merges, cherry-picks, reverts, rebases and stashes, compared with real git: every `git` line of each script is compared.

import { afterEach, beforeEach, expect, it } from 'vitest'

import { isDeep } from '../../testing/depth.ts'
import { GitTwins, hasGit, type TwinState, wordsOf } from '../../testing/git-twins.ts'
import { describeUnless, whyNotInstalled } from '../../testing/suites.ts'

/** Lines that begin with `git ` are compared; the others prepare both sides. */
const stories: Readonly<Record<string, string>> = {
  'a merge moves the branch': `
    two-branches
    git merge ahead
    git merge ahead`,
  'a merge makes a commit': `
    two-branches
    git merge --no-ff ahead
    git merge apart`,
  'a merge with conflicts stops, and is aborted': `
    two-branches
    git merge clash
    git merge clash
    git merge --continue
    git merge --abort
    git merge --abort`,
  'a merge with conflicts is resolved': `
    two-branches
    git merge clash
    echo done > a && git add a
    git merge --continue`,
  'a merge stops before the commit': `
    two-branches
    git merge --no-commit --no-ff apart
    git merge --continue`,
  'a merge over staged changes ends a revert': `
    echo 1 > f; git init -q -b main .; git add .; git commit -qm 1; echo 2 > f; git commit -qam 2; echo 3 > f; git commit -qam 3
    git branch other HEAD~2; git checkout -q other; echo o > o; git add .; git commit -qm o; git checkout -q main
    git revert --no-edit HEAD~1
    echo kept > f; git add f; echo new > n; git add n
    git merge --no-ff other
    git status
    git merge other other~1`,
  'a merge removes the message that another command left': `
    two-branches && echo left > .git/MERGE_MSG
    git merge --no-ff apart
    echo left > .git/MERGE_MSG
    git merge apart`,
  'a merge is squashed': `
    two-branches
    git merge --squash apart`,
  'a forward merge is squashed': `
    two-branches
    git merge --squash ahead`,
  'a merge with a message': `
    two-branches
    git merge -m "one" -m "two" apart`,
  'a merge only forward': `
    two-branches
    git merge --ff-only apart
    git merge --ff-only ahead`,
  'a merge that favours a side': `
    two-branches
    git merge -X ours clash`,
  'a merge that favours the other side': `
    two-branches
    git merge -X theirs clash`,
  'a merge by name of a tag and a commit': `
    two-branches && git tag v1 apart
    git merge v1
    git merge ahead~1
    git merge clash~1`,
  'a merge of nothing that is known': `
    two-branches
    git merge nosuch`,
  'a merge into a branch says so': `
    two-branches && git checkout -q -b topic
    git merge apart`,
  'a merge into a detached head': `
    two-branches && git checkout -q --detach
    git merge apart`,
  'local changes in the way of a merge': `
    two-branches && echo local >> a
    git merge clash
    git merge ahead
    git merge apart`,
  'staged changes in the way of a merge': `
    two-branches && echo local >> b && git add b
    git merge clash
    git merge apart`,
  'an untracked file in the way of a merge': `
    two-branches && echo mine > new
    git merge ahead`,
  'a file that was renamed on one side': `
    two-branches && git checkout -q -b moved && git mv a z/a2 2>/dev/null || (mkdir -p z && git mv a z/a2) && git commit -qm move && git checkout -q main
    git merge moved
    git merge clash`,
  'a file that was renamed and edited on the other side': `
    two-branches && git checkout -q side && git mv a renamed && git commit -qm move && git checkout -q clash
    git merge side`,
  'a file that was deleted and edited': `
    two-branches && git checkout -q side && git rm -q a && git commit -qm gone && git checkout -q clash
    git merge side
    git merge --abort`,
  'a file that was renamed and deleted': `
    two-branches && git checkout -q side && git mv a renamed && git commit -qm move && git checkout -q clash && git rm -q a && git commit -qm gone
    git merge side`,
  'a file that was renamed on both sides': `
    two-branches && git checkout -q side && git mv a one && git commit -qm move && git checkout -q clash && git mv a two && git commit -qm other
    git merge side`,
  'two files of one name': `
    two-branches && git checkout -q side && echo one > same && git add same && git commit -qm one && git checkout -q clash && echo two > same && git add same && git commit -qm two
    git merge side`,
  'a file where the other side has a directory': `
    two-branches && git checkout -q side && echo one > place && git add place && git commit -qm file && git checkout -q clash && mkdir place && echo two > place/in && git add place && git commit -qm directory
    git merge side`,
  'a binary file on both sides': `
    two-branches && git checkout -q side && printf 'a\\0b' > bin && git add bin && git commit -qm one && git checkout -q clash && printf 'a\\0c' > bin && git add bin && git commit -qm two
    git merge side`,
  'modes and symlinks': `
    two-branches && git checkout -q side && chmod +x b && git commit -qam exec && git checkout -q clash && ln -s a link && git add link && git commit -qm link
    git merge side`,
  'a criss-cross': `
    two-branches && git checkout -q -b left main && sed 's/^3$/three/' a > t && mv t a && git commit -qam left1 && git checkout -q -b right main && sed 's/^9$/nine/' a > t && mv t a && git commit -qam right1 && git branch right1 && git merge -q --no-edit left && git checkout -q left && git merge -q --no-edit right1 && sed 's/^three$/THREE/' a > t && mv t a && git commit -qam left2 && git checkout -q right && sed 's/^three$/tres/' a > t && mv t a && git commit -qam right2
    git merge left`,
  'a criss-cross whose bases conflict': `
    two-branches && git checkout -q -b left main && sed 's/^3$/three/' a > t && mv t a && git commit -qam left1 && git branch left1 && git checkout -q -b right main && sed 's/^3$/tres/' a > t && mv t a && git commit -qam right1 && git branch right1 && git merge -q --no-edit left1 >/dev/null; sed '/^[<=>]/d' a > t && mv t a && git add a && git commit -qm r2 && git checkout -q left && (git merge -q --no-edit right1 >/dev/null; git checkout -q --ours a && git add a && git commit -qm l2)
    git merge right`,
  'conflicts with the base shown': `
    two-branches && git config merge.conflictStyle diff3
    git merge clash`,
  'unrelated histories': `
    two-branches && git checkout -q --orphan other && git rm -rfq . && echo o > o && git add o && git commit -qm o
    git merge main
    git merge --allow-unrelated-histories main`,
  'a cherry-pick': `
    two-branches
    git cherry-pick apart
    git cherry-pick -x ahead~1 ahead
    git cherry-pick -n side~1
    git cherry-pick nosuch`,
  'a cherry-pick with conflicts is aborted, skipped and continued': `
    two-branches
    git cherry-pick clash~1
    git cherry-pick clash~1
    git cherry-pick --abort
    git cherry-pick clash~1 clash ahead
    git cherry-pick --skip
    git cherry-pick --abort
    git cherry-pick clash~1
    echo done > a && git add a
    git cherry-pick --continue`,
  'a range of cherry-picks stops in the middle': `
    two-branches
    git cherry-pick main~1..clash
    echo done > a && git add a
    git cherry-pick --continue`,
  'a range of cherry-picks is aborted': `
    two-branches
    git cherry-pick apart clash~1 clash
    git cherry-pick --abort`,
  'a cherry-pick of a merge': `
    two-branches && git checkout -q -b m apart && git merge -q --no-edit --no-ff side && git checkout -q main && git revert --no-edit HEAD
    git cherry-pick m
    git cherry-pick -m 1 m`,
  'a revert': `
    two-branches
    git revert --no-edit HEAD
    git revert --no-edit HEAD
    git revert -n HEAD~1`,
  'a revert with conflicts': `
    two-branches && git checkout -q clash
    git merge side
    git merge --abort
    git revert side
    git revert --abort`,
  'a cherry-pick over local changes': `
    two-branches && echo local >> b
    git cherry-pick clash
    git cherry-pick main~1
    echo x >> a && git add a
    git cherry-pick apart`,
  'a rebase': `
    two-branches && git checkout -q apart
    git rebase main
    git rebase main
    git rebase nosuch`,
  'a rebase forward': `
    two-branches
    git rebase ahead`,
  'a rebase of several commits': `
    two-branches && git checkout -q ahead
    git rebase apart
    git rebase --onto main~1 apart`,
  'a rebase with conflicts is aborted': `
    two-branches && git checkout -q clash
    git rebase main
    git rebase main
    git rebase --continue
    git rebase --abort
    git rebase --abort`,
  'a rebase with conflicts goes on': `
    two-branches && git checkout -q clash
    git rebase main
    echo done > a && git add a
    git rebase --continue`,
  'a rebase with conflicts is skipped': `
    two-branches && git checkout -q clash
    git rebase main
    git rebase --skip`,
  'a rebase of another branch': `
    two-branches
    git rebase main apart`,
  'a rebase leaves out what is there': `
    two-branches && git checkout -q apart && git cherry-pick ahead~1 >/dev/null && git checkout -q ahead
    git rebase apart`,
  'a rebase over local changes': `
    two-branches && git checkout -q apart && echo x >> a
    git rebase main
    true && git add a
    git rebase main`,
  'a rebase of a detached head': `
    two-branches && git checkout -q --detach apart
    git rebase main`,
  'a stash': `
    two-branches && echo local >> a && echo staged > b && git add b && echo more >> b && echo u > untracked
    git stash
    git stash list
    git stash
    git stash apply -q
    git stash drop
    git stash drop
    git stash list`,
  'a stash with its index': `
    two-branches && echo local >> a && echo staged > b && git add b && echo new > n && git add n
    git stash push -m "my message"
    git stash pop -q --index
    git stash list`,
  'a stash with untracked files': `
    two-branches && echo local >> a && echo u > untracked && mkdir u && echo v > u/v && echo "*.o" > .gitignore && echo o > x.o
    git stash -u
    git stash pop -q
    git stash -a -q
    git stash apply -q`,
  'a stash keeps the index': `
    two-branches && echo local >> a && echo staged > b && git add b && echo more >> b
    git stash --keep-index
    git stash list`,
  'a stash of some paths': `
    two-branches && echo local >> a && echo other >> b
    git stash push -- a
    git stash push -- nosuch
    git stash pop -q`,
  'a stash that conflicts': `
    two-branches && echo local >> a && git stash -q && echo upstream >> a && git commit -qam up
    git stash pop -q
    git stash list`,
  'a stash over local changes': `
    two-branches && echo local >> a && git stash -q && echo other >> a
    git stash pop
    git stash apply -q`,
  'several stashes': `
    two-branches && echo one >> a && git stash -q && echo two >> a && git stash -q && echo three >> a && git stash -q
    git stash list
    git stash drop stash@{1}
    git stash list
    git stash pop -q 1
    git stash list
    git stash clear
    git stash list
    git stash pop`,
  'a stash of deleted and new files': `
    two-branches && rm a && git rm -q b && echo n > n && git add n && chmod +x d/c
    git stash
    git stash pop -q`,
  'a stash becomes a branch': `
    two-branches && echo local >> a && git stash -q && echo other > b && git commit -qam other
    git stash branch saved`,
  'a blame': `
    two-branches
    git blame a
    git blame -s b
    git blame -e -L 2,5 a
    git blame -L 3,+2 -L /9/,10 a
    git blame -n -f a
    git blame -l -t d/c
    git blame -p a
    git blame --line-porcelain -L 1,2 a
    git blame clash -- a
    git blame HEAD~1..clash -- a
    git blame --root a
    git blame nosuch
    git blame nosuch HEAD
    git blame -L 90,91 a`,
  'a blame of what is not committed': `
    two-branches && sed '3d;5s/^/x/' a > t && mv t a && echo end >> a
    git blame a
    git blame -p a
    git blame HEAD a`,
  'a blame through a rename and a merge': `
    two-branches && git merge -q --no-edit apart && git mv a z && git commit -qm move && sed '2s/^/y/' z > t && mv t z && git commit -qam edit && git merge -q -X ours --no-edit clash
    git blame z
    git blame -w z
    git blame -p z`,
  'merge bases': `
    two-branches
    git merge-base main clash
    git merge-base --is-ancestor main~1 ahead
    git merge-base --is-ancestor ahead main
    git merge-base --all main clash side
    git merge-base --octopus main clash side
    git merge-base --independent main clash ahead main~1
    git merge-base main nosuch`,
  'a merge of files': `
    two-branches && git show main~1:a > base && git show clash:a > theirs && git add . && git commit -qm files
    git merge-file -p a base theirs
    git merge-file -L x -L y -L z a base theirs
    git merge-file a base nosuch`,
  'a pick that stopped is continued by the other command': `
    two-branches
    git cherry-pick clash~1
    echo done > a && git add a
    git revert --continue
    git revert clash~1
    echo more > a && git add a
    git cherry-pick --continue`,
  'a pick that stopped is followed by another one': `
    two-branches
    git cherry-pick clash~1
    git reset -q
    git checkout -q -- a
    git cherry-pick ahead
    git cherry-pick ahead~1 ahead
    git status`,
  'a series refuses the other kind, and to go back over own commits': `
    two-branches
    git cherry-pick apart clash~1 clash
    git cherry-pick apart ahead
    git revert --continue
    git revert --skip
    git status
    echo done > a && git add a && git commit -qm mine
    git cherry-pick --skip
    git cherry-pick --abort`,
  'a conflict is committed without an editor': `
    two-branches
    git merge clash
    echo done > a && git add a
    git commit -q --no-edit
    git cherry-pick clash~1
    echo more > a && git add a
    git status
    git commit --no-edit`,
  'files that are only announced': `
    two-branches && echo n > n && git add -N n
    git merge apart
    git cherry-pick apart
    git revert HEAD
    rm n
    git checkout -B again
    git checkout clash`,
  'a merge of unrelated histories over staged changes': `
    two-branches && git checkout -q --orphan other && git commit -qm other && echo s > b && git add b
    git merge main`,
  'a merge that is refused over a file that only left the index': `
    two-branches && git rm -q --cached b
    git merge --squash apart
    git status -s`,
  'a stash whose staged changes do not fit': `
    two-branches && echo staged > b && git add b && echo n > n && git add n && git stash -q && echo staged > b && git commit -qam same
    git stash pop --index
    git stash pop -q`,
  'a blame of a file that was moved and is not committed': `
    two-branches && git mv a z && echo more >> z
    git blame z`,
  'a combined diff of files without line feeds at their ends': `
    two-branches && printf 'int f(void)\\n{\\n1\\n2\\n3\\n4\\n5\\n6\\nend' > c && git add c && git commit -qm c && git checkout -q -b left && printf 'int f(void)\\n{\\n1\\n2\\n3\\n4\\n5\\n6\\nleft' > c && git commit -qam left && git checkout -q main && printf 'int f(void)\\n{\\n1\\n2\\n3\\n4\\n5\\n6\\nright' > c && git commit -qam right
    git merge left
    git diff
    printf 'int f(void)\\n{\\n1\\n2\\n3\\n4\\n5\\n6\\nboth' > c && git add c && git commit -qm both
    git show`,
  'a move into a directory that is missing': `
    two-branches
    git mv d nosuch/d
    git mv a nosuch/a`,
  remotes: `
    two-branches
    git remote
    git remote add origin https://example.com/x.git
    git remote add origin https://example.com/y.git
    git remote add up https://example.com/up
    git remote -v
    git remote get-url origin
    git remote set-url origin https://example.com/z.git
    git remote rename up down
    git remote -v
    git remote rm down
    git remote rm down
    git remote frob`,
}

const preparation = `git init -q -b main . && seq 1 12 > a && echo b > b && mkdir d && echo c > d/c && git add . && git commit -qm base
  git checkout -q -b side && sed 's/^12$/twelve/' a > t && mv t a && git commit -qam side1
  git checkout -q -b clash main && sed 's/^1$/one/;s/^12$/douze/' a > t && mv t a && git commit -qam clash1 && echo x > x && git add x && git commit -qm clash2
  git checkout -q main && sed 's/^12$/12 of main/' a > t && mv t a && echo b2 >> b && git commit -qam main1
  git checkout -q -b ahead main && echo new > new && git add new && git commit -qm ahead1 && echo more >> new && git commit -qam ahead2
  git checkout -q side && git checkout -q -b apart main~1 && echo e > d/e && git add d/e && git commit -qm apart1 && git checkout -q main`

describeUnless(whyNotInstalled(hasGit, 'git'), 'beside real git', () => {
  let twins: GitTwins
  beforeEach(() => void (twins = new GitTwins()))
  afterEach(() => twins.dispose())

  // A script starts dozens of processes, so the quick run has every thirtieth.
  it.each(Object.entries(stories).filter((_story, index) => isDeep || index % 30 === 0))('%s', async (_name, story) => {
    for (const line of story.split('\n').map(text => text.trim())) {
      if (line.startsWith('git ')) {
        const { real, ours } = await twins.run(wordsOf(line).slice(1))
        expect({ line, ...masked(ours) }, ours.stderr).toEqual({ line, ...masked(real) })
      } else if (line !== '') twins.prepare(line.replace('two-branches', `{ ${preparation}\n}`))
    }
  })
})

/** The kinds of lines on stderr: `error`, `fatal`, … */
function classOf(text: string): readonly string[] {
  return [...new Set(text.split('\n').flatMap(line => /^(error|fatal|warning|hint)\b/.exec(line)?.[1] ?? []))].sort()
}

/** For uncommitted lines, real git uses the clock of the machine; errors are compared by their kind. */
function masked(state: TwinState): Omit<TwinState, 'stderr'> & { readonly stderr: readonly string[] } {
  const stdout = state.stdout
    .replaceAll(/(Not Committed Yet) [-\d]+ [:\d]+/g, '$1 now')
    .replaceAll(/^((?:author|committer)-time) \d+\n(\1?)/gm, '$1 now\n$2')
  return { ...state, stdout, stderr: classOf(state.stderr) }
}
