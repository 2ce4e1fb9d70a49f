/**
 * People and their segments in plain maps and sets: the reference model of the service. The model shares no code with
 * the service.
 */

/** The values of a record of a person. Values are added to lists. */
export interface Said {
  readonly education_level?: string;
  readonly gender?: string;
  readonly country?: string;
  readonly city?: string;
  /** What the person said about e-mail. */
  readonly consent?: string;
  readonly tags?: readonly string[];
  readonly sources?: readonly string[];
  readonly likes?: readonly string[];
}
const fields = ['education_level', 'gender', 'country', 'city', 'consent'] as const;

interface Person {
  ordinal: number;
  readonly values: Map<string, { readonly at: number; readonly value: string }>;
  readonly sets: Map<string, Set<string>>;
}

/** A node of the tree of a person's segments. */
export interface Node {
  count: number;
  segments: string[];
  subcategories: Record<string, Node>;
}

/** A segment by its type, path and name. */
interface Placed {
  readonly type: string;
  readonly path: readonly string[];
  readonly name: string;
}

/** All stored people. Times are growing numbers; the later of two values wins. */
export class People {
  readonly #people = new Map<number, Person>();
  readonly #forgotten = new Map<number, number>();
  /** When people who were forgotten had withdrawn their consent. It stands. */
  readonly #withdrawn = new Map<number, number>();

  /** Stores a record of a person at an ordinal. */
  store(who: number, said: Said, at: number, ordinal: number): void {
    if (at < (this.#forgotten.get(who) ?? 0)) return;
    const person: Person = this.#people.get(who) ?? { ordinal, values: this.#kept(who), sets: new Map() };
    this.#people.set(who, person);
    for (const field of fields) {
      const value = said[field];
      if (value !== undefined && (person.values.get(field)?.at ?? 0) < at)
        person.values.set(field, { at, value });
    }
    for (const list of ['tags', 'sources', 'likes'] as const)
      person.sets.set(list, new Set([...(person.sets.get(list) ?? []), ...(said[list] ?? [])]));
  }

  #kept(who: number): Person['values'] {
    const at = this.#withdrawn.get(who);
    return new Map(at === undefined ? [] : [['consent', { at, value: 'withdrawn' }]]);
  }

  forget(who: number, at: number): void {
    const consent = this.#people.get(who)?.values.get('consent');
    if (consent?.value === 'withdrawn') this.#withdrawn.set(who, consent.at);
    else this.#withdrawn.delete(who);
    this.#people.delete(who);
    this.#forgotten.set(who, at);
  }

  ordinalOf(who: number): number | undefined {
    return this.#people.get(who)?.ordinal;
  }

  /** Ordinals of all, ascending. */
  everybody(): readonly number[] {
    return [...this.#people.values()].map(({ ordinal }) => ordinal).sort((a, b) => a - b);
  }

  /** Members by `type name` of all segments that have members. */
  segments(): ReadonlyMap<string, ReadonlySet<number>> {
    const found = new Map<string, Set<number>>();
    for (const person of this.#people.values())
      for (const { type, name } of placesOf(person)) {
        const key = `${type} ${name}`;
        found.set(key, (found.get(key) ?? new Set()).add(person.ordinal));
      }
    return found;
  }

  /** The tree of a person, with the custom segments of these names. */
  treeOf(who: number, customs: readonly string[]): Record<string, Node> {
    const person = this.#people.get(who);
    const root: Node = { count: 0, segments: [], subcategories: {} };
    const all = [...(person ? placesOf(person) : []), ...customs.map((name) => ({ path: ['Custom'], name }))];
    for (const { path, name } of all) {
      let node = root;
      for (const category of path) {
        node = node.subcategories[category] ??= { count: 0, segments: [], subcategories: {} };
        node.count += 1;
      }
      node.segments = [...node.segments, name].sort();
    }
    return root.subcategories;
  }
}

const placesOf = ({ values, sets }: Person): readonly Placed[] => {
  const value = (field: (typeof fields)[number]) => values.get(field)?.value;
  const labels = { education_level: 'Education level', gender: 'Gender' } as const;
  const demographics = (['education_level', 'gender'] as const).flatMap((field): Placed[] => {
    const [said, label] = [value(field), labels[field]];
    return said === undefined
      ? []
      : [{ type: 'demographic', path: ['Demographics', label], name: `${label}: ${said}` }];
  });
  const consent = value('consent');
  const [country, city] = [value('country'), value('city')];
  const places: Placed[] = [];
  if (country !== undefined) places.push({ type: 'location', path: ['Location'], name: country });
  if (city !== undefined)
    places.push({
      type: 'location',
      path: ['Location', country ?? 'Unknown', 'Unknown'],
      name: country === undefined ? city : `${city}, ${country}`,
    });
  const listed = (list: string, type: string, path: readonly string[]): readonly Placed[] =>
    [...(sets.get(list) ?? [])].map((name) => ({ type, path, name }));
  return [
    ...demographics,
    ...places,
    ...(consent === undefined
      ? []
      : [{ type: 'consent', path: ['Consent', 'email'], name: `email: ${consent}` }]),
    ...listed('tags', 'tag', ['Tags']),
    ...listed('sources', 'source', ['Sources']),
    ...listed('likes', 'brand', ['Brands', 'Uncategorised']),
  ];
};
