-- feedback by id
SELECT project_id, id, weave_ref, wb_user_id, creator, created_at, feedback_type, payload,
  payload_normalized, annotation_ref, runnable_ref, call_ref, trigger_ref, queue_id, scorer_tags, scorer_tag_reasons,
  scorer_tag_confidences, scorer_ratings, scorer_rating_reasons, scorer_rating_confidences, span_agent_name,
  span_agent_version, span_status_code, span_conversation_id, span_trace_id, scorer_trace_id FROM feedback FINAL WHERE project_id = {p0:String} AND id IN {p1:Array(String)}
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"]}

-- feedback about items
SELECT project_id, id, weave_ref, wb_user_id, creator, created_at, feedback_type, payload,
  payload_normalized, annotation_ref, runnable_ref, call_ref, trigger_ref, queue_id, scorer_tags, scorer_tag_reasons,
  scorer_tag_confidences, scorer_ratings, scorer_rating_reasons, scorer_rating_confidences, span_agent_name,
  span_agent_version, span_status_code, span_conversation_id, span_trace_id, scorer_trace_id FROM feedback FINAL WHERE project_id = {p0:String} AND weave_ref IN {p1:Array(String)} ORDER BY created_at, id
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"]}

-- feedback versions
SELECT id, max(version) AS newest, argMax(is_deleted, version) AS hidden
FROM feedback WHERE project_id = {p0:String} AND id IN {p1:Array(String)} GROUP BY id
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"]}

-- prices versions
SELECT id, max(version) AS newest, argMax(is_deleted, version) AS hidden
FROM prices WHERE project_id = {p0:String} AND id IN {p1:Array(String)} GROUP BY id
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"]}

-- prices of models
SELECT id, llm_id, provider_id, prompt_token_cost, completion_token_cost, cache_read_input_token_cost,
  cache_creation_input_token_cost, prompt_token_cost_unit, completion_token_cost_unit, effective_date, pricing_level,
  created_by, created_at FROM prices FINAL WHERE project_id = {p0:String} AND llm_id IN {p1:Array(String)}
UNION ALL SELECT id, llm_id, provider_id, prompt_token_cost, completion_token_cost, cache_read_input_token_cost,
  cache_creation_input_token_cost, prompt_token_cost_unit, completion_token_cost_unit, effective_date, pricing_level,
  created_by, created_at FROM prices FINAL WHERE project_id = {p2:String} AND llm_id IN {p3:Array(String)}
-- {"p0":"acme/demo","p1":["x' OR 1=1 --"],"p2":"default","p3":["built-in"]}

-- prices built in
SELECT id, llm_id, provider_id, prompt_token_cost, completion_token_cost, cache_read_input_token_cost,
  cache_creation_input_token_cost, prompt_token_cost_unit, completion_token_cost_unit, effective_date, pricing_level,
  created_by, created_at FROM prices FINAL WHERE project_id = {p0:String}
-- {"p0":"default"}

-- models of a project
SELECT groupUniqArrayArray(usage.model) AS models FROM calls WHERE project_id = {p0:String}
-- {"p0":"acme/demo"}
