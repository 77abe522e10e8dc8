/** Lets menus open the shortcut sheet. ShortcutSheet sets `open`. */
export const shortcutSheetOpener: { open: () => void } = { open: () => undefined }
