import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { setEnricher } from '../../shared/enrichment/configure-enrichers.ts';
import { enrichmentMessage, openQuestion } from '../../shared/enrichment/enrichment-question.ts';
import type { Enricher } from '../../shared/enrichment/enrichers.ts';
import { importBatch } from '../../shared/imports/batches/import-batch.ts';
import { batchMessage } from '../../shared/imports/items/job-messages.ts';
import { hasTokens, openToken, sealTokens } from '../../shared/imports/rows/social-tokens.ts';
import { importOrigin } from '../../shared/profiles/profile-state.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { keys } from '../../shared/table/keys.ts';
import { NOW, scope } from '../profiles/harness.ts';
import { memoryKeys } from '../support/memory-keys.ts';
import {
  type ImportHarness,
  importHarness,
  simpleDefinition,
  withDefinition,
  ranFile,
} from './import-harness.ts';
import { definitionOf } from '../support/field-map.ts';

const CANARY = 'canary-0b51';
const key = scope.keys.tokens;

const withEnricher = async (asks: Enricher['asks'] = 'social_token'): Promise<ImportHarness> => {
  const harness = importHarness();
  await harness.table.put(keys.property(scope.id), { account: 1 });
  const stage = { baseUrl: 'https://api.example.test', privateTargets: 'none' } as const;
  await setEnricher(
    { table: harness.table, keyService: memoryKeys(), ids: systemIds, stage, pause: () => Promise.resolve() },
    { property: scope.id, name: 'network', url: 'https://n.example/', asks, tiers: ['social_network'] },
  );
  return harness;
};

/** What enrichers are to be asked, as queued since the last look. */
const questions = (harness: ImportHarness) =>
  harness.enrichments
    .takeBodies()
    .map((body) => openQuestion(scope, v.parse(enrichmentMessage, body)).question);

const objectsOf = async ({ work }: ImportHarness): Promise<string> => {
  const objects = await Promise.all(work.keys().map((name) => work.get(name)));
  return objects.map((bytes) => Buffer.from(bytes ?? []).toString('utf8')).join('\n');
};

describe('tokens of records', () => {
  it('are kept sealed, whatever they are, and come out as they were sent', () => {
    const values = ['t', '', null, 7, ['t'], { sealed: 't' }, { t: { t: [] } }, 'x'.repeat(10_000), '\ud800'];
    const records = [...values.map((social_token) => ({ email: 'a@b.co', social_token })), {}, null, 'x', []];
    const sealed = sealTokens(key, systemIds, records);
    for (const record of sealed.slice(0, values.length))
      expect(JSON.stringify(record)).toMatch(/^\{"email":"a@b.co","social_token":\{"sealed":"[\w+/=]+"\}\}$/);
    expect(sealed.map((record) => openToken(key, record))).toEqual(records);
    expect(() => openToken(new Uint8Array(32), sealed[0])).toThrow('does not open');
    expect([hasTokens([{}, null, 'social_token']), hasTokens([{}, records[2]])]).toEqual([false, true]);
  });

  it('accepted before they were sealed are read as they are', () => {
    expect(openToken(key, { social_token: 't' })).toEqual({ social_token: 't' });
  });
});

