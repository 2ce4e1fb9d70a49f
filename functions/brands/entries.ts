import { entry, taskFunction } from '../entry.ts';

export const advanceBrands = /* @__PURE__ */ entry(() => ({
  ...taskFunction('data'),
  source: 'brands/advance-brands',
  summary: 'Put a new version of the brand catalogue in place, property by property',
  trigger: { kind: 'schedule', expression: 'rate(1 minute)' },
  access: {
    table: ['read', 'query', 'insert', 'update', 'increment'],
    drains: ['send'],
  },
  settings: ['clockMargin'],
  alarm: { severity: 'ticket', impact: 'A brand catalogue that was loaded does not take effect' },
}));
