// npm run bench:edits: single edits of this repository's sources, by every toolset, after various changes of the file in between and in
// several encodings. Prints how many were right, refused or wrong, and the size of a read, an edit and its result. A wrong edit fails the
// run. SEED and ROUNDS select the tasks.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../run-command.mjs'

const rounds = Number(process.env.ROUNDS ?? 40)
const firstSeed = Number(process.env.SEED ?? 1)
const maxFileCharacters = 30_000
const contextLines = 10
const charactersPerToken = 4

const entry = join(root, 'dist/index.js')
if (!existsSync(entry)) throw new Error('There is no dist/. Build the package first: npm run build')
const { createWorkspace, toolsets } = await import(pathToFileURL(entry).href)
const { memory } = await import(pathToFileURL(join(root, 'dist/backends/memory/index.js')).href)

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts'))
  .sort()
  .map(name => readFileSync(join(root, 'src', name), 'utf8'))
  .filter(text => text.length <= maxFileCharacters && text.split('\n').length > 30 && !text.includes('\r'))

const encodings = {
  LF: text => text,
  CRLF: text => text.replaceAll('\n', '\r\n'),
  BOM: text => `\uFEFF${text}`,
  'no final newline': text => text.replace(/\n$/, ''),
}

/** Changes of the file between the read and the edit. `at` is the first edited line, `end` the line after the last one. */
const drifts = {
  none: lines => lines,
  'line added above': lines => ['// added by someone else', ...lines],
  'line removed below': (lines, at, end) => lines.filter((_, index) => index !== Math.min(lines.length - 1, end + 12)),
  'block copied above': (lines, at, end) => [...lines.slice(0, at), ...lines.slice(at, end), ...lines.slice(at)],
  'the lines changed': (lines, at) => lines.map((line, index) => (index === at ? `${line} // theirs` : line)),
}

function createRandom(seed) {
  let state = seed * 2654435761
  return limit => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) >>> 0
    return state % limit
  }
}

/** Lines that take no bracket from its partner: an edit that does is repaired with a warning, and has no single right result. */
function isWhole(lines) {
  let depth = 0
  for (const [bracket] of lines.join('\n').matchAll(/[()[\]{}]/g)) {
    depth += '([{'.includes(bracket) ? 1 : -1
    if (depth < 0) return false
  }
  return depth === 0
}

function makeTask(seed) {
  const below = createRandom(seed)
  const lines = sources[below(sources.length)].split('\n')
  lines.pop()
  let at
  let end
  do {
    at = 5 + below(lines.length - 12)
    end = at + 1 + below(3)
  } while (!isWhole(lines.slice(at, end)))
  const rows = Array.from({ length: below(4) }, (_, index) => `${/^\s*/.exec(lines[at])[0]}changed${seed}_${index}()`)
  return { lines, at, end, rows: rows.length === 0 ? [`changed${seed}()`] : rows }
}

const page = ({ at, lines }) => ({ offset: Math.max(0, at - contextLines), limit: Math.min(lines.length, 2 * contextLines + 1) })
const text = result => result.content.map(part => part.text ?? '').join('\n')

