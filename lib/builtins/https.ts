/** Replaces `node:https` in bundles; see `alias` in `lib/constructs/bundle.ts`. */
const https = process.getBuiltinModule('node:https');

export const { Agent, request } = https;
export default https;
