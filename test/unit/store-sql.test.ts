import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { EXPORT_KINDS } from '../../src/contract/export/export.ts'
import { selectSpans } from '../../src/store/calls/read/spans.ts'
import {
  dropPart,
  selectDetachedPartFiles,
  selectDetachedParts,
} from '../../src/store/database/detached-parts.ts'
import { selectTables } from '../../src/store/database/table-durability.ts'
import { selectFeedback, selectFeedbackAbout } from '../../src/store/feedback/feedback.ts'
import { selectChunks } from '../../src/store/objects/files.ts'
import { countClaims, selectKeyUses } from '../../src/store/access/key-uses.ts'
import {
  selectEverKey,
  selectKey,
  selectKeys,
  selectKeysOf,
  selectLastSignIns,
} from '../../src/store/access/keys.ts'
import { selectMembers } from '../../src/store/access/members.ts'
import { selectTableSizes } from '../../src/store/database/migration-plan.ts'
import { selectApplied } from '../../src/store/database/migrations.ts'
import {
  selectAliases,
  selectLabels,
  selectLastLabelChange,
  selectTags,
} from '../../src/store/objects/object-labels.ts'
import { selectMemberNames } from '../../src/store/export/member-names.ts'
import { selectVersion, selectVersionsOf } from '../../src/store/objects/object-versions.ts'
import { selectContents, selectLastChange, selectOtherClass } from '../../src/store/objects/objects.ts'
import {
  selectDatabaseComment,
  selectShards,
  selectTableColumns,
} from '../../src/store/cluster/cluster-tables.ts'
import { selectUsedModels } from '../../src/store/costs/call-cost.ts'
import { selectDefaultPrices, selectPrices } from '../../src/store/costs/prices.ts'
import {
  selectDeletions,
  selectProject,
  selectProjectRowCount,
  selectNewestProjects,
  selectProjectOfEntity,
  selectProjects,
  selectProjectsIn,
  selectProjectStates,
} from '../../src/store/access/projects.ts'
import {
  selectDatasetSources,
  selectDatasetSourcesById,
  selectSourceDatasets,
} from '../../src/store/objects/dataset-sources.ts'
import { selectClaims } from '../../src/store/queues/queue-claims.ts'
import {
  selectItemVersions,
  selectQueueCounts,
  selectQueueItem,
  selectQueueItems,
} from '../../src/store/queues/queue-items.ts'
import { selectScores } from '../../src/store/queues/queue-results.ts'
import { selectQueue, selectQueues } from '../../src/store/queues/queues.ts'
import { selectQuotas } from '../../src/store/access/quotas.ts'
import { selectStoredBytes } from '../../src/store/database/stored-bytes.ts'
import { selectRowCount, selectRowDigests, selectTableStats } from '../../src/store/objects/tables.ts'
import { selectAnyUser, selectEverUser, selectUser, selectUsers } from '../../src/store/access/users.ts'
import { deleteRows } from '../../src/store/query/scope.ts'
import { selectVersions } from '../../src/store/query/versions.ts'
import { HOSTILE, show } from './statements.ts'

/** Snapshots of the small statements of the store, by their name in `log_comment`. */

const PROJECT = 'acme/demo'

test('the statements of sign-in and migrations bind every value', async () => {
  await expect(
    show([
      ['users list', selectUsers],
      ['users find', selectUser(HOSTILE)],
      ['users ever', selectEverUser(HOSTILE)],
      ['users any', selectAnyUser],
      ['keys list', selectKeys],
      ['keys of user', selectKeysOf(HOSTILE)],
      ['keys find', selectKey(HOSTILE)],
      ['keys ever', selectEverKey(HOSTILE)],
      ['key uses', selectKeyUses([HOSTILE])],
      ['code claims', countClaims(HOSTILE)],
      ['last sessions', selectLastSignIns],
      ['members list', selectMembers],
      ['projects list', selectProjects],
      ['projects of user', selectProjectsIn({ entities: [HOSTILE], project_ids: [HOSTILE] })],
      ['project find', selectProject(HOSTILE)],
      ['projects find', selectProjectStates([HOSTILE])],
      ['project deletions', selectDeletions],
      ['project rows', selectProjectRowCount(HOSTILE, 'calls')],
      ['project delete', deleteRows(HOSTILE, 'calls')],
      ['projects newest', selectNewestProjects(10)],
      ['projects of entity', selectProjectOfEntity(HOSTILE)],
      ['migrations applied', selectApplied],
      ['table sizes', selectTableSizes(HOSTILE)],
      ['detached parts', selectDetachedParts(HOSTILE)],
      ['detached part files', selectDetachedPartFiles(HOSTILE)],
      ['detached part drop', dropPart({ table: 'calls', name: HOSTILE, reason: 'broken' })],
      ['durability tables', selectTables],
      ['cluster tables', selectTableColumns(HOSTILE)],
      ['cluster tables version', selectDatabaseComment(HOSTILE)],
      ['cluster read', selectShards('heddle_cluster')],
      ['quotas list', selectQuotas],
    ]),
  ).toMatchFileSnapshot('./snapshots/access.sql')
})

