FROM ubuntu:22.04 AS base
ENV MODE=fast
ENV JOBS=4
RUN apt-get update && apt-get install -y \
    curl \
    git \
 && rm -rf /var/lib/apt/lists/*

FROM base AS app
WORKDIR /app
COPY . .
CMD ["serve", "--port", "80"]
