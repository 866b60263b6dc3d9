// Commands that would overwrite untracked files, and git's refusals.

export const overwriting: readonly string[] = String.raw`
!echo n > n ; add -N n ; rm -q n ; status -s
!touch n ; add -N n ; rm n ; rm --cached n ; status -s
!echo n > n ; add -N n ; !rm n ; rm n ; status -s
!echo n > n ; add -N n ; rm -f n ; status -s
!rm -r sub && echo x > sub ; reset ; reset -- sub ; status -s
!rm -r sub && ln -s kept.txt sub ; reset ; status -s
!rm -r sub && mkdir -p sub/s.txt/in && echo x > sub/s.txt/in/f ; reset ; status -s
!echo mine > new.txt ; rebase -q other ; status
!git checkout -q other && git rm -q new.txt && git commit -qm drop && git checkout -q main && git commit -q --amend -m m2 && echo mine > new.txt ; rebase main~1 ; rebase other~1
!git rm -q --cached kept.txt && echo edit >> kept.txt ; commit -m x -- kept.txt
!git rm -q --cached sub/s.txt && echo edit >> sub/s.txt ; commit -m x -- sub ; status -s
!git rm -q --cached sub/s.txt && rm sub/s.txt ; commit -m x -- sub
!mkdir sub/d && echo x > sub/d/x && echo y > sub/y && git add sub && rm sub/s.txt ; mv sub moved ; status -s
!git checkout -q other && git merge -q main -m joined && git checkout -q -B base main~1 ; merge --squash other ; !cp .git/SQUASH_MSG shown
!git rm -q --cached -r . && git commit -q --amend --allow-empty -m e ; commit --amend --no-edit
!git checkout -q --orphan fresh && git rm -rqf . && git commit -q --allow-empty -m root ; commit --amend --no-edit ; commit --amend -m x
!git checkout -q other && git cherry-pick main >/dev/null && git checkout -q main && git rev-parse other > .git/CHERRY_PICK_HEAD && echo m > .git/MERGE_MSG ; cherry-pick other ; status
!git checkout -q -B base main~1 && sed -i s/^3$/three/ kept.txt && git add kept.txt && echo edit >> kept.txt ; merge other
!git checkout -q -B base main~1 && sed -i s/^3$/three/ kept.txt && git add kept.txt && echo edit >> kept.txt ; merge --squash other
!git checkout -q -B base main~1 && sed -i s/^3$/three/ kept.txt && git add kept.txt && echo edit >> kept.txt ; pull -q . other
!git checkout -q -B base main~1 && sed -i s/^3$/three/ kept.txt && git add kept.txt && rm kept.txt ; merge other
!git checkout -q -B base main~1 && git rm -q --cached gone.txt ; merge other
!git checkout -q -B base main~1 && git rm -q --cached gone.txt && echo mine > gone.txt ; merge --squash other
!git checkout -q -B base main~1 && git rm -q --cached gone.txt && rm gone.txt && mkdir gone.txt && echo mine > gone.txt/in ; merge other
!git checkout -q -B base main~1 && git rm -q --cached gone.txt && rm gone.txt && mkdir gone.txt && echo mine > gone.txt/in ; checkout other
!git checkout -q -B base main~1 && git rm -q --cached gone.txt ; checkout other
!git checkout -q -B base main~1 && echo theirs > new.txt && git add new.txt && echo edit >> new.txt ; merge other
!git checkout -q other && sed -i s/^18$/other/ kept.txt && git commit -qam o2 && git checkout -q main && git merge other >/dev/null 2>&1 || git rm -q --cached sub/s.txt && echo mine > sub/s.txt ; merge --abort
!git checkout -q other && sed -i s/^18$/other/ kept.txt && git commit -qam o2 && git checkout -q main && git merge other >/dev/null 2>&1 || git rm -q --cached sub/s.txt && rm sub/s.txt && mkdir sub/s.txt && echo mine > sub/s.txt/in ; merge --abort
!git checkout -q other && sed -i s/^18$/other/ kept.txt && git commit -qam o2 && git checkout -q main && git cherry-pick other other~1 >/dev/null 2>&1 || git rm -q --cached sub/s.txt && echo mine > sub/s.txt ; cherry-pick --abort
!git checkout -q other && sed -i s/^18$/other/ kept.txt && git commit -qam o2 && git checkout -q main && git cherry-pick other other~1 >/dev/null 2>&1 || git rm -q --cached sub/s.txt && echo mine > sub/s.txt ; cherry-pick --skip
!git checkout -q other && sed -i s/^18$/other/ kept.txt && git commit -qam o2 && git checkout -q main && git rebase other >/dev/null 2>&1 || git rm -q --cached sub/s.txt && echo mine > sub/s.txt ; rebase --abort
!git checkout -q other && sed -i s/^18$/other/ kept.txt && git commit -qam o2 && git checkout -q main && git rebase other >/dev/null 2>&1 || git rm -q --cached sub/s.txt && echo mine > sub/s.txt ; rebase --skip
!git checkout -q other && sed -i s/^18$/other/ kept.txt && git commit -qam o2 && git checkout -q main && git rebase other >/dev/null 2>&1 || git rm -q --cached sub/s.txt && rm sub/s.txt && mkdir sub/s.txt && echo mine > sub/s.txt/in ; rebase --abort
!git branch -q base main~1 && git checkout -q base && git rm -q --cached kept.txt && rm kept.txt ; merge --squash main
!git branch -q base main~1 && git checkout -q base && git rm -q --cached kept.txt && rm kept.txt ; merge main
!git branch -q base main~1 && git checkout -q base && git rm -q --cached sub/s.txt && rm sub/s.txt ; merge main
!echo edit >> kept.txt && git stash -q && echo n > n.txt && git add -N n.txt ; stash pop
!echo edit >> kept.txt && git stash -q && echo n > n.txt && git add -N n.txt ; stash apply -q
!echo mine > new.txt ; status ; switch --discard-changes other
checkout -q other ; !echo more >> kept.txt ; commit -qam more ; checkout -q main ; !echo x > new.txt ; add new.txt ; commit -qm mine ; cherry-pick main~1..other ; !echo edited >> kept.txt ; cherry-pick --abort
merge -q --no-commit other ; !echo edited >> kept.txt ; merge --abort
merge -q --no-commit other ; merge --abort
merge -q --squash other ; merge other ; !test ! -e .git/SQUASH_MSG || echo left > left
!echo mine > new.txt ; status ; switch -f other
!echo mine > new.txt ; status ; reset --merge other
!mkdir new.txt && echo mine > new.txt/in ; switch --discard-changes -C z other
!mkdir new.txt && echo mine > new.txt/in ; merge other
!mkdir new.txt && echo mine > new.txt/in ; status ; reset --merge other
!mkdir new.txt && echo mine > new.txt/in ; cherry-pick other
!mkdir new.txt && echo mine > new.txt/in ; rebase other
!mkdir new.txt ; merge other
!mkdir new.txt ; cherry-pick other
!mkdir new.txt ; status ; reset --keep other
!mkdir new.txt ; rebase other
!echo mine > deep ; switch --discard-changes other
!echo mine > deep ; status ; reset --merge other
!echo mine > deep ; merge other
!echo mine > deep.skip ; checkout other
!echo mine > out.skip ; checkout --no-overwrite-ignore other
!echo mine > out.skip ; switch --no-overwrite-ignore --discard-changes other
!echo mine > out.skip ; switch --discard-changes other
!echo mine > out.skip ; status ; reset --merge other
!echo mine > out.skip ; switch --no-overwrite-ignore -f other
!rm kept.txt && mkdir kept.txt && echo mine > kept.txt/in ; switch other
!rm kept.txt && mkdir kept.txt && echo mine > kept.txt/in ; switch --discard-changes other
!rm kept.txt && mkdir kept.txt && echo mine > kept.txt/in ; status ; reset --merge other
!rm kept.txt && mkdir kept.txt ; switch other
!mkdir new.txt && echo mine > new.txt/in && git add new.txt ; switch other
!echo mine > new.txt ; status ; read-tree -m -u other
!echo mine > new.txt ; read-tree --reset -u other
!git checkout -q other && git checkout -q main && echo mine > new.txt ; switch --discard-changes -
!echo edit >> sub/s.txt && echo mine > notes.txt ; switch --discard-changes other
!rm gone.txt && mkdir gone.txt && echo mine > gone.txt/in ; switch other
!rm kept.txt && mkdir kept.txt && echo mine > kept.txt/in ; status ; reset --keep other
!rm kept.txt && mkdir kept.txt && echo mine > kept.txt/in ; checkout -f other
!rm kept.txt && mkdir kept.txt && echo mine > kept.txt/in ; rebase other
!rm kept.txt && mkdir kept.txt && echo mine > kept.txt/in ; cherry-pick other
!echo edit >> kept.txt ; stash ; !rm kept.txt && mkdir kept.txt && echo mine > kept.txt/in ; stash pop
!echo mine > u.txt ; stash -u ; !echo other > u.txt ; stash pop
!echo mine > u.txt ; stash -u ; !mkdir u.txt ; stash pop
!echo new > add.txt && git add add.txt ; stash ; !echo other > add.txt ; stash pop
!echo new > add.txt && git add add.txt ; stash ; !mkdir add.txt && echo other > add.txt/in ; stash apply
!echo mine > new.txt ; mv kept.txt new.txt
!echo mine > new.txt ; mv -f kept.txt new.txt
!echo mine > sub/kept.txt ; mv kept.txt sub
!echo edit >> kept.txt ; rm kept.txt
!echo new > add.txt && git add add.txt ; rm add.txt
!rm sub/s.txt && echo mine > sub/u.txt ; rm -r sub
!echo mine > new.txt ; clean
!echo mine > new.txt ; clean -f new.txt
!echo mine > new.txt && git cherry-pick other >/dev/null 2>&1 || true ; status --short
!git rm -q gone.txt && git commit -qm g && echo mine > gone.txt ; revert HEAD
!git rm -q gone.txt && git commit -qm g && mkdir gone.txt && echo mine > gone.txt/in ; revert HEAD
!mkdir new.txt && echo mine > new.txt/in ; checkout other -- new.txt
!mkdir new.txt && echo mine > new.txt/in ; restore -s other new.txt
!echo mine > deep ; checkout other -- deep
!rm kept.txt && mkdir kept.txt && echo mine > kept.txt/in ; checkout -- kept.txt
!rm kept.txt && mkdir kept.txt && echo mine > kept.txt/in ; restore kept.txt
!rm kept.txt && mkdir kept.txt ; restore kept.txt
!rm kept.txt && mkdir kept.txt && echo mine > kept.txt/in ; status ; reset --hard
!git checkout -q other && git rm -q sub/s.txt && echo f > sub && git add sub && git commit -qm f && git checkout -q main && echo e >> sub/s.txt && git commit -qam e ; merge other
!git checkout -q other && git rm -q kept.txt && mkdir kept.txt && echo f > kept.txt/f && git add kept.txt && git commit -qm f && git checkout -q main ; merge other
!git checkout -q other && git rm -q kept.txt && mkdir kept.txt && echo f > kept.txt/f && git add kept.txt && git commit -qm f && git checkout -q main ; cherry-pick other
!rm -r sub && echo x > sub ; merge other
!rm -r sub && echo x > sub ; checkout other ; reset --hard
!mkdir new.txt && echo x > new.txt/f ; merge other ; checkout other ; reset --keep other
!mkdir real && ln -s real deep ; merge other ; checkout other
!ln -s nowhere new.txt ; merge other ; rebase other
!mkdir -p deep/er/file.txt && echo x > deep/er/file.txt/z ; merge other
`
  .split('\n')
  .filter(line => line !== '')

