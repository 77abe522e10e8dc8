import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'

/** One emoji. Thumbs are SVG icons, so that they look the same in every font; all others are characters. */
export function Emoji({ emoji }: { readonly emoji: string }) {
  if (emoji === '👍') return <Thumb name="thumbUp" emoji={emoji} />
  if (emoji === '👎') return <Thumb name="thumbDown" emoji={emoji} />
  return <span>{visibleText(emoji)}</span>
}

function Thumb({ name, emoji }: { readonly name: 'thumbUp' | 'thumbDown'; readonly emoji: string }) {
  return (
    <>
      <Icon name={name} size={15} />
      <span className="visually-hidden">{emoji}</span>
    </>
  )
}
