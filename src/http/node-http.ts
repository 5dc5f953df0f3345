/**
 * The parts of `node:http` for servers and calls. An `import` of it reads every export, and one of them loads all of fetch and WebSocket:
 * 60 ms of CPU for each process.
 */
export const {
  createServer,
  request: httpRequest,
  IncomingMessage: NodeRequest,
} = process.getBuiltinModule('node:http')
