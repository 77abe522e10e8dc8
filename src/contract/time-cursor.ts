import { z } from 'zod'

/** Cursor of a list ordered by time; core/time/time-cursor.ts parses it. */
export const timeCursor = z
  .string()
  .max(300)
  .regex(/^-?\d{1,17}\./, 'must be a cursor from a previous response')
