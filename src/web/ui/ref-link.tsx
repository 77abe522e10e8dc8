import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { parseRef } from '../../client/browser/ref.ts'

/** A ref as a link to its call or object; other refs are plain text. */
export function RefLink({ text, children = text }: { readonly text: string; readonly children?: ReactNode }) {
  const ref = parseRef(text)
  if (ref === undefined) return <>{children}</>
  const [entity = '', project = ''] = ref.project_id.split('/')
  if (ref.kind === 'call') {
    return (
      <Link
        to="/$entity/$project/weave/calls/$call_id"
        params={{ entity, project, call_id: ref.id }}
        search={{}}
        preload={false}
      >
        {children}
      </Link>
    )
  }
  if (ref.kind !== 'object' && ref.kind !== 'op') return <>{children}</>
  return (
    <Link
      to="/$entity/$project/weave/$kind/$name/versions/$digest"
      params={{ entity, project, kind: `${ref.kind}s`, name: ref.name, digest: ref.digest }}
      search={{}}
      preload={false}
    >
      {children}
    </Link>
  )
}
