/** The plain model of a property: what has been said of each person, and what that shows. */

/** What a record says of a person, at the time of its acceptance. A record over HTTP has no job. */
export interface Said {
  readonly who: number;
  readonly at: number;
  readonly job?: number;
  readonly name: string;
  readonly lastName?: string;
  readonly email?: string;
  readonly city?: string;
  readonly phone?: string;
  readonly tags: readonly string[];
  /** Pages. */
  readonly likes: readonly string[];
  readonly clearsExtra?: boolean;
  readonly ethnicity?: string;
  readonly age?: number;
  /** Values of `extra_data`: an amount, and a day. */
  readonly spend?: number | string;
  readonly seen?: string;
  /** Without a time, a consent of unknown date. */
  readonly consent?: { readonly state: 'given' | 'withdrawn'; readonly datetime?: string };
}

/** A withdrawal that stands although the record that said it is gone: its job was undone, or its person forgotten. */
export interface Withdrawn {
  readonly who: number;
  readonly datetime: string;
}

/** A person as pages show people. */
export interface Shown {
  readonly who: number;
  readonly name: string;
  readonly unique_id: string;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly city: string | null;
  readonly phone: string | null;
  readonly tags: readonly string[];
  readonly likes: readonly string[];
  readonly ethnicity: string | null;
  readonly age: number | null;
  readonly spend: number | string | null;
  readonly seen: string | null;
  readonly consent: 'given' | 'withdrawn' | null;
}

export const idOf = (who: number): string => `K${who}`;

/** The record of an API call that says the same. */
export const recordOf = (said: Said) => ({
  ...{ unique_id: idOf(said.who), first_name: said.name },
  ...(said.ethnicity !== undefined && { ethnicity: said.ethnicity }),
  ...(said.age !== undefined && { age: said.age }),
  ...optionalOf(said),
});

const optionalOf = ({
  lastName,
  email,
  city,
  phone,
  tags,
  likes,
  consent,
  clearsExtra,
  spend,
  seen,
}: Said) => ({
  ...(lastName !== undefined && { last_name: lastName }),
  ...(email !== undefined && { email }),
  ...(city !== undefined && { city }),
  ...(phone !== undefined && { phone_number: phone }),
  ...(tags.length > 0 && { tags: [{ datetime: '2026-01-01 00:00:00', tag: [...tags] }] }),
  ...(likes.length > 0 && { social_likes: likes.map((id) => ({ id })) }),
  ...(clearsExtra === true && { extra_data: null }),
  ...((spend ?? seen) !== undefined && {
    extra_data: { ...(spend !== undefined && { spend }), ...(seen !== undefined && { seen }) },
  }),
  ...(consent && { consent: [{ channel: 'email', ...consent }] }),
});

/** The statement about a person that counts: the one with the latest date. */
const consentOf = (said: readonly Said[], withdrawn: readonly Withdrawn[], who: number): Said['consent'] =>
  [
    ...said.flatMap((one) => (one.who === who && one.consent ? [one.consent] : [])),
    ...withdrawn.flatMap((one) =>
      one.who === who ? [{ state: 'withdrawn' as const, datetime: one.datetime }] : [],
    ),
  ].toSorted(({ datetime: one = '' }, { datetime: other = '' }) => (one < other ? 1 : -1))[0];

/** What a record withdrew. */
export const withdrawnIn = ({ who, consent }: Said): readonly Withdrawn[] =>
  consent?.state === 'withdrawn' ? [{ who, datetime: consent.datetime ?? '' }] : [];

/** The withdrawals that stand once a person is forgotten. */
export const withdrawnAfter = (
  said: readonly Said[],
  withdrawn: readonly Withdrawn[],
  who: number,
): readonly Withdrawn[] => {
  const last = consentOf(said, withdrawn, who);
  const others = withdrawn.filter((one) => one.who !== who);
  return last?.state === 'withdrawn' ? [...others, { who, datetime: last.datetime ?? '' }] : others;
};

/** The newest value of each field counts, and all tags; of the statements of consent the one with the latest date. */
const peopleIn = (said: readonly Said[], withdrawn: readonly Withdrawn[] = []): readonly Shown[] =>
  [...Map.groupBy(said, ({ who }) => who)]
    .map(([who, own]): Shown => {
      const newest = own.toSorted((one, other) => other.at - one.at);
      const first = <
        K extends 'name' | 'lastName' | 'email' | 'city' | 'phone' | 'ethnicity' | 'age' | 'spend' | 'seen',
      >(
        field: K,
      ) => newest.find((one) => one[field] !== undefined)?.[field] ?? null;
      return {
        ...{ who, unique_id: idOf(who), name: first('name') ?? '', email: first('email') },
        ...{ ethnicity: first('ethnicity'), age: first('age'), spend: first('spend'), seen: first('seen') },
        ...{
          city: first('city'),
          phone: first('phone'),
          lastName: first('lastName'),
          consent: consentOf(own, withdrawn, who)?.state ?? null,
        },
        tags: [...new Set(own.flatMap(({ tags }) => tags))].sort(),
        likes: [...new Set(own.flatMap(({ likes }) => likes))],
      };
    })
    .toSorted((one, other) => one.who - other.who);

/** What pages show of a model: nobody who objects to every use. */
export const peopleOf = ({
  said,
  withdrawn,
  objections,
}: {
  readonly said: readonly Said[];
  readonly withdrawn: readonly Withdrawn[];
  readonly objections: ReadonlyMap<number, string>;
}): readonly Shown[] => peopleIn(said, withdrawn).filter(({ who }) => !objections.has(who));

/** The ids of the people whom a search by name finds: also those who object, whom their names must find. */
export const namedIn = (
  { said, withdrawn }: Parameters<typeof peopleOf>[0],
  lastName: string,
  city?: string,
): readonly string[] =>
  peopleIn(said, withdrawn).flatMap((one) =>
    one.lastName?.startsWith(lastName) === true && (city === undefined || one.city === city)
      ? [one.unique_id]
      : [],
  );

/** The ids of the people with a tag. */
export const taggedIn = (people: readonly Shown[], tag: string): readonly string[] =>
  people.flatMap((one) => (one.tags.includes(tag) ? [one.unique_id] : []));

/** The segments of ethnicity and age with their people: none of special categories that are not used. */
export const demographicIn = (
  people: readonly Shown[],
  isUsed: boolean,
): ReadonlyMap<string, readonly string[]> => {
  const who = (test: (one: Shown) => boolean) => people.flatMap((one) => (test(one) ? [one.unique_id] : []));
  const special = [
    ...['Elf', 'Orc'].map((name) => [`Ethnicity: ${name}`, who((one) => one.ethnicity === name)] as const),
    ['Age: under 18', who(({ age }) => age === 12)] as const,
  ];
  return new Map([
    ...special.map(([name, members]) => [name, isUsed ? members : []] as const),
    ['Age: 35-44', who(({ age }) => age === 40)] as const,
  ]);
};

/** The ids of the people who like a brand, or a page that the catalogue does not know. */
export const likingIn = (
  people: readonly Shown[],
  thing: string,
  placements: readonly (readonly [page: string, brand: string])[],
): readonly string[] => {
  const brandOf = new Map(placements);
  return people.flatMap(({ likes, unique_id }) =>
    likes.some((page) => (brandOf.get(page) ?? page) === thing) ? [unique_id] : [],
  );
};