/** `stash -S` with further unstaged changes. */
export const stashingStaged: readonly string[] = String.raw`
!git rm -rq sub && echo new > sub ; stash push -u ; stash pop --index ; status -s
!git rm -rq sub && echo new > sub ; stash push -u ; stash pop ; status -s
!git rm -rq sub && echo new > sub ; stash push -u ; !echo u > sub/u ; stash pop ; status -s
!git rm -rq sub && echo new > sub ; stash push -u ; !echo edit >> sub/s.txt ; stash pop ; status -s
!git rm -q kept.txt && mkdir -p kept.txt/b && echo x > kept.txt/f && echo y > kept.txt/b/g ; stash -u ; stash pop --index ; status -s
!git rm -q kept.txt && mkdir -p kept.txt/b && echo x > kept.txt/f && echo y > kept.txt/b/g ; stash -u ; !echo edit > kept.txt ; stash pop ; status -s ; stash list
!echo i > i ; stash -u ; !mkdir i && echo o > i/o ; stash pop ; status -s
!seq 1 30 > sub/s.txt && git add . && git commit -qm s && sed -i s/^3$/three/ sub/s.txt && git add . && sed -i s/^28$/x/ sub/s.txt ; stash push -S
!seq 1 30 > sub/s.txt && git add . && git commit -qm s && sed -i s/^3$/three/ sub/s.txt && git add . && sed -i s/^28$/x/ sub/s.txt ; stash push -S ; stash pop
!seq 1 30 > sub/s.txt && git add . && git commit -qm s && sed -i s/^3$/three/ sub/s.txt && git add . && sed -i s/^5$/x/ sub/s.txt ; stash push -S
!seq 1 30 > sub/s.txt && git add . && git commit -qm s && sed -i s/^3$/three/ sub/s.txt && git add . && sed -i s/^3$/x/ sub/s.txt ; stash push -S
!echo staged >> kept.txt && git add . && echo more >> gone.txt ; stash -S
!seq 1 30 > sub/s.txt && git add . && git commit -qm s && sed -i s/^3$/three/ sub/s.txt && git add . && sed -i s/^28$/x/ sub/s.txt ; stash push -S -k ; status -s ; diff
!echo staged >> kept.txt && git add . ; stash push --staged --keep-index ; status -s
!echo staged >> kept.txt && git add . && echo new > n.txt ; stash --staged -m x
!echo staged >> kept.txt && git add . && sed -i '1i top' kept.txt ; stash -S
!git rm -q gone.txt ; stash -S
!chmod +x kept.txt && git add . && echo more >> kept.txt ; stash -S
!echo staged >> kept.txt && git add . && echo more >> gone.txt ; stash -S kept.txt
!echo x > kept.txt && git add . && git show HEAD:kept.txt > kept.txt && echo w > gone.txt && git stash -q ; !echo edit > kept.txt ; stash pop --index
!echo x > kept.txt && git add . && git show HEAD:kept.txt > kept.txt && echo w > gone.txt && git stash -q ; !rm kept.txt ; stash pop --index
!git rm -q --cached kept.txt && echo w > gone.txt && git stash -q ; !echo edit > kept.txt ; stash pop -q --index
!echo x > kept.txt && git add . ; !rm kept.txt ; reset --merge other
!echo x > sub/s.txt && git add . ; !rm -r sub && echo x > sub ; reset --merge other
!echo p >> kept.txt && git add . && git stash -q && git rev-parse HEAD > .git/CHERRY_PICK_HEAD && echo m > .git/MERGE_MSG ; stash pop --index
!git rev-parse HEAD > .git/CHERRY_PICK_HEAD && echo m > .git/MERGE_MSG && echo p >> kept.txt ; stash ; status
!git rev-parse HEAD > .git/CHERRY_PICK_HEAD && echo m > .git/MERGE_MSG && echo p >> kept.txt ; stash -- kept.txt ; status
!echo edit >> kept.txt ; stash -S
!printf 'a\r\nb\r\n' > kept.txt && git add . && echo c >> gone.txt ; stash -S
`
  .split('\n')
  .filter(line => line !== '')

/** Edits that `status` does not show, because the file is marked. */
export const markedEdits: readonly string[] = ['--assume-unchanged', '--skip-worktree'].flatMap(mark =>
  [
    'checkout other',
    'switch other',
    'cherry-pick other',
    'rebase other',
    'reset --keep other',
    'reset --merge other',
    'reset --hard other',
    'checkout -f other',
    'read-tree -m -u HEAD other',
    'apply --index kept.patch',
  ].map(
    command =>
      `!git update-index ${mark} kept.txt && git diff main~1 other -- kept.txt > kept.patch && echo mine >> kept.txt ; ${command} ; status -s`,
  ),
)

/** A staged file in place of a directory, and branches that change what is in the directory. */
export const stagedInPlace: readonly string[] = ['!echo more > sub/more', 'rm -rq sub'].flatMap(change =>
  ['checkout other', 'switch other', 'merge other', 'cherry-pick other', 'reset --keep other', 'read-tree -m -u HEAD other'].map(
    command =>
      `checkout -q other ; ${change} ; add -A ; commit -qm sub ; checkout -q main ; !git rm -rq sub && echo mine > sub && git add sub ; ${command} ; status -s`,
  ),
)