/** How each toolset reads the lines around a place, and makes the edit from what it read. */
const ways = {
  atomic: {
    read: task => ['read', { path: `f:${page(task).offset + 1}+${page(task).limit}` }],
    edit: ({ at, end, rows }, shown) => [
      'edit',
      { input: `${/\[f#[0-9A-F]{4}\]/.exec(shown)[0]}\nreplace ${at + 1}..${end}:\n${rows.map(row => `+${row}`).join('\n')}` },
    ],
  },
  ah: {
    read: task => ['read', { path: 'f', offset: page(task).offset + 1, limit: page(task).limit }],
    edit: task => ['edit', { path: 'f', ...literal(task) }],
  },
  rye: {
    read: task => ['read', { file_path: 'f', offset: page(task).offset + 1, limit: page(task).limit }],
    edit: ({ at, end, rows, ...task }, shown) => {
      const ids = [...shown.matchAll(/^\[LID:(\w{6})\]/gm)].map(([, id]) => id)
      const from = at - page({ at, ...task }).offset
      const change = { start_line_id: ids[from], end_line_id: ids[from + end - at - 1], new_content: rows.join('\n') }
      return ['edit_lines', { file_path: 'f', changes: [change] }]
    },
  },
  agsh: {
    read: task => ['read_file', { path: 'f', ...page(task) }],
    edit: task => ['edit_file', { path: 'f', ...literal(task) }],
  },
  ecs: {
    read: task => ['read_file', { path: 'f', offset: page(task).offset + 1, limit: page(task).limit }],
    edit: ({ at, end, rows }, shown) => {
      const tag = line => new RegExp(`^(${line}#\\w{4})\\|`, 'm').exec(shown)?.[1]
      return ['edit_file', { file_path: 'f', edits_json: [{ op: 'replace', pos: tag(at + 1), end: tag(end), lines: rows }] }]
    },
  },
}

/** Whole lines, with enough neighbours to make the text unique, as a careful author would write it. */
function literal({ lines, at, end, rows }) {
  const all = lines.join('\n')
  for (let extra = 0; extra < 12; extra++) {
    const [from, to] = [Math.max(0, at - extra), Math.min(lines.length, end + extra)]
    const old = lines.slice(from, to).join('\n')
    if (all.split(old).length === 2 || extra === 11) {
      return { old_string: old, new_string: [...lines.slice(from, at), ...rows, ...lines.slice(end, to)].join('\n') }
    }
  }
  throw new Error('the whole file is a unique text')
}

/** Tokens of one value. */
const tokens = value => Math.ceil(JSON.stringify(value).length / charactersPerToken)

async function run({ name, options }, drift, encode) {
  const counts = { right: 0, refused: 0, wrong: 0 }
  let cost = 0
  for (let seed = firstSeed; seed < firstSeed + rounds; seed++) {
    const task = makeTask(seed)
    const workspace = await createWorkspace({ fs: memory({ f: encode(`${task.lines.join('\n')}\n`) }), shell: 'none' })
    const tools = await workspace.toolset(name, options)
    const way = ways[name]
    const readCall = way.read(task)
    const shown = text(await tools.call(...readCall))
    const theirs = drift(task.lines, task.at, task.end)
    const theirText = encode(`${theirs.join('\n')}\n`)
    if (theirs !== task.lines) await workspace.fs.writeFile('/workspace/f', theirText)
    const editCall = way.edit(task, shown)
    const result = await tools.call(...editCall)
    cost += tokens(readCall) + tokens(shown) + tokens(editCall) + tokens(text(result))
    const after = await workspace.fs.readText('/workspace/f')
    if (after === theirText) counts.refused++
    else if (wanted(task, theirs, drift, editCall[1]).some(lines => encode(`${lines.join('\n')}\n`) === after)) counts.right++
    else counts.wrong++
    await workspace.dispose()
  }
  return { ...counts, cost: Math.round(cost / rounds) }
}

/** The allowed results of a correct edit. If a block was copied, the second copy is the one that was shown. */
function wanted({ at, end, rows }, theirs, drift, { old_string: old, new_string: next }) {
  // An edit that names its text means the only place with that text.
  const parts = old === undefined ? [] : theirs.join('\n').split(old)
  if (parts.length === 2) return [parts.join(next).split('\n')]
  if (drift === drifts['the lines changed']) return []
  const shift = drift === drifts['line added above'] ? 1 : drift === drifts['block copied above'] ? end - at : 0
  return [[...theirs.slice(0, at + shift), ...rows, ...theirs.slice(end + shift)]]
}

