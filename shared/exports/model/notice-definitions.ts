import type { ReadDefinitions } from '../../deliveries/notice-addresses.ts';
import { keys } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { exportRepository } from './repository.ts';

/** The exports of a property, as far as they are about notices. */
export const exportNotices =
  (table: Table): ReadDefinitions =>
  async (property, page) => {
    const { items, ...rest } = await exportRepository(table).definitions(property, page);
    const notices = items.map(({ export: id, name, notification_email }) => {
      const position = keys.exportDefinition(property, id).sk;
      return { kind: 'export', id, name, notification_email, position } as const;
    });
    return { items: notices, ...rest };
  };
