/** Auth entries: the routes of tokens and callers, and the functions behind the operator's commands. */
import { limits } from '../../shared/config/limits.ts';
import {
  callerAnswer,
  endedTokenAnswer,
  revokeAnswer,
  revokeRequest,
  tokenAnswer,
  tokenRequest,
  tokensAnswer,
} from '../../shared/auth/schemas.ts';
import { apiFunction, entry, taskFunction, route } from '../entry.ts';

export const issueToken = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  // scrypt with N=2^17 takes 128 MB and CPU in proportion to memory.
  memoryMb: 1769,
  source: 'auth/issue-token',
  summary: 'Sign in, or make a key: exchange the client id, user name and password for an access token',
  trigger: {
    kind: 'http',
    method: 'POST',
    path: '/oauth/token',
    auth: 'none',
    statuses: [200],
    oauthErrors: [
      'invalid_request',
      'unsupported_grant_type',
      'invalid_grant',
      'invalid_scope',
      'invalid_client',
      'slow_down',
    ],
    body: tokenRequest,
    answer: tokenAnswer,
  },
  access: {
    credentials: ['read', 'query', 'insert', 'delete', 'increment'],
    auditLog: ['insert'],
  },
  reservedConcurrency: limits.reservedConcurrency.signIn,
}));

export const getCaller = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  source: 'auth/get-caller',
  summary:
    'Show who you are: your user, the account, what the token may do, and the properties that it reaches',
  trigger: route('GET', '/v1/me', {
    permission: null,
    answer: callerAnswer,
  }),
  access: { table: ['read'], credentials: ['query'] },
}));

export const listTokens = /* @__PURE__ */ entry(() => ({
  ...apiFunction('export'),
  source: 'auth/list-tokens',
  summary: 'List the tokens of your user: those of sign-ins, and keys',
  trigger: route('GET', '/v1/me/tokens', {
    permission: null,
    answer: tokensAnswer,
  }),
  access: { credentials: ['read', 'query'] },
}));

export const deleteToken = /* @__PURE__ */ entry(() => ({
  ...apiFunction('export'),
  source: 'auth/delete-token',
  summary: 'End a token of your user: it stops working within 30 seconds',
  trigger: route('DELETE', '/v1/me/tokens/{token_id}', {
    permission: null,
    answer: endedTokenAnswer,
    codes: ['not_found'],
  }),
  access: { credentials: ['read', 'query', 'delete'] },
}));

export const revokeToken = /* @__PURE__ */ entry(() => ({
  ...apiFunction('export'),
  source: 'auth/revoke-token',
  summary: 'Sign out: end the token in the body (RFC 7009), if there is such a token',
  trigger: {
    kind: 'http',
    method: 'POST',
    path: '/oauth/revoke',
    auth: 'none',
    statuses: [200],
    oauthErrors: ['invalid_request'],
    body: revokeRequest,
    answer: revokeAnswer,
  },
  access: { credentials: ['read', 'delete'], auditLog: ['insert'] },
}));

export const operator = /* @__PURE__ */ entry(() => ({
  stack: 'api',
  memoryMb: 1769,
  timeoutSeconds: 60,
  source: 'auth/operator',
  summary:
    'Run the commands of operators: accounts, users, keys, clients, tokens, import sources, enrichers and dead letters',
  trigger: { kind: 'invoke' },
  access: {
    credentials: ['read', 'query', 'insert', 'update', 'delete', 'increment'],
    table: ['read', 'query', 'insert', 'update', 'increment'],
    auditLog: ['insert', 'query'],
    propertyKey: ['generate', 'encrypt'],
    deadLetters: ['look', 'settle'],
    workQueues: ['send'],
    consumerLogs: ['search'],
  },
  settings: ['baseUrl', 'privateTargets'],
}));

export const deleteProperty = /* @__PURE__ */ entry(() => ({
  // The stack that has the schedules.
  ...taskFunction('export'),
  source: 'auth/delete-property',
  summary: 'Delete a property with all of its data, for an operator',
  trigger: { kind: 'invoke' },
  access: {
    credentials: ['read', 'update', 'delete'],
    table: ['scan', 'delete'],
    auditLog: ['insert'],
    uploads: ['list', 'delete'],
    work: ['list', 'delete'],
    exports: ['list', 'delete'],
    exportSchedules: ['delete'],
  },
}));

export const seed = /* @__PURE__ */ entry(() => ({
  stack: 'api',
  localOnly: true,
  memoryMb: 1769,
  timeoutSeconds: 60,
  source: 'auth/seed',
  summary: 'Create an account with known names and a known password, to try out the service',
  trigger: { kind: 'invoke' },
  access: {
    credentials: ['read', 'query', 'insert', 'update', 'increment'],
    table: ['insert'],
    propertyKey: ['generate'],
  },
}));
