import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { PageName, SearchChange } from './search-state.ts'

/** Changes some search parameters of the page, by its name in search-state.ts. The others stay. */
export function useChangeSearch<Name extends PageName>(
  _page: Name,
  { replace = false }: { readonly replace?: boolean } = {},
): (change: SearchChange<Name>) => void {
  const navigate = useNavigate()
  return useCallback(
    (change) => {
      const search = (before: object) => ({ ...before, ...change })
      void navigate({ to: '.', search: search as never, replace })
    },
    [navigate, replace],
  )
}
