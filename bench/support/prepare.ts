/** Prepare: makes conditions on a running service, waits until they are ready, and checks their members. */
import * as v from 'valibot';
import { setTimeout } from 'node:timers/promises';
import type { KnownCondition } from './conditions.ts';
import { isRefused } from './people-file.ts';
import type { Report } from './scenario.ts';
import type { MeasuredService } from './service.ts';

/** Conditions are looked at this often while they are prepared. */
const LOOK_EVERY_MS = 500;

/** A condition of the service. */
export interface MadeCondition extends KnownCondition {
  readonly id: number;
}

/** Makes conditions one after the other. */
export const makeConditions = async (
  { client }: MeasuredService,
  conditions: readonly KnownCondition[],
): Promise<readonly MadeCondition[]> => {
  const made: MadeCondition[] = [];
  for (const condition of conditions) {
    const { name, where } = condition;
    made.push({ ...condition, id: (await client.createSegment({ body: { name, where } })).id });
  }
  return made;
};

const shown = v.looseObject({ ready: v.boolean(), progress: v.number(), count: v.nullable(v.number()) });

const look = async ({ call, property }: MeasuredService, id: number) =>
  v.parse(shown, JSON.parse((await call('GET', `/v1/${property}/segments/${id}`)).text));

/** Waits until all conditions are ready. `meanwhile` may do something between two looks. */
export const untilReady = async (
  service: MeasuredService,
  conditions: readonly MadeCondition[],
  { report, meanwhile }: { readonly report: Report; readonly meanwhile?: () => Promise<void> },
): Promise<void> => {
  for (const { id } of conditions) {
    for (let seen = await look(service, id); !seen.ready; seen = await look(service, id)) {
      report.progress(`${conditions.length} conditions, ${Math.round(seen.progress * 100)} % prepared`);
      await (meanwhile ? meanwhile() : setTimeout(LOOK_EVERY_MS));
    }
  }
};

/** Checks that each condition has just those people of the rows 1 to `rows` who meet it. */
export const checkMembers = async (
  service: MeasuredService,
  conditions: readonly MadeCondition[],
  { rows, report }: { readonly rows: number; readonly report: Report },
): Promise<void> => {
  for (const { id, where, holds } of conditions) {
    const { count } = await look(service, id);
    let wanted = 0;
    for (let row = 1; row <= rows; row += 1) if (!isRefused(row) && holds(row)) wanted += 1;
    report.check(`the members of ${JSON.stringify(where)}`, count, wanted);
  }
};
