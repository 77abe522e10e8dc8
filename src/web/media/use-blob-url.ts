import { useEffect, useState } from 'react'

/** Object URL of a blob, revoked when the component unmounts. */
export function useBlobUrl(blob: Blob): string | undefined {
  const [created, setCreated] = useState<{ readonly blob: Blob; readonly url: string }>()
  useEffect(() => {
    const url = URL.createObjectURL(blob)
    setCreated({ blob, url })
    return () => URL.revokeObjectURL(url)
  }, [blob])
  return created?.blob === blob ? created.url : undefined
}
