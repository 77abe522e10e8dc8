/** The actions on a queue that open a dialog. */
export type QueueAction = 'add calls' | 'agreement' | 'edit' | 'remove call' | 'delete'
