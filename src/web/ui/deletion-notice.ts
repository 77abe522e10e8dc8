/** The effect of deleting, shown wherever data can be deleted. See SECURITY.md. */
export const DELETION_NOTICE =
  'Deleted data is hidden immediately and cannot be restored. It is not erased at once: its bytes may remain on the server disk for a long time.'
