// Shows that the toolkit runs under a strict content security policy: no eval, no inline script or style, no other origin
// except the frame of a WebContainer.
// Only the built page carries the policy; while developing, Vite puts styles inline.

import type { Plugin } from 'vite'

const policy = [
  "default-src 'none'",
  // WebAssembly is compiled for databases; JavaScript from text stays forbidden.
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "img-src 'self' data:",
  // A WebContainer runs in a frame of its service. It is loaded when a person asks for one.
  'frame-src https://stackblitz.com',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** Puts the content security policy into the built page. */
export function strictPage(): Plugin {
  return {
    name: 'anchorage-strict-page',
    apply: 'build',
    transformIndexHtml: () => [
      { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: policy }, injectTo: 'head-prepend' },
    ],
  }
}
