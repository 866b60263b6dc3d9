// Command lines with `-p`: the answers come from stdin.

const edits =
  "!seq 1 40 > l.txt && echo z > z.sh && printf 'a\\r\\nb' > crlf && git add . && git commit -qm more && sed -i 's/^3$/three/; s/^5$/five/; s/^30$/thirty/' l.txt && " +
  'rm gone.txt && chmod +x z.sh && echo more >> z.sh && printf "a\\r\\nbb" > crlf && echo new > new && : > empty && git add new empty && echo k > kept.txt && git add kept.txt && echo kk >> kept.txt ; '

/** On `apart`. */
export const chosenHunks: readonly string[] = [
  String.raw`add -p <<< 's\nn\ny\ny\ny\n'`,
  String.raw`add -p <<< 'y\ny\ny\ny\ny\ny\ny\ny\ny\n'`,
  'add -p',
  String.raw`add -p z.sh <<< '?\nz\ng1\nJ\nK\n/more\nn\n' ; diff --cached`,
  String.raw`add --patch l.txt <<< 'g\n2\ny\ng 9\ngx\n/nosuch\n/\nfive\ns\nj\ny\nn\n' ; diff --cached`,
  String.raw`add -p l.txt kept.txt <<< 'a\nd\n'`,
  String.raw`-c diff.context=1 add -p l.txt <<< 'y\nq\n'`,
  'add -p nosuch',
  String.raw`-c core.editor=true add -p crlf <<< 'e\n'`,
  String.raw`reset -p <<< 'y\nn\ny\n'`,
  String.raw`add . ; reset -p <<< 'y\ny\nn\ny\ny\ny\ny\n'`,
  String.raw`add . ; reset -p HEAD~ <<< '?\ny\nn\ny\ny\ny\ny\n'`,
  String.raw`checkout -p <<< 'y\nn\ny\ny\ny\n'`,
  String.raw`checkout -p HEAD -- kept.txt l.txt <<< 'y\nn\ny\nn\n'`,
  String.raw`checkout -p HEAD~ <<< 'y\ny\ny\ny\nn\ny\ny\n'`,
  String.raw`restore -p . <<< 'y\nn\ny\n'`,
  String.raw`restore -p -s HEAD kept.txt <<< 'y\n'`,
  String.raw`restore --staged -p kept.txt new <<< 'y\ny\n'`,
  String.raw`stash -p <<< 'y\nn\ny\n' ; stash show -p`,
  String.raw`stash push -m part -p l.txt <<< 's\ny\nn\nn\n' ; stash list ; stash pop`,
  String.raw`stash push --no-keep-index -p l.txt <<< 'y\n'`,
  String.raw`stash -p <<< 'q\n'`,
  'reset --hard -p',
].map(line => edits + line)
