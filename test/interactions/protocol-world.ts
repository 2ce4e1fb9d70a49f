/** A property on which all protocols run, beside its plain model. */
import * as v from 'valibot';
import { enrich, type EnrichDeps } from '../../shared/enrichment/enrich.ts';
import { readEnrichers } from '../../shared/enrichment/enrichers.ts';
import { enrichmentMessage } from '../../shared/enrichment/enrichment-question.ts';
import { forgetPerson } from '../../shared/ingest/forget-person.ts';
import { applyRecords } from '../../shared/ingest/apply-records.ts';
import { openPointer } from '../../shared/catalogue/brand-pointer.ts';
import { importTasks } from '../../shared/imports/jobs/import-tasks.ts';
import { runUndo } from '../../shared/imports/undo/run-undo.ts';
import { undoImportJob } from '../../shared/imports/undo/undo-import-job.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import { keys, PROFILES_PER_BLOCK } from '../../shared/table/keys.ts';
import { limits } from '../../shared/config/limits.ts';
import { restoreAndRaise } from './restore-and-raise.ts';
import { answered, answering } from '../enrichment/harness.ts';
import { referenceOf } from '../imports/import-harness.ts';
import { scope } from '../profiles/harness.ts';
import { referencesHarness } from '../references/harness.ts';
import type { SegmentExpression } from '../../shared/catalogue/types.ts';
import { lookAtAll } from '../support/look-at-tasks.ts';
import { FatedTable } from '../support/fated-table.ts';
import { idOf, peopleOf, withdrawnAfter, withdrawnIn, type Said } from './plain-model.ts';
import type { Counts, KnownJob, Model, Restored } from './known-world.ts';
import { protocolBatches } from './protocol-batches.ts';
import { protocolBrands } from './protocol-brands.ts';
import { protocolCalendars } from './protocol-calendars.ts';
import { protocolConditions } from './protocol-conditions.ts';
import { serviceInMemory } from './service-in-memory.ts';
import { workOf, type Work } from './work.ts';
import { definitionOf } from '../support/field-map.ts';

const columns = [
  ...['unique_id', 'email', 'first_name', 'city', 'phone_number', 'tags', 'social_likes'],
  ...['consent.email', 'consent.email.datetime', 'ethnicity', 'age', 'extra_data.spend', 'extra_data.seen'],
  'last_name',
] as const;

const definition = definitionOf(columns, { required_fields: ['unique_id'] });

const cellsOf = (said: Said): string =>
  [
    ...[idOf(said.who), said.email, said.name, said.city, said.phone],
    ...[said.tags.join(';'), said.likes.join(';'), said.consent?.state, said.consent?.datetime],
    ...[said.ethnicity, said.age, said.spend, said.seen, said.lastName],
  ]
    .map((cell) => cell ?? '')
    .join(',');

interface WorldOptions {
  /** Stores restatements beside their people, also where a write costs no more. */
  readonly beside: boolean;
  /** Whether an enricher is asked about new people. */
  readonly asks: boolean;
  /** Whether a process that stood still sends nothing whose time is over: a writer may not know a new condition. */
  readonly isPunctual: boolean;
}

