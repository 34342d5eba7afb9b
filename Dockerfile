# docker build -t guichet . && docker run -d --name guichet -p 127.0.0.1:3000:3000 -v guichet:/var/lib/guichet guichet
# Behind a proxy say where it is, or all visitors are one: -e GUICHET_TRUSTED_PROXIES=172.17.0.1

FROM oven/bun:1.4.4-debian AS build
WORKDIR /build
COPY package.json bun.lock bunfig.toml ./
RUN bun install --frozen-lockfile --production
COPY src src
COPY data/demo data/demo
COPY data/model data/model
COPY data/operate data/operate
RUN bun src/release/build.ts --outfile /guichet

FROM debian:12.11-slim
# The index engine needs libgcc, models, mails and feeds the authorities. The account has a fixed number, which a volume keeps.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates libgcc-s1 \
  && rm -rf /var/lib/apt/lists/* \
  && groupadd --gid 10001 guichet \
  && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /var/lib/guichet --shell /usr/sbin/nologin guichet \
  && install -d -o guichet -g guichet -m 0700 /var/lib/guichet /var/cache/guichet
COPY --from=build /guichet /usr/local/bin/guichet
USER 10001:10001
WORKDIR /var/lib/guichet
# The container is the wall: inside, the service answers whoever the port is published to.
ENV GUICHET_HOST=0.0.0.0 BUN_TMPDIR=/var/cache/guichet
VOLUME /var/lib/guichet
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["guichet", "check", "--ready"]
ENTRYPOINT ["guichet"]
CMD ["serve"]
