// The measured code: searches of files in memory, in Node and in a page. The modules of the package are passed in.

const decoder = new TextDecoder()
const shownBytes = 512

export function engineOf({ compilePattern, searchBytes, BlockIndex, createVfs, memory, borrow, asInput }) {
  return {
    compilePattern,
    /** Runs the same code until it is warm, as in an idle worker after its first second. */
    warmUp(files) {
      const index = new BlockIndex({ maxBytes: 1e9 })
      for (const { name, bytes } of files.slice(0, 500)) index.addFile(name, '0', bytes)
    },
    buildIndex(files, now) {
      const index = new BlockIndex({ maxBytes: 1e9 })
      const startMs = now()
      for (const { name, bytes } of files) index.addFile(`/${name}`, '1', bytes)
      return { index, buildMs: now() - startMs }
    },
    open(files) {
      const vfs = createVfs(memory(Object.fromEntries(files.map(({ name, bytes }) => [`/${name}`, bytes]))))
      const listed = files.map(({ name }) => ({ path: `/${name}` }))
      /** Counts matching lines, and reads each as it would be shown. */
      return (source, { index, maxMatchingFiles = Infinity } = {}) => {
        const { pattern } = compilePattern(source)
        const candidates = index?.query(pattern).candidateIn(listed)
        let lines = 0
        let matchingFiles = 0
        for (let position = 0; position < listed.length; position++) {
          const none = candidates?.noneFrom(position) ?? 0
          if (none > 0) {
            position += none - 1
            continue
          }
          const candidate = candidates?.at(position)
          if (candidate?.kind === 'none') continue
          // As in the tool: files that cannot match are skipped.
          const { path } = listed[position]
          const borrowed = borrow(vfs.sync, path)
          const bytes = borrowed === undefined ? vfs.sync.read(path) : asInput(borrowed)
          const before = lines
          const sink = ({ start, end }) => {
            decoder.decode(bytes.subarray(start, Math.min(end, start + shownBytes)))
            return ++lines > 0
          }
          searchBytes(bytes, pattern, sink, candidate?.kind === 'regions' ? { regions: candidate.regions } : {})
          if (lines > before && ++matchingFiles === maxMatchingFiles) break
        }
        return lines
      }
    },
  }
}

/** As in VS Code's web worker: decode the file, run the platform's RegExp on it, find line numbers from the starts of all lines. */
export function vsCodeShape(files, source) {
  const expression = new RegExp(source.replace('(?i)', ''), source.startsWith('(?i)') ? 'gim' : 'gm')
  let found = 0
  for (const { bytes } of files) {
    const text = new TextDecoder().decode(bytes)
    const starts = [0]
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
    expression.lastIndex = 0
    for (let match = expression.exec(text); match !== null; match = expression.exec(text)) {
      if (match[0] === '') expression.lastIndex++
      found++
    }
  }
  return found
}

/** Each with its target; the numbers are those of the design's table. */
export const queries = [
  { pattern: 'QzAbsentXyJ', cold: ['T1', 0.65], warm: ['T5 absent', 0.02] },
  { pattern: 'createDecipheriv', cold: ['T1', 0.65], warm: ['T5 rare', 0.1] },
  { pattern: 'return new Promise', cold: ['T1', 0.65], warm: ['T5 rare', 0.1] },
  { pattern: '(?i)websocketserver', cold: ['T1', 0.65], warm: ['T5 rare', 0.1] },
  { pattern: '\\bfunction\\s+\\w+Sync\\(', cold: ['T2', 1] },
  { pattern: '\\w+Error\\(', cold: ['T2', 1] },
  { pattern: 'async\\s+\\w+\\(.*Promise<void>', cold: ['T2', 1] },
  { pattern: 'import', cold: ['T2', 1] },
  { pattern: 'const', cold: ['T2 many', 1.5] },
  { pattern: 'TODO|FIXME|HACK|XXX', cold: ['T3', 1.6] },
  { pattern: '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}', cold: ['T3', 1.6] },
  { pattern: '\\b[A-Z]{3,}_[A-Z]{3,}_[A-Z]+\\b', cold: ['T3', 1.6] },
  { pattern: '\\w+\\s*=\\s*async', cold: ['T3', 1.6] },
  ...['(a+)+$', '(a+)+b', '(x+x+)+y', '^(\\w+\\s?)*$', '(.*a){12}', '(\\w*)*=\\d', '.*foo.*bar', '([a-z]+)+\\.js\\b'].map(
    pattern => ({ pattern, cold: ['T4', 2], isHostile: true }),
  ),
  { pattern: '("(\\\\.|[^"])*")+;', cold: ['T4', 2], isHostile: true },
  { pattern: '[ab].{12}z', cold: ['T4', 2], isHostile: true },
]
