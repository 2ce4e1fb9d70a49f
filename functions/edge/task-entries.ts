import { entry, taskFunction } from '../entry.ts';

export const canary = /* @__PURE__ */ entry(() => ({
  ...taskFunction('api'),
  source: 'edge/canary',
  summary: 'Call the service at its public address, as a client does',
  memoryMb: 256,
  timeoutSeconds: 30,
  trigger: { kind: 'schedule', expression: 'rate(5 minutes)' },
  access: {},
  settings: ['baseUrl'],
  alarm: { severity: 'page', impact: 'Clients do not reach the service at its address' },
}));
