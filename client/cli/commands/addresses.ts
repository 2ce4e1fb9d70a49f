/** The commands `address list` and `address withdraw`: whom imports and exports mail. */
import type { Command } from 'commander';
import type { Answer } from '../../src/index.ts';
import { type Act, onProperty, filled } from '../actions.ts';
import type { Connected } from '../context.ts';
import { exitCodes, type ExitCode } from '../failure.ts';
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
    .action(act(onProperty(withdraw)));
};

const list = async (context: Connected): Promise<ExitCode> => {
  const found: Answer<'listNotificationEmails'>['notification_emails'][number][] = [];
  for await (const one of context.client.listNotificationEmails()) found.push(one);
  context.show(found, () =>
    found.length === 0
      ? ['No import or export names an address.']
      : context.table(
          [
            { heading: 'Address', least: 16 },
            { heading: 'Status' },
            { heading: 'Since' },
            { heading: 'Named by', least: 12 },
          ],
          found.map(({ notification_email, status, confirmed, import_id, export_id, name }) => [
            plain(notification_email),
            status,
            confirmed === null ? '' : moment(confirmed),
            `${export_id === null ? `import ${import_id}` : `export ${export_id}`}${name === null ? '' : ` (${plain(name)})`}`,
          ]),
        ),
  );
  return exitCodes.ok;
};

const withdraw = async (context: Connected, notification_email: string): Promise<ExitCode> => {
  const query = { notification_email };
  const answer = await context.client.withdrawNotificationEmail({ query });
  context.show(answer, () => [
    `${plain(notification_email)} gets no mail any more, until somebody names it in a definition again.`,
  ]);
  return exitCodes.ok;
};
