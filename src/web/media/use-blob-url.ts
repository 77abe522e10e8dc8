import { useEffect, useState } from 'react'

/** An address for bytes that lives as long as the part that shows them. */
export function useBlobUrl(blob: Blob): string | undefined {
  const [made, setMade] = useState<{ readonly of: Blob; readonly address: string }>()
  useEffect(() => {
    const address = URL.createObjectURL(blob)
    setMade({ of: blob, address })
    return () => URL.revokeObjectURL(address)
  }, [blob])
  return made?.of === blob ? made.address : undefined
}
