/** Saves bytes as a file. Their type is neutral, so that no browser opens them instead. */
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has begun to read by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
