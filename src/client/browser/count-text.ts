/** Which text is a count of tokens, for the web UI. */
export { COUNT_TEXT } from '../../core/costs/count-text.ts'
