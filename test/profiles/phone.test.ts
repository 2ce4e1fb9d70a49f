import { beforeEach, describe, expect, it } from 'vitest';
import { jsonOf, problemOf } from '../support/answers.ts';
import { profileRoutes } from './routes.ts';

let routes: Awaited<ReturnType<typeof profileRoutes>>;
beforeEach(async () => {
  routes = await profileRoutes();
});

const ANN = '+4930123456';
const query = (phone: string): string => `phone_number=${encodeURIComponent(phone)}`;
const uuidOf = (answer: Parameters<typeof jsonOf>[0]): string => String(jsonOf(answer)['profile_uuid']);
const found = async (phone: string): Promise<unknown> =>
  jsonOf(await routes.demo.lookup(query(phone)))['profile'];
const pointers = () => routes.table.items('phone-pointer');

describe('a lookup by phone', () => {
  it('finds the person who shows the number, also when the plus sign is sent as a blank', async () => {
    const profile_uuid = uuidOf(await routes.demo.post({ unique_id: 'ann', phone_number: ANN }));
    expect(await found(ANN)).toMatchObject({ profile_uuid, phone_number: ANN });
    const plain = await routes.demo.lookup(`phone_number=${ANN}`);
    expect(jsonOf(plain)).toMatchObject({ profile: { profile_uuid } });
    expect((await routes.other.lookup(query(ANN))).statusCode).toBe(404);
  });

  it('follows a number that changes, and the number of the most trusted source', async () => {
    await routes.demo.post({ unique_id: 'ann', phone_number: ANN });
    await routes.demo.post({ unique_id: 'ann', phone_number: '+4930999999' });
    expect((await routes.demo.lookup(query(ANN))).statusCode).toBe(404);
    expect(await found('+4930999999')).toMatchObject({ unique_id: 'ann' });
    await routes.demo.post({ unique_id: 'ann', phone_number: ANN, attribute_source: 'third_party' });
    expect((await routes.demo.lookup(query(ANN))).statusCode).toBe(404);
    await routes.demo.post({ unique_id: 'ann', phone_number: null });
    expect(await found(ANN)).toMatchObject({ unique_id: 'ann' });
  });

  it('names the people who share a number', async () => {
    const ann = uuidOf(await routes.demo.post({ unique_id: 'ann', phone_number: ANN }));
    const bob = uuidOf(await routes.demo.post({ unique_id: 'bob', phone_number: ANN }));
    expect(problemOf(await routes.demo.lookup(query(ANN)))).toMatchObject({
      status: 409,
      code: 'several_people',
      errors: [{ detail: ann }, { detail: bob }],
    });
    expect(routes.harness.auditLog.items()).toContainEqual(
      expect.objectContaining({ outcome: '409', ids: { profile_uuids: `${ann},${bob}` } }),
    );
    await routes.demo.post({ unique_id: 'bob', phone_number: null });
    expect(await found(ANN)).toMatchObject({ unique_id: 'ann' });
  });

  it('takes numbers with a country code only, and stores no pointer for other forms', async () => {
    await routes.demo.post({ unique_id: 'ann', phone_number: '030/123456' });
    expect(pointers()).toEqual([]);
    for (const text of ['030/123456', '+0301234567', '+49', `+${'1'.repeat(16)}`])
      expect(problemOf(await routes.demo.lookup(query(text)))).toMatchObject({ status: 400 });
    expect(problemOf(await routes.demo.lookup(`${query(ANN)}&unique_id=ann`))).toMatchObject({ status: 400 });
  });

  it('writes a pointer once, under a key that does not show the number, and removes it with the person', async () => {
    const sent = { unique_id: 'ann', phone_number: ANN };
    await routes.demo.post(sent);
    const first = pointers();
    await routes.demo.post({ ...sent, city: 'Bonn' });
    expect(pointers()).toEqual(first);
    expect(JSON.stringify(first)).not.toContain(ANN.slice(1));
    await routes.demo.forget('unique_id=ann');
    expect(pointers()).toEqual([]);
  });
});
