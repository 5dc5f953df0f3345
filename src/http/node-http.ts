/**
 * What servers and calls need of `node:http`. An `import` of it reads every export, and one of them loads all of fetch and WebSocket: 60 ms of CPU for
 * each process.
 */
export const {
  createServer,
  request: httpRequest,
  IncomingMessage: NodeRequest,
} = process.getBuiltinModule('node:http')
