import react from '@vitejs/plugin-react'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { routes } from './src/client/browser/routes.generated.ts'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** What the server answers: how the paths of operations begin, and the pages that the UI leads to. */
const SERVED = [...new Set(Object.values(routes).map(({ path }) => path.split('/')[1] ?? '')), 'docs']

/** Folders of the UI are called as operations are: `/api/client.ts` is a module, `/api/v1/session` is not. */
function isModule(url: string): boolean {
  const path = new URL(url, 'http://localhost').pathname
  return statSync(at(`src/web${path}`), { throwIfNoEntry: false })?.isFile() === true
}

/** The browser UI: src/web into dist/web, which the server serves. */
export default defineConfig({
  root: at('src/web'),
  plugins: [react()],
  build: {
    outDir: at('dist/web'),
    emptyOutDir: true,
    target: 'es2023',
    // The policy of the server allows no `data:` in scripts and styles, and a file is cached as well as text.
    assetsInlineLimit: 0,
    // Without its polyfill nothing is put into the page as a script of its own.
    modulePreload: { polyfill: false },
  },
  worker: { format: 'es' },
  server: {
    // `npm run dev` beside it: what is no file of ours is asked of the server.
    proxy: {
      [`^/(${SERVED.join('|')})(/|$)`]: {
        target: process.env['HEDDLE_URL'] ?? 'http://127.0.0.1:6340',
        bypass: ({ url }) => (url !== undefined && isModule(url) ? url : undefined),
      },
    },
  },
})
