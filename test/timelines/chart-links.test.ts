import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { property } from '../segments/fixture.ts';
import { baseUrl, figuresIn, HOUR, START, taggedPeople } from './harness.ts';

const DAY = 24 * HOUR;

/** Two timelines with a link to the first, at noon of a day. */
const linked = async (days?: number) => {
  const { clock, table, tag, harness: process } = await taggedPeople([0]);
  clock.now += 12 * HOUR;
  const harness = process();
  const [timeline, other] = [await harness.created('One', tag), await harness.created('Two', tag)];
  const made = await harness.link(timeline.id, days);
  const links = () => table.items().filter(({ pk }) => pk.startsWith('CHART#'));
  return { harness, clock, timeline, other, ...made, links };
};

const closed = { status: 403, code: 'link_closed' };

describe('a link to a chart', () => {
  it('shows the chart of its timeline, and no other chart, without a token', async () => {
    const { harness, timeline, other, url } = await linked();
    const { status, body, headers } = await harness.open(url);
    expect(status).toBe(200);
    expect(body).toBe(await harness.chart(timeline.id));
    expect(body).not.toBe(await harness.chart(other.id));
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': `public, max-age=${limits.timelines.chartCacheSeconds}`,
      'referrer-policy': 'no-referrer',
    });
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect((await harness.open((await harness.link(other.id)).url)).body).toBe(await harness.chart(other.id));
  });

  it('takes the size and the moments of the chart', async () => {
    const { harness, timeline, clock, url } = await linked();
    clock.now += HOUR;
    const second = await harness.added(timeline.id);
    const { body } = await harness.open(`${url}?width=640&height=300&from=${second.id}`);
    expect(body).toContain('width="640" height="300"');
    expect(figuresIn(String(body)).map(({ id }) => id)).toEqual([second.id]);
    for (const query of ['width=319', 'width=2001', 'height=279', 'height=1e3', 'from=x', 'token=1'])
      expect(await harness.open(`${url}?${query}`)).toMatchObject({ status: 400 });
  });

  it('has the times of the zone that its reader names, however spelt', async () => {
    const { harness, url } = await linked();
    const { body } = await harness.open(`${url}?timezone=America/New_York`);
    expect(body).toContain('times in America/New_York');
    const { body: other } = await harness.open(`${url}?timezone=AMERICA%2Fnew_york`);
    expect(other).toBe(body);
    expect((await harness.open(`${url}?timezone=`)).body).toBe((await harness.open(url)).body);
  });

  it.each([
    ...['Berlin', 'Europe/Berlin ', '+01:00', '../UTC', '<script>', 'UTC"/>', '__proto__', 'constructor'],
    ...['Europe/Berlin\u0000', '\u202eCTU', 'A'.repeat(10_000)],
  ])('refuses the time zone %j, and does not repeat it', async (zone) => {
    const { harness, url } = await linked();
    const refused = await harness.open(`${url}?timezone=${encodeURIComponent(zone)}`);
    expect(refused).toMatchObject({ status: 400 });
    expect(JSON.stringify(refused)).not.toContain(JSON.stringify(zone).slice(1, -1));
  });

  it('does not show moments of another timeline', async () => {
    const { harness, other, url } = await linked();
    const moment = other.moments[0]?.id ?? 0;
    expect(await harness.open(`${url}?from=${moment}`)).toMatchObject({ status: 404, code: 'not_found' });
  });

  it.each(['from', 'to'])('names neither timeline nor property when it refuses `%s`', async (parameter) => {
    const { harness, timeline, other, url } = await linked();
    const refused = [5, other.moments[0]?.id ?? 0].map((id) => harness.open(`${url}?${parameter}=${id}`));
    const [unknown, foreign] = await Promise.all(refused);
    expect(unknown).toMatchObject({
      status: 404,
      code: 'not_found',
      detail: 'The chart has no such moment. `from` and `to` must be ids of its moments.',
    });
    expect(foreign).toEqual(unknown);
    expect(JSON.stringify(unknown)).not.toContain(String(timeline.id));
  });

  it('is open for its days, to the end of the last of them in UTC', async () => {
    const { harness, clock, url, expires_at } = await linked(2);
    const end = START + 3 * DAY;
    expect(expires_at).toBe(new Date(end).toISOString());
    clock.now = end - 1;
    expect(await harness.open(url)).toMatchObject({ status: 200 });
    clock.now = end;
    expect(await harness.open(url)).toMatchObject(closed);
  });

  it('does not open when one character of it is another one', async () => {
    const { harness, url } = await linked();
    const at = `${baseUrl}/charts/`.length;
    for (const place of [at, at + 20, at + 41]) {
      const other = url[place] === 'A' ? 'B' : 'A';
      const tampered = `${url.slice(0, place)}${other}${url.slice(place + 1)}`;
      expect(await harness.open(tampered)).toMatchObject(closed);
    }
    for (const capability of ['', 'A', 'A'.repeat(43), `${'A'.repeat(43)}A`, '..'])
      expect(
        await harness.open(`${baseUrl}/charts/${encodeURIComponent(capability)}/chart.svg`),
      ).toMatchObject(closed);
  });

  it('is the same link for each request with the same last day', async () => {
    const { harness, timeline, clock, url, links } = await linked();
    clock.now += 11 * HOUR;
    expect((await harness.link(timeline.id)).url).toBe(url);
    expect(links()).toHaveLength(1);
    expect((await harness.link(timeline.id, 31)).url).not.toBe(url);
  });

  it('is not in the table, which forgets its item after its last day', async () => {
    const { url, expires_at, links } = await linked();
    expect(JSON.stringify(links())).not.toContain(url.split('/')[4]);
    expect(links()).toMatchObject([{ property, ttl: Date.parse(expires_at) / 1000 }]);
  });

  it('no longer opens once the links of its timeline are withdrawn, and later links do', async () => {
    const { harness, timeline, other, url } = await linked();
    const kept = await harness.link(other.id);
    expect(await harness.withdraw(timeline.id)).toMatchObject({ status: 200, body: { id: timeline.id } });
    expect(await harness.open(url)).toMatchObject(closed);
    const later = await harness.link(timeline.id);
    expect(await harness.open(later.url)).toMatchObject({ status: 200 });
    expect(await harness.open(kept.url)).toMatchObject({ status: 200 });
  });

  it('no longer opens once its timeline is deleted', async () => {
    const { harness, timeline, url } = await linked();
    await harness.remove(timeline.id);
    expect(await harness.open(url)).toMatchObject(closed);
    expect(await harness.withdraw(timeline.id)).toMatchObject({ status: 404 });
  });

  it('shows a chart so many times a minute, and other charts as often', async () => {
    const { harness, other, clock, url } = await linked();
    const views = limits.timelines.chartViewsPerMinute;
    for (let view = 0; view < views; view += 1) expect((await harness.open(url)).status).toBe(200);
    clock.now += 15_000;
    expect(await harness.open(url)).toMatchObject({ status: 429, headers: { 'retry-after': '45' } });
    expect(await harness.open((await harness.link(other.id)).url)).toMatchObject({ status: 200 });
    clock.now += 45_000;
    expect((await harness.open(url)).status).toBe(200);
  });
});
