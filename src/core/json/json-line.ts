/** A document of a streamed response as text: JSON without line breaks of any kind, to be sent as it is. */
export class JsonLine {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}
