/** The commands `person` and `forget`. */
import { type Command, Option } from 'commander';
import { isRecord } from '../../src/json.ts';
import { identityKindOf, identityKinds, identityQuery, type IdentityKind } from '../../src/identity.ts';
import type { Answer } from '../../src/index.ts';
import { findNamed, nameTrials } from '../../src/name-trials.ts';
import { profileParts } from '../../src/profile-parts.ts';
import { type Act, onProperty, filled } from '../actions.ts';
import type { Connected, Context } from '../context.ts';
import { CommandFailure, exitCodes, type ExitCode, usageFailure } from '../failure.ts';
import { onProblem, unlessMissing } from '../problems.ts';
import { findSegment, segmentRef } from '../segments/find.ts';
import { segmentTree } from '../segments/tree.ts';
import { importNames, whyBranch } from '../segments/why.ts';
import { treeOf } from '../terminal/table.ts';
import { counted, asName, plain } from '../terminal/text.ts';
import { exportFields } from '../fields.ts';
import { peopleColumns, textOf } from './people-columns.ts';

/** Adds the commands. */
export const addPeople = (program: Command, act: Act): void => {
  program
    .command('person')
    .description('show what is known of one person')
    .argument('<identity>', `${identityHelp}; otherwise a name: "Müller", "Anna Müller"`, filled)
    .addOption(byOption())
    .option('--city <town>', 'find the person by name in this town')
    .option('--why <segment>', 'explain why the person is in a segment, or is not')
    .action(act(onProperty(person)));
  program
    .command('forget')
    .description('forget a person: remove the profile and all its values for good')
    .argument('<identity>', identityHelp, filled)
    .addOption(byOption())
    .option('--refuse-later', 'also refuse later records with the identities of the person')
    .option('-y, --yes', 'forget without a question')
    .action(act(onProperty(forget)));
};

const identityHelp =
  'an e-mail address, a telephone number, the UUID of a profile, or your own id (unique_id)';

const byOption = (): Option =>
  new Option('--by <key>', 'what the identity is (default: as it looks)').choices(identityKinds);

const kindNames: Readonly<Record<IdentityKind, string>> = {
  email: 'e-mail address',
  unique_id: 'id',
  social_id: 'social id',
  profile_uuid: 'UUID',
  phone_number: 'telephone number',
};

/** The answer of a request about a person. Throws a failure in the words of the user if there is no such person. */
const found = <T>(identity: string, by: IdentityKind | undefined, request: Promise<T>): Promise<T> =>
  onProblem(request, (problem) => {
    if (problem.status !== 404 || problem.code !== 'not_found') throw problem;
    throw new CommandFailure(
      `Nobody has the ${kindNames[by ?? identityKindOf(identity)]} "${identity}". ` +
        'People are found by e-mail address, id, UUID or telephone number.',
    );
  });

interface PersonOptions {
  readonly by?: IdentityKind;
  readonly city?: string;
  readonly why?: string;
}

/** The person whom a word means, as a lookup shows one; undefined when several have the name, who are shown then. */
const lookUp = async (
  context: Connected,
  identity: string,
  { by, city }: PersonOptions,
  include?: typeof profileParts,
): Promise<Found | undefined> => {
  const ask = (query: Partial<Record<IdentityKind, string>>): Promise<Found> =>
    context.client.getProfile({ query: { ...query, ...(include && { include }) } });
  const query = identityQuery(identity, by);
  if (by !== undefined || identityKindOf(identity) !== 'unique_id') {
    if (city !== undefined) throw usageFailure('A town goes with a name, and not with an identity.');
    return found(identity, by, ask(query));
  }
  // Whatever looks like no other identity may be an id, or a name.
  const known = city === undefined ? await unlessMissing(ask(query)) : undefined;
  if (known) return known;
  const profile_uuid = await named(context, identity, city);
  return profile_uuid === undefined ? undefined : found(identity, by, ask({ profile_uuid }));
};

/** The UUID of the one person of this name; undefined when there are several, who are shown. */
const named = async (
  context: Connected,
  name: string,
  city: string | undefined,
): Promise<string | undefined> => {
  const nobody = city === undefined ? `Nobody has the id "${name}"` : '';
  const answer = await onProblem(findNamed(context.client, nameTrials(name, city)), (problem) => {
    if (problem.code !== 'names_off') throw problem;
    throw new CommandFailure([...(nobody ? [`${nobody}.`] : []), problem.detail].join(' '));
  });
  const { profiles, complete, advice } = answer;
  const [first, ...others] = profiles;
  const told = advice === null ? '' : ` ${advice}`;
  if (!first) {
    const where = city === undefined ? '' : ` in a town that begins with "${city}"`;
    const tried = `a name that begins with "${name}"${where}`;
    throw new CommandFailure(`${nobody ? `${nobody}, or` : 'Nobody has'} ${tried}.${told}`);
  }
  if (others.length === 0 && complete) return first.profile_uuid ?? '';
  context.show(answer, () => [
    ...context.table(peopleColumns, profiles),
    `${counted(profiles.length, 'person', 'people')} of this name.${told}`,
  ]);
  return undefined;
};

