/** Classes of objects that people save under a name. */
export const SAVED_VIEW_CLASS = 'SavedView'
export const DASHBOARD_CLASS = 'Dashboard'
export const SQL_QUERY_CLASS = 'SqlQuery'
