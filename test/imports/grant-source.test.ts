import { beforeEach, describe, expect, it } from 'vitest';
import { listImports, getImport } from '../../shared/imports/definitions/read-imports.ts';
import { importBatch } from '../../shared/imports/batches/import-batch.ts';
import { importAnswer, importsAnswer } from '../../shared/imports/schemas/definition-schemas.ts';
import { provenanceOf } from '../../shared/profiles/provenance.ts';
import { authHarness, type AuthHarness } from '../auth/harness.ts';
import { scope } from '../profiles/harness.ts';
import { type ImportHarness, importHarness, request, simpleDefinition } from './import-harness.ts';
import { answered } from '../support/requests.ts';

let harness: ImportHarness;
let operator: AuthHarness;
let importId: number;
let job: number;

const grant = (tier: string) =>
  operator.run({ command: 'import.grant', property: scope.id, import: importId, tier });
const revoke = () => operator.run({ command: 'import.revoke', property: scope.id, import: importId });

/** Tiers of the stored first names of a person, the most trusted first, and of their email address. */
const tiersOf = async (email: string) => {
  const owner = await harness.profiles.findOwner(scope, { kind: 'email', value: email });
  const whole = owner === undefined ? undefined : await harness.profiles.readWithState(scope.id, owner);
  if (!whole) throw new Error('nobody is there');
  const { fields } = provenanceOf(whole.state);
  return { first_name: fields['first_name']?.map(({ tier }) => tier), email: fields['email']?.[0]?.tier };
};

beforeEach(async () => {
  harness = importHarness();
  operator = authHarness({ table: harness.table });
  importId = (await harness.define()).id;
  job = (await harness.openJob(importId)).id;
});

describe('a grant of the operator', () => {
  it('gives the records of a definition its trust, but for identities and what names its own', async () => {
    expect(await grant('provider_1')).toEqual({ ok: true, import: importId, granted_tier: 'provider_1' });
    await harness.store(job, [
      { email: 'a@x.org', first_name: 'A' },
      { email: 'b@x.org', first_name: 'B', attribute_source: 'third_party' },
      { email: 'c@x.org', first_name: 'C', attribute_source: 'stated' },
    ]);
    expect(await tiersOf('a@x.org')).toEqual({ first_name: ['provider_1'], email: 'stated' });
    expect(await tiersOf('b@x.org')).toEqual({ first_name: ['third_party'], email: 'stated' });
    expect(await tiersOf('c@x.org')).toEqual({ first_name: ['stated'], email: 'stated' });
  });

  it.each(['professional_network', 'social_network', 'provider_2', 'provider_3'])(
    'may be of %s, in the place of what the definition says',
    async (tier) => {
      importId = (await harness.define({ ...simpleDefinition, attribute_source: 'third_party' })).id;
      await grant(tier);
      await harness.runFile(importId, 'email,first_name\na@x.org,A\n');
      expect(await tiersOf('a@x.org')).toEqual({ first_name: [tier], email: 'stated' });
    },
  );

  it('is shown with the definition, and gone when it is revoked', async () => {
    const shown = async () => {
      const read = getImport(harness.deps, request({ import_id: importId }, {}, undefined));
      const list = listImports(harness.deps, request({}, { limit: undefined, cursor: undefined }, undefined));
      const { granted_tier } = await answered(read, importAnswer);
      const { imports } = await answered(list, importsAnswer);
      return [granted_tier, ...imports.map((one) => one.granted_tier)];
    };
    expect(await shown()).toEqual([null, null]);
    await grant('provider_2');
    await grant('provider_3');
    expect(await shown()).toEqual(['provider_3', 'provider_3']);
    expect(await revoke()).toEqual({ ok: true, import: importId, granted_tier: null });
    expect(await shown()).toEqual([null, null]);
    await harness.store(job, [{ email: 'a@x.org', first_name: 'A' }]);
    expect(await tiersOf('a@x.org')).toMatchObject({ first_name: ['stated'] });
  });

  it('leaves alone what was accepted before, however late and often it is worked off', async () => {
    const { batch_job_uuid: batch } = await harness.send(job, [{ email: 'a@x.org', first_name: 'A' }]);
    await grant('provider_1');
    const message = { v: 1, property: scope.id, job, batch } as const;
    const dying = { ...harness.deps.imports, finishBatch: () => Promise.reject(new Error('killed')) };
    await expect(importBatch({ ...harness.deps, imports: dying }, message)).rejects.toThrow('killed');
    await revoke();
    await grant('social_network');
    await harness.importBatch(message);
    expect(await tiersOf('a@x.org')).toMatchObject({ first_name: ['stated'] });
  });

  it('holds for whole files: one that was looked at before keeps its trust to the last row', async () => {
    const { reference } = await harness.uploadInspected(importId, 'email,first_name\na@x.org,A\n');
    await grant('provider_1');
    await harness.splitFile(reference);
    await harness.workOff();
    expect(await tiersOf('a@x.org')).toMatchObject({ first_name: ['stated'] });
  });

  it('is refused for what is no definition of the property, and makes none', async () => {
    const before = harness.table.items().length;
    for (const id of [importId + 1, 8_000_000_001, 1]) {
      importId = id;
      for (const answer of [await grant('provider_1'), await revoke()])
        expect(answer).toMatchObject({ ok: false, error: { code: 'unknown_import' } });
    }
    expect(harness.table.items()).toHaveLength(before);
  });
});
