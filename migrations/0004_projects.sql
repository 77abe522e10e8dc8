-- The name that the web UI shows instead of the project's own, which is part of URLs, refs and every row of its data.
ALTER TABLE projects ADD COLUMN IF NOT EXISTS display_name String AFTER project_id;

-- When somebody asked to delete the project. Until its data is deleted, requests for it are refused; then the row is deleted
-- too, and the next write creates a new project (docs/decisions/0017-projects.md).
ALTER TABLE projects ADD COLUMN IF NOT EXISTS deletion_started_at Nullable(DateTime64(6, 'UTC')) AFTER created_at;
