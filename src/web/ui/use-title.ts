import { useEffect } from 'react'

/** What the tab of the browser is called. */
export function useTitle(...parts: readonly string[]): void {
  const title = [...parts, 'Heddle'].filter((part) => part !== '').join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
}
