/** The commands `segment forget` and `erasures`. */
import type { Command } from 'commander';
import type { Answer } from '../../src/index.ts';
import { type Act, onProperty } from '../actions.ts';
import type { Connected } from '../context.ts';
import { CommandFailure, exitCodes, type ExitCode } from '../failure.ts';
import { onProblem } from '../problems.ts';
import { findSegment, segmentRef } from '../segments/find.ts';
import { count, counted, moment, plain } from '../terminal/text.ts';

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
): Promise<ExitCode> => {
  const { id, name } = await findSegment(context, segmentRef(text));
  const { count: profiles, sample } = await context.client.previewSegment({ body: { definition: id } });
  if (profiles === 0) throw new CommandFailure(`Nobody is in "${plain(name)}".`);
  const named = sample
    .slice(0, NAMED)
    .map(({ first_name, last_name, email, unique_id }) =>
      plain([first_name, last_name, email ?? unique_id].filter((one) => one !== null).join(' ')),
    );
  const others = profiles > named.length ? ` and ${count(profiles - named.length)} more` : '';
  const question = `Forget ${counted(profiles, 'person', 'people')} of "${plain(name)}" for good (${named.join(', ')}${others})?`;
  if (!yes && !(await context.confirm(question))) return exitCodes.failed;
  const asked = context.client.createErasure({ body: { segment: id, profiles } });
  const erasure = await onProblem(asked, (problem) => {
    if (problem.code !== 'count_changed') throw problem;
    throw new CommandFailure(`Nobody was forgotten: the people in "${plain(name)}" have changed. Try again.`);
  });
  context.show(erasure, () => [
    `${counted(profiles, 'person', 'people')} of "${plain(name)}" are being forgotten; it begins within two minutes.`,
    'Progress and receipt: tidemark erasures',
  ]);
  return exitCodes.ok;
};

/** People whom the question names. */
const NAMED = 3;

type Erasure = Answer<'getErasure'>;

const listErasures = async (context: Connected): Promise<ExitCode> => {
  const erasures = await Array.fromAsync(context.client.listErasures({ query: {} }));
  context.show({ erasures }, () =>
    erasures.length === 0
      ? ['Nobody was erased by segment or by a rule yet.']
      : context.table(
          [
            { heading: 'Erasure' },
            { heading: 'Of', least: 8 },
            { heading: 'State' },
            { heading: 'People' },
            { heading: 'Forgotten' },
            { heading: 'By user' },
            { heading: 'Began' },
            { heading: 'Finished' },
          ],
          erasures.map((erasure) => [
            String(erasure.id),
            causeOf(erasure),
            erasure.status,
            count(erasure.profiles),
            count(erasure.forgotten),
            erasure.created_by === null ? 'a rule' : String(erasure.created_by),
            moment(erasure.created),
            moment(erasure.finished),
          ]),
        ),
  );
  return exitCodes.ok;
};

const causeOf = ({ segment, stored_before }: Erasure): string =>
  segment ? `${segment.type}: ${plain(segment.name)}` : `not renewed since ${moment(stored_before)}`;