/** The property, with its model: `said` has what was stored. */
export const protocolWorld = async ({ beside, asks, isPunctual }: WorldOptions, restored?: Restored) => {
  const table = restored?.table ?? new FatedTable(isPunctual);
  const service = serviceInMemory({ table, beside, ...(restored && { kept: restored.kept }) });
  const { imports, deps, ask, hour, clock, worker, undoDeps, drainAll, settled } = service;
  if (!restored) {
    await openPointer(table);
    await table.put(keys.listedProperty(scope.id), { property: scope.id });
    const property = { account: 1, name: 'P', created: clock.now, wrappedKey: new Uint8Array(1) };
    await table.put(keys.property(scope.id), property);
  }
  if (asks && !restored)
    await table.put(keys.enrichers(scope.id), {
      enrichers: [
        {
          ...{ name: 'network', url: 'https://network.example/', asks: 'identity' },
          ...{ tiers: ['social_network'], secret: new Uint8Array(32) },
        },
      ],
    });
  const definitions = restored?.definitions ?? [
    await service.define(definition),
    await service.define(definition),
  ];
  const model: Model = {
    ...{ said: restored?.said ?? [], placements: restored?.placements ?? [] },
    withdrawn: restored?.withdrawn ?? [],
    objections: restored?.objections ?? new Map(),
    conditions: restored?.conditions ?? [],
    everMade: restored?.everMade ?? new Set(),
  };
  const references = referencesHarness(table);
  const jobs: KnownJob[] = [...(restored?.jobs ?? [])];
  /** Who got which id, over all restores. */
  const uuids = restored?.uuids ?? new Map<string, string | null>();
  /** When people were forgotten last. */
  const forgotten = restored?.forgotten ?? new Map<number, number>();
  const stepsOf = ({ importId, job }: KnownJob) => referenceOf(importId, job);
  const add = (records: readonly Said[], job: KnownJob): void => {
    if (!job.undone) model.said = [...model.said, ...records];
  };

  const { deliver, sendBatch } = protocolBatches(service, add);
  const calendars = protocolCalendars(service);

  /**
   * Sends a file of these rows. It is accepted now, and stored when its work is done. A file may have an open quote at its
   * end: then it fails, and the rows before stay.
   */
  const sendFile = async (rows: readonly Said[], which: number, isBroken = false): Promise<Work> => {
    const importId = definitions[which] ?? 0;
    const text = `${[columns.join(','), ...rows.map(cellsOf), ...(isBroken ? ['"open'] : [])].join('\n')}\n`;
    const { job, steps } = await service.send(importId, text, (own) =>
      deliver((message) => message.job === own),
    );
    const known: KnownJob = { importId, job, isOpen: false, accepted: rows.length, undone: false };
    jobs.push(known);
    const said = rows.map((row, at) => ({ ...row, at: clock.now + at / 1_000, job }));
    return workOf(`${isBroken ? 'broken ' : ''}file ${job}`, steps, () => add(said, known));
  };

  const openBatches = async (): Promise<KnownJob> => {
    const importId = definitions[0] ?? 0;
    const { id: job } = await imports.openJob(importId);
    const known: KnownJob = { importId, job, isOpen: true, accepted: 0, undone: false };
    jobs.push(known);
    return known;
  };

  const countsOf = async ({ importId, job }: KnownJob): Promise<Counts> => {
    const { ingested, completed, failed, processing } = (await imports.readJob(importId, job)).counts;
    return { ingested, completed, failed, processing };
  };

  /** Asks for the undo of a job; `undefined` when the job still runs. */
  const undo = async (known: KnownJob): Promise<Work | undefined> => {
    hour();
    const path = { import_id: known.importId, job_id: known.job };
    const { completed, processing } = await countsOf(known);
    const answer = await undoImportJob(deps, ask(path, {}, undefined));
    if (!answer.ok) return undefined;
    known.undone = true;
    known.countsAtUndo = { completed, processing };
    const gone = model.said.filter(({ job }) => job === known.job);
    model.withdrawn = [...model.withdrawn, ...gone.flatMap(withdrawnIn)];
    model.said = model.said.filter(({ job }) => job !== known.job);
    return workOf(
      `undo of ${known.job}`,
      [
        async () => {
          for (let calls = 0; calls < 8; calls += 1) {
            if ((await runUndo(undoDeps, stepsOf(known))).done) return undefined;
            await drainAll();
            clock.now += 60_000;
          }
          // Another undo of the property has its turn, and may have died.
          return 'waits';
        },
      ],
      () => undefined,
    );
  };

  const repairAll = () => lookAtAll({ table, clock: deps.clock }, importTasks(deps));
  /** What crashes left behind is repaired, however long that takes. */
  const repaired = async (): Promise<void> => {
    clock.now += limits.imports.parkSeconds * 1_000 + 1;
    await repairAll();
  };

  const answer = { known: true };
  const enrichDeps: EnrichDeps = {
    scopeOf: deps.scopeOf,
    enrichersOf: (property) => readEnrichers(table, property),
    findPerson: (where, identity) => imports.profiles.findByIdentity(where, identity),
    send: () =>
      Promise.resolve(
        answer.known ? answering({ tier: 'social_network', fields: { gender: 'f' } }) : answered(204),
      ),
    secretOf: () => Promise.resolve(new Uint8Array(32)),
    store: (where, records, attemptId) =>
      applyRecords(worker, where, records, { attemptId, index: 'later', repeated: true }),
    requestDrains: deps.requestDrains,
    clock: () => clock.now,
    ids: systemIds,
    log: () => undefined,
  };
  /** Takes the questions so far; their work asks the enricher, who knows the person or does not. */
  const askEnricher = (isKnown: boolean): Work => {
    const messages = imports.enrichments.takeBodies().map((body) => v.parse(enrichmentMessage, body));
    const steps = messages.map((message) => async () => {
      answer.known = isKnown;
      await enrich(enrichDeps, message);
    });
    return workOf('enricher', steps.length > 0 ? steps : [() => Promise.resolve()], () => undefined);
  };

  /** What pages show, and what the model says. */
  const compared = async () => {
    await repaired();
    await settled();
    await calendars.followed();
    const found = await service.everybody();
    const shown = found.map((one) => [
      ...[one.unique_id, one.first_name, one.email, one.city, one.phone_number],
    ]);
    const wanted = peopleOf(model).map((one) => [
      ...[one.unique_id, one.name, one.email, one.city, one.phone],
    ]);
    for (const { profile_uuid, unique_id } of found) {
      const known = uuids.get(profile_uuid ?? '');
      if (known !== undefined && known !== unique_id) throw new Error(`${profile_uuid} names two people`);
      uuids.set(profile_uuid ?? '', unique_id);
    }
    const { segments } = await service.seen();
    const idOfName = new Map(found.map((one) => [one.first_name, one.unique_id]));
    const membersOf = (name: string): readonly string[] =>
      (segments[name] ?? []).map((one) => idOfName.get(one) ?? one).sort();
    const counts = await Promise.all(jobs.map(async (job) => ({ ...job, counts: await countsOf(job) })));
    return { shown: shown.toSorted(), wanted: wanted.toSorted(), membersOf, counts };
  };
  /** Forgets everybody, also the people whom an undo left without a value. */
  const forgetAll = async (): Promise<void> => {
    for (const { pk, sk } of table.items()) {
      if (kindOfKey(pk) !== 'profile') continue;
      const ordinal = Number(pk.split('#').at(-1)) * PROFILES_PER_BLOCK + Number(sk);
      await forgetPerson({ ...worker, moments: service.moments }, scope, ordinal, `all-${ordinal}`);
    }
    model.said = [];
  };
  /** Notes the state of the property. The result restores it, as the instructions for a restore say. */
  const backup = () => {
    const restore = table.backup();
    const [since, { said, placements, withdrawn, conditions, everMade }] = [clock.now, { ...model }];
    const then = jobs.map((job) => ({ ...job }));
    return async (): Promise<Restored> => {
      const time = new Date(since).toISOString();
      await restoreAndRaise(table, restore, time);
      hour();
      await service.replayForgettings(time);
      const isLeft = ({ who, at }: Said): boolean => at > (forgotten.get(who) ?? 0);
      const left = said.filter(isLeft);
      const again = new Set(said.filter((one) => !isLeft(one)).map(({ who }) => who));
      const stands = [...again].reduce((sum, who) => withdrawnAfter(said, sum, who), withdrawn);
      // Batches after the backup are lost, but not what they logged: such a job cannot be undone exactly any more.
      const own = then.map((job) => ({ ...job, isOpen: false, undone: job.undone || job.isOpen }));
      return {
        table,
        kept: service.kept,
        definitions,
        said: left,
        withdrawn: stands,
        objections: model.objections,
        placements,
        conditions,
        everMade,
        jobs: own,
        uuids,
        forgotten,
      };
    };
  };
  return {
    ...protocolBrands(service),
    ...calendars,
    ...protocolConditions(service, table, model),
    /** The schedule that repairs what crashes left behind. */
    repair: (): Work => workOf('repair', [repairAll]),
    /** The pass that makes everybody follow the rules. */
    followRules: (): Work => workOf('pass of the rules', [service.followRules]),
    forgetAll,
    forgotten,
    backup,
    /** Makes a custom segment, and returns its id. */
    makeCustom: async (definition: SegmentExpression): Promise<number> => {
      const made = await references.makeSegment(definition);
      if (made.id === undefined) throw new Error(`no custom segment was made: ${made.code ?? ''}`);
      return made.id;
    },
    /** Deletes a segment, if nobody is in it and nobody uses it. */
    deleteSegment: async (id: number): Promise<boolean> =>
      (await references.deleteSegment(id)).code === undefined,
    settled,
    isBeside: beside,
    /** Number of the objects of all undo logs. */
    logged: async (): Promise<number> => (await imports.work.list('undo/')).length,
    ...{
      table,
      service,
      model,
      jobs,
      sendFile,
      sendBatch,
      openBatches,
      undo,
      askEnricher,
      compared,
      countsOf,
    },
  };
};

export type ProtocolWorld = Awaited<ReturnType<typeof protocolWorld>>;
