/** The commands `segment create` and `segment preview`: expressions in words. */
import type { Command } from 'commander';
import type { Tidemark } from '../../src/index.ts';
import type { Act } from '../actions.ts';
import { bodyOf } from '../bodies.ts';
import type { Connected, Context } from '../context.ts';
import { parseExpression, underline } from '../expression/parse.ts';
import { printWhere } from '../expression/print-where.ts';
import type { Expression } from '../expression/types.ts';
import type { Where } from '../expression/where.ts';
import { CommandFailure, usageFailure } from '../failure.ts';
import {
  conditionsIn,
  makeCondition,
  makeConditions,
  nameOf,
  requireOneMeaning,
  waitUntilReady,
} from '../segments/conditions.ts';
import { type Definition, definitionOf, withIds } from '../segments/definition.ts';
import { previewLines, previewOf, tellPreview } from '../segments/preview.ts';
import { counted, asName, plain } from '../terminal/text.ts';
import { peopleColumns } from './people-columns.ts';

/** Adds the commands to `segment`. */
export const addSegmentCreate = (segment: Command, act: Act): void => {
  segment
    .command('create')
    .description('create a segment from an expression in words')
    .argument('<name>', 'the name of the new segment')
    .argument('<expression>', 'the people in it, for example: \'Jazz and not "Age: 65+"\'')
    .option('--preview', 'only count the people, and create nothing')
    .addHelpText('after', help)
    .action(act(create));
  segment
    .command('preview')
    .description('count the people of an expression, or estimate their number, and show some of them')
    .argument('<expression>', "the people, for example: 'Umsatz >= 500 and not seen within 90 days'")
    .addHelpText('after', help)
    .action(act(preview));
};

const help = `
An expression combines segments and conditions with "and", "or", "not" and parentheses. "not" binds
closest, then "and", then "or". Write the name of a segment as it is, or in quotes if it has signs or
one of these words in it. If several segments share a name, put the type in front: tag:Jazz. An id
works, too.

A condition compares a field: email, zipcode, age, birthday, tag, created (the day on which the service
stored the person first) … Any other name is a key of your extra data; extra_data.Umsatz is its full form.

  numbers   Umsatz >= 500   Umsatz between 100 and 500   age < 18
  texts     gender = f   country in (DE, AT)   zipcode starts with 04   last_name contains berg
  days      created after 2026-01-01   "Letzter Besuch" within 90 days   tag "Concert" older than 30 days
            Vertragsende within next 30 days   birthday anniversary within 14 days
  any       email exists

Examples:
  tidemark segment create "Jazz, under 65" 'Jazz and not "Age: 65+"'
  tidemark segment create "Win back" 'Umsatz >= 500 and not seen within 90 days'
  tidemark segment preview '(tag:Jazz or tag:Kammermusik) and "email: given"'`;

const parsed = (text: string): Expression => {
  const result = parseExpression(text);
  if (result.ok) return result.value;
  const { message, at } = result.error;
  throw usageFailure(message, underline(text, at).split('\n').map(plain));
};

const preview = async (context: Context, text: string): Promise<undefined> => {
  const expression = parsed(text);
  await showPreview(await context.connect(), expression, []);
};

const showPreview = async (
  context: Connected,
  expression: Expression,
  lastLines: readonly string[],
): Promise<undefined> => {
  await requireOneMeaning(context.client, expression);
  const definition = await definitionOf(context, expression);
  const found = await previewOf(context, definition);
  const { sample } = found;
  context.show({ definition, ...found }, () => [
    ...(sample.length === 0 ? [] : context.table(peopleColumns, sample)),
    ...previewLines(found),
    ...lastLines,
  ]);
};

const create = async (
  context: Context,
  name: string,
  text: string,
  options: { readonly preview?: boolean },
): Promise<undefined> => {
  const expression = parsed(text);
  const connected = await context.connect();
  if (options.preview) {
    await showPreview(connected, expression, ['Nothing was created.']);
    return;
  }
  const { client } = connected;
  await requireFreeName(client, name, expression);
  await requireOneMeaning(client, expression);
  // A name that is unknown fails before the service begins to prepare.
  const described = await definitionOf(connected, expression);
  if (conditionsIn(expression).length > 0) await tellPreview(connected, described);
  const id =
    expression.kind === 'condition'
      ? await createCondition(connected, name, expression.where)
      : await createCustom(connected, name, { expression, described });
  const segment = await client.getSegment({ path: { segment_id: id } });
  context.show(segment, () => [
    `${asName(name)} has ${counted(segment.count ?? 0, 'person', 'people')}. Its id is ${id}.`,
  ]);
};

/** Creates a segment of several parts: first the segments of its conditions, then the segment that combines them. */
const createCustom = async (
  context: Connected,
  name: string,
  { expression, described }: { readonly expression: Expression; readonly described: Definition },
): Promise<number> => {
  const conditions = conditionsIn(expression).map(({ where }) => where);
  const definition = withIds(described, await makeConditions(context, conditions));
  const { id } = await context.client.createSegment({ body: bodyOf('createSegment', { name, definition }) });
  return id;
};

/** Creates a segment of one condition. A condition that has no name but its words gets this one. */
const createCondition = async (context: Connected, name: string, where: Where): Promise<number> => {
  const { client } = context;
  const made = await makeCondition(client, where, name);
  if (made.name !== name && made.name !== nameOf(where)) {
    throw new CommandFailure(
      `This condition is the segment ${asName(made.name)} already (${made.id}); use that one.`,
    );
  }
  if (made.name !== name) {
    const path = { segment_id: made.id };
    await client.replaceSegment({ path, body: bodyOf('createSegment', { name, where }) });
  }
  await waitUntilReady(context, [made.id]);
  return made.id;
};

/** Throws a failure if another segment of a user has the name: names of two such segments cannot be told apart. */
const requireFreeName = async (client: Tidemark, name: string, expression: Expression): Promise<void> => {
  for (const type of ['custom', 'condition'] as const) {
    for await (const segment of client.findSegments({ query: { name, type } })) {
      if (segment.name !== name || (await isSame(client, segment.id, expression))) continue;
      throw new CommandFailure(
        `There is a segment ${asName(name)} already (${segment.id}); choose another name, or delete it first.`,
      );
    }
  }
};

/** Whether a segment is of this condition: then the command was called before, and goes on. */
const isSame = async (client: Tidemark, id: number, expression: Expression): Promise<boolean> => {
  if (expression.kind !== 'condition') return false;
  const { where } = await client.getSegment({ path: { segment_id: id } });
  return where !== undefined && printWhere(where) === printWhere(expression.where);
};
