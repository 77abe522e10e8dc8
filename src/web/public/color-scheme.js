// Before anything is painted, so that a dark page does not begin white. theme/color-scheme.ts writes the choice.
;(() => {
  let chosen = 'auto'
  try {
    chosen = localStorage.getItem('heddle-color-scheme') || 'auto'
  } catch {
    // Storage may be refused: then the system decides.
  }
  const isDark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
})()
