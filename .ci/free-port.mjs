import { createServer } from 'node:net'

/** A port that nothing listens on: `from` or the next above it; 0 takes any. */
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