/** Calls, and the same with a read before: of numbered lines around the place, or of the whole file. Without a result. */
const comparison = { str_replace: [0, 0], apply_patch: [0, 0], 'whole file': [0, 0] }
const numbered = (lines, from) => lines.map((line, index) => `${from + index + 1}\t${line}`).join('\n')
for (let seed = firstSeed; seed < firstSeed + rounds; seed++) {
  const task = makeTask(seed)
  const { lines, at, end, rows } = task
  const patch = [
    ...lines.slice(at - 3, at).map(line => ` ${line}`),
    ...lines.slice(at, end).map(line => `-${line}`),
    ...rows.map(row => `+${row}`),
    ...lines.slice(end, end + 3).map(line => ` ${line}`),
  ]
  const { offset, limit } = page(task)
  const around = tokens(numbered(lines.slice(offset, offset + limit), offset))
  const add = (what, call, read) => {
    comparison[what][0] += tokens(call)
    comparison[what][1] += tokens(call) + read
  }
  add('str_replace', { path: 'f', ...literal(task) }, around)
  add('apply_patch', `*** Begin Patch\n*** Update File: f\n@@\n${patch.join('\n')}\n*** End Patch`, around)
  const content = [...lines.slice(0, at), ...rows, ...lines.slice(end)].join('\n')
  add('whole file', { path: 'f', content }, tokens(lines.join('\n')))
}

/** Every toolset, and those that merge only if the host asks for it a second time. */
const subjects = toolsets.flatMap(({ name }) => {
  const subject = { title: name, name, options: {} }
  const merging = { title: `${name}, merging`, name, options: { edit: { drift: 'merge' } } }
  return name === 'rye' || name === 'agsh' ? [subject, merging] : [subject]
})
const maxMeanTokens = { atomic: 560 }
const maxMeanTokensOfOthers = 600

let wrong = 0
const means = []
console.log(
  `${rounds} edits for each toolset, drift and encoding, seeds ${firstSeed} to ${firstSeed + rounds - 1}; tokens are characters divided by ${charactersPerToken}\n`,
)
const added = (rows, key) => rows.reduce((sum, row) => sum + row[key], 0)
const printRow = (subject, what, rows) => {
  const cost = Math.round(added(rows, 'cost') / rows.length)
  console.log(
    `| ${subject.title} | ${what} | ${added(rows, 'right')} | ${added(rows, 'refused')} | ${added(rows, 'wrong')} | ${cost} |`,
  )
}

const results = new Map()
console.log('| toolset | meanwhile | right | refused | wrong | tokens |')
console.log('| --- | --- | ---: | ---: | ---: | ---: |')
for (const subject of subjects) {
  const all = []
  for (const [kind, drift] of Object.entries(drifts)) {
    const rows = []
    for (const [encoding, encode] of Object.entries(encodings)) rows.push({ encoding, ...(await run(subject, drift, encode)) })
    printRow(subject, kind, rows)
    all.push(...rows)
  }
  results.set(subject, all)
  wrong += added(all, 'wrong')
  means.push({ ...subject, tokens: Math.round(added(all, 'cost') / all.length) })
}
console.log('\n| toolset | file | right | refused | wrong | tokens |')
console.log('| --- | --- | ---: | ---: | ---: | ---: |')
for (const [subject, all] of results) {
  for (const encoding of Object.keys(encodings)) {
    printRow(
      subject,
      encoding,
      all.filter(row => row.encoding === encoding),
    )
  }
}
console.log('\n| toolset | mean tokens of a read, an edit and its result | limit |\n| --- | ---: | ---: |')
for (const { title, name, tokens } of means) {
  console.log(`| ${title} | ${tokens} | ${maxMeanTokens[name] ?? maxMeanTokensOfOthers} |`)
}
console.log('\n| for comparison | tokens of the call | with the read |\n| --- | ---: | ---: |')
for (const [what, sums] of Object.entries(comparison)) {
  console.log(`| ${what} | ${sums.map(sum => Math.round(sum / rounds)).join(' | ')} |`)
}
if (wrong > 0) {
  console.error(`\n${wrong} edits went wrong.`)
  process.exitCode = 1
}
const expensive = means.filter(({ name, tokens }) => tokens > (maxMeanTokens[name] ?? maxMeanTokensOfOthers))
if (expensive.length > 0) {
  console.error(`\nMore tokens than the limit: ${expensive.map(({ title }) => title).join(', ')}.`)
  process.exitCode = 1
}
