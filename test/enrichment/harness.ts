import * as v from 'valibot';
import { setEnricher } from '../../shared/enrichment/configure-enrichers.ts';
import { secretOpener } from '../../shared/enrichment/ask-enricher.ts';
import { enrich, type EnrichDeps } from '../../shared/enrichment/enrich.ts';
import {
  cachedEnrichers,
  enrichmentOf,
  readEnrichers,
  type Enricher,
} from '../../shared/enrichment/enrichers.ts';
import { enrichmentMessage } from '../../shared/enrichment/enrichment-question.ts';
import { applyRecords } from '../../shared/ingest/apply-records.ts';
import type { AcceptedRecord } from '../../shared/profiles/contribution.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { logTo } from '../../shared/runtime/log.ts';
import type { QueueMessage } from '../../shared/runtime/ports.ts';
import { keys } from '../../shared/table/keys.ts';
import type { SendOutcome, WebhookCall } from '../../shared/webhooks/sender.ts';
import { NOW, scope, harnessOn } from '../profiles/harness.ts';
import { memoryKeys } from '../support/memory-keys.ts';
import { MemoryQueue } from '../support/memory-queue.ts';
import { MemoryTable } from '../support/memory-table.ts';

/** An answer of 200 with these values. */
export const answering = (...values: readonly unknown[]): SendOutcome => ({
  kind: 'answered',
  status: 200,
  retryAfter: undefined,
  body: Buffer.from(JSON.stringify({ values })),
});

/** An answer without a body. */
export const answered = (status: number): SendOutcome => ({
  kind: 'answered',
  status,
  retryAfter: undefined,
  body: Buffer.alloc(0),
});

/** The network's word of a person, at the trust that the enrichers of this harness have. */
export const social = (fields: Readonly<Record<string, unknown>>) => ({ tier: 'social_network', fields });

/** A property whose records are enriched, on a table in memory. The test sets the answers of enrichers. */
export const enrichmentHarness = async (table = new MemoryTable()) => {
  const profiles = harnessOn(table);
  const time = { now: NOW };
  const queue = new MemoryQueue();
  const calls: WebhookCall[] = [];
  const lines: string[] = [];
  const drains: (readonly number[])[] = [];
  /** The answers of enrichers, and the events that happen before they answer. */
  const network = { answer: answered(204), meanwhile: () => Promise.resolve() };
  const keyService = memoryKeys();
  await table.put(keys.property(scope.id), { account: 1 });
  const stage = { baseUrl: 'https://api.example.test', privateTargets: 'none' } as const;
  const clock = () => time.now;
  const set = (wanted: Partial<Omit<Enricher, 'secret'>> = {}) =>
    setEnricher(
      { table, keyService, ids: systemIds, stage, pause: () => Promise.resolve() },
      {
        property: scope.id,
        name: 'network',
        url: 'https://network.example/',
        asks: 'social_token',
        tiers: ['social_network'],
        ...wanted,
      },
    );
  const enrichment = enrichmentOf({ enrichers: cachedEnrichers({ table, clock }), queue, ids: systemIds });
  const deps: EnrichDeps = {
    scopeOf: () => Promise.resolve(scope),
    enrichersOf: (property) => readEnrichers(table, property),
    findPerson: (where, identity) => profiles.profiles.findByIdentity(where, identity),
    send: async (call) => {
      calls.push(call);
      await network.meanwhile();
      return network.answer;
    },
    secretOf: secretOpener(keyService),
    store: (where, records, attemptId) =>
      applyRecords(profiles.deps, where, records, { attemptId, index: 'later' }),
    requestDrains: (_, groups) => Promise.resolve(void drains.push(groups)),
    clock,
    ids: systemIds,
    log: logTo((line) => void lines.push(line)),
  };
  /** Stores records and queues their questions, as the routes do. */
  const store = async (records: readonly AcceptedRecord[]) => {
    const outcomes = await profiles.apply(records);
    await enrichment.request(scope, records, outcomes);
    return outcomes;
  };
  const deliver = ({ body }: QueueMessage) => enrich(deps, v.parse(enrichmentMessage, JSON.parse(body)));
  /** Delivers all queued messages, and returns them. */
  const work = async (): Promise<readonly QueueMessage[]> => {
    const messages = queue.take();
    for (const message of messages) await deliver(message);
    return messages;
  };
  /** Codes of refusals, and outcomes of questions. */
  const logged = (): readonly unknown[] =>
    lines.map((line) => {
      const { code, outcome, count } = v.parse(v.looseObject({ code: v.string() }), JSON.parse(line));
      return [code, outcome, ...(count === undefined ? [] : [count])];
    });
  return {
    ...profiles,
    time,
    queue,
    calls,
    lines,
    drains,
    network,
    set,
    enrichment,
    store,
    deliver,
    work,
    logged,
  };
};
