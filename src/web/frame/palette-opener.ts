/** Lets buttons open the command palette. CommandPalette sets `open`. */
export const paletteOpener: { open: () => void } = { open: () => undefined }

export const PALETTE_KEYS = 'mod+k'
