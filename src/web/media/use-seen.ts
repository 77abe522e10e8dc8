import { type RefObject, useEffect, useState } from 'react'

/** Whether it has ever been in view, or is about to be. */
export function useSeen(element: RefObject<Element | null>): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const { current } = element
    if (current === null || isSeen) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
      },
      { rootMargin: '200px' },
    )
    observer.observe(current)
    return () => observer.disconnect()
  }, [element, isSeen])
  return isSeen
}
