/** Checks a condition every 25 ms; throws if it is not true within `timeoutMs`. */
export async function waitUntil(isTrue: () => boolean | Promise<boolean>, timeoutMs = 15_000): Promise<void> {
  const startedAt = performance.now()
  while (!(await isTrue())) {
    if (performance.now() - startedAt > timeoutMs)
      throw new Error(`the condition did not become true within ${timeoutMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
