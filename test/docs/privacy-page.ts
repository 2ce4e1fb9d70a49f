/** The part of `docs/privacy.md` about places, made from the list of places. */
import { resolveStage } from '../../lib/config/stages.ts';
import { itemPlaces } from '../../shared/properties/places/item-places.ts';
import {
  exportPlaces,
  folderPlaces,
  type ObjectPlace,
} from '../../shared/properties/places/object-places.ts';
import {
  accesses,
  emptiers,
  forgettings,
  type End,
  type Kept,
  type Place,
} from '../../shared/properties/places/place.ts';
import { backups, receivers, resourcePlaces } from '../../shared/properties/places/resource-places.ts';
import { wrapped } from './wrapped.ts';

const [prod, dev] = [resolveStage('prod', {}), resolveStage('dev', {})];

const endText = (end: End): string => {
  if ('with' in end) return end.with;
  if ('days' in end) return end.days === 1 ? 'a day' : `${end.days} days`;
  if ('hours' in end)
    return end.hours % 24 === 0 && end.hours > 48 ? `${end.hours / 24} days` : `${end.hours} hours`;
  const [there, here] = [prod[end.setting], dev[end.setting]];
  return `${there} days${here === there ? '' : ` (\`dev\`: ${here})`}`;
};

const untilText = ({ keeps: { end, besides }, mayBeFewer }: Full): string =>
  `${endText(end)}${mayBeFewer === true ? ' or fewer' : ''}${besides === undefined ? '' : `; ${besides}`}`;

interface Full extends Place, Partial<Pick<ObjectPlace, 'mayBeFewer'>> {
  readonly keeps: Kept;
}
const isFull = (place: Place): place is Full => place.keeps !== null;

const table = (places: readonly Full[]): string =>
  [
    '| place | until | at a forgetting | access request |',
    '| --- | --- | --- | --- |',
    ...places.map((place) => {
      const { name, keeps } = place;
      const cells = [name, untilText(place), forgettings[keeps.forgetting], accesses[keeps.access]];
      return `| ${cells.join(' | ')} |`;
    }),
  ].join('\n');

/** Who empties all places, if it is one; otherwise each says so. */
const emptierOf = (places: readonly Full[]): string | undefined => {
  const all = new Set(places.map(({ keeps }) => emptiers[keeps.emptiedBy]));
  const [one] = all;
  return all.size === 1 ? one : undefined;
};

const listOf = (places: readonly Full[], emptier: string | undefined): string =>
  places
    .map(({ name, keeps }) => {
      const by = emptier === undefined ? ` Emptied by ${emptiers[keeps.emptiedBy]}.` : '';
      return `- ${wrapped(`**${name}**: ${keeps.what}${by}`)}`;
    })
    .join('\n');

const section = (heading: string, all: readonly Place[]): string => {
  const places = all.filter(isFull);
  const emptier = emptierOf(places);
  const nothing = all.filter(({ keeps }) => keeps === null).map(({ name }) => name);
  return [
    `### ${heading}`,
    ...(emptier === undefined ? [] : [`They are emptied by ${emptier}.`]),
    table(places),
    listOf(places, emptier),
    ...(nothing.length === 0
      ? []
      : [wrapped(`Without data of people: ${nothing.join('; ')}.`).replaceAll('\n  ', '\n')]),
  ].join('\n\n');
};

const [begin, end] = [
  '<!-- places: npm test -- test/docs/privacy.test.ts --update writes this part -->',
  '<!-- end of places -->',
];

/** The page with its part about places made anew. Throws if the page has no such part. */
export const privacyPage = (page: string): string => {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error('docs/privacy.md lacks the marks of its list of places');
  const places = [
    section('In the tables', Object.values(itemPlaces)),
    section('In the buckets', [...Object.values(folderPlaces), ...Object.values(exportPlaces)]),
    section('In logs, queues and backups', [...resourcePlaces, backups]),
    section('Outside of the service', receivers),
  ];
  return `${page.slice(0, from)}${begin}\n\n${places.join('\n\n')}\n\n${page.slice(to)}`;
};
