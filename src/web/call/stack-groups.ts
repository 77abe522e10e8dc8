import type { Exception, StackFrame } from './exception.ts'

/** What a reader sees of a stack trace: own frames, runs of frames of libraries as one, and lines between them. */
export type StackGroup =
  | { readonly kind: 'frame'; readonly frame: StackFrame }
  | { readonly kind: 'library'; readonly frames: readonly StackFrame[] }
  | { readonly kind: 'text'; readonly text: string }

/** The groups of a stack trace, each part of it with the call that failed first, as its reader looks for that. */
export function stackGroups({ stack, isInnermostLast }: Exception): readonly StackGroup[] {
  const groups: StackGroup[] = []
  let part: StackFrame[] = []
  const flush = (): void => {
    groups.push(...groupFrames(isInnermostLast ? part.toReversed() : part))
    part = []
  }
  for (const line of stack) {
    if (line.kind === 'frame') {
      part.push(line)
      continue
    }
    flush()
    groups.push(line)
  }
  flush()
  return groups
}

function groupFrames(frames: readonly StackFrame[]): StackGroup[] {
  // A trace without own frames would be one folded line.
  if (frames.every(isLibraryFrame)) return frames.map((frame) => ({ kind: 'frame', frame }))
  const groups: StackGroup[] = []
  let run: StackFrame[] = []
  for (const frame of frames) {
    if (isLibraryFrame(frame)) {
      if (run.length === 0) groups.push({ kind: 'library', frames: run })
      run.push(frame)
    } else {
      run = []
      groups.push({ kind: 'frame', frame })
    }
  }
  return groups
}

/** Installed packages, and the standard libraries of Python, Node and Java. */
const LIBRARY_FILE =
  /[/\\](?:site-packages|dist-packages|node_modules)[/\\]|[/\\]lib[/\\]python\d(?:\.\d+)?[/\\]|^(?:node:|<frozen )/i
const LIBRARY_NAME = /^(?:java|javax|jdk|sun|kotlin|scala)\.|^java\.[\w.]+\//

function isLibraryFrame({ file, name }: StackFrame): boolean {
  return LIBRARY_FILE.test(file) || LIBRARY_NAME.test(name)
}
