/** Lets menus open the sheet of shortcuts, which stands outside of every page. */
export const openSheet: { open: () => void } = { open: () => undefined }
