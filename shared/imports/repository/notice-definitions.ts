import type { ReadDefinitions } from '../../deliveries/list-addresses.ts';
import { keys } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { definitionItems } from './definition-items.ts';

/** The imports of a property, as far as they are about notices. */
export const importNotices =
  (table: Table): ReadDefinitions =>
  async (property, page) => {
    const { items, ...rest } = await definitionItems(table).definitions(property, page);
    const notices = items.map(({ id, name, notification_email }) => {
      const position = keys.importDefinition(property, id).sk;
      return { kind: 'import', id, name, notification_email, position } as const;
    });
    return { items: notices, ...rest };
  };
