import { capsOf, readKeys } from './key-spelling.ts'
import { isMac } from './shortcuts.ts'

/** `mod+k` as keys to look at. */
export function KeyCaps({ keys }: { readonly keys: string }) {
  return (
    <span>
      {readKeys(keys).map((spelling, i) => (
        <span key={spelling.key}>
          {i > 0 && ' or '}
          {capsOf(spelling, isMac).map((cap, j) => (
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
