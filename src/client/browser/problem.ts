/** What a browser needs of how requests fail, from one place. */
export { Problem } from '../../contract/problem.ts'
export { isPassing } from '../retrying-fetch.ts'
