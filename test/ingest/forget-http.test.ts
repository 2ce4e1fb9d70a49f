import { beforeEach, describe, expect, it } from 'vitest';
import { jsonOf, problemOf } from '../support/answers.ts';
import { profileRoutes } from '../profiles/routes.ts';

let routes: Awaited<ReturnType<typeof profileRoutes>>;
beforeEach(async () => {
  routes = await profileRoutes();
});

const ann = {
  unique_id: 'u',
  email: 'ann@example.com',
  social_id: 's',
  tags: [{ datetime: '2024-01-01 00:00:00', tag: ['vip'] }],
};
const store = async (): Promise<string> => String(jsonOf(await routes.demo.post(ann))['profile_uuid']);

/** Nobody got data. */
const nobody = { all_looked_at: true, exports: [], enrichers: [] };

describe('DELETE profile', () => {
  it.each(['unique_id=u', 'email=ANN@example.com', 'social_id=s', 'profile_uuid'])(
    'by %s returns the number of removed items, and no lookup finds the person afterwards',
    async (name) => {
      const uuid = await store();
      const answer = await routes.demo.forget(name === 'profile_uuid' ? `${name}=${uuid}` : name);
      expect(answer.statusCode).toBe(200);
      const { disclosures, ...told } = jsonOf(answer);
      expect(disclosures).toMatchObject(nobody);
      expect(told).toEqual({
        profile_uuid: uuid,
        removed: {
          attributes: 0,
          identities: 3,
          extra_data: 0,
          tags: 1,
          social_likes: 0,
          sources: 0,
          consent: 0,
          segments: 1,
          moments: 0,
        },
      });
      for (const query of ['unique_id=u', 'email=ann@example.com', 'social_id=s', `profile_uuid=${uuid}`]) {
        expect(problemOf(await routes.demo.lookup(query))).toMatchObject({ status: 404 });
        expect(problemOf(await routes.demo.forget(query))).toMatchObject({ status: 404 });
      }
      for (const segment of ['everyone', 'vip']) expect(await routes.members(segment)).toEqual([]);
    },
  );

  it('frees the identities for a new profile', async () => {
    const uuid = await store();
    await routes.demo.forget('unique_id=u');
    const again = await routes.demo.post(ann);
    expect(again.statusCode).toBe(201);
    expect(jsonOf(again)['profile_uuid']).not.toBe(uuid);
    expect(await routes.members('vip')).toHaveLength(1);
  });

  it.each(['', 'email=a@b.co&unique_id=u', 'nope=1', 'email=ann@example.com&explain=true'])(
    'refuses the query "%s" and changes nothing',
    async (query) => {
      await store();
      expect(problemOf(await routes.demo.forget(query))).toMatchObject({ status: 400 });
      expect(await routes.members('everyone')).toHaveLength(1);
    },
  );

  it('does not affect another account', async () => {
    const uuid = await store();
    for (const query of ['unique_id=u', `profile_uuid=${uuid}`])
      expect(problemOf(await routes.other.forget(query))).toMatchObject({ status: 404 });
    expect((await routes.demo.lookup('unique_id=u')).statusCode).toBe(200);
  });
});
