// For scripts of a page that `openCorpusPage` has opened.

/** The files of the corpus as `{ name, bytes }`. */
export async function fetchCorpus() {
  const corpus = new Uint8Array(await (await fetch('/corpus')).arrayBuffer())
  let at = 0
  return (await (await fetch('/table')).json()).map(([name, length]) => ({ name, bytes: corpus.slice(at, (at += length)) }))
}
