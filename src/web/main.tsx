import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { watchStyleSheets } from './loading/load-module.ts'
import { watchServerVersion } from './loading/server-version.ts'
import { startKeyListener } from './shortcuts/shortcuts.ts'
import './theme/mantine.css'
import './theme/font.css'
import './theme/tokens.css'
import './theme/base.css'

const root = document.querySelector('#root')
if (root !== null) {
  startKeyListener()
  watchServerVersion()
  watchStyleSheets()
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
