import { tableActions as table } from '../../shared/table/access.ts';
import { entry, taskFunction } from '../entry.ts';

export const advanceBrands = /* @__PURE__ */ entry(() => ({
  ...taskFunction,
  stack: 'data',
  source: 'brands/advance-brands',
  summary: 'Put a new version of the brand catalogue in place, property by property',
  trigger: { kind: 'schedule', expression: 'rate(1 minute)' },
  access: [
    {
      to: 'table',
      actions: [...table.read, ...table.query, ...table.insert, ...table.update, ...table.increment],
    },
  ],
  settings: ['clockMargin'],
  alarm: { severity: 'ticket', impact: 'A brand catalogue that was loaded does not take effect' },
}));
