import type { BuiltinClass } from '../../contract/objects/objects.ts'
import { findSchemaProblem } from '../json/json-schema-check.ts'
import { entries, stringValue } from '../json/navigate.ts'
import { isPublicUrl } from './public-url.ts'
import { storedQuery } from './stored-query.ts'
import {
  anyObject,
  anyOf,
  byMember,
  type Field,
  flag,
  float,
  instanceOf,
  integer,
  list,
  map,
  nothing,
  type ObjectClass,
  oneOf,
  optional,
  refined,
  text,
  type ValueType,
} from './value-types.ts'

/** The built-in classes of Weave's server, and those of their parts, with their fields in order. */

const BASE = ['BaseModel']
const STRICT = ['BaseModelStrict', ...BASE]
const OBJECT = ['BaseObject', ...BASE]
const CONFIG = ['DashboardConfigModel', ...BASE]
const PANEL = ['DashboardPanelBase', ...CONFIG]
const PANEL_QUERY = ['PanelQueryConfig', ...CONFIG]

const NAMED = { name: optional(text), description: optional(text) }

const part = (name: string): ValueType => instanceOf(name, () => CLASSES[name]!)
const withDefault = (type: ValueType, value: unknown): Field => ({ type, fallback: JSON.stringify(value) })

const texts = list(text)
const nonEmptyText = refined(text, (json) =>
  stringValue(json) === '' ? { msg: 'must not be empty' } : undefined,
)
const integerIn = (from: number, to = Infinity): ValueType =>
  refined(integer, (json) =>
    Number(json.text) < from || Number(json.text) > to
      ? { msg: to === Infinity ? `must be at least ${from}` : `must be from ${from} to ${to}` }
      : undefined,
  )

const GRID_COLUMNS = 24
const layout = refined(part('PanelGridLayout'), (json) => {
  const sizes = new Map(entries(json).map(([key, value]) => [key, Number(value.text)]))
  const end = (sizes.get('x') ?? 0) + (sizes.get('w') ?? 0)
  return end > GRID_COLUMNS ? { msg: `must end within ${GRID_COLUMNS} columns` } : undefined
})

const panel = (type: string, bases: readonly string[], query: ObjectClass['fields']) => ({
  [`${type}DashboardPanel`]: {
    bases: PANEL,
    isClosed: true,
    fields: {
      id: nonEmptyText,
      layout,
      panel_type: oneOf(type.toLowerCase()),
      settings: part(`${type}PanelSettings`),
    },
  },
  [`${type}PanelSettings`]: {
    bases: CONFIG,
    isClosed: true,
    fields: { query: part(`${type}PanelQueryConfig`), title: optional(text) },
  },
  [`${type}PanelQueryConfig`]: {
    bases,
    isClosed: true,
    fields: {
      version: withDefault(integerIn(1, 1), 1),
      metric: nonEmptyText,
      filter: withDefault(text, ''),
      format: optional(oneOf('number', 'percent', 'cost', 'duration')),
      ...query,
    },
  },
})

const BLOCKED_HEADER = /^(?:metadata-flavor|x-aws-ec2-metadata-token(?:-ttl-seconds)?)$/i

