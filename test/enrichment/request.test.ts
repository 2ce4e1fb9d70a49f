import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { enrichmentMessage, messageOf, openQuestion } from '../../shared/enrichment/enrichment-question.ts';
import { questionsOf, type Enricher } from '../../shared/enrichment/enrichers.ts';
import type { AcceptedRecord } from '../../shared/profiles/contribution.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import type { QueueMessage } from '../../shared/runtime/ports.ts';
import { accepted, NOW, scope } from '../profiles/harness.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { enrichmentHarness } from './harness.ts';

const enricher = (name: string, asks: Enricher['asks']): Enricher => ({
  name,
  asks,
  url: 'https://network.example/',
  tiers: ['social_network'],
  secret: new Uint8Array(),
});
const both = [enricher('network', 'social_token'), enricher('crm', 'identity')];
const stamp = stampOf(NOW, 9);
const open = ({ body }: QueueMessage) => openQuestion(scope, v.parse(enrichmentMessage, JSON.parse(body)));

describe('enrichment requests', () => {
  const plain = accepted({ email: 'a@b.co' });
  const token = accepted({ unique_id: 'u', email: 'a@b.co', social_token: 't' });
  const created = { kind: 'created', ordinal: 0, stamp, warnings: [] } as const;
  const updated = { ...created, kind: 'updated' } as const;
  const names = (record: AcceptedRecord, outcome: Parameters<typeof questionsOf>[2]) =>
    questionsOf(both, record, outcome).map((question) => question.enricher);

  it('depends on whether a record carries a token, and whether it made its person', () => {
    expect(names(plain, created)).toEqual(['crm']);
    expect(names(plain, updated)).toEqual([]);
    expect(names(token, created)).toEqual(['network', 'crm']);
    expect(names(token, updated)).toEqual(['network']);
    expect(names(token, { kind: 'forgotten', warnings: [] })).toEqual([]);
    const refusal = { field: null, code: 'too_many', message: '' } as const;
    expect(names(token, { kind: 'refused', refusal })).toEqual([]);
  });

  it('has the identities of the record, the stamp it was stored with, and the token only for who takes it', () => {
    const identities = [
      { kind: 'unique_id', value: 'u' },
      { kind: 'email', value: 'a@b.co' },
    ];
    expect(questionsOf(both, { ...token, skipAppends: true }, created)).toEqual([
      { enricher: 'network', identities, token: 't', stamp, skipAppends: true, origin: 'api' },
      { enricher: 'crm', identities, stamp, skipAppends: true, origin: 'api' },
    ]);
  });

  it('waits in the queue sealed, opens for its property alone, and has one id', () => {
    const [question] = questionsOf(both, token, created);
    if (!question) throw new Error('no question');
    const messages = [messageOf(scope, systemIds, question), messageOf(scope, systemIds, question)];
    expect(messages[0]?.body).not.toBe(messages[1]?.body);
    expect(messages.map((message) => open(message).question)).toEqual([question, question]);
    const ids = messages.map((message) => open(message).id);
    expect(ids[0]).toMatch(/^enr_[\w-]{32}$/);
    expect(ids[1]).toBe(ids[0]);
    const other = messageOf(scope, systemIds, { ...question, token: 'u' });
    expect(open(other).id).not.toBe(ids[0]);
    const message = v.parse(enrichmentMessage, JSON.parse(messages[0]?.body ?? ''));
    const foreign = { ...scope, keys: { ...scope.keys, tokens: new Uint8Array(32) } };
    expect(() => openQuestion(foreign, message)).toThrow('does not open');
    const changed = message.sealed.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
    expect(() => openQuestion(scope, { ...message, sealed: changed })).toThrow('does not open');
  });
});

describe('asking about stored records', () => {
  it('costs no read per record, and knows of a change within half a minute', async () => {
    let reads = 0;
    const table = new MemoryTable((operation, [key]) => {
      if (operation === 'get' && key?.sk === 'ENRICHERS') reads += 1;
    });
    const harness = await enrichmentHarness(table);
    const records = Array.from({ length: 50 }, (_, order) =>
      accepted({ email: `${order}@b.co`, social_token: 't' }, order),
    );
    for (const record of records) await harness.store([record]);
    expect([reads, harness.queue.take().length]).toEqual([1, 0]);
    await harness.set();
    harness.time.now += 30_000;
    reads = 0;
    for (const record of records) await harness.store([record]);
    expect([reads, harness.queue.take().length]).toEqual([1, 50]);
  });

  it('asks about a new person again when their record is stored again, and about nobody else', async () => {
    const harness = await enrichmentHarness();
    await harness.set({ name: 'crm', asks: 'identity' });
    expect(await harness.enrichment.asksAboutNew(scope.id)).toBe(true);
    const first = accepted({ email: 'a@b.co', gender: 'f' }, 0, { trace: 'batch#1' });
    const second = accepted({ email: 'a@b.co', gender: 'm' }, 1, { trace: 'batch#2' });
    const asked = async (...records: readonly AcceptedRecord[]) => {
      await harness.store(records);
      return harness.queue.take().map((message) => open(message).question.stamp);
    };
    expect(await asked(first, second)).toEqual([first.stamp]);
    expect(await asked(second)).toEqual([]);
    expect(await asked(accepted({ email: 'a@b.co' }, 2))).toEqual([]);
    expect(await asked(first, second)).toEqual([first.stamp]);
  });

  it('needs no traces where nobody asks about new people', async () => {
    const harness = await enrichmentHarness();
    await harness.set();
    expect(await harness.enrichment.asksAboutNew(scope.id)).toBe(false);
  });
});
