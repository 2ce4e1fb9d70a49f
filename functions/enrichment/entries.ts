import { tableActions as table } from '../../shared/table/access.ts';
import { taskFunction, entry } from '../entry.ts';

export const enrich = entry({
  ...taskFunction,
  stack: 'data',
  source: 'enrichment/enrich',
  summary: 'Ask an enricher about a person and store what it answers',
  // Ten questions of ten seconds, one after the other, and as long again for storing the answers.
  timeoutSeconds: 200,
  // Together with the workers of imports well below what a table takes; enrichers say 429 when it is too much for them.
  trigger: { kind: 'queue', queue: 'enrichments', batchSize: 10, maxConcurrency: 20 },
  access: [
    { to: 'table', actions: [...table.read, ...table.insert, ...table.update, ...table.increment] },
    { to: 'drains', actions: ['sqs:SendMessage'] },
    { to: 'enrichments', actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'] },
    { to: 'propertyKey', actions: ['kms:Decrypt'] },
  ],
  settings: ['privateTargets'],
  impact: 'People are not enriched',
});
