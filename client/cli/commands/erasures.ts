/** The commands `segment forget` and `erasures`. */
import type { Command } from 'commander';
import type { Answer } from '../../src/index.ts';
import { type Act, onProperty } from '../actions.ts';
import type { Connected } from '../context.ts';
import { CommandFailure, exitCodes, type ExitCode } from '../failure.ts';
import { onProblem } from '../problems.ts';
import { findSegment, segmentRef } from '../segments/find.ts';
import type { Column } from '../terminal/table.ts';
import { count, counted, moment, asName, plain } from '../terminal/text.ts';

/** Adds the commands; `segment` is the group of commands about a segment. */
export const addErasures = (program: Command, segment: Command, act: Act): void => {
  segment
    .command('forget')
    .description('forget everybody in a segment: remove their profiles for good')
    .argument('<segment>', 'its name, "type:name" or id')
    .option('-y, --yes', 'forget without a question')
    .action(act(onProperty(forgetSegment)));
  program
    .command('erasures')
    .description('list the erasures of many people, with their receipts')
    .action(act(onProperty(listErasures)));
};

const forgetSegment = async (
  context: Connected,
  text: string,
  { yes }: { readonly yes?: boolean },
): Promise<ExitCode | undefined> => {
  const { id, name } = await findSegment(context, segmentRef(text));
  const { count: profiles = 0, sample } = await context.client.previewSegment({ body: { definition: id } });
  if (profiles === 0) throw new CommandFailure(`Nobody is in ${asName(name)}.`);
  const named = sample
    .slice(0, NAMED)
    .map(({ first_name, last_name, email, unique_id }) =>
      plain([first_name, last_name, email ?? unique_id].filter((one) => one !== null).join(' ')),
    );
  const others = profiles > named.length ? ` and ${count(profiles - named.length)} more` : '';
  const question = `Forget ${counted(profiles, 'person', 'people')} of ${asName(name)} for good (${named.join(', ')}${others})?`;
  if (!yes && !(await context.confirm(question))) return exitCodes.failed;
  const asked = context.client.createErasure({ body: { segment: id, profiles } });
  const erasure = await onProblem(asked, (problem) => {
    if (problem.code !== 'count_changed') throw problem;
    throw new CommandFailure(`Nobody was forgotten: the people in ${asName(name)} have changed. Try again.`);
  });
  context.show(erasure, () => [
    `${counted(profiles, 'person', 'people')} of ${asName(name)} are being forgotten; it begins within two minutes.`,
    'Progress and receipt: tidemark erasures',
  ]);
};

/** People whom the question names. */
const NAMED = 3;

type Erasure = Answer<'getErasure'>;

const listErasures = async (context: Connected): Promise<undefined> => {
  const erasures = await Array.fromAsync(context.client.listErasures());
  context.showList(erasures, columns, 'Nobody was erased by segment or by a rule yet.', { erasures });
};

const columns: readonly Column<Erasure>[] = [
  { heading: 'Erasure', cell: ({ id }) => String(id) },
  { heading: 'Of', least: 8, cell: (erasure) => causeOf(erasure) },
  { heading: 'State', cell: ({ status }) => status },
  { heading: 'People', cell: ({ profiles }) => count(profiles) },
  { heading: 'Forgotten', cell: ({ forgotten }) => count(forgotten) },
  { heading: 'By user', cell: ({ created_by }) => (created_by === null ? 'a rule' : String(created_by)) },
  { heading: 'Began', cell: ({ created }) => moment(created) },
  { heading: 'Finished', cell: ({ finished }) => moment(finished) },
];

const causeOf = ({ segment, stored_before }: Erasure): string =>
  segment ? `${segment.type}: ${plain(segment.name)}` : `not renewed since ${moment(stored_before)}`;
