import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { manifest } from '../../functions/manifest.ts';
import type { ApiAnswer } from '../../shared/http/api-types.ts';
import { idempotently } from '../../shared/edge/idempotency.ts';
import type { Problem } from '../../shared/http/problem.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import type { Result } from '../../shared/runtime/result.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { keyedScenes, type Play, type Scene } from './keyed-scenes.ts';

type Outcome = Result<ApiAnswer, Problem>;

/** POST routes that need no scene, each with the reason. */
const others: Readonly<Record<string, string>> = {
  issueToken: 'It takes no Idempotency-Key: a token is another one each time.',
  revokeToken: 'It takes no Idempotency-Key: a token that has ended stays so.',
  previewSegment: 'It writes nothing.',
  inspectImport: 'It writes nothing.',
  testExport: 'It leaves nothing but the pinned host key, which a second test finds.',
  createChartLink: 'Links that end on the same day are the same link.',
  confirmAddress: 'It takes no Idempotency-Key: an address that is confirmed twice is confirmed.',
};

const posts = Object.entries(manifest).flatMap(([name, { trigger }]) =>
  trigger.kind === 'http' && trigger.method === 'POST' ? [name] : [],
);

const never = new Promise<never>(() => undefined);

/**
 * Sends a request twice under one key. The process of the first request ends before it has stored or returned an
 * answer: at its end, or where the scene throws. The client repeats the request once the claim of the first request
 * may be taken over.
 */
const sentTwice = async ({ send, later }: Scene): Promise<{ first?: Outcome; second: Outcome }> => {
  const clock = { now: Date.UTC(2026, 0, 1) };
  const deps = {
    table: new MemoryTable(),
    clock: () => clock.now,
    ids: systemIds,
    notRemembered: () => undefined,
  };
  const request = {
    account: 1,
    property: 7,
    route: 'POST',
    key: 'k',
    content: '{}',
    hours: 24,
    keepsAnswer: true,
  };
  const { promise: ended, resolve } = Promise.withResolvers<Outcome | undefined>();
  void idempotently(deps, request, async (requestKey) => {
    resolve(await send(requestKey).catch(() => undefined));
    return never;
  });
  const first = await ended;
  clock.now += (limits.http.idempotencyClaimSeconds + 1) * 1000;
  later?.();
  const second = await idempotently(deps, request, send);
  return first ? { first, second } : { second };
};

const id = v.union([v.string(), v.number()]);
const named = v.union([
  v.pipe(
    v.object({ batch_job_uuid: id }),
    v.transform((body) => body.batch_job_uuid),
  ),
  v.pipe(
    v.object({ job_id: id }),
    v.transform((body) => body.job_id),
  ),
  v.pipe(
    v.object({ profile_uuid: id }),
    v.transform((body) => body.profile_uuid),
  ),
  v.pipe(
    v.object({ id }),
    v.transform((body) => body.id),
  ),
]);
const idOf = (outcome: Outcome | undefined): string | number => {
  if (!outcome?.ok) throw new Error(JSON.stringify(outcome?.error));
  return v.parse(named, outcome.value.body);
};

describe('a POST with an Idempotency-Key', () => {
  it('every keyed POST route of the manifest has a scene', () => {
    const scenes = Object.keys(keyedScenes).map((name) => name.split(' ', 1).join(''));
    const known = new Set([...scenes, ...Object.keys(others)]);
    const advice = posts
      .filter((name) => !known.has(name))
      .map(
        (name) =>
          `Add \`${name}: async (before) => ({ table, send: (requestKey) => ${name}(deps, keyed(property, requestKey, body)), ` +
          'effects })` to `keyedScenes` in test/edge/keyed-scenes.ts; copy `createCollection` there',
      );
    expect(advice).toEqual([]);
    expect([...known].sort()).toEqual([...posts].sort());
  });

  it.each(Object.entries(keyedScenes))(
    '%s takes effect once when its first request dies at its end',
    async (_, play: Play) => {
      const scene = await play(() => undefined);
      const { first, second } = await sentTwice(scene);
      expect(idOf(second)).toBe(idOf(first));
      expect(await scene.effects()).toHaveLength(1);
    },
  );

  it.each(Object.entries(keyedScenes))(
    '%s takes effect once when its first request dies at any operation',
    async (_, play: Play) => {
      let died = 0;
      for (let fatal = 0; fatal === died; fatal += 1) {
        const steps = { left: Infinity };
        const scene = await play(() => {
          if (steps.left === 0) throw new Error('killed');
          steps.left -= 1;
        });
        const sendFirst = { left: fatal };
        const { first, second } = await sentTwice({
          ...scene,
          send: async (requestKey) => {
            steps.left = sendFirst.left;
            sendFirst.left = Infinity;
            return scene.send(requestKey);
          },
        });
        steps.left = Infinity;
        if (!first) died += 1;
        idOf(second);
        expect({ fatal, effects: await scene.effects() }).toMatchObject({ effects: { length: 1 } });
      }
      expect(died).toBeGreaterThan(0);
    },
  );
});
