FROM ubuntu:22.04 AS base
ENV MODE=fast
ENV JOBS=4
RUN apt-get update && apt-get install -y \
    build-essential \
    curl \
    git \
    jq \
 && rm -rf /var/lib/apt/lists/*

FROM base AS app
WORKDIR /app
COPY . .
CMD ["serve", "--port", "80"]