describe('a batch with social tokens', () => {
  const records = [
    { email: 'a@b.co', social_token: CANARY },
    { email: 'b@b.co' },
    { email: 'wrong', social_token: CANARY },
    { email: 'c@b.co', social_token: CANARY.repeat(400) },
    { email: 'd@b.co', social_token: { of: CANARY } },
  ];

  it('keeps none of them in the open, and asks about those that are stored', async () => {
    const harness = await withEnricher();
    const { id } = await harness.define();
    const job = await harness.openJob(id);
    await harness.send(job.id, records, { skip_appends: true });
    expect(await objectsOf(harness)).toContain('b@b.co');
    expect(await objectsOf(harness)).not.toContain(CANARY);
    await harness.workOff();
    expect(questions(harness)).toEqual([
      {
        enricher: 'network',
        identities: [{ kind: 'email', value: 'a@b.co' }],
        token: CANARY,
        stamp: stampOf(NOW, 1),
        skipAppends: true,
        origin: importOrigin(id, job.id),
      },
    ]);
    expect(await objectsOf(harness)).not.toContain(CANARY);
    expect(JSON.stringify(harness.table.items())).not.toContain(CANARY);
  });

  it('is refused by the same rules as ever, its tokens hidden in the report', async () => {
    const { harness, id } = await withDefinition();
    const job = await harness.openJob(id);
    await harness.store(job.id, records);
    const { errors } = await harness.readErrors(id, job.id);
    const shown = (email: string) => JSON.stringify({ email, social_token: '[hidden]' });
    expect(errors).toMatchObject([
      { row: 3, field: 'email', code: 'not_an_email', record: shown('wrong') },
      { row: 4, field: 'social_token', code: 'too_long', record: shown('c@b.co') },
      { row: 5, field: 'social_token', code: 'wrong_type', record: shown('d@b.co') },
    ]);
    expect(harness.enrichments.take()).toEqual([]);
  });

  it('asks nothing in test mode', async () => {
    const harness = await withEnricher();
    const { id } = await harness.define({ ...simpleDefinition, test_mode: true });
    const job = await harness.openJob(id);
    await harness.store(job.id, records);
    expect(harness.enrichments.take()).toEqual([]);
  });

  it('asks about its new people although it died before it could, and about the others not again', async () => {
    const harness = await withEnricher('identity');
    const { id } = await harness.define();
    const job = await harness.openJob(id);
    await harness.store(job.id, [{ email: 'old@b.co' }]);
    harness.enrichments.take();
    await harness.send(job.id, [{ email: 'old@b.co' }, { email: 'new@b.co' }, { email: 'new@b.co' }]);
    const message = v.parse(batchMessage, harness.batches.takeBodies()[0]);
    const { enrichment } = harness.deps;
    const dying = { ...enrichment, request: () => Promise.reject(new Error('killed')) };
    await expect(importBatch({ ...harness.deps, enrichment: dying }, message)).rejects.toThrow('killed');
    await harness.importBatch(message);
    expect(questions(harness)).toMatchObject([
      { identities: [{ value: 'new@b.co' }], stamp: stampOf(NOW, 2), skipAppends: false },
    ]);
  });
});

describe('rows of a file with a column of social tokens', () => {
  const definition = (delimiter: string) =>
    definitionOf(
      [
        ...simpleDefinition.mapping_fields.field_maps,
        {
          sources: ['token', 'rest'].map((name) => ({ type: 'source_field', name })),
          target_field: 'social_token',
        },
      ],
      { required_fields: ['email'], delimiter },
    );
  const reported = async (delimiter: 'comma' | 'pipe', rows: readonly string[]) => {
    const harness = await withEnricher();
    const { id } = await harness.define(definition(delimiter));
    const separator = delimiter === 'pipe' ? '|' : ',';
    const header = ['email', 'token', 'first_name', 'rest'].join(separator);
    const job = await harness.runFile(id, [header, ...rows].join('\n'));
    const { errors } = await harness.readErrors(id, job.id);
    return { records: errors.map(({ record }) => record), asked: questions(harness), harness };
  };

  it('are asked about with the cells joined, and shown without them', async () => {
    const { records, asked, harness } = await reported('comma', [
      `a@b.co,${CANARY},Ann,more`,
      `wrong,${CANARY},"Ann, ""A""",`,
      `wrong,"${CANARY}, x",Ann,${CANARY}`,
      `wrong,,Ann,`,
    ]);
    expect(asked).toMatchObject([{ token: `${CANARY} more`, identities: [{ value: 'a@b.co' }] }]);
    expect(records).toEqual(['wrong,[hidden],"Ann, ""A""",', 'wrong,[hidden],Ann,[hidden]', 'wrong,,Ann,']);
    expect(await objectsOf(harness)).not.toContain(CANARY);
  });

  it('are hidden whole where their cells cannot be told apart', async () => {
    const { records } = await reported('pipe', [
      `wrong|x"${CANARY}|Ann|`,
      `wrong|"x"${CANARY}|Ann|`,
      `wrong|x|Ann|${CANARY}|${CANARY}`,
      `wrong|${CANARY}`,
      `wrong,${CANARY},Ann,`,
      `wrong|${CANARY}|A,n"n|`,
    ]);
    expect(records).toEqual(Array.from({ length: 6 }, () => '[hidden]'));
  });

  it('are shown as they came where the definition takes no token', async () => {
    const { errors } = await ranFile(`email,first_name,token\nwrong,"A",${CANARY}`);
    expect(errors).toMatchObject([{ record: `wrong,"A",${CANARY}` }]);
  });
});
