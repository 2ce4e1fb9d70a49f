import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { findTarget, type Target } from '../../cli/admin-service.ts';
import { seededRandom } from '../../local/core/seeded-random.ts';
import { openStage, type Stage } from './alarm-stage.ts';
import { sectionOf } from './game-day.ts';
import { incidents } from './incidents.ts';

/** `GAME_DAY=<seed>` plays the incidents in another order, and `GAME_DAY_INCIDENTS=<number>` only the first of them. */
const seed = Number(process.env['GAME_DAY'] ?? 36);
const PLAYED = Number(process.env['GAME_DAY_INCIDENTS'] ?? incidents.length);
const LONG_SECONDS = 3 * 3_600;

/** Incidents in an order that the seed says. */
const played = (() => {
  const random = seededRandom(seed);
  const ranked = incidents.map((incident) => ({ incident, rank: random('rank', incident.name) }));
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, PLAYED)
    .map(({ incident }) => incident);
})();

describe(`a game day (seed ${seed})`, () => {
  let stage: Stage;
  let target: Target;
  let folder: string;
  let count = 0;

  beforeAll(async () => {
    stage = await openStage();
    folder = await mkdtemp(join(tmpdir(), 'tidemark-day-'));
    const file = join(folder, 'endpoints.json');
    await writeFile(file, JSON.stringify(stage.service.cloud.endpoints));
    target = await findTarget({}, file);
  });
  afterAll(async () => {
    await stage.service[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  it.each(played)(
    '$name: it shows, and its section ends it',
    async ({ section, play }) => {
      stage.service.cloud.parts.watch.cloudwatch.pass(LONG_SECONDS);
      await play({ stage, target, fresh: () => (count += 1) }, sectionOf(section));
    },
    180_000,
  );
});
