-- secrets list
SELECT project_id, name, key_id, ciphertext, origins, changed_by, changed_at FROM secrets FINAL WHERE project_id = {p0:String} ORDER BY name
-- {"p0":"acme/bot"}

-- secret
SELECT project_id, name, key_id, ciphertext, origins, changed_by, changed_at FROM secrets FINAL WHERE project_id = {p0:String} AND name = {p1:String}
-- {"p0":"acme/bot","p1":"x' OR 1=1 --"}

-- secrets of other keys
SELECT project_id, name, key_id, ciphertext, origins, changed_by, changed_at FROM secrets FINAL WHERE key_id != {p0:String} ORDER BY project_id, name
-- {"p0":"x' OR 1=1 --"}
