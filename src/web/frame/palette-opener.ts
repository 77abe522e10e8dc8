/** Lets buttons open the command palette, which stands beside them in the frame. */
export const paletteOpener: { open: () => void } = { open: () => undefined }

export const PALETTE_KEYS = 'mod+k'
