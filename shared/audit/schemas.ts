import * as v from 'valibot';
import { orderedPlace, paging } from '../http/list-schemas.ts';
import { rule } from '../http/rule.ts';
import { shownAs } from '../http/shown-as.ts';
import { idSchema } from '../http/text.ts';

const userId = v.pipe(
  v.string(),
  rule<string>('wrong_format', (text) => /^[1-9][0-9]{0,15}$/.test(text), 'Must be the id of a user.'),
  v.transform(Number),
  shownAs(idSchema),
);

/** Query of the audit log: filters by user and action. */
export const auditLogQuery = v.strictObject({
  ...orderedPlace,
  user: v.optional(userId),
  action: v.optional(v.string()),
});
export type AuditLogQuery = v.InferOutput<typeof auditLogQuery>;

/** A page of the audit log. */
export const auditLogAnswer = v.strictObject({
  entries: v.array(
    v.strictObject({
      time: v.string(),
      action: v.string(),
      outcome: v.string(),
      request_id: v.string(),
      user: v.nullable(v.number()),
      token: v.nullable(v.string()),
      operator: v.nullable(v.string()),
      source: v.nullable(v.string()),
      ids: v.record(v.string(), v.union([v.string(), v.number()])),
    }),
  ),
  paging,
});
