/** The actions on a queue that open a dialog. */
export type QueueAction = 'add calls' | 'edit' | 'remove call' | 'delete'
