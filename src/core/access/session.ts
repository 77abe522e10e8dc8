/** How long a browser stays signed in. */
export const SESSION_SECONDS = 30 * 24 * 3600

/** How long a sign-in link can be opened. */
export const CODE_SECONDS = 24 * 3600
