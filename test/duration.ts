/**
 * Options of a test that asserts a duration, which a busy machine can miss: it may be retried twice, and `.ci/run` prints
 * every retry. No other test is retried, because a retry would hide a race of ours.
 */
export const assertsDuration = { retry: 2 } as const
