-- Model access: secrets of providers, budgets of projects, and what model requests reserve and cost.

-- ---------------------------------------------------------------------------------------------------------------------
-- Secrets
-- ---------------------------------------------------------------------------------------------------------------------

-- Keys of model providers, encrypted by Heddle (docs/improve/models.md). Backups contain them as they are here.
CREATE TABLE IF NOT EXISTS secrets
(
    project_id String,
    name String,
    -- the key that it is encrypted with; keys themselves are not in the database
    key_id LowCardinality(String),
    -- AES-256-GCM: nonce, ciphertext and tag in base64; empty for a deleted one
    ciphertext String,
    -- where it may be sent, such as https://api.openai.com; part of what is authenticated
    origins Array(String),
    changed_by String,
    changed_at DateTime64(6, 'UTC'),
    is_deleted UInt8 DEFAULT 0
)
ENGINE = ReplacingMergeTree(changed_at, is_deleted) ORDER BY (project_id, name);

-- ---------------------------------------------------------------------------------------------------------------------
-- Budgets
-- ---------------------------------------------------------------------------------------------------------------------

CREATE TABLE IF NOT EXISTS model_budgets
(
    project_id String,
    -- 10^-12 US dollars
    limit_per_day UInt64,
    changed_by String,
    changed_at DateTime64(6, 'UTC'),
    is_deleted UInt8 DEFAULT 0
)
ENGINE = ReplacingMergeTree(changed_at, is_deleted) ORDER BY project_id;

-- What requests to models reserve and cost, as a log: its order decides which reservations fit into the budget, so that
-- every node comes to the same result (src/core/models/spend-ledger.ts).
CREATE TABLE IF NOT EXISTS model_spend
(
    project_id String,
    day Date,
    -- of the request
    id String,
    -- 'reserve' or 'settle'
    kind LowCardinality(String),
    -- 10^-12 US dollars
    amount UInt64,
    -- the budget when the amount was reserved
    limit_per_day UInt64,
    inserted_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC')
)
ENGINE = MergeTree
ORDER BY (project_id, day)
TTL day + toIntervalDay(40)
SETTINGS enable_block_number_column = 1, enable_block_offset_column = 1;
