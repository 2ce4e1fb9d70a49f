/** Operator commands: the words and options of each command on the command line. */
import { accountCommands, userCommands } from './admin-account-commands.ts';
import { enricherLoss, letterLoss } from './admin-losses.ts';
import {
  flag,
  name,
  needed,
  optional,
  property,
  type CommandGroup,
  type CommandUse,
} from './admin-options.ts';

const importDefinition = [property, needed('import', 'number', 'number of the import definition')];
const enricher = [property, name('name of the enricher: a-z, 0-9, _ and -')];

/** Commands for where data comes from. */
const sourceCommands: CommandGroup = {
  title: 'Imports, enrichers and brands',
  commands: [
    {
      words: 'import grant',
      about: 'Trust what an import brings as much as a source that clients cannot name',
      options: [
        ...importDefinition,
        needed('tier', 'name', 'professional_network, social_network, provider_1, provider_2 or provider_3'),
      ],
    },
    {
      words: 'import revoke',
      about: 'Trust what an import brings no more than its definition says',
      options: importDefinition,
    },
    {
      words: 'enricher set',
      about: 'Have people enriched by a service of yours; the secret of a new one is shown once',
      options: [
        ...enricher,
        needed('url', 'address', 'https address that is called'),
        needed('asks', 'what', 'social_token or identity'),
        needed('tiers', 'names', 'trust of its answers, one or more of those of "import grant", with commas'),
      ],
    },
    { words: 'enricher list', about: 'Show the enrichers of a property', options: [property] },
    { words: 'enricher remove', about: 'Ask an enricher no more', options: enricher, loss: enricherLoss },
    {
      words: 'brands load',
      about: 'Load a catalogue of brands: page_id,brand,category, where a category is "A > B"',
      options: [optional('file', 'path', 'CSV file; the one of the project if not given')],
    },
    {
      words: 'brands show',
      about: 'Show which catalogue is in use, and how far the next one is',
      options: [],
    },
  ],
};

const since = needed('since', 'time', 'time to which the table was restored, such as 2026-11-23T06:00:00Z');
const queue = needed('queue', 'name', 'name of the queue, as "dead-letters list" shows it');

/** Commands for the running service. */
const upkeepCommands: CommandGroup = {
  title: 'Upkeep',
  commands: [
    {
      words: 'dead-letters list',
      about: 'Show how many messages failed for good, by queue, since when and with which error',
      options: [],
    },
    {
      words: 'dead-letters show',
      about: 'Show the failed messages of a queue: ids and first errors, no data of people',
      options: [queue],
    },
    {
      words: 'dead-letters redrive',
      about: 'Have the failed messages of a queue processed again, after the fix',
      options: [queue],
    },
    {
      words: 'dead-letters delete',
      about: 'Delete the failed messages of a queue',
      options: [queue],
      loss: letterLoss,
    },
    {
      words: 'audit',
      about: 'Compare the segments of a property with its profiles',
      options: [property, flag('repair', 'set right what differs')],
    },
    {
      words: 'counters list',
      about: 'Show the last number that each counter has given out, for "counters raise"',
      options: [],
    },
    {
      words: 'counters raise',
      about: 'After a restore, raise the counters, so that no id is given out again',
      options: [
        needed('restored', 'time', 'time to which the tables were restored, such as 2026-11-23T06:00:00Z'),
        optional(
          'earlier',
          'path',
          'file with what "counters list --json" answered for the earlier tables; without it the gap is large',
          { fileOf: 'earlier' },
        ),
        flag('dry-run', 'only show what would be raised'),
      ],
    },
    {
      words: 'audit-log since',
      about: 'Show what a restore to a time has lost: undos, withdrawals, changes of definitions, commands',
      options: [since],
    },
    {
      words: 'forgettings replay',
      about: 'After a restore, forget again who was forgotten since',
      options: [since],
    },
  ],
};

/** All commands, in the order of the help. */
export const commandGroups: readonly CommandGroup[] = [
  accountCommands,
  userCommands,
  sourceCommands,
  upkeepCommands,
];

/** All commands. */
export const commands: readonly CommandUse[] = commandGroups.flatMap((group) => group.commands);
