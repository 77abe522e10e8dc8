/** What deleting does, wherever it is offered. SECURITY.md says more. */
export const NOT_ERASED =
  'What is deleted is hidden from everybody at once, and there is no way to bring it back. It is not erased: its bytes may stay on the disk of the server for long.'
