// `--stats`: how much was searched and found.

export interface Stats {
  elapsedMs: number
  searches: number
  searchesWithMatch: number
  bytesSearched: number
  bytesPrinted: number
  matchedLines: number
  matches: number
}

export function newStats(): Stats {
  return { elapsedMs: 0, searches: 0, searchesWithMatch: 0, bytesSearched: 0, bytesPrinted: 0, matchedLines: 0, matches: 0 }
}

export function addStats(to: Stats, other: Stats): void {
  to.elapsedMs += other.elapsedMs
  to.searches += other.searches
  to.searchesWithMatch += other.searchesWithMatch
  to.bytesSearched += other.bytesSearched
  to.bytesPrinted += other.bytesPrinted
  to.matchedLines += other.matchedLines
  to.matches += other.matches
}

export function statsText(stats: Stats, totalMs: number): string {
  const rows = [
    '',
    `${stats.matches} matches`,
    `${stats.matchedLines} matched lines`,
    `${stats.searchesWithMatch} files contained matches`,
    `${stats.searches} files searched`,
    `${stats.bytesPrinted} bytes printed`,
    `${stats.bytesSearched} bytes searched`,
    `${(stats.elapsedMs / 1000).toFixed(6)} seconds spent searching`,
    `${(totalMs / 1000).toFixed(6)} seconds total`,
  ]
  return rows.map(row => `${row}\n`).join('')
}
