/** Replaces `node:https` in bundles; see the options of the bundler. */
const https = process.getBuiltinModule('node:https');

export const { Agent, request } = https;
export default https;
