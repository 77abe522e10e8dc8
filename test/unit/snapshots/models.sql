-- secrets list
SELECT project_id, name, key_id, ciphertext, origins, changed_by, changed_at FROM secrets FINAL WHERE project_id = {p0:String} ORDER BY name
-- {"p0":"acme/bot"}

-- secret
SELECT project_id, name, key_id, ciphertext, origins, changed_by, changed_at FROM secrets FINAL WHERE project_id = {p0:String} AND name = {p1:String}
-- {"p0":"acme/bot","p1":"x' OR 1=1 --"}

-- secrets of other keys
SELECT project_id, name, key_id, ciphertext, origins, changed_by, changed_at FROM secrets FINAL WHERE key_id != {p0:String} ORDER BY project_id, name
-- {"p0":"x' OR 1=1 --"}

-- model budget
SELECT project_id, toString(limit_per_day) AS limit_per_day, changed_by, changed_at FROM model_budgets FINAL WHERE project_id = {p0:String}
-- {"p0":"acme/bot"}

-- model spend
SELECT id, kind, toString(amount) AS amount, toString(limit_per_day) AS limit,
  toString(_block_number) AS block, toString(_block_offset) AS offset
FROM model_spend WHERE project_id = {p0:String} AND day = toDate({p1:String})
AND (toInt64(_block_number), toInt64(_block_offset)) > (toInt64({p2:String}), toInt64({p2:String}))
ORDER BY _block_number, _block_offset
-- {"p0":"acme/bot","p1":"x' OR 1=1 --","p2":"-1"}
