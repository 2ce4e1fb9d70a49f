import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { provenanceOf } from '../../shared/profiles/provenance.ts';
import { tombstoneItem } from '../../shared/profiles/tombstone.ts';
import { keys } from '../../shared/table/keys.ts';
import type { SendOutcome } from '../../shared/webhooks/sender.ts';
import { accepted, NOW, scope } from '../profiles/harness.ts';
import { dyingAnywhere } from '../support/death.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { answered, answering, enrichmentHarness, social } from './harness.ts';

const TOKEN = 'token-canary';
const ann = accepted({ email: 'ann@b.co', full_name: 'Ann', social_token: TOKEN });
const known = social({ social_id: 's-1', full_name: 'Ann of the network', gender: 'f' });

const setUp = async (table?: MemoryTable) => {
  const harness = await enrichmentHarness(table);
  const set = await harness.set();
  if (!set.ok || set.value.secret === undefined) throw new Error('no secret');
  return { ...harness, secret: set.value.secret };
};

/** A harness with a question about Ann, to which the enricher gives these values. */
const askedAboutAnn = async (...values: Parameters<typeof answering>) => {
  const harness = await setUp();
  await harness.store([ann]);
  harness.network.answer = answering(...values);
  return harness;
};
type Harness = Awaited<ReturnType<typeof enrichmentHarness>>;

const find = ({ profiles }: Harness, kind: 'email' | 'social_id', value: string) =>
  profiles.findByIdentity(scope, { kind, value });

/** Puts a tombstone in the place of the only profile. */
const forget = ({ table }: Harness): Promise<void> =>
  table.put(keys.profile(scope.id, 0), tombstoneItem(`${NOW + 1}.000000000`, null));
const profileItems = ({ table }: Harness): string =>
  JSON.stringify(table.items().filter(({ pk }) => pk.startsWith('P#7#B#')));

