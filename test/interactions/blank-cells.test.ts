import { expect, it } from 'vitest';
import { seeded } from '../ingest/interleave.ts';
import { casesOf } from '../support/scale.ts';
import { fileOf, listing, serviceInMemory } from './service-in-memory.ts';
import type { SentFile } from './visitor-files.ts';
import { timelineOf } from './watch.ts';

const STEPS = 25;
const listed = ['NULL', 'n/a', 'info@venue.example'];
const ids = ['NULL', 'n/a', 'K1', 'K2', 'K3'];
const addresses = ['info@venue.example', 'a0@x.org', 'a1@x.org', 'a2@x.org', 'a3@x.org'];

/** The service with a known person, a definition, and a timeline of the person's tag. */
const begin = async (not_identities: readonly string[]) => {
  const service = serviceInMemory();
  const tags = [{ datetime: '2026-01-01 00:00:00', tag: ['t0'] }];
  // A request has no list, so somebody may have a value that the definition lists.
  await service.post({ unique_id: 'NULL', email: 'a0@x.org', first_name: 'Olga', tags });
  const importId = await service.define(listing(not_identities));
  const timeline = await timelineOf(service, await service.segmentNamed('t0'));
  const files: SentFile[] = [];
  const seen = async () => [await service.seen(), await service.explained(), await timeline.members()];
  return { service, importId, timeline, files, seen };
};

/** Plays the same random steps with placeholders and a list, and with empty cells and no list. */
const play = async (seed: number): Promise<void> => {
  const choose = seeded(seed);
  const [one, other] = [await begin(listed), await begin([])];
  const importRows = async ({ service, importId, files }: typeof one, rows: readonly string[][]) => {
    const told = await service.importFile(importId, fileOf(...rows.map((row) => row.join(','))));
    files.push(told);
    const findings = [...told.refused, ...told.warned.filter((said) => !said.endsWith(' not_an_identity'))];
    return { counts: told.counts, findings: findings.map((said) => said.replace(/ .* /, ' ')) };
  };
  const steps = {
    file: async () => {
      // People share ids and addresses, so that rows meet owners, bridge them and conflict.
      const rows = Array.from({ length: 1 + choose(4) }, () => [
        ...[ids[choose(ids.length)] ?? '', addresses[choose(addresses.length)] ?? ''],
        ...[`N${choose(9)}`, `t${choose(3)}`],
      ]);
      const emptied = rows.map((row) => row.map((cell) => (listed.includes(cell) ? '' : cell)));
      expect(await importRows(one, rows)).toEqual(await importRows(other, emptied));
    },
    undo: async () => {
      const at = choose(one.files.length + 1);
      for (const { service, files } of [one, other])
        for (const file of files.splice(at, 1)) await service.undo(file);
    },
    forget: async () => {
      const unique_id = `K${1 + choose(3)}`;
      for (const { service } of [one, other])
        if (await service.find({ unique_id })) await service.forget({ unique_id });
    },
    moment: async () => expect(await one.timeline.moment()).toEqual(await other.timeline.moment()),
  };
  const all = [...Object.values(steps), steps.file, steps.file, steps.undo];
  for (let step = 0; step < STEPS; step += 1) {
    await all[choose(all.length)]?.();
    expect(await one.seen()).toEqual(await other.seen());
  }
};

it.each(Array.from({ length: casesOf('STORIES', { full: 20, sample: 2 }) }, (_, seed) => seed))(
  'listed identities do what empty cells do, whoever shares the others, beside undos and forgettings (seed %i)',
  play,
);
