/** Classes of objects that people save under a name. */
export const SAVED_VIEW_CLASS = 'SavedView'
export const DASHBOARD_CLASS = 'Dashboard'
export const SQL_QUERY_CLASS = 'SqlQuery'

/**
 * The members that name the class of an object. `builtin_object_class` would do it too, but accepts only Weave's classes, and
 * leaves out members that these lack, such as `heddle` of a view.
 */
export function classMembers(name: string): Readonly<Record<string, unknown>> {
  return { _type: name, _class_name: name, _bases: ['BaseObject', 'BaseModel'] }
}
