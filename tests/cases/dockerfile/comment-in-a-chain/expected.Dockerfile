FROM ubuntu:24.04 AS base
# The default.
ENV MODE=fast
ENV JOBS=2
RUN apt-get update && apt-get install -y \
    curl \
    git \
 && rm -rf /var/lib/apt/lists/*

FROM base AS app
WORKDIR /app
COPY . .
CMD ["serve", "--port", "80"]
