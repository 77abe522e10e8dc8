-- Review queues: calls that people judge one after the other. Each row takes the place of the one before it under its
-- key, by version; removing is a row without content that FINAL hides.
CREATE TABLE IF NOT EXISTS queues
(
    project_id String,
    id String,
    name String,
    description String,
    -- names of the annotation specs that are asked for; none = all that the project has
    scores Array(String),
    created_by String,
    created_at DateTime64(6, 'UTC'),
    -- Microseconds of the write, and always above the version before: clocks of nodes may differ.
    version UInt64,
    is_deleted UInt8
)
ENGINE = ReplacingMergeTree(version, is_deleted) ORDER BY (project_id, id);

CREATE TABLE IF NOT EXISTS queue_items
(
    project_id String,
    queue_id String,
    call_id String,
    -- the order of judging: microseconds of adding, and above those of what was added before it
    position UInt64,
    added_by String,
    added_at DateTime64(6, 'UTC'),
    -- empty while nobody has judged it
    done_by String,
    done_at Nullable(DateTime64(6, 'UTC')),
    -- who would rather not judge it; others still may
    skipped_by Array(String),
    version UInt64,
    is_deleted UInt8
)
ENGINE = ReplacingMergeTree(version, is_deleted) ORDER BY (project_id, queue_id, call_id)
SETTINGS index_granularity = 1024;

-- Who asked for an item, in the order in which the rows became visible: the engine numbers the blocks of inserts under
-- the lock that makes them visible (docs/decisions/0009-live-feed.md), so every reader finds the same holder
-- (src/core/queues/queue-lock.ts). Times are the engine's own: there is one clock, whichever node asks.
CREATE TABLE IF NOT EXISTS queue_claims
(
    project_id String,
    queue_id String,
    call_id String,
    user_id String,
    -- how long the item is kept for them; 0 lets go of it
    seconds UInt32,
    claimed_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC')
)
ENGINE = MergeTree ORDER BY (project_id, queue_id, call_id)
TTL toDateTime(claimed_at) + INTERVAL 1 DAY
SETTINGS index_granularity = 256, enable_block_number_column = 1, enable_block_offset_column = 1;
