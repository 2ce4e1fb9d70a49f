import * as v from 'valibot';
import { described, shownAs } from '../http/described.ts';
import { orderedPlace, paging } from '../http/list-schemas.ts';
import { rule } from '../http/rule.ts';
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
  user: described('Lists only actions of the user with this id.', v.optional(userId)),
  action: described(
    'Lists only this action, such as `sign-in` or `DELETE /v1/{property_id}/profile`.',
    v.optional(v.string()),
  ),
});
export type AuditLogQuery = v.InferOutput<typeof auditLogQuery>;

/** A page of the audit log. */
export const auditLogAnswer = v.strictObject({
  entries: described(
    'The entries of this page, the newest first unless the query asks for another order.',
    v.array(
      v.strictObject({
        time: described('When the action happened.', v.pipe(v.string(), v.isoTimestamp())),
        action: described(
          'The action: the method and the route of a request, or a name such as `sign-in` or `sftp.upload`.',
          v.string(),
        ),
        outcome: described(
          'The status of the response, or a word such as `admitted` or `not_matched`.',
          v.string(),
        ),
        request_id: described(
          'The id of the request, as in the header `X-Request-Id` of its response.',
          v.string(),
        ),
        user: described(
          'The id of the user who acted. Null if nobody signed in.',
          v.nullable(v.pipe(v.number(), v.integer())),
        ),
        token: described(
          'The beginning of the hash of the token, which tells the tokens of a user apart. Null without a token.',
          v.nullable(v.string()),
        ),
        operator: described(
          'The name of the operator who gave the command. Null for all other actions.',
          v.nullable(v.string()),
        ),
        source: described(
          'The network address from which the request came. Null if it is unknown.',
          v.nullable(v.string()),
        ),
        ids: described(
          'The ids of what the action concerns, such as `job_id` or `profile_uuid`.',
          v.record(v.string(), v.union([v.string(), v.pipe(v.number(), v.integer())])),
        ),
      }),
    ),
  ),
  paging,
});
