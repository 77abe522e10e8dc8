/** The names of call fields, for the web UI. */
export {
  CALL_COLUMN_NAMES,
  NAMED_FIELDS,
  type NamedField,
  SCORE_FIELDS,
  TAG_FEEDBACK,
} from '../../contract/calls/call-fields.ts'
