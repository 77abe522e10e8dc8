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
