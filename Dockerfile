# syntax=docker/dockerfile:1

# Images of Heddle: `heddle` with the embedded ClickHouse, `slim` for an external one. docs/deploy/compose.md shows how to
# run them, docs/releasing.md how to build them for amd64 and arm64.

# Any image with Node 20.20 or newer, npm, glibc and apt-get.
ARG NODE_IMAGE=node:24-bookworm-slim

# JavaScript is the same on every platform, so it is built on that of the builder.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json vite.config.ts ./
COPY scripts ./scripts
COPY migrations ./migrations
COPY src ./src
RUN npm run build && chmod 0755 dist/main.js

# No package runs a script when it is installed (.npmrc), so those of another platform are installed without emulation.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS dependencies
ARG TARGETARCH
WORKDIR /opt/heddle
COPY package.json package-lock.json .npmrc ./
# npm ignores optional packages that it cannot install, so the last line checks for ClickHouse.
RUN --mount=type=cache,target=/root/.npm \
    case "$TARGETARCH" in amd64) cpu=x64 ;; "") cpu="$(node -p process.arch)" ;; *) cpu="$TARGETARCH" ;; esac \
    && npm ci --omit=dev --os=linux --libc=glibc --cpu="$cpu" --no-audit --no-fund \
    && test -f "node_modules/@chdb/lib-linux-$cpu-gnu/libchdb.so"

FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS slim-dependencies
WORKDIR /opt/heddle
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --omit=optional --no-audit --no-fund

FROM ${NODE_IMAGE} AS runtime
# The version of Debian's tini follows that of the base image.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends tini \
    && rm -rf /var/lib/apt/lists/* \
    && ln -s /opt/heddle/dist/main.js /usr/local/bin/heddle
WORKDIR /opt/heddle
COPY package.json LICENSE ./
COPY --from=build /src/migrations ./migrations
COPY --from=build /src/dist ./dist
ENV NODE_ENV=production \
    HEDDLE_HOST=0.0.0.0
EXPOSE 6340 4317
ENTRYPOINT ["/usr/bin/tini", "--", "heddle"]
CMD ["serve"]
# Heddle stops within 25 s.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.HEDDLE_PORT || 6340) + '/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ARG VERSION=0.0.0
ARG REVISION=unknown
ARG CREATED=1970-01-01T00:00:00Z
ARG SOURCE=
LABEL org.opencontainers.image.title="Heddle" \
      org.opencontainers.image.description="Self-hosted tracing and feedback for LLM applications" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.created="$CREATED" \
      org.opencontainers.image.source="$SOURCE"

FROM runtime AS slim
COPY --from=slim-dependencies /opt/heddle/node_modules ./node_modules
# A number, so that Kubernetes can verify that it is not root.
USER 1000:1000

# The last target is the default.
FROM runtime AS heddle
COPY --from=dependencies /opt/heddle/node_modules ./node_modules
RUN install -d -m 0700 -o 1000 -g 1000 /data
ENV HEDDLE_DATA=/data
VOLUME ["/data"]
USER 1000:1000
