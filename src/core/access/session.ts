/** Lifetime of a browser session. */
export const SESSION_SECONDS = 30 * 24 * 3600

/** Lifetime of a sign-in link. */
export const CODE_SECONDS = 24 * 3600
