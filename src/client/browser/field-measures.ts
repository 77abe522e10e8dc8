/** Measures over fields, for the web UI. */
export {
  FIELD_AGGREGATES,
  type FieldAggregate,
  isAdditiveMeasure,
  parseFieldMeasure,
} from '../../contract/metrics/field-measures.ts'
