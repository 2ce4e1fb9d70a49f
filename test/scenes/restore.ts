/** Restore: what the replay of forgettings needs permissions for, after a table went back to an earlier time. */
import * as v from 'valibot';
import { auditKeys } from '../../shared/table/request-keys.ts';
import { putItem } from '../support/items.ts';
import { tableNames } from '../support/table-names.ts';
import { tagged, type Cast, type Extra } from './cast.ts';

const scanned = v.object({
  Items: v.array(v.looseObject({ pk: v.object({ S: v.string() }) })),
  LastEvaluatedKey: v.optional(v.unknown()),
});

/** The items of the table whose partition keys have a form. */
const itemsIn = async ({ service }: Cast, form: RegExp) => {
  const { table } = service.cloud.parts.storage;
  const found: v.InferOutput<typeof scanned>['Items'] = [];
  let start: unknown;
  do {
    const more = start === undefined ? {} : { ExclusiveStartKey: start };
    const { body } = await table.call('Scan', { TableName: tableNames.table, ...more });
    const page = v.parse(scanned, body);
    found.push(...page.Items.filter(({ pk }) => form.test(pk.S)));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return found;
};

const listed = v.object({
  pk: v.object({ S: v.string() }),
  sk: v.object({ S: v.string() }),
  kind: v.object({ S: v.string() }),
  claim: v.object({ M: v.object({ pk: v.object({ S: v.string() }), sk: v.object({ S: v.string() }) }) }),
});

/** Notes the end of every objection, as a request after the time of the restore did. */
const noteEnds = async (cast: Cast): Promise<void> => {
  const now = Date.now();
  for (const item of await itemsIn(cast, /^P#\d+#OBJECTIONS$/)) {
    const { pk, sk, kind, claim } = v.parse(listed, item);
    const of = { pk: claim.M.pk.S, sk: claim.M.sk.S };
    const change = { id: sk.S, kind: kind.S, claim: of, objection: null };
    const noted = { property: Number(/\d+/.exec(pk.S)?.[0]), change, ttl: Math.ceil(now / 1_000) + 600 };
    await putItem(cast.service, auditKeys.objection(now, sk.S), noted, tableNames.auditLog);
  }
};

/** Forgets a person, puts all persons back as a restore would, and forgets the person again. */
export const replayForgettings: Extra['play'] = async (cast) => {
  const { call, service, fresh } = cast;
  const since = new Date().toISOString();
  const email = `again${fresh()}@example.org`;
  await call('createProfile', { body: { email } });
  const people = await itemsIn(cast, /^P#\d+#[BI]#/);
  await call('forgetProfile', { query: { email } });
  for (const Item of people)
    await service.cloud.parts.storage.table.call('PutItem', { TableName: tableNames.table, Item });
  // A record of somebody who objects makes no segment.
  const unused = `unused${fresh()}@example.org`;
  await call('createObjection', { body: { email: unused, scope: 'use' } });
  await call('createProfile', { body: { email: unused, tags: tagged(`unused ${fresh()}`) } });
  await noteEnds(cast);
  const command = { operator: 'ada', command: 'forgettings.replay', since };
  await service.cloud.invoke('replayForgettings', command);
  await service.cloud.invoke('replayForgettings', { ...command, after: 'objections:' });
};