const person = async (context: Connected, identity: string, options: PersonOptions): Promise<ExitCode> => {
  const { why } = options;
  if (why === undefined) {
    const known = await lookUp(context, identity, options, profileParts);
    if (known) context.show(known, () => personLines(context, known));
    return exitCodes.ok;
  }
  const segment = await findSegment(context, segmentRef(why));
  const known = await lookUp(context, identity, options);
  if (!known) return exitCodes.failed;
  const { profile } = known;
  const path = { segment_id: segment.id, profile_uuid: profile.profile_uuid ?? '' };
  const explained = await context.client.explainMembership({ path });
  const names = context.json ? new Map<string, string>() : await importNames(context.client, explained.why);
  context.show(explained, () => [
    `${explained.member ? 'In' : 'Not in'} ${asName(segment.name)}${explained.pending ? ', and about to change' : ''}:`,
    ...treeOf([whyBranch(explained.why, names)], context.paint),
  ]);
  return exitCodes.ok;
};

type Found = Answer<'getProfile'>;

const personLines = (context: Context, known: Found): readonly string[] => {
  const { profile, ...others } = known;
  const facts = Object.entries({ ...profile, ...others })
    .toSorted(([one], [other]) => rankOf(one) - rankOf(other))
    .flatMap(([name, value]) => (name === 'segments' ? [] : fact(name, value)));
  const segments = (known.segments ?? []).filter(({ type }) => type !== 'everyone');
  return [
    ...context.facts(facts),
    '',
    counted(segments.length, 'segment'),
    ...treeOf(segmentTree(segments.map((segment) => ({ ...segment, count: null }))), context.paint),
  ];
};

/** The place of a field in the list of a person: in the order in which commands list the fields, and others behind. */
const rankOf = (name: string): number => {
  const at = ranked.indexOf(name);
  return at < 0 ? ranked.length : at;
};

const ranked: readonly string[] = exportFields;

type Fact = readonly [name: string, value: string];

/** A known value under the name that a command takes: keys of the extra data and channels of consent one by one. */
const fact = (name: string, value: unknown): readonly Fact[] => {
  if (name === 'consent' && Array.isArray(value)) return value.flatMap(consentFact);
  if (isRecord(value)) return Object.entries(value).map(([key, one]) => [`${name}.${key}`, textOf(one)]);
  const text = textOf(value);
  return text === '' ? [] : [[name, text]];
};

const consentFact = (one: unknown): readonly Fact[] =>
  isRecord(one) ? [[`consent.${textOf(one['channel'])}`, textOf(one['state'])]] : [];

interface ForgetOptions {
  readonly by?: IdentityKind;
  readonly yes?: boolean;
  readonly refuseLater?: boolean;
}

const forget = async (
  context: Connected,
  identity: string,
  { by, yes, refuseLater }: ForgetOptions,
): Promise<ExitCode | undefined> => {
  const { email, unique_id, social_id, profile_uuid, phone_number } = identityQuery(identity, by);
  if (phone_number !== undefined) {
    throw usageFailure(
      'Several people may share a telephone number; use another identity. See: tidemark person',
    );
  }
  const query = { email, unique_id, social_id, profile_uuid };
  if (!yes) {
    const { profile } = await found(identity, by, context.client.getProfile({ query }));
    const names = [profile.first_name, profile.last_name, profile.email, profile.unique_id];
    const shown = names.filter((name) => typeof name === 'string').join(' ');
    if (!(await context.confirm(`Forget ${plain(shown || identity)} for good?`))) return exitCodes.failed;
  }
  const forgotten = await found(
    identity,
    by,
    context.client.forgetProfile({ query: { ...query, ...(refuseLater && { refuse_later: true }) } }),
  );
  const { removed, disclosures, refused_identities: refused } = forgotten;
  context.show(forgotten, () => [
    'Forgotten. Removed:',
    ...context.facts(
      Object.entries(removed).map(([name, number]) => [name.replaceAll('_', ' '), String(number)]),
    ),
    ...(refused === undefined
      ? []
      : [
          '',
          `Later records with the ${counted(refused, 'identity', 'identities')} of this person are refused.`,
        ]),
    ...receivers(context, disclosures),
  ]);
};

/** The lines about who may have got the data of a person. */
const receivers = (
  context: Context,
  { exports, enrichers, all_looked_at }: Answer<'forgetProfile'>['disclosures'],
): readonly string[] => {
  const facts = [
    ...exports.map(({ id, name, jobs }): readonly [string, string] => {
      const sent = jobs.flatMap(({ deliveries }) =>
        deliveries.map(({ kind, receiver }) => `${kind} ${receiver}`),
      );
      return [`export ${name ?? id}`, [...new Set(sent)].join(', ') || 'whoever had its location'];
    }),
    ...enrichers.map(({ name, url }): readonly [string, string] => [
      `enricher ${name}`,
      url ?? 'not asked any more',
    ]),
  ];
  return [
    ...(facts.length === 0
      ? []
      : ['', 'Who may have the data of the last 30 days:', ...context.facts(facts)]),
    ...(all_looked_at ? [] : ['', 'There are too many exports: earlier ones may have had the person, too.']),
  ];
};
