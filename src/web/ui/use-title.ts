import { useEffect } from 'react'

/** Sets the document title. */
export function useDocumentTitle(...parts: readonly string[]): void {
  const title = [...parts, 'Heddle'].filter((part) => part !== '').join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
}
