/** Replaces `node:http` in bundles; see the options of the bundler. */
const http = process.getBuiltinModule('node:http');

export const { Agent, request, STATUS_CODES } = http;
export default http;
