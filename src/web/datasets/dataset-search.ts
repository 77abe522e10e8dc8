/** The URL search parameters of a dataset's rows. */
export interface DatasetSearch {
  /** The row that is open in the side panel. */
  row?: string
  /** `on` while the dataset is edited. */
  edit?: string
}
