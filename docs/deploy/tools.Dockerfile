# The sandbox and the checker, for providers in any language. Copy it into a folder of its own, and build it there.
FROM node:24-slim
# The name of the package, or its file in this folder, such as ./purveyor-0.1.0.tgz.
ARG PURVEYOR=purveyor
WORKDIR /context
RUN --mount=type=bind,target=/context npm install --global --no-audit --no-fund "$PURVEYOR"
WORKDIR /home/node
USER node
ENTRYPOINT ["purveyor"]
