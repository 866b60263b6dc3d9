import { createServer } from 'node:net'

/** A free port: `from` or the next one above it; 0 means any. */
export function freePort(from = 0) {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', error => (error.code === 'EADDRINUSE' && from > 0 ? resolve(freePort(from + 1)) : reject(error)))
    server.listen(from, () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

/** Waits until a starting server answers, for at most two minutes. */
export async function answers(address) {
  for (let attempt = 0; attempt < 1200; attempt++) {
    if (await isUp(address)) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error(`Nothing answers at ${address}.`)
}

function isUp(address) {
  return fetch(address).then(
    () => true,
    () => false,
  )
}
