import { type RefObject, useEffect, useState } from 'react'

/** Whether an element is or has been in the viewport, with a margin of 200 px. */
export function useInView(element: RefObject<Element | null>): boolean {
  const [isInView, setInView] = useState(false)
  useEffect(() => {
    const { current } = element
    if (current === null || isInView) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setInView(true)
      },
      { rootMargin: '200px' },
    )
    observer.observe(current)
    return () => observer.disconnect()
  }, [element, isInView])
  return isInView
}
