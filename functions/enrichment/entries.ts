import { taskFunction, entry } from '../entry.ts';

export const enrich = /* @__PURE__ */ entry(() => ({
  ...taskFunction('data'),
  source: 'enrichment/enrich',
  summary: 'Ask an enricher about a person and store the answer',
  // Ten questions of ten seconds in sequence, and the same time for storing the answers.
  timeoutSeconds: 200,
  // Together with the workers of imports this stays well below the throughput of a table. An overloaded enricher answers 429.
  trigger: { kind: 'queue', queue: 'enrichments', batchSize: 10, maxConcurrency: 20, backlog: true },
  access: {
    // A pointer from a name ends when the name or the town changes.
    table: ['read', 'query', 'insert', 'update', 'delete', 'increment'],
    work: ['put'],
    drains: ['send'],
    propertyKey: ['decrypt'],
  },
  settings: ['privateTargets', 'deflateProfiles'],
  alarm: { severity: 'ticket', impact: 'People are not enriched' },
}));