test('the statements that find content by its key bind every value', async () => {
  await expect(
    show([
      ['file content', selectChunks(PROJECT, HOSTILE)],
      ['table row digests', selectRowDigests(PROJECT, HOSTILE)],
      ['table count', selectRowCount(PROJECT, HOSTILE)],
      ['table member names', selectMemberNames(PROJECT, HOSTILE, 10)],
      ['object contents', selectContents(PROJECT, [{ object_id: HOSTILE, digest: HOSTILE }])],
      [
        'object contents up to a size',
        selectContents(PROJECT, [{ object_id: HOSTILE, digest: HOSTILE }], 1_000),
      ],
      ['stored spans', selectSpans(PROJECT, { at: 1n, id: HOSTILE }, 10)],
      ['object last change', selectLastChange(PROJECT, HOSTILE)],
      [
        'object classes',
        selectOtherClass({
          project_id: PROJECT,
          object_id: HOSTILE,
          digest: HOSTILE,
          kind: 'object',
          base_object_class: HOSTILE,
          leaf_object_class: null,
        }),
      ],
      ['object labels', selectLabels(PROJECT, [HOSTILE])],
      ['object last label change', selectLastLabelChange(PROJECT, HOSTILE)],
      ['tags', selectTags(HOSTILE)],
      ['aliases', selectAliases(HOSTILE)],
      ['table stats', selectTableStats(PROJECT, [HOSTILE])],
      ['stored bytes: calls', selectStoredBytes(HOSTILE, 'calls')],
      ['stored bytes: objects', selectStoredBytes(HOSTILE, 'objects')],
      ['stored bytes: tables', selectStoredBytes(HOSTILE, 'tables')],
      ['stored bytes: files', selectStoredBytes(HOSTILE, 'files')],
    ]),
  ).toMatchFileSnapshot('./snapshots/content.sql')
})

test('the statements that find one version of an object bind every value', async () => {
  await expect(
    show([
      ['object versions', selectVersionsOf(PROJECT, HOSTILE)],
      ['object version: latest', selectVersion(PROJECT, HOSTILE, { by: 'latest' })],
      ['object version: by index', selectVersion(PROJECT, HOSTILE, { by: 'index', version_index: 3 })],
      ['object version: by digest', selectVersion(PROJECT, HOSTILE, { by: 'digest', digest: HOSTILE })],
      ['object version: by alias', selectVersion(PROJECT, HOSTILE, { by: 'alias', alias: HOSTILE })],
    ]),
  ).toMatchFileSnapshot('./snapshots/object-versions.sql')
})

test('the statements that find feedback and prices by their key bind every value', async () => {
  await expect(
    show([
      ['feedback by id', selectFeedback(PROJECT, [HOSTILE])],
      ['feedback about items', selectFeedbackAbout(PROJECT, [HOSTILE])],
      ['feedback versions', selectVersions(PROJECT, 'feedback', [HOSTILE])],
      ['prices versions', selectVersions(PROJECT, 'prices', [HOSTILE])],
      ['prices of models', selectPrices(PROJECT, [HOSTILE], ['built-in'])],
      ['prices built in', selectDefaultPrices],
      ['models of a project', selectUsedModels(PROJECT)],
    ]),
  ).toMatchFileSnapshot('./snapshots/records.sql')
})

test('the statements of dataset sources bind every value', async () => {
  const all = {
    row_digests: undefined,
    source_kinds: undefined,
    include_deleted: true,
    limit: undefined,
    offset: undefined,
  }
  const some = {
    row_digests: [HOSTILE],
    source_kinds: ['call'] as const,
    include_deleted: false,
    limit: 1,
    offset: 2,
  }
  const source = { source_kind: 'span', source_id: HOSTILE, source_trace_id: HOSTILE } as const
  await expect(
    show([
      ['dataset sources by id', selectDatasetSourcesById(PROJECT, [HOSTILE])],
      ['dataset sources', selectDatasetSources(PROJECT, HOSTILE, all)],
      ['dataset sources: some', selectDatasetSources(PROJECT, HOSTILE, some)],
      ['source datasets', selectSourceDatasets(PROJECT, [source], false)],
    ]),
  ).toMatchFileSnapshot('./snapshots/dataset-sources.sql')
})

test('the statements of review queues bind every value', async () => {
  await expect(
    show([
      ['queues list', selectQueues(HOSTILE)],
      ['queues find', selectQueue(PROJECT, HOSTILE)],
      ['queues versions', selectVersions(PROJECT, 'queues', [HOSTILE])],
      ['queue scores', selectScores(PROJECT, [HOSTILE])],
      ['queue items', selectQueueItems(PROJECT, HOSTILE)],
      ['queue item', selectQueueItem(PROJECT, HOSTILE, HOSTILE)],
      ['queue counts', selectQueueCounts(PROJECT, HOSTILE)],
      ['queue item versions', selectItemVersions(PROJECT, HOSTILE, [HOSTILE])],
      ['queue claims', selectClaims(PROJECT, HOSTILE)],
    ]),
  ).toMatchFileSnapshot('./snapshots/queues.sql')
})

test('every statement of src/store has a snapshot', () => {
  const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
  const snapshots = readdirSync(at('snapshots'))
    .map((file) => readFileSync(at(`snapshots/${file}`), 'utf8'))
    .join('\n')
  const titles = new Set(Array.from(snapshots.matchAll(/^-- ([a-z][a-z ]*)(?::.*)?$/gm), (match) => match[1]))
  const names = readdirSync(at('../../src/store'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && file !== 'database/database.ts')
    .flatMap((file) => {
      const text = readFileSync(at(`../../src/store/${file}`), 'utf8')
      return Array.from(
        text.matchAll(/\bname: (?:'([^']+)'|`([^`]+)`),\s+kind:/g),
        (match) => match[1] ?? match[2]!,
      )
    })
    .flatMap((name) =>
      name.includes('${table}')
        ? ['feedback', 'prices', 'queues'].map((table) => name.replace('${table}', table))
        : name.includes('${source.what}')
          ? EXPORT_KINDS.map((what) => name.replace('${source.what}', what))
          : [name],
    )
  expect(names.length).toBeGreaterThan(30)
  expect(names.filter((name) => !titles.has(name))).toEqual([])
})
