/** Restore report: changes that went back with the data, and that people must repeat. */
import * as v from 'valibot';
import { err, ok } from '../shared/runtime/result.ts';
import { listChanges } from './changes-since.ts';
import type { RestorePorts, StepResult } from './restore-ports.ts';
import type { RestoreState } from './restore-state.ts';

/** Changes in the report. A longer list has a command of its own. */
const SHOWN = 50;

const change = v.looseObject({
  time: v.string(),
  kind: v.string(),
  table: v.string(),
  action: v.string(),
  account: v.number(),
  property: v.nullable(v.number()),
  ids: v.optional(v.record(v.string(), v.unknown()), {}),
});

const lineOf = ({ time, kind, action, account, property, ids }: v.InferOutput<typeof change>): string => {
  const place = `account ${account}${property === null ? '' : `, property ${property}`}`;
  const things = Object.entries(ids).map(([name, id]) => `, ${name} ${String(id)}`);
  return `${time} ${kind}: ${action} (${place}${things.join('')})`;
};

/**
 * Lists what went back with the data, from the audit log, which did not: undos, withdrawals, definitions, grants. Changes of
 * the credentials still hold.
 */
export const report = async ({ ask }: RestorePorts, { stage, to }: RestoreState): Promise<StepResult> => {
  const answer = await listChanges({ command: 'audit-log.since', since: to }, ask);
  if (!answer.ok) return err(answer.error.message);
  const { changes } = v.parse(v.looseObject({ changes: v.array(change) }), answer);
  const lost = changes.filter(({ table }) => table === 'data').map(lineOf);
  if (lost.length === 0) return ok({});
  const all = `npm run admin -- audit-log since --since ${to} --stage ${stage}`;
  return ok({
    left: [
      `Changes that went back with the data, ${lost.length}: let clients repeat those that must hold.`,
      ...lost.slice(0, SHOWN),
      ...(lost.length > SHOWN ? [`${lost.length - SHOWN} more: ${all}`] : []),
    ],
  });
};