const CLASSES: Readonly<Record<string, ObjectClass>> = {
  AgentDashboard: {
    bases: OBJECT,
    fields: { ...NAMED, label: text, definition: part('AgentDashboardDefinition') },
  },
  AgentDashboardDefinition: {
    bases: CONFIG,
    isClosed: true,
    fields: {
      panels: list(
        byMember('panel_type', {
          kpi: part('KpiDashboardPanel'),
          timeline: part('TimelineDashboardPanel'),
          breakdown: part('BreakdownDashboardPanel'),
        }),
      ),
    },
  },
  PanelGridLayout: {
    bases: CONFIG,
    isClosed: true,
    fields: {
      x: integerIn(0, GRID_COLUMNS - 1),
      y: integerIn(0),
      w: integerIn(1, GRID_COLUMNS),
      h: integerIn(1),
    },
  },
  ...panel('Kpi', PANEL_QUERY, {}),
  ...panel('Timeline', PANEL_QUERY, {
    groupBy: { ...optional(text), otherKey: 'group_by' },
    limit: optional(integerIn(1, 50)),
  }),
  ...panel('Breakdown', PANEL_QUERY, {
    groupBy: { type: nonEmptyText, otherKey: 'group_by' },
    limit: withDefault(integerIn(1, 50), 6),
  }),

  AlertSpec: {
    bases: OBJECT,
    fields: {
      ...NAMED,
      op_scope: optional(texts),
      spec: withDefault(part('WeaveMetricThresholdSpec'), {}),
    },
  },
  WeaveMetricThresholdSpec: {
    bases: BASE,
    fields: {
      alert_condition: withDefault(text, 'THRESHOLD'),
      source_type: withDefault(oneOf('calls', 'spans'), 'calls'),
      comparison_operator: withDefault(oneOf('GREATER_THAN', 'LESS_THAN', 'EQUAL'), 'GREATER_THAN'),
      metric_path: withDefault(text, ''),
      op_str: withDefault(text, ''),
      threshold: withDefault(float, 0),
      window_size: optional(integer),
      window_duration: optional(integer),
      monitor_ref: optional(text),
      scorer_ref: optional(text),
      aggregation_function: withDefault(
        oneOf('mean', 'median', 'min', 'max', 'mode', 'percentage', 'count'),
        'mean',
      ),
      status_match_value: optional(text),
    },
  },

  AnnotationSpec: {
    bases: OBJECT,
    fields: {
      ...NAMED,
      field_schema: withDefault(
        refined(anyObject, (json) => findSchemaProblem(JSON.parse(json.text))),
        {},
      ),
      unique_among_creators: withDefault(flag, false),
      op_scope: optional(texts),
    },
  },

  ComparisonView: {
    bases: OBJECT,
    fields: { ...NAMED, label: text, definition: part('ComparisonViewDefinition') },
  },
  ComparisonViewDefinition: {
    bases: BASE,
    fields: {
      evaluation_call_ids: texts,
      selected_metrics: optional(texts),
      column_visibility: optional(map(flag)),
    },
  },

  Leaderboard: { bases: OBJECT, fields: { ...NAMED, columns: list(part('LeaderboardColumn')) } },
  LeaderboardColumn: {
    bases: BASE,
    fields: {
      evaluation_object_ref: text,
      scorer_name: text,
      summary_metric_path: text,
      should_minimize: optional(flag),
    },
  },

  LLMStructuredCompletionModel: {
    bases: ['Model', 'Object', ...BASE],
    isClosed: true,
    ignored: ['_type', '_class_name', '_bases'],
    fields: {
      ...NAMED,
      ref: { type: nothing, fallback: 'null' },
      llm_model_id: text,
      default_params: withDefault(part('LLMStructuredCompletionModelDefaultParams'), {}),
    },
  },
  LLMStructuredCompletionModelDefaultParams: {
    bases: BASE,
    fields: {
      messages_template: optional(list(part('Message'))),
      prompt: optional(text),
      temperature: optional(float),
      top_p: optional(float),
      max_tokens: optional(integer),
      presence_penalty: optional(float),
      frequency_penalty: optional(float),
      stop: optional(texts),
      n_times: optional(integer),
      functions: optional(list(anyObject)),
      response_format: optional(oneOf('json_object', 'json_schema', 'text')),
    },
  },
  Message: {
    bases: BASE,
    fields: {
      role: text,
      content: optional(anyOf(text, list(anyObject))),
      name: optional(text),
      function_call: optional(anyObject),
      tool_call_id: optional(text),
    },
  },

  Provider: {
    bases: OBJECT,
    fields: {
      ...NAMED,
      base_url: refined(text, (json) =>
        isPublicUrl(stringValue(json) ?? '')
          ? undefined
          : { msg: 'must be a public http or https URL without query and fragment' },
      ),
      api_key_name: text,
      extra_headers: withDefault(
        refined(map(text), (json) => {
          const blocked = entries(json).find(([key]) => BLOCKED_HEADER.test(key))
          return blocked && { loc: [blocked[0]], msg: 'is not allowed' }
        }),
        {},
      ),
      return_type: withDefault(oneOf('openai'), 'openai'),
    },
  },
  ProviderModel: { bases: OBJECT, fields: { ...NAMED, provider: text, max_tokens: integer } },

  SavedView: {
    bases: OBJECT,
    fields: { ...NAMED, view_type: text, label: text, definition: part('SavedViewDefinition') },
  },
  SavedViewDefinition: {
    bases: BASE,
    fields: {
      filter: optional(part('CallsFilter')),
      query: optional(storedQuery),
      cols: optional(map(flag)),
      columns: optional(list(part('Column'))),
      column_order: optional(texts),
      expand_columns: optional(texts),
      header_depth: optional(integer),
      pin: optional(part('Pin')),
      sort_by: optional(list(part('SortBy'))),
      page: optional(integer),
      page_size: optional(integer),
      charts: optional(list(part('ChartConfig'))),
      dataset_selector: optional(text),
      evaluation_selector: optional(text),
      dynamic_leaderboard_config: optional(part('DynamicLeaderboardConfig')),
    },
  },
  CallsFilter: {
    bases: STRICT,
    fields: {
      op_names: optional(texts),
      input_refs: optional(texts),
      output_refs: optional(texts),
      parent_ids: optional(texts),
      trace_ids: optional(texts),
      call_ids: optional(texts),
      thread_ids: optional(texts),
      turn_ids: optional(texts),
      trace_roots_only: optional(flag),
      wb_user_ids: optional(texts),
      wb_run_ids: optional(texts),
    },
  },
  SortBy: { bases: STRICT, fields: { field: text, direction: oneOf('asc', 'desc') } },
  Column: {
    bases: BASE,
    fields: { path: optional(list(anyOf(text, integer))), label: optional(text) },
  },
  Pin: { bases: BASE, fields: { left: texts, right: texts } },
  ChartConfig: {
    bases: BASE,
    fields: {
      x_axis: text,
      y_axis: text,
      plot_type: optional(oneOf('scatter', 'line', 'bar')),
      bin_count: optional(integer),
      aggregation: optional(oneOf('average', 'sum', 'min', 'max', 'p95', 'p99')),
      group_keys: optional(texts),
      custom_name: optional(text),
    },
  },
  DynamicLeaderboardConfig: {
    bases: BASE,
    fields: {
      model_configuration: optional(part('ObjectConfig')),
      dataset_configuration: optional(part('ObjectConfig')),
      scorer_configuration: optional(part('ObjectConfig')),
      columns_configuration: optional(list(part('DynamicLeaderboardColumnConfig'))),
    },
  },
  ObjectConfig: {
    bases: BASE,
    fields: {
      version_groups: optional(list(part('ObjectVersionGroup'))),
      display_name_map: optional(map(text)),
      deselected: optional(texts),
    },
  },
  ObjectVersionGroup: {
    bases: BASE,
    fields: { label: text, base_ref: text, versions: anyOf(texts, oneOf('*')), show_version_indicator: flag },
  },
  DynamicLeaderboardColumnConfig: {
    bases: BASE,
    fields: {
      evaluation_object_ref: optional(text),
      scorer_name: optional(text),
      display_name: optional(text),
      summary_metric_path: optional(text),
      should_minimize: optional(flag),
      deselected: optional(flag),
    },
  },
}

/** An object of a built-in class. */
export function builtinType(name: BuiltinClass): ValueType {
  return part(name)
}
