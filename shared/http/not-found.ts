/** Not found: the 404 of a thing that the address or the query of a request names. */
import type { PropertyRef } from './api-types.ts';
import type { Problem } from './problem.ts';

/** Things in addresses: their name in sentences, the parameter with their id, and the parameter of what they belong to. */
const things = {
  segment: { name: 'segment', id: 'segment_id' },
  collection: { name: 'collection', id: 'collection_id' },
  timeline: { name: 'timeline', id: 'timeline_id' },
  moment: { name: 'moment', id: 'moment_id', of: { name: 'timeline', id: 'timeline_id' } },
  import: { name: 'import', id: 'import_id' },
  importJob: { name: 'job', id: 'job_id', of: { name: 'import', id: 'import_id' } },
  export: { name: 'export', id: 'export_id' },
  exportJob: { name: 'job', id: 'job_id', of: { name: 'export', id: 'export_id' } },
  erasure: { name: 'erasure', id: 'erasure_id' },
  objection: { name: 'objection', id: 'objection' },
  delivery: { name: 'delivery', id: 'delivery', of: { name: 'job', id: 'job_id' } },
} as const;

/** A kind of thing that an address names. */
export type Thing = keyof typeof things;

/** The part of a request that names the thing. */
export interface Naming {
  readonly property: Pick<PropertyRef, 'id'>;
  readonly path: Readonly<Record<string, string>>;
}

/**
 * 404 for the thing in the address of a request. The sentence is the same for an unknown id and for the id of another
 * tenant. It holds numbers only: any other text of the address is the client's.
 */
export const notFound = (kind: Thing, { property, path }: Naming): Problem => {
  const thing: { readonly name: string; readonly id: string; readonly of?: { name: string; id: string } } =
    things[kind];
  const parent = thing.of && path[thing.of.id] !== undefined ? [thing.of] : [];
  const named = [thing, ...parent].map(({ name, id }) => `${name}${numberIn(path[id])}`);
  return missing(
    `There is no ${named.join(' of ')} in property ${property.id}, or it belongs to somebody else.`,
  );
};

/** Parameters of a lookup that name a person. */
const identifying = ['email', 'phone_number', 'unique_id', 'social_id', 'profile_uuid'];

/** 404 for the person whom a query names. The sentence has the parameter, never its value. */
export const nobodyFound = (property: Pick<PropertyRef, 'id'>, query: object): Problem => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const name = identifying.find((parameter) => given.some(([key]) => key === parameter));
  return missing(`Nobody in property ${property.id} has this ${name ?? 'identity'}.`);
};

/** 404 with a sentence of its own. */
export const missing = (detail: string): Problem => ({ status: 404, code: 'not_found', detail });

const numberIn = (id: string | undefined): string =>
  id !== undefined && /^[1-9]\d{0,15}$/.test(id) ? ` ${id}` : '';
