/** Answers of enrichers beside undos and restatements of imports. */
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { enrich, type EnrichDeps } from '../../shared/enrichment/enrich.ts';
import { questionsOf, type Enricher } from '../../shared/enrichment/enrichers.ts';
import {
  enrichmentMessage,
  messageOf,
  type EnrichmentMessage,
} from '../../shared/enrichment/enrichment-question.ts';
import type { AcceptedRecord } from '../../shared/profiles/contribution.ts';
import { normalizeRecord } from '../../shared/profiles/normalize-record.ts';
import { importOrigin } from '../../shared/profiles/profile-state.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import { NOW, scope } from '../profiles/harness.ts';
import { answered, answering } from './harness.ts';
import { ofJob, said, storedStates, undoHarness } from '../ingest/undo-harness.ts';
import { MemoryObjects } from '../support/memory-objects.ts';
import { MemoryTable } from '../support/memory-table.ts';

const [FIRST = 0, SECOND = 0, THIRD = 0] = [11, 12, 13].map((job) => scopedId(scope.id, job));

const setUp = async (asks: Enricher['asks']) => {
  const enricher: Enricher = {
    ...{ name: 'network', url: 'https://network.example/', asks, tiers: ['social_network'] },
    secret: new Uint8Array(32),
  };
  const state = { answer: answered(204), dies: false, removed: false };
  /** The worker of answers dies behind its profile write, before it looks for what restated the profile. */
  const table = new (class extends MemoryTable {
    override query(...args: Parameters<MemoryTable['query']>) {
      if (state.dies && kindOfKey(args[0]) === 'restatement') throw new Error('killed');
      return super.query(...args);
    }
  })();
  const harness = undoHarness(table, new MemoryObjects());
  for (const job of [FIRST, SECOND, THIRD]) await harness.addJob(job);
  const profiles = profileRepository({ table });
  const deps: EnrichDeps = {
    scopeOf: () => Promise.resolve(scope),
    enrichersOf: () => Promise.resolve(state.removed ? [] : [enricher]),
    findPerson: (where, identity) => profiles.findByIdentity(where, identity),
    send: () => Promise.resolve(state.answer),
    secretOf: () => Promise.resolve(new Uint8Array(32)),
    store: (_, records) => harness.apply(records),
    requestDrains: () => Promise.resolve(),
    clock: () => NOW,
    ids: systemIds,
    log: () => undefined,
  };
  /** Stores a record, and returns the question that it raises. */
  const store = async (record: AcceptedRecord): Promise<EnrichmentMessage | undefined> => {
    const [outcome] = await harness.apply([record]);
    const [question] = questionsOf([enricher], record, outcome);
    return question && v.parse(enrichmentMessage, JSON.parse(messageOf(scope, systemIds, question).body));
  };
  const deliver = (message: EnrichmentMessage | undefined): Promise<void> => {
    if (!message) throw new Error('The record raised no question.');
    return enrich(deps, message);
  };
  const ownerOf = (email: string) => profiles.findOwner(scope, { kind: 'email', value: email });
  return { table, harness, state, store, deliver, ownerOf };
};

const knows = answering({ tier: 'social_network', fields: { gender: 'f' } });

it('an undone import leaves nobody whom only the import brought, with the address that only the import had', async () => {
  const { harness, state, store, deliver, ownerOf, table } = await setUp('identity');
  const question = await store(ofJob(FIRST, { email: 'bought@list.example' }, 1));
  state.answer = knows;
  await deliver(question);
  expect(await harness.undo(FIRST)).toBe(true);
  expect(said(storedStates(table))).toEqual([]);
  expect(await ownerOf('bought@list.example')).toBeUndefined();
});

it('an answer after the undo brings no address of the undone job back', async () => {
  const { harness, state, store, deliver, ownerOf } = await setUp('social_token');
  await store(ofJob(SECOND, { unique_id: 'u', city: 'Bonn' }, 1));
  const question = await store(
    ofJob(FIRST, { unique_id: 'u', email: 'wrong@list.example', social_token: 't' }, 2),
  );
  expect(await harness.undo(FIRST)).toBe(true);
  expect(await ownerOf('wrong@list.example')).toBeUndefined();
  state.answer = knows;
  await deliver(question);
  expect(await ownerOf('wrong@list.example')).toBeUndefined();
});

/** A record of a definition whose granted trust is that of the enricher. */
const trusted = (job: number, sent: Readonly<Record<string, unknown>>, order: number): AcceptedRecord => {
  const patch = normalizeRecord(sent, { now: NOW, tier: 3 });
  if (!patch.ok) throw new Error('not normal');
  return { patch: patch.value, stamp: stampOf(NOW, order), origin: importOrigin(7_001, job) };
};

/** A row that came twice, a question in between, and an older answer to it. */
const overtaken = async () => {
  const scene = await setUp('social_token');
  const row = { email: 'ann@example.org', city: 'Bonn' };
  await scene.store(trusted(FIRST, row, 1));
  const question = await scene.store(trusted(THIRD, { email: 'ann@example.org', social_token: 't' }, 4));
  await scene.store(trusted(SECOND, row, 6));
  scene.state.answer = answering({ tier: 'social_network', fields: { city: 'Ulm' } });
  return { ...scene, question };
};

it('an older answer hides no newer row that only repeated a value', async () => {
  const { deliver, question, table } = await overtaken();
  await deliver(question);
  expect(JSON.stringify(said(storedStates(table)))).toContain('Bonn');
});

it.each([
  ['204', answered(204)],
  ['a refusal', answered(400)],
])('nor does it when its worker died, and the next answer is %s', async (_, next) => {
  const { state, deliver, question, table } = await overtaken();
  state.dies = true;
  await expect(deliver(question)).rejects.toThrow('killed');
  expect(JSON.stringify(said(storedStates(table)))).toContain('Ulm');
  state.dies = false;
  state.answer = next;
  await deliver(question);
  expect(JSON.stringify(said(storedStates(table)))).toContain('Bonn');
});

it('nor does it when its worker died, and the enricher was removed', async () => {
  const { state, deliver, question, table } = await overtaken();
  state.dies = true;
  await expect(deliver(question)).rejects.toThrow('killed');
  state.dies = false;
  state.removed = true;
  await deliver(question);
  expect(JSON.stringify(said(storedStates(table)))).toContain('Bonn');
});

it('an answer about somebody whom another source knows stays through the undo', async () => {
  const { harness, state, store, deliver, table } = await setUp('social_token');
  await store(ofJob(SECOND, { unique_id: 'u', city: 'Bonn' }, 1));
  const question = await store(
    ofJob(FIRST, { unique_id: 'u', email: 'a@list.example', social_token: 't' }, 2),
  );
  state.answer = knows;
  await deliver(question);
  expect(await harness.undo(FIRST)).toBe(true);
  const text = JSON.stringify(said(storedStates(table)));
  expect(text).toContain('gender');
  expect(text).not.toContain('a@list.example');
});
