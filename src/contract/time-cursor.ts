import { z } from 'zod'

/** Where a page in the order of time ended; core/time-cursor.ts reads it. */
export const timeCursor = z
  .string()
  .max(300)
  .regex(/^-?\d{1,17}\./, 'must be a cursor that an answer has given')
