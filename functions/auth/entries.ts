/** Auth entries: the routes of tokens and callers, and the functions behind the operator's commands. */
import { limits } from '../../shared/config/limits.ts';
import { callerAnswer, tokenAnswer, tokenRequest } from '../../shared/auth/schemas.ts';
import { tableActions as table } from '../../shared/table/access.ts';
import { apiFunction, entry, taskFunction, route } from '../entry.ts';

export const issueToken = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  // scrypt with N=2^17 takes 128 MB and CPU in proportion to memory.
  memoryMb: 1769,
  source: 'auth/issue-token',
  summary: 'Sign in: exchange the client id, user name and password for an access token',
  trigger: {
    kind: 'http',
    method: 'POST',
    path: '/oauth/token',
    auth: 'none',
    statuses: [200],
    errorForm: 'oauth',
    body: tokenRequest,
    answer: tokenAnswer,
  },
  access: [
    {
      to: 'credentials',
      actions: [...table.read, ...table.query, ...table.insert, ...table.delete, ...table.increment],
    },
    { to: 'auditLog', actions: [...table.insert] },
  ],
  reservedConcurrency: limits.reservedConcurrency.signIn,
}));

export const getCaller = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  source: 'auth/get-caller',
  summary: 'Show the user of the token, the account, and the properties that the token reaches',
  trigger: route('GET', '/v1/me', {
    aliases: 'api',
    answer: callerAnswer,
  }),
  access: [{ to: 'credentials', actions: [...table.query] }],
}));

export const operator = /* @__PURE__ */ entry(() => ({
  stack: 'api',
  memoryMb: 1769,
  timeoutSeconds: 60,
  source: 'auth/operator',
  summary:
    'Run the commands of operators: accounts, users, keys, clients, tokens, import sources, enrichers and dead letters',
  trigger: { kind: 'invoke' },
  access: [
    {
      to: 'credentials',
      actions: [
        ...table.read,
        ...table.query,
        ...table.insert,
        ...table.update,
        ...table.delete,
        ...table.increment,
      ],
    },
    {
      to: 'table',
      actions: [...table.read, ...table.query, ...table.insert, ...table.update, ...table.increment],
    },
    { to: 'auditLog', actions: [...table.insert, ...table.query] },
    { to: 'propertyKey', actions: ['kms:GenerateDataKey', 'kms:Encrypt'] },
    {
      to: 'deadLetters',
      actions: [
        'sqs:GetQueueUrl',
        'sqs:GetQueueAttributes',
        'sqs:ReceiveMessage',
        'sqs:ChangeMessageVisibility',
        'sqs:PurgeQueue',
        'sqs:StartMessageMoveTask',
        'sqs:DeleteMessage',
      ],
    },
    { to: 'workQueues', actions: ['sqs:SendMessage'] },
    { to: 'consumerLogs', actions: ['logs:FilterLogEvents'] },
  ],
  settings: ['baseUrl', 'privateTargets'],
}));

export const deleteProperty = /* @__PURE__ */ entry(() => ({
  ...taskFunction,
  // The stack that has the schedules.
  stack: 'export',
  source: 'auth/delete-property',
  summary: 'Delete a property with all of its data, for an operator',
  trigger: { kind: 'invoke' },
  access: [
    { to: 'credentials', actions: [...table.read, ...table.update, ...table.delete] },
    { to: 'table', actions: [...table.scan, ...table.delete] },
    { to: 'auditLog', actions: [...table.insert] },
    { to: 'uploads', actions: ['s3:ListBucket', 's3:DeleteObject'] },
    { to: 'work', actions: ['s3:ListBucket', 's3:DeleteObject'] },
    { to: 'exports', actions: ['s3:ListBucket', 's3:DeleteObject'] },
    { to: 'exportSchedules', actions: ['scheduler:DeleteSchedule'] },
  ],
}));

export const seed = /* @__PURE__ */ entry(() => ({
  stack: 'api',
  localOnly: true,
  memoryMb: 1769,
  timeoutSeconds: 60,
  source: 'auth/seed',
  summary: 'Create an account with known names and a known password, to try out the service',
  trigger: { kind: 'invoke' },
  access: [
    {
      to: 'credentials',
      actions: [...table.read, ...table.query, ...table.insert, ...table.update, ...table.increment],
    },
    { to: 'table', actions: [...table.insert] },
    { to: 'propertyKey', actions: ['kms:GenerateDataKey'] },
  ],
}));
