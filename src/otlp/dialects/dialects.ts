import type { Dialect } from '../rules.ts'
import { genai } from './genai.ts'
import { generic } from './generic.ts'
import { weave } from './weave.ts'

/** In order of priority: own attributes, those of one product, conventions, guesses. */
export const DIALECTS: readonly Dialect[] = [weave, genai, generic]
