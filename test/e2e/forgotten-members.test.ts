import * as v from 'valibot';
import { afterAll, expect, it } from 'vitest';
import { deliveriesAnswer } from '../../shared/exports/model/answers.ts';
import { accessAnswer, forgottenAnswer } from '../../shared/profiles/schemas.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { until } from '../support/until.ts';
import { openReceiver, type Receiver } from '../support/webhook-receiver.ts';
import { segmentId } from '../support/running.ts';

const PERSON = 'canary4712@example.org';
const made = v.looseObject({ id: v.string() });
const notice = v.looseObject({ location: v.string(), job_id: v.string() });
const problem = v.looseObject({ status: v.number(), code: v.string(), detail: v.string() });

let service: Service;
let receiver: Receiver;
let status = 204;

shared.beforeAll(async ({ service: own }) => {
  service = own;
  receiver = await openReceiver(() => status);
}, 180_000);
afterAll(() => receiver[Symbol.asyncDispose]());

it('nobody gets a file with a person who was forgotten, and the answers say who had it', async () => {
  const { client, property } = service;
  await client.post(`/v1/${property}/profiles`, { email: PERSON }, v.unknown());
  const path = `/v1/${property}/exports`;
  const body = { segment: [await segmentId(service)], webhook_url: receiver.url };
  const { id } = await client.post(path, body, made);
  const told = v.parse(notice, JSON.parse((await receiver.next()).body));
  expect(await (await fetch(told.location)).text()).toContain(PERSON);
  const deliveries = `${path}/${id}/jobs/${told.job_id}/deliveries`;
  await until('the delivery', async () =>
    (await client.get(deliveries, deliveriesAnswer)).deliveries.every(({ delivered }) => delivered),
  );

  // A second export, whose receiver is down: its delivery is under way.
  status = 503;
  const second = await client.post(path, body, made);
  const pending = v.parse(notice, JSON.parse((await receiver.next()).body));
  const underWay = `${path}/${second.id}/jobs/${pending.job_id}/deliveries`;
  const states = async () =>
    (await client.get(underWay, deliveriesAnswer)).deliveries.map((one) => [one.state, one.last_error]);
  await until('a failed attempt', async () => (await states())[0]?.[0] === 'retrying' || undefined);

  const person = `/v1/${property}/profile`;
  const known = { exports: [{ id: second.id }, { id }], all_looked_at: true };
  const file = await client.get(`${person}/access-request?email=${PERSON}`, accessAnswer);
  expect(file.disclosures).toMatchObject(known);
  const answer = await service.call('DELETE', `${person}?email=${PERSON}`);
  const { disclosures } = v.parse(forgottenAnswer, JSON.parse(answer.text));
  expect(disclosures).toMatchObject(known);
  expect(disclosures.exports[1]?.jobs[0]).toMatchObject({
    id: told.job_id,
    deliveries: [{ kind: 'webhook', receiver: new URL(receiver.url).host, state: 'delivered' }],
  });

  status = 204;
  const closed = await fetch(told.location, { redirect: 'manual' });
  expect(v.parse(problem, await closed.json())).toMatchObject({ status: 403, code: 'members_forgotten' });
  const replay = await service.call('POST', `${deliveries}/${told.job_id}-webhook/replay`);
  expect(JSON.parse(replay.text)).toMatchObject({ status: 409, code: 'members_forgotten' });
  const over = await until('the end of the delivery', async () => {
    const [state] = await states();
    return state?.[0] === 'exhausted' ? state : undefined;
  });
  expect(over[1]).toMatch(/^members_forgotten/);

  // What both problems say to do.
  const calls = receiver.calls.length;
  await client.post(`${path}/${id}/jobs`, {}, made);
  const again = await until('another call', () => receiver.calls[calls]);
  const fresh = await fetch(v.parse(notice, JSON.parse(again.body)).location);
  expect(fresh.status).toBe(200);
  expect(await fresh.text()).not.toContain(PERSON);
}, 120_000);
