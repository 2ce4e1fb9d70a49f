/** The commands `address list` and `address withdraw`: whom imports and exports mail. */
import type { Command } from 'commander';
import type { Item } from '../../src/index.ts';
import { type Act, onProperty, filled } from '../actions.ts';
import type { Connected } from '../context.ts';
import { exitCodes, type ExitCode } from '../failure.ts';
import type { Column } from '../terminal/table.ts';
import { moment, plain } from '../terminal/text.ts';

/** Adds the commands. */
export const addAddresses = (program: Command, act: Act): void => {
  const group = program
    .command('address')
    .description('see whom imports and exports mail, and end it: list, withdraw');
  group
    .command('list')
    .description('list the addresses that imports and exports name')
    .action(act(onProperty(list)));
  group
    .command('withdraw')
    .description('mail an address no more, until somebody names it in a definition again')
    .argument('<address>', 'the e-mail address', filled)
    .option('-y, --yes', 'withdraw without a question')
    .action(act(onProperty(withdraw)));
};

const list = async (context: Connected): Promise<undefined> => {
  const found = await Array.fromAsync(context.client.listNotificationEmails());
  context.showList(found, columns, 'No import or export names an address.');
};

const columns: readonly Column<Item<'listNotificationEmails'>>[] = [
  { heading: 'Address', least: 16, cell: ({ notification_email }) => plain(notification_email) },
  { heading: 'Status', cell: ({ status }) => status },
  { heading: 'Since', cell: ({ confirmed }) => (confirmed === null ? '' : moment(confirmed)) },
  {
    heading: 'Named by',
    least: 12,
    cell: ({ import_id, export_id, name }) =>
      `${export_id === null ? `import ${import_id}` : `export ${export_id}`}${name === null ? '' : ` (${plain(name)})`}`,
  },
];

const withdraw = async (
  context: Connected,
  notification_email: string,
  { yes }: { readonly yes?: boolean },
): Promise<ExitCode | undefined> => {
  const question = `Mail ${plain(notification_email)} no more?`;
  if (!yes && !(await context.confirm(question))) return exitCodes.failed;
  const query = { notification_email };
  const answer = await context.client.withdrawNotificationEmail({ query });
  context.show(answer, () => [
    `${plain(notification_email)} gets no mail any more, until somebody names it in a definition again.`,
  ]);
};
