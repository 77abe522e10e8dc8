-- Which rows came since a moment, without reading the column: sums that are kept ask it each time (src/store/calls/cached-aggregates.ts).
ALTER TABLE calls ADD INDEX IF NOT EXISTS inserted_at_range inserted_at TYPE minmax GRANULARITY 1;

ALTER TABLE calls MATERIALIZE INDEX inserted_at_range;
