import * as v from 'valibot';
import { expect } from 'vitest';
import { clientWith } from '../support/api-client.ts';
import { operate } from '../support/operate.ts';
import { shared } from '../support/shared-service.ts';
import { until } from '../support/until.ts';
import { completeJobs, segmentId } from '../support/running.ts';

const made = v.looseObject({ id: v.string() });
const timelineMade = v.looseObject({ id: v.number() });
const linkMade = v.looseObject({ url: v.string() });
const token = v.looseObject({ access_token: v.string() });
const caller = v.looseObject({ account: v.looseObject({ id: v.number() }) });
const mails = v.array(v.looseObject({ to: v.array(v.string()), text: v.string() }));
const delivered = v.looseObject({
  deliveries: v.array(
    v.looseObject({ kind: v.string(), state: v.string(), last_error: v.nullable(v.string()) }),
  ),
});
const shown = v.looseObject({ created_by: v.unknown() });
const addresses = v.looseObject({ notification_emails: v.array(v.unknown()) });

shared(
  'a user who leaves gets no mail any more, has no open link, and leaves no name',
  async ({ service }) => {
    const { client, property, cloud } = service;
    const username = 'leaver';
    const email = 'leaver@example.com';
    const password = 'a long password of a leaver';
    const { account } = await client.get('/v1/me', caller);
    const person = { email, first_name: 'Lea', last_name: 'Ver', password };
    const command = { command: 'user.create', account: account.id, username, ...person };
    expect(await operate(service, command)).toMatchObject({ ok: true });
    const { client_id, base_url } = cloud.endpoints;
    const signIn = { grant_type: 'password', client_id, username, password };
    const signedIn = await fetch(`${base_url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(signIn),
    });
    const leaver = clientWith(v.parse(token, await signedIn.json()).access_token, base_url);

    const body = {
      email: 'guest@example.org',
      tags: [{ datetime: '2026-01-01 00:00:00', tag: ['leaving'] }],
    };
    await client.post(`/v1/${property}/profiles`, body, v.unknown());
    const segment = await segmentId(service, 'leaving');
    const own = { segment: [segment], field_set: 'email', notification_email: email };
    const { id } = await leaver.post(`/v1/${property}/exports`, own, made);
    const timelines = `/v2/properties/${property}/timelines`;
    const tracked = { name: 'Leaving', reference_tile: segment };
    const timeline = await leaver.post(timelines, tracked, timelineMade);
    const chart = await leaver.post(`${timelines}/${timeline.id}/chart-links`, { days: 3 }, linkMade);
    const sent = async () => {
      const inbox = v.parse(mails, await (await fetch(cloud.endpoints.inbox_url)).json());
      return inbox.filter(({ to }) => to.includes(email));
    };
    const [mail] = await until('the mail', async () => {
      const found = await sent();
      return found.length > 0 ? found : undefined;
    });
    const location = /http\S+\/downloads\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';
    const statusOf = async (url: string) => (await fetch(url, { redirect: 'manual' })).status;
    expect([await statusOf(location), await statusOf(chart.url)]).toEqual([303, 200]);

    expect(await operate(service, { command: 'user.delete', username })).toMatchObject({
      ...{ ok: true, user: 'deleted', addresses: 1, links: 2, next: null },
    });
    await client.post(`/v1/${property}/exports/${id}/jobs`, {}, made);
    const [newest] = await completeJobs(service, id, 2);
    const path = `/v1/${property}/exports/${id}/jobs/${newest?.id}`;
    await until('the refused mail', async () => {
      const { deliveries } = await client.get(path, delivered);
      return deliveries.some(({ last_error }) => last_error === 'withdrawn_address') || undefined;
    });
    expect(await sent()).toHaveLength(1);
    expect(await statusOf(location)).toBe(403);
    expect(await statusOf(`${chart.url}?fresh=1`)).not.toBe(200);
    const listed = await client.get(`/v1/${property}/notification-emails`, addresses);
    expect(listed.notification_emails).toMatchObject([{ notification_email: email, status: 'withdrawn' }]);
    const { created_by } = await client.get(`${timelines}/${timeline.id}`, shown);
    expect(created_by).toMatchObject({ email: null, first_name: null, last_name: null });
  },
);
