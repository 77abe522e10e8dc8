/** The Heddle logo: warp threads and the eye of a heddle. */
export function Logo({ size = 22 }: { readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      strokeWidth="2"
      strokeLinecap="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d="M4 3v18M20 3v18" stroke="var(--accent)" opacity="0.5" />
      <path d="M12 2v4.500M12 17.500V22" stroke="var(--accent)" />
      <path d="M12 6.500c3 2.200 3 8.800 0 11c-3-2.200-3-8.800 0-11z" stroke="var(--accent)" />
      <path d="M7 12h10" stroke="var(--accent-2)" />
    </svg>
  )
}
