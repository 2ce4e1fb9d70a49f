/**
 * `npm run release`: keeps what a customer of this version has in `releases/<version>`: the templates of the stages, the
 * data folder of a small customer, and what the service answers about it. Run it once, in the commit of the release.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { callerOf } from '../scenes/operations.ts';
import { startService } from '../support/service.ts';
import { fillConcertHall } from './concert-hall.ts';
import { itemKinds } from './item-kinds.ts';
import { readAll } from './read-all.ts';
import { writeRelease } from './release-files.ts';
import { presentTemplates } from './templates.ts';

const text = (name: string): string => readFileSync(resolve(import.meta.dirname, '../..', name), 'utf8');

const versionIn = (name: string): string =>
  v.parse(v.object({ version: v.string() }), JSON.parse(text(name))).version;

const version = versionIn('package.json');
if (versionIn('client/package.json') !== version)
  throw new Error(`The client has version ${versionIn('client/package.json')}, the service ${version}.`);
if (!text('CHANGELOG.md').includes(`\n## [${version}] `))
  throw new Error(`CHANGELOG.md has no section ## [${version}] - <date>.`);

const dataFolder = mkdtempSync(join(tmpdir(), 'tidemark-release-'));
try {
  const answers = await (async () => {
    await using service = await startService({
      dataDir: dataFolder,
      context: { momentIntervalSeconds: '1' },
    });
    const call = callerOf(service);
    await fillConcertHall(call);
    await service.cloud.idle();
    return await readAll(call, service.cloud.baseUrl);
  })();
  writeRelease(version, { templates: presentTemplates(), itemKinds, dataFolder, answers });
  process.stdout.write(`Wrote releases/${version}.\n`);
} finally {
  rmSync(dataFolder, { recursive: true, force: true });
}
