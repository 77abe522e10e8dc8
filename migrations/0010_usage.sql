-- What each call says it used, by model, pulled out of the summary at insert (src/store/calls/extracted-usage.ts): sums of tokens and
-- costs read these instead of the summaries. usage_kept is 0 in rows of before, and where the summary itself must be asked.
ALTER TABLE calls ADD COLUMN IF NOT EXISTS usage Array(Tuple(model LowCardinality(String), prompt UInt32, completion UInt32,
    total Nullable(UInt32), cache_read UInt32, cache_creation UInt32, plain_prompt UInt32,
    reported Nullable(Decimal(76, 36)))) CODEC(ZSTD(1));

ALTER TABLE calls ADD COLUMN IF NOT EXISTS usage_kept UInt8 CODEC(ZSTD(1));