describe('a record with a social token', () => {
  it('the service asks about a record with a social token in a signed call, and stores the answer at the granted trust', async () => {
    const harness = await askedAboutAnn(known);
    harness.time.now = Date.now();
    await harness.work();
    const [call] = harness.calls;
    expect(new Webhook(harness.secret).verify(call?.body ?? '', { ...call?.headers })).toEqual({
      type: 'enrichment.requested',
      request_id: call?.headers['webhook-id'],
      property_id: scope.id,
      social_token: TOKEN,
      identities: { email: 'ann@b.co' },
    });
    const found = await find(harness, 'social_id', 's-1');
    expect(found?.fields).toMatchObject({
      email: 'ann@b.co',
      social_id: 's-1',
      full_name: 'Ann',
      gender: 'f',
    });
    expect(harness.drains).toEqual([[0]]);
    expect(harness.logged()).toEqual([['enrichment.done', 'answered', 1]]);
  });

  it('is stored and sent nowhere in the open, and logged nowhere', async () => {
    const harness = await setUp();
    await harness.store([ann]);
    const [message] = harness.queue.take();
    for (const hidden of [TOKEN, 'ann@b.co', 'network']) expect(message?.body).not.toContain(hidden);
    harness.network.answer = answering(known, { tier: TOKEN, fields: {} }, social({ [TOKEN]: TOKEN }));
    if (message) await harness.deliver(message);
    expect(JSON.stringify(harness.table.items())).not.toContain(TOKEN);
    expect(harness.lines.join('')).not.toContain(TOKEN);
    expect(harness.lines).toHaveLength(3);
  });

  it('delivered again, and queued again, changes nothing and is asked under the same id', async () => {
    const harness = await askedAboutAnn(known);
    const [message] = await harness.work();
    const before = profileItems(harness);
    await harness.store([ann]);
    await harness.work();
    if (message) await harness.deliver(message);
    expect(profileItems(harness)).toBe(before);
    expect(harness.calls).toHaveLength(3);
    expect(new Set(harness.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('leaves the identities of the record to the record', async () => {
    const harness = await askedAboutAnn(known);
    await harness.work();
    const whole = await harness.profiles.readWithState(scope.id, 0);
    if (!whole) throw new Error('no profile');
    expect(provenanceOf(whole.state).fields).toMatchObject({
      email: [{ source: 'api', tier: 'stated' }],
      social_id: [{ source: 'enricher:network', tier: 'stated' }],
      gender: [{ source: 'enricher:network', tier: 'social_network' }],
    });
  });

  it('an answer older than later values of the enricher changes only the values that were not set since', async () => {
    const harness = await setUp();
    await harness.store([ann]);
    const [old] = harness.queue.take();
    await harness.store([accepted({ email: 'ann@b.co', social_token: 'newer' }, 1)]);
    harness.network.answer = answering(social({ gender: 'm' }));
    await harness.work();
    harness.network.answer = answering(social({ gender: 'f', state: 'TX' }));
    if (old) await harness.deliver(old);
    expect((await find(harness, 'email', 'ann@b.co'))?.fields).toMatchObject({ gender: 'm', state: 'TX' });
  });

  it.each<[string, string, (harness: Harness) => Promise<unknown>]>([
    ['once nobody asks', 'removed', ({ table }) => table.put(keys.enrichers(scope.id), { enrichers: [] })],
    ['once its enricher takes identities', 'removed', ({ set }) => set({ asks: 'identity' })],
    ['once the person is not there any more', 'gone', forget],
  ])('is not asked about %s', async (_, outcome, change) => {
    const harness = await askedAboutAnn();
    await change(harness);
    await harness.work();
    expect([harness.calls.length, harness.logged()]).toEqual([0, [['enrichment.done', outcome]]]);
  });

  it('of somebody who is forgotten while the enricher thinks leaves nothing', async () => {
    const harness = await askedAboutAnn(known);
    harness.network.meanwhile = () => forget(harness);
    await harness.work();
    expect(harness.logged()).toEqual([['enrichment.done', 'answered', 0]]);
    expect(await find(harness, 'social_id', 's-1')).toBeUndefined();
    expect(await find(harness, 'email', 'ann@b.co')).toBeUndefined();
  });
});

it('a record that has a social id gets the one that is answered as well', async () => {
  const harness = await setUp();
  await harness.store([accepted({ social_id: 's-0', social_token: TOKEN })]);
  harness.network.answer = answering(known, social({ social_id: '', city: 'Bonn' }));
  await harness.work();
  for (const value of ['s-0', 's-1'])
    expect((await find(harness, 'social_id', value))?.fields).toMatchObject({ gender: 'f', city: 'Bonn' });
});

describe('the answer of an enricher', () => {
  const failing: readonly (readonly [string, SendOutcome])[] = [
    ...[408, 425, 429, 500, 502, 503, 504].map((status) => [String(status), answered(status)] as const),
    ['nobody answers', { kind: 'failed', failure: 'unreachable', reason: 'connection failed: ECONNREFUSED' }],
    ['a private address', { kind: 'refused' }],
  ];
  it.each(failing)('%s: comes again', async (_, outcome) => {
    const harness = await setUp();
    await harness.store([ann]);
    harness.network.answer = outcome;
    await expect(harness.work()).rejects.toThrow('enrichment: network of 7: ');
  });

  const large: SendOutcome = { kind: 'answered', status: 200, retryAfter: undefined };
  const final: readonly (readonly [SendOutcome, string])[] = [
    ...[201, 202, 301, 307, 400, 401, 403, 404, 410, 422].map(
      (status) => [answered(status), `answered_${status}`] as const,
    ),
    [large, 'answer_too_large'],
    [answered(200), 'not_json'],
    [{ ...large, body: Buffer.from('{"values":{}}') }, 'wrong_shape'],
  ];
  it.each(final)('%j is final', async (outcome, code) => {
    const harness = await setUp();
    await harness.store([ann]);
    const before = profileItems(harness);
    harness.network.answer = outcome;
    await harness.work();
    expect(harness.logged()).toEqual([
      ['enrichment.refused', code],
      ['enrichment.done', 'refused'],
    ]);
    expect(profileItems(harness)).toBe(before);
  });

  it('that would take a profile over a limit is refused, and the rest is stored', async () => {
    const harness = await setUp();
    await harness.store([ann]);
    const likes = (from: number) =>
      social({ social_likes: Array.from({ length: 3_000 }, (_, index) => ({ id: `${from + index}` })) });
    harness.network.answer = answering(known, likes(0), likes(3_000));
    await harness.work();
    expect(harness.logged()).toEqual([
      ['enrichment.refused', 'too_many'],
      ['enrichment.done', 'answered', 2],
    ]);
    expect((await find(harness, 'social_id', 's-1'))?.likes).toHaveLength(3_000);
  });

  it('of a person of skipped appends is stored down to the social network, not below', async () => {
    const harness = await setUp();
    await harness.set({ tiers: ['professional_network', 'social_network', 'provider_1', 'provider_3'] });
    await harness.store([{ ...ann, skipAppends: true }]);
    harness.network.answer = answering(
      { tier: 'professional_network', fields: { education_level: 'PhD' } },
      social({ gender: 'f' }),
      {
        tier: 'provider_1',
        fields: { city: 'Bonn', tags: [{ datetime: '2026-01-01 00:00:00', tag: ['x'] }] },
      },
      { tier: 'provider_3', fields: { social_id: 's-9' } },
    );
    await harness.work();
    const found = await find(harness, 'social_id', 's-9');
    expect(found?.fields).toMatchObject({
      education_level: 'PhD',
      gender: 'f',
      city: null,
      social_id: 's-9',
    });
    expect(found?.tags).toEqual([]);
  });

  it('with a social id of somebody else leaves that to them', async () => {
    const harness = await setUp();
    await harness.store([accepted({ email: 'bea@b.co', social_id: 's-1' })]);
    await harness.store([ann]);
    harness.network.answer = answering(known);
    await harness.work();
    expect((await find(harness, 'email', 'ann@b.co'))?.fields).toMatchObject({
      social_id: null,
      gender: 'f',
    });
    expect((await find(harness, 'social_id', 's-1'))?.fields.email).toBe('bea@b.co');
  });
});

it('an enrichment cut off at any operation is finished by the next delivery', () =>
  dyingAnywhere({
    begin: async (tick) => {
      const harness = await setUp(new MemoryTable(tick));
      await harness.store([ann]);
      const [message] = harness.queue.take();
      if (!message) throw new Error('no message');
      harness.network.answer = answering(known);
      return { harness, message };
    },
    run: ({ harness, message }) => harness.deliver(message),
    check: async ({ harness, message }) => {
      await harness.deliver(message);
      expect((await find(harness, 'social_id', 's-1'))?.fields).toMatchObject({
        email: 'ann@b.co',
        gender: 'f',
      });
    },
  }));
