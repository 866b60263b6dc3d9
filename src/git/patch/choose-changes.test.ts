// `-p` while somebody changes the file that the questions are about.
import { expect, test } from 'vitest'
import { justBash } from '../../backends/just-bash/index.ts'
import { openToolSession, textOf } from '../../testing/tool-session.ts'

const before = Array.from({ length: 30 }, (_, index) => `${index + 1}\n`).join('')
const edited = before.replace('\n3\n', '\nthree\n').replace('\n25\n', '\ntwentyfive\n')
const without3 = edited.replace('three', '3')
const fits = 'echo person >> f'
const fitsNot = "sed -i 's/three/tree/' f"
const refused = /^error: f has changed since it was shown/m

test.each([
  ['checkout -p', fits, `${without3}person\n`],
  ['restore -p .', fits, `${without3}person\n`],
  ['restore -p -s HEAD f', fits, `${without3}person\n`],
  ['stash -p', fits, `${without3}person\n`],
  ['add -p', fits, `${edited}person\n`],
  ['checkout -p', fitsNot, edited.replace('three', 'tree'), refused],
  ['checkout -p', 'rm f', undefined, refused],
  ['stash -p', fitsNot, edited.replace('three', 'tree'), refused],
])('%s keeps what is done meanwhile: %s', async (command, meanwhile, content, message = /^\(no output\)$/) => {
  const session = await openToolSession({ before, edited }, { shell: justBash() })
  const result = await session.call('bash', {
    command: [
      'git init -q r && cd r && git config user.name a && git config user.email a@b && cp ../before f && git add . && git commit -qm one',
      'cp ../edited f; touch ../out',
      `git ${command} < <(until grep -q hunk ../out; do sleep 0.01; done; ${meanwhile}; echo y; echo n) > ../out 2> ../err; code=$?`,
      'cat ../err; exit $code',
    ].join('\n'),
  })
  expect(textOf(result)).toMatch(message)
  expect(result.isError ?? false).toBe(message === refused)
  expect(await session.fs.readText('/workspace/r/f').catch(() => undefined)).toBe(content)
})
