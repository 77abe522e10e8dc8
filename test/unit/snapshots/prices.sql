-- price query: everything
SELECT id FROM (SELECT id, llm_id, prompt_token_cost, completion_token_cost, cache_read_input_token_cost, cache_creation_input_token_cost, prompt_token_cost_unit, completion_token_cost_unit, effective_date, provider_id, pricing_level, created_by, created_at FROM prices FINAL WHERE project_id = {p0:String})
WHERE 1 ORDER BY llm_id, effective_date, provider_id, id
-- {"p0":"acme/demo"}

-- price query: defaults too
SELECT id, prompt_token_cost FROM (SELECT id, llm_id, prompt_token_cost, completion_token_cost, cache_read_input_token_cost, cache_creation_input_token_cost, prompt_token_cost_unit, completion_token_cost_unit, effective_date, provider_id, pricing_level, created_by, created_at FROM prices FINAL WHERE project_id = {p0:String} UNION ALL SELECT id, llm_id, prompt_token_cost, completion_token_cost, cache_read_input_token_cost, cache_creation_input_token_cost, prompt_token_cost_unit, completion_token_cost_unit, effective_date, provider_id, pricing_level, created_by, created_at FROM prices FINAL WHERE project_id = {p1:String})
WHERE (llm_id = {p2:String}) ORDER BY toFloat64(prompt_token_cost) DESC, llm_id, effective_date, provider_id, id LIMIT {p3:Int64} OFFSET {p4:Int64}
-- {"p0":"acme/demo","p1":"default","p2":"x' OR 1=1 --","p3":10,"p4":5}
