// npm run reference: every tool of every toolset as Markdown, from the definitions that models receive. The demo's build generates its
// reference page from the same data.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './run-command.mjs'

/** [name, default, description] of each limit that a host can set; the descriptions are the doc comments of the type. */
async function limits() {
  const { defaultLimits } = await import(pathToFileURL(join(root, 'dist/index.js')).href)
  const types = readFileSync(join(root, 'dist/core/limits.d.ts'), 'utf8')
  const said = new Map([...types.matchAll(/\/\*\* (.+) \*\/\s+readonly (\w+): number/g)].map(([, words, name]) => [name, words]))
  return Object.entries(defaultLimits).map(([name, value]) => {
    if (!said.has(name)) throw new Error(`The limit ${name} has no doc comment in src/core/limits.ts.`)
    return [name, value.toLocaleString('en'), said.get(name)]
  })
}

/** Each toolset with its options and its tools, from the built package. */
export async function references() {
  const entry = join(root, 'dist/index.js')
  if (!existsSync(entry)) throw new Error('There is no dist/. Build the package first: node .ci/build.mjs --package')
  const { createWorkspace, describeToolset, toolsets } = await import(pathToFileURL(entry).href)
  const { memory } = await import(pathToFileURL(join(root, 'dist/backends/memory/index.js')).href)
  const workspace = await createWorkspace({ fs: memory({}) })
  const found = []
  for (const { name, summary: about, options } of toolsets) {
    const { tools } = await workspace.toolset(name)
    found.push({ name, about, options: optionRows(options), ...describeToolset(tools) })
  }
  await workspace.dispose()
  return found
}

function optionRows(options) {
  return Object.entries(options).map(([name, { about }]) => [name, about])
}

const aboutLimits =
  'Set with limits, for a workspace or for one toolset: sizes in bytes, times in milliseconds. What the document of a toolset fixes is no setting; its tools say it.'

/** The body of the reference page. */
export async function toHtml(found) {
  const rows = found.map(
    ({ name, about, tools, approximateTokens }) =>
      `<tr><th scope="row"><a href="#${name}">${name}</a></th><td>${escape(about)}</td><td class="number">${tools.length}</td><td class="number">${approximateTokens}</td></tr>`,
  )
  return `<div class="wide" tabindex="0" role="region" aria-label="Toolsets"><table>
<thead><tr><th scope="col">Toolset</th><th scope="col">What it is</th><th scope="col" class="number">Tools</th><th scope="col" class="number">≈ tokens</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>
${found.map(toolset => toolsetHtml(toolset)).join('\n')}
${limitsHtml(await limits())}`
}

function limitsHtml(rows) {
  const cells = rows.map(
    ([name, value, words]) =>
      `<tr><th scope="row"><code>${name}</code></th><td class="number">${value}</td><td>${escape(words)}</td></tr>`,
  )
  return `<section aria-labelledby="limits"><h2 id="limits">Limits</h2>
<p>${escape(aboutLimits)}</p>
<div class="wide" tabindex="0" role="region" aria-label="Table of limits"><table>
<thead><tr><th scope="col">Limit</th><th scope="col" class="number">Default</th><th scope="col">What it bounds</th></tr></thead>
<tbody>${cells.join('\n')}</tbody></table></div></section>`
}

function toolsetHtml({ name, about, options, tools, approximateTokens }) {
  const optionItems = options.map(([option, words]) => `<li><code>${escape(option)}</code>: ${escape(words)}</li>`)
  const links = tools.map(tool => `<li><a href="#${name}-${tool.name}">${tool.name}</a></li>`)
  return `<section aria-labelledby="${name}"><h2 id="${name}">${name}</h2>
<p>${escape(about)} About ${approximateTokens} tokens in all.</p>
${optionItems.length === 0 ? '' : `<p>Options:</p><ul>${optionItems.join('')}</ul>`}
<ul class="links">${links.join('')}</ul>
${tools.map(tool => toolHtml(name, tool)).join('\n')}</section>`
}

function toolHtml(toolset, { name, description, parameters, schemaText, isReadOnly, approximateTokens, examples }) {
  const id = `${toolset}-${name}`
  return `<article aria-labelledby="${id}"><h3 id="${id}">${name}</h3>
<p class="facts"><span>${isReadOnly ? 'only reads' : 'may change files'}</span> <span>≈ ${approximateTokens} tokens</span></p>
<div class="told">${escape(description)}</div>
${parameters.length === 0 ? '<p>It takes no arguments.</p>' : parametersHtml(id, parameters)}
${examples.length === 0 ? '' : `<h4>Examples</h4>\n${examples.map(example => exampleHtml(name, example)).join('\n')}`}
<details><summary>JSON Schema of ${name}</summary><pre tabindex="0">${escape(schemaText)}</pre></details></article>`
}

function parametersHtml(id, parameters) {
  const rows = parameters.map(
    ({ name, type, isRequired, description }) =>
      `<tr><th scope="row"><code>${escape(name)}</code></th><td><code>${escape(type)}</code></td><td>${isRequired ? 'yes' : 'no'}</td><td>${escape(description)}</td></tr>`,
  )
  return `<div class="wide" tabindex="0" role="region" aria-label="Arguments of ${id}"><table>
<thead><tr><th scope="col">Argument</th><th scope="col">Type</th><th scope="col">Needed</th><th scope="col">What it is</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`
}

function exampleHtml(name, { title, after = [], arguments: args, expect }) {
  const calls = [...after, { tool: name, arguments: args }].map(call => `${call.tool}(${JSON.stringify(call.arguments)})`)
  const outcome = expect.error === undefined ? 'Its result holds' : `It is refused (${escape(expect.error)}) with`
  return `<figure><figcaption>${escape(title)}</figcaption><pre tabindex="0">${escape(calls.join('\n'))}</pre>
<p>${outcome}</p><pre tabindex="0">${escape(expect.text)}</pre></figure>`
}

function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

async function toMarkdown(found) {
  const lines = ['# Tools', '', 'Token counts are characters of name, description and schema divided by four.', '']
  for (const { name, about, options, tools, approximateTokens } of found) {
    lines.push(`## ${name}`, '', `${about} About ${approximateTokens} tokens in all.`, '')
    if (options.length > 0) lines.push('Options:', '', ...options.map(([option, words]) => `- \`${option}\`: ${words}`), '')
    for (const tool of tools) {
      lines.push(
        `### ${name}: ${tool.name}`,
        '',
        `About ${tool.approximateTokens} tokens; ${tool.isReadOnly ? 'only reads' : 'may change files'}.`,
        '',
      )
      lines.push('```text', tool.description, '```', '', '```json', tool.schemaText, '```', '')
    }
  }
  lines.push('## Limits', '', aboutLimits, '', '| limit | default | what it bounds |', '| --- | ---: | --- |')
  for (const [name, value, words] of await limits()) lines.push(`| \`${name}\` | ${value} | ${words.replaceAll('|', '\\|')} |`)
  return `${lines.join('\n')}\n`
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    process.stdout.write(await toMarkdown(await references()))
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
