import react from '@vitejs/plugin-react'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { licenses } from './scripts/licenses-plugin.ts'
import { routes } from './src/client/browser/routes.generated.ts'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** First path segments that the server serves: those of the operations, and the pages that the UI links to. */
const SERVED = [...new Set(Object.values(routes).map(({ path }) => path.split('/')[1] ?? '')), 'docs']

/** Some folders of the UI have the names of API paths: `/api/client.ts` is a module, `/api/v1/session` is not. */
function isModule(url: string): boolean {
  const path = new URL(url, 'http://localhost').pathname
  return statSync(at(`src/web${path}`), { throwIfNoEntry: false })?.isFile() === true
}

/** Builds the web UI from src/web into dist/web, which the server serves. */
export default defineConfig(({ command }) => ({
  // Built files refer to each other by relative paths; the server inserts its base path into the page.
  base: command === 'build' ? './' : '/',
  root: at('src/web'),
  plugins: [react(), licenses.main],
  build: {
    outDir: at('dist/web'),
    emptyOutDir: true,
    target: 'es2023',
    // The server's Content-Security-Policy allows no `data:` URLs in scripts and styles.
    assetsInlineLimit: 0,
    // The polyfill would be an inline script, which the Content-Security-Policy forbids.
    modulePreload: { polyfill: false },
  },
  worker: { format: 'es', plugins: () => [licenses.worker] },
  server: {
    // `npm run dev` starts the server too; Vite proxies API requests to it.
    proxy: {
      [`^/(${SERVED.join('|')})(/|$)`]: {
        target: process.env['HEDDLE_URL'] ?? 'http://127.0.0.1:6340',
        bypass: ({ url }) => (url !== undefined && isModule(url) ? url : undefined),
      },
    },
  },
}))
