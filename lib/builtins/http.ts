/** Replaces `node:http` in bundles; see `alias` in `lib/constructs/bundle.ts`. */
const http = process.getBuiltinModule('node:http');

export const { Agent, request, STATUS_CODES } = http;
export default http;
