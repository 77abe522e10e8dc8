import { keyLabels, parseKeys } from './key-binding.ts'
import { isMac } from './shortcuts.ts'

/** Renders a shortcut such as `mod+k` as key caps. */
export function KeyCaps({ keys }: { readonly keys: string }) {
  return (
    <span>
      {parseKeys(keys).map((spelling, i) => (
        <span key={spelling.key}>
          {i > 0 && ' or '}
          {keyLabels(spelling, isMac).map((cap, j) => (
            <span key={cap}>
              {j > 0 && ' '}
              <kbd>{cap}</kbd>
            </span>
          ))}
        </span>
      ))}
    </span>
  )
}
