// Sets the color scheme before the first paint, so that a dark page does not flash white. theme/color-scheme.ts stores it.
;(() => {
  let chosen = 'auto'
  try {
    chosen = localStorage.getItem('heddle-color-scheme') || 'auto'
  } catch {
    // Storage may be blocked: fall back to the system setting.
  }
  const isDark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
})()
