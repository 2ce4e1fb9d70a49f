import { queueActions } from '../../shared/runtime/queue-access.ts';
import { tableActions as table } from '../../shared/table/access.ts';
import { taskFunction, entry } from '../entry.ts';

export const enrich = /* @__PURE__ */ entry(() => ({
  ...taskFunction,
  stack: 'data',
  source: 'enrichment/enrich',
  summary: 'Ask an enricher about a person and store the answer',
  // Ten questions of ten seconds in sequence, and the same time for storing the answers.
  timeoutSeconds: 200,
  // Together with the workers of imports this stays well below the throughput of a table. An overloaded enricher answers 429.
  trigger: { kind: 'queue', queue: 'enrichments', batchSize: 10, maxConcurrency: 20, backlog: true },
  access: [
    {
      to: 'table',
      actions: [...table.read, ...table.query, ...table.insert, ...table.update, ...table.increment],
    },
    { to: 'work', actions: ['s3:PutObject'] },
    { to: 'drains', actions: [...queueActions.send] },
    { to: 'enrichments', actions: [...queueActions.consume] },
    { to: 'propertyKey', actions: ['kms:Decrypt'] },
  ],
  settings: ['privateTargets'],
  alarm: { severity: 'ticket', impact: 'People are not enriched' },
}));
