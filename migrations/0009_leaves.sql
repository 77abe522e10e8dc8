-- Short values inside the payloads, pulled out at insert (src/core/json/json-fields.ts): a filter on inputs.model reads one of
-- 32 buckets of this column instead of the inputs of every call. Inserts write it plain, merges sort it into buckets.
ALTER TABLE calls ADD COLUMN IF NOT EXISTS leaves Map(LowCardinality(String), String) CODEC(ZSTD(1));

ALTER TABLE calls MODIFY SETTING map_serialization_version = 'with_buckets', map_serialization_version_for_zero_level_parts = 'basic',
    map_buckets_strategy = 'constant', max_buckets_in_map = 32, map_buckets_min_avg_size = 1;
