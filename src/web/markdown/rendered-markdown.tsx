import Markdown, { type Components, defaultUrlTransform } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { CodeBlock } from '../code/code-block.tsx'
import { Icon } from '../ui/icon.tsx'
import { keepLineBreaks } from './line-breaks.ts'
import styles from './rendered-markdown.module.css'

const PLUGINS = [remarkGfm, keepLineBreaks]

/**
 * Markdown as React elements. HTML in it stays text. Images are links, because loading one would reveal who reads the
 * trace, and so are links to other sites only.
 */
export function RenderedMarkdown({ text }: { readonly text: string }) {
  return (
    <div className={styles.markdown} dir="auto">
      <Markdown remarkPlugins={PLUGINS} components={COMPONENTS} urlTransform={siteUrl}>
        {text}
      </Markdown>
    </div>
  )
}

/** Relative URLs would lead into Heddle, which the author of the text does not know. */
function siteUrl(url: string): string {
  return /^(?:https?|mailto):/i.test(url) ? defaultUrlTransform(url) : ''
}

const COMPONENTS: Components = {
  a: ({ href, children }) => <SiteLink href={href}>{children}</SiteLink>,
  img: ({ src, alt }) => (
    <SiteLink href={typeof src === 'string' ? src : ''}>
      <Icon name="link" size={12} /> image: {alt === undefined || alt === '' ? (src ?? '') : alt}
    </SiteLink>
  ),
  // The outline of the page is not the author's.
  h1: ({ children }) => <p className={styles.heading}>{children}</p>,
  h2: ({ children }) => <p className={styles.heading}>{children}</p>,
  h3: ({ children }) => <p className={styles.heading}>{children}</p>,
  h4: ({ children }) => <p className={styles.heading}>{children}</p>,
  h5: ({ children }) => <p className={styles.heading}>{children}</p>,
  h6: ({ children }) => <p className={styles.heading}>{children}</p>,
  table: ({ children }) => (
    <div className={styles.tableScroller} role="region" aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  pre: ({ children }) => <>{children}</>,
  code: ({ className, children }) => {
    const code = typeof children === 'string' ? children : ''
    const language = /language-(\S+)/.exec(className ?? '')?.[1]
    // A block ends with a line end, code within a line cannot contain one.
    return language !== undefined || code.includes('\n') ? (
      <CodeBlock code={code.replace(/\n$/, '')} language={language ?? ''} />
    ) : (
      <code>{code}</code>
    )
  },
  // A task of a list.
  input: ({ checked }) => <>{checked === true ? '☑' : '☐'}</>,
}

function SiteLink({
  href,
  children,
}: {
  readonly href: string | undefined
  readonly children: React.ReactNode
}) {
  if (href === undefined || href === '') return <span>{children}</span>
  return (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}
