/** Show user: a user, and the imports and exports of the account that the user made, or that mail the user. */
import { listProperties, type AccountDeps, type Facts, type Outcome } from '../auth/accounts.ts';
import { findUser } from '../auth/change-user.ts';
import type { User } from '../auth/credential-items.ts';
import { thingsMadeBy } from '../auth/made-things.ts';
import { isSameMailbox } from '../email/mailboxes.ts';
import type { ExportDefinition } from '../exports/model/items.ts';
import { exportRepository } from '../exports/model/repository.ts';
import { definitionItems } from '../imports/repository/stored-items.ts';
import type { ImportDefinition } from '../imports/items/import-definition.ts';
import { itemsOf } from '../runtime/pages.ts';
import { ok } from '../runtime/result.ts';

type ShowDeps = Pick<AccountDeps, 'table' | 'credentials'>;

/** Definitions that are read together. */
const AT_ONCE = 100;

/** A user, and what stays of the user after `user delete`: definitions that the user made or changed, or that mail the user. */
export const showUser = async (deps: ShowDeps, username: string): Promise<Outcome> => {
  const found = await findUser(deps.credentials, username);
  if (!found.ok) return found;
  const { id, account, email, role, disabled, ssh_keys } = found.value;
  const definitions: Facts[] = [];
  for (const property of await listProperties(deps.credentials, account))
    definitions.push(...(await definitionsOf(deps, property.id, found.value)));
  const status = disabled ? 'disabled' : 'enabled';
  const facts = { id, username: found.value.username, account, email, role, status };
  return ok({ ...facts, ssh_keys: ssh_keys.length, definitions });
};

const definitionsOf = async (
  { table }: ShowDeps,
  property: number,
  { id: user, email }: User,
): Promise<readonly Facts[]> => {
  const made = new Set(
    (await thingsMadeBy(table, property, user)).flatMap((thing) =>
      thing.kind === 'import' || thing.kind === 'export' ? [`${thing.kind} ${thing.id}`] : [],
    ),
  );
  const shown: Facts[] = [];
  const show = (kind: 'import' | 'export', id: number, definition: ImportDefinition | ExportDefinition) => {
    const { name, notification_email: to } = definition;
    const isMade = made.has(`${kind} ${id}`);
    const isMailed = to !== null && isSameMailbox(to, email);
    if (!isMade && !isMailed) return;
    const mail = isMailed ? 'mail to the user' : 'mail';
    const sends = [
      ...(to === null ? [] : [mail]),
      ...(definition.webhook_url === null ? [] : ['webhook']),
      ...('export' in definition ? waysOf(definition) : []),
    ];
    shown.push({ property, [kind]: id, name, made: isMade ? 'yes' : 'no', has: sends.join(', ') || null });
  };
  const imports = definitionItems(table);
  const exports = exportRepository(table);
  const page = (after: string | undefined) => ({ limit: AT_ONCE, after });
  for await (const one of itemsOf((after) => imports.definitions(property, page(after))))
    show('import', one.id, one);
  for await (const one of itemsOf((after) => exports.definitions(property, page(after))))
    show('export', one.export, one);
  return shown;
};

const waysOf = ({ destination, s3_destination, to_come }: ExportDefinition): readonly string[] => [
  ...(destination === null ? [] : ['SFTP server']),
  ...(s3_destination === null ? [] : ['bucket']),
  ...(to_come ? ['schedule'] : []),
];
