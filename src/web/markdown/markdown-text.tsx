import { Suspense, useMemo } from 'react'
import { lazyComponent } from '../loading/lazy-component.ts'
import { visibleText } from '../ui/visible-text.ts'
import { useMarkdownMode } from './markdown-mode.ts'
import { isRenderable } from './renderable.ts'

const RenderedMarkdown = lazyComponent(() => import('./rendered-markdown.tsx'), 'RenderedMarkdown')

interface Props {
  readonly text: string
  /** Of the raw text. */
  readonly className: string | undefined
}

/** Text that a person or a model wrote: rendered as Markdown, or as it is if the reader prefers that. */
export function MarkdownText({ text, className }: Props) {
  const { isRendered } = useMarkdownMode()
  const canRender = useMemo(() => isRenderable(text), [text])
  const raw = (
    <p className={className} dir="auto">
      {visibleText(text)}
    </p>
  )
  if (!isRendered || !canRender) return raw
  return (
    <Suspense fallback={raw}>
      <RenderedMarkdown text={visibleText(text)} />
    </Suspense>
  )
}
