import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { profileRoutes } from '../profiles/routes.ts';

let routes: Awaited<ReturnType<typeof profileRoutes>>;
let ann = '';
beforeEach(async () => {
  routes = await profileRoutes();
  const stored = await routes.demo.post({ email: 'ann@b.co', phone_number: '+491512345678' });
  const answer = v.object({ profile_uuid: v.string() });
  ann = v.parse(answer, JSON.parse(stored.body)).profile_uuid;
});

/** The outcomes of the entries of some reads, with the people in them. */
const entriesOf = async (read: () => Promise<unknown>): Promise<readonly string[]> => {
  const before = new Set(routes.harness.auditLog.items().map(({ sk }) => sk));
  await read();
  const ids = v.object({ profile_uuid: v.optional(v.string(), 'nobody') });
  return routes.harness.auditLog
    .items()
    .filter(({ sk }) => !before.has(sk))
    .map(({ outcome, ids: named }) => `${String(outcome)} ${v.parse(ids, named).profile_uuid}`);
};

describe('a read of one person', () => {
  it.each([
    ['email=ann@b.co', 'lookup'],
    ['email=ann@b.co&explain=true&include=segments', 'lookup'],
    ['phone_number=%2B491512345678', 'lookup'],
    ['email=ann@b.co', 'access'],
    ['email=ann@b.co', 'tree'],
  ] as const)(
    'by %s (%s) has one entry, whether its process remembers the person or not',
    async (query, how) => {
      for (let time = 0; time < 2; time += 1)
        expect(await entriesOf(() => routes.demo[how](query))).toEqual([`200 ${ann}`]);
    },
  );

  describe.each(['lookup', 'access', 'tree'] as const)('(%s)', (how) => {
    const look = (query = 'email=ann@b.co') => entriesOf(() => routes.demo[how](query));

    it('by its UUID has one entry', async () => {
      expect(await look(`profile_uuid=${ann}`)).toEqual([`200 ${ann}`]);
    });

    it('has one entry without a person where nobody is found', async () => {
      expect(await look('email=nobody@b.co')).toEqual(['404 nobody']);
    });

    it('has a later entry where the person has gone whom it is about to read', async () => {
      await look();
      await routes.demo.forget('email=ann@b.co');
      expect(await look()).toEqual([`200 ${ann}`, '404 nobody']);
      // The process has forgotten her address. A UUID names her for ever.
      expect(await look()).toEqual(['404 nobody']);
      expect(await look(`profile_uuid=${ann}`)).toEqual([`200 ${ann}`, '404 nobody']);
    });

    it('names whoever has the identity now, and from then on nobody else', async () => {
      await look();
      await routes.demo.forget('email=ann@b.co');
      const next = await routes.demo.post({ email: 'ann@b.co' });
      const { profile_uuid } = v.parse(v.object({ profile_uuid: v.string() }), JSON.parse(next.body));
      expect(await look()).toContain(`200 ${profile_uuid}`);
      expect(await look()).toEqual([`200 ${profile_uuid}`]);
    });
  });
});
