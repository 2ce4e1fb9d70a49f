import { beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { cachedEnrichers, readEnrichers, secretContext } from '../../shared/enrichment/enrichers.ts';
import { authHarness, makeAccount, must, type AuthHarness } from '../auth/harness.ts';

let harness: AuthHarness;
let property: number;
beforeEach(async () => {
  harness = authHarness();
  ({ property } = await makeAccount(harness, 'demo'));
});

const wanted = (more: object = {}) => ({
  command: 'enricher.set',
  property,
  name: 'crm',
  url: 'https://crm.example/enrich',
  asks: 'identity',
  tiers: ['provider_1'],
  ...more,
});
const list = async () => must(await harness.run({ command: 'enricher.list', property }))['enrichers'];

describe('an enricher', () => {
  it('is shown without its secret, which is answered once and stored wrapped', async () => {
    const { secret } = must(await harness.run(wanted()));
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(await list()).toEqual([
      { name: 'crm', asks: 'identity', tiers: ['provider_1'], url: 'https://crm.example/enrich' },
    ]);
    const enrichers = await readEnrichers(harness.table, property);
    const wrapped = enrichers[0]?.secret ?? new Uint8Array();
    const plain = await harness.deps.keyService.decrypt(wrapped, secretContext(property, 'crm'));
    expect(`whsec_${Buffer.from(plain).toString('base64')}`).toBe(secret);
    await expect(
      harness.deps.keyService.decrypt(wrapped, secretContext(property, 'other')),
    ).rejects.toThrow();
  });

  it('keeps its secret when it is changed, and gets another when it is made anew', async () => {
    const { secret } = must(await harness.run(wanted()));
    expect(
      must(await harness.run(wanted({ asks: 'social_token', tiers: ['provider_2', 'provider_2'] }))),
    ).toEqual({
      ok: true,
      enricher: 'crm',
    });
    expect(await list()).toMatchObject([{ asks: 'social_token', tiers: ['provider_2'] }]);
    must(await harness.run({ command: 'enricher.remove', property, name: 'crm' }));
    expect(await list()).toEqual([]);
    expect(must(await harness.run(wanted()))['secret']).not.toBe(secret);
  });

  it('is one of ten of a property, however many are made at once', async () => {
    const names = Array.from({ length: limits.enrichment.enrichers - 2 }, (_, index) => `e${index}`);
    for (const name of names) must(await harness.run(wanted({ name })));
    const racing = ['a', 'b', 'c', 'd'].map((name) => harness.run(wanted({ name })));
    const answers = await Promise.all(racing);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(2);
    for (const answer of answers) if (!answer.ok) expect(answer.error.code).toBe('full');
    must(await harness.run(wanted({ name: 'e0', asks: 'social_token' })));
    expect(await list()).toHaveLength(limits.enrichment.enrichers);
  });

  it('is known to others within half a minute', async () => {
    const known = cachedEnrichers(harness.deps);
    expect(await known(property)).toEqual([]);
    must(await harness.run(wanted()));
    expect(await known(property)).toEqual([]);
    harness.time.now += 30_000;
    expect(await known(property)).toMatchObject([{ name: 'crm' }]);
  });

  it.each([
    [{ property: 4711 }, 'unknown_property'],
    [{ url: 'http://crm.example/' }, 'refused_url'],
    [{ url: 'https://10.0.0.1/' }, 'refused_url'],
    [{ url: 'https://user:pw@crm.example/' }, 'refused_url'],
    [{ url: 'https://api.example.test/v1' }, 'refused_url'],
    [{ url: 'crm.example' }, 'refused_url'],
    [{ url: `https://crm.example/${'x'.repeat(2_048)}` }, 'invalid'],
    [{ name: '' }, 'invalid'],
    [{ name: 'A' }, 'invalid'],
    [{ name: 'a b' }, 'invalid'],
    [{ name: 'a'.repeat(51) }, 'invalid'],
    [{ asks: 'email' }, 'invalid'],
    [{ tiers: [] }, 'invalid'],
    [{ tiers: ['stated'] }, 'invalid'],
    [{ tiers: ['third_party'] }, 'invalid'],
    [{ tiers: 'provider_1' }, 'invalid'],
    [{ secret: 'whsec_x' }, 'invalid'],
  ])('%j is refused', async (more, code) => {
    const size = harness.table.items().length;
    expect(await harness.run(wanted(more))).toMatchObject({ ok: false, error: { code } });
    expect(harness.table.items()).toHaveLength(size);
  });

  it('that is not there cannot be removed, nor shown for a property that is not', async () => {
    expect(await harness.run({ command: 'enricher.remove', property, name: 'crm' })).toMatchObject({
      error: { code: 'unknown_enricher' },
    });
    expect(await harness.run({ command: 'enricher.list', property: 4711 })).toMatchObject({
      error: { code: 'unknown_property' },
    });
  });
});
