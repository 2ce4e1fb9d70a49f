import * as v from 'valibot';
import { tableNames } from '../support/table-names.ts';
import { auditKeys } from '../../shared/table/audit-keys.ts';
import { post, putItem, type Exercise, type Harness } from './exercise-scene.ts';

const scanned = v.object({
  Items: v.array(v.looseObject({ pk: v.object({ S: v.string() }) })),
  LastEvaluatedKey: v.optional(v.unknown()),
});

/** The items of the table whose partition keys have a form. */
const itemsIn = async ({ service }: Harness, form: RegExp) => {
  const { table } = service.cloud.parts.storage;
  const people: v.InferOutput<typeof scanned>['Items'] = [];
  let start: unknown;
  do {
    const more = start === undefined ? {} : { ExclusiveStartKey: start };
    const { body } = await table.call('Scan', { TableName: tableNames.table, ...more });
    const page = v.parse(scanned, body);
    people.push(...page.Items.filter(({ pk }) => form.test(pk.S)));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return people;
};

/** The stored profiles and claims of the table. */
const peopleIn = (harness: Harness) => itemsIn(harness, /^P#\d+#[BI]#/);

const listed = v.object({
  pk: v.object({ S: v.string() }),
  sk: v.object({ S: v.string() }),
  kind: v.object({ S: v.string() }),
  claim: v.object({ M: v.object({ pk: v.object({ S: v.string() }), sk: v.object({ S: v.string() }) }) }),
});

/** Notes the end of every objection, as a request after the time of the restore did. */
const noteEnds = async (harness: Harness): Promise<void> => {
  const now = Date.now();
  for (const item of await itemsIn(harness, /^P#\d+#OBJECTIONS$/)) {
    const { pk, sk, kind, claim } = v.parse(listed, item);
    const of = { pk: claim.M.pk.S, sk: claim.M.sk.S };
    const change = { id: sk.S, kind: kind.S, claim: of, objection: null };
    const noted = { property: Number(/\d+/.exec(pk.S)?.[0]), change, ttl: Math.ceil(now / 1_000) + 600 };
    await putItem(harness, auditKeys.objection(now, sk.S), noted, tableNames.auditLog);
  }
};

/** Stores a person who objects, and a record that makes no segment therefore. */
const storeUnused = async (harness: Harness): Promise<void> => {
  const path = `/v1/${harness.service.property}`;
  const email = `unused${harness.fresh()}@example.org`;
  const tags = [{ datetime: '2026-01-01 00:00:00', tag: [`unused ${harness.fresh()}`] }];
  await post(harness, `${path}/objections`, { email, scope: 'use' });
  await post(harness, `${path}/profiles`, { email, tags });
};

/** Forgets a person, puts all persons back as a restore would, and forgets the person again. */
export const replayForgettings: Exercise = async (harness) => {
  const { service, fresh } = harness;
  const since = new Date().toISOString();
  const email = `again${fresh()}@example.org`;
  const path = `/v1/${service.property}/profile`;
  await post(harness, `${path}s`, { email });
  const people = await peopleIn(harness);
  await service.call('DELETE', `${path}?email=${encodeURIComponent(email)}`);
  for (const Item of people)
    await service.cloud.parts.storage.table.call('PutItem', { TableName: tableNames.table, Item });
  await storeUnused(harness);
  await noteEnds(harness);
  const command = { operator: 'ada', command: 'forgettings.replay', since };
  await service.cloud.invoke('replayForgettings', command);
  await service.cloud.invoke('replayForgettings', { ...command, after: 'objections:' });
};
