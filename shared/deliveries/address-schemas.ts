/** Schemas of the routes of confirmed addresses. */
import * as v from 'valibot';
import { addressStatuses } from '../email/mailboxes.ts';
import { described } from '../http/described.ts';
import { paging } from '../http/list-schemas.ts';
import { emailFault } from '../http/email-fault.ts';
import { idSchema, isEmail } from '../http/text.ts';
import { rule } from '../http/rule.ts';

const status = described(
  'Whether the address gets mail. `confirmed`: it does. `unconfirmed`: it gets a question when a job ends. `withdrawn`: it gets nothing until a user names it anew.',
  v.picklist(addressStatuses),
);

/** The addresses that the imports and exports of a property name. */
export const addressesAnswer = v.strictObject({
  notification_emails: described(
    'The imports of the property that name an address, then its exports, each in order of creation.',
    v.array(
      v.strictObject({
        notification_email: described('The address that the definition names.', v.string()),
        status,
        confirmed: described(
          'When the address was confirmed. Null if it is not.',
          v.nullable(v.pipe(v.string(), v.isoTimestamp())),
        ),
        import_id: described('The id of the import. Null for an export.', v.nullable(idSchema)),
        export_id: described('The id of the export. Null for an import.', v.nullable(v.string())),
        name: described('The name of the import or export.', v.nullable(v.string())),
      }),
    ),
  ),
  paging,
});

/** The query that names an address. */
export const addressQuery = v.strictObject({
  notification_email: described(
    'The address whose confirmation is withdrawn.',
    v.pipe(
      v.string(),
      rule(
        'not_an_email',
        (address: string) => isEmail(address.toLowerCase()),
        (address) => `${emailFault(address)} Write a plus as %2B.`,
      ),
    ),
  ),
});
export type AddressQuery = v.InferOutput<typeof addressQuery>;

/** An address whose confirmation is withdrawn. */
export const withdrawnAnswer = v.strictObject({
  notification_email: described('The address.', v.string()),
  status,
});
