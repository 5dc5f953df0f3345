/** The used parts of `node:http`. An `import` of it reads every export, which loads fetch and WebSocket: 60 ms of CPU. */
export const {
  createServer,
  request: httpRequest,
  IncomingMessage: NodeRequest,
} = process.getBuiltinModule('node:http')
