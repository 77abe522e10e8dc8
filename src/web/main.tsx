import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import './theme/mantine.css'
import './theme/tokens.css'
import './theme/base.css'

const root = document.querySelector('#root')
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
