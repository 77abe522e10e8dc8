import { localStorageColorSchemeManager } from '@mantine/core'

/** The stored color scheme. public/color-scheme.js reads the same key before the first paint. */
export const colorSchemes = localStorageColorSchemeManager({ key: 'heddle-color-scheme' })
