import { localStorageColorSchemeManager } from '@mantine/core'

/** public/color-scheme.js reads the same key before the page is painted. */
export const colorSchemes = localStorageColorSchemeManager({ key: 'heddle-color-scheme' })
