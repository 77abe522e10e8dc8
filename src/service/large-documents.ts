/**
 * Stands for documents of a JSON Lines response that are too large for the main thread. The thread for large requests
 * returns them for this query of calls (src/http/responses.ts).
 */
export class LargeDocuments {
  readonly query: object

  constructor(query: object) {
    this.query = query
  }
}
