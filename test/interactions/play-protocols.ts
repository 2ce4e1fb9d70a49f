/**
 * All protocols of profiles on one property, beside a plain model: records, batches, also parked ones, files, also broken
 * ones, restatements, late records, enrichers, undos, forgettings, consent, rules, group commits, segments of the client,
 * conditions, brands, the search by name, moments, deltas and restores, with deaths, lost answers and frozen processes.
 * `STORIES=1000 FROM=5000` plays other seeds.
 */
import { seeded } from '../ingest/interleave.ts';
import { crowd, timedCondition, watched, watchedCondition } from './beginnings.ts';
import { compareNames, pointersIn } from './compare-names.ts';
import { conditionSteps, type KnownCustom } from './condition-steps.ts';
import type { Ended, Fate } from '../support/fated-table.ts';
import {
  demographicIn,
  idOf,
  likingIn,
  peopleOf,
  recordOf,
  taggedIn,
  type Said,
  type Shown,
} from './plain-model.ts';
import type { Placement } from './protocol-brands.ts';
import { forgettingSteps } from './forgetting-steps.ts';
import { mixtureOf } from './mixture.ts';
import { rules, timedRules } from './protocol-conditions.ts';
import { protocolWorld } from './protocol-world.ts';
import { rememberingReaders } from './remembering.ts';
import { same } from './same.ts';
import { pages, sayings, withoutConsent, words } from './sayings.ts';
import { watchSteps } from './watch-steps.ts';
import type { Work } from './work.ts';

const brands = ['Xylo', 'Yacht'];

/** Plays one history of random steps; throws where the service and the model differ. */
export const playProtocols = async (seed: number): Promise<void> => {
  const choose = seeded(seed);
  const pick = <T>(from: readonly T[]): T | undefined => from[choose(from.length)];
  const fated = choose(3) > 0;
  const conditioned = choose(3) === 0;
  /** Whether the days alone change the members of conditions. */
  const timed = conditioned && choose(2) === 0;
  /** Whether people are found by their last names. */
  const naming = seed % 3 === 0;
  const [PEOPLE, STEPS] = [1 + choose(4), (conditioned ? 18 : 6) + (timed ? 10 : 0) + choose(12)];
  const options = { beside: choose(3) > 0, asks: choose(3) === 0, isPunctual: conditioned };
  let world = await protocolWorld(options);
  if (naming) world.service.searchNames();
  let saved: { restore: ReturnType<typeof world.backup>; customs: readonly KnownCustom[] } | undefined;
  const [likesBrands, consenting, special] = [choose(3) === 0, choose(3) === 0, choose(3) === 0];
  const log: string[] = [];
  const readers = rememberingReaders();
  const { sayOf, rows } = sayings({
    ...{ choose, crowd: PEOPLE, likesBrands, consenting, special, naming },
    ...{ spending: conditioned, dating: timed, now: () => world.service.clock.now },
  });
  const people = (): readonly Shown[] => peopleOf(world.model);
  const anybody = (): number => choose(PEOPLE);

  const beginWatch = conditioned && choose(2) === 0 ? watchedCondition : watched;
  if (timed) await timedCondition(world);
  const begun = choose(3) === 0 ? await beginWatch(world) : undefined;
  if (choose(40) === 0) await crowd(world);
  if (special) world.service.useSpecial(choose(2) === 0);
  /** Whether everybody follows the rules. Then writers keep it so. */
  let isRuled = true;
  const customs: KnownCustom[] = [];
  const underWay: Work[] = [];
  const frozen: { readonly what: string; readonly thaw: () => Promise<Ended<boolean>> }[] = [];
  const sent: (readonly Said[])[] = [];
  const isQuiet = (): boolean => underWay.length + frozen.length === 0;

  const fateOf = (): Fate | undefined => {
    if (!fated || choose(3) > 0) return undefined;
    const kind = pick(['dies', 'loses', 'freezes'] as const) ?? 'dies';
    return { kind, after: 1 + choose(14) };
  };
  const freeze = (what: string, thaw: () => Promise<Ended<boolean>>): void => {
    frozen.push({ what, thaw });
    world.service.renewProcesses();
  };
  const settle = (work: Work, ended: Ended<boolean>): void => {
    log.push(`${work.what}: ${ended.kind}`);
    if (ended.kind === 'frozen') freeze(work.what, ended.thaw);
    const at = underWay.indexOf(work);
    if (ended.kind === 'done' && ended.value && at >= 0) underWay.splice(at, 1);
  };
  const begin = (work: Work): void => void underWay.push(work);
  const thaw = async (): Promise<void> => {
    const [one] = frozen.splice(choose(Math.max(frozen.length, 1)), 1);
    if (!one) return;
    const ended = await one.thaw();
    log.push(`thawed ${one.what}: ${ended.kind}`);
    if (ended.kind === 'frozen') freeze(one.what, ended.thaw);
  };
  const advance = async (fate: Fate | undefined): Promise<void> => {
    const work = pick(underWay);
    if (work) settle(work, await work.go(fate));
  };
  const say = async (): Promise<void> => {
    const said = sayOf(anybody());
    await world.service.post(recordOf(said));
    world.model.said = [...world.model.said, { ...said, at: world.service.clock.now }];
    log.push(`post ${JSON.stringify(said)}`);
  };

  const watching = watchSteps({
    ...{ begun, isQuiet, people, settled: () => world.settled() },
    note: (said) => log.push(said),
  });
  const conditions = conditionSteps({
    ...{ worldNow: () => world, choose, pick, begin, customs },
    rules: timed ? [...timedRules, ...timedRules, ...rules] : rules,
    isBusy: (kind) => [...underWay, ...frozen].some(({ what }) => what.startsWith(kind)),
    watchedSegment: begun?.segment,
    note: (said) => log.push(said),
  });
  const steps: Readonly<Record<string, () => Promise<void>>> = {
    ...forgettingSteps({
      ...{ worldNow: () => world, people, pick, isQuiet, remove: watching.remove },
      note: (said) => {
        watching.forgets();
        log.push(said);
      },
    }),
    post: say,
    file: async () => {
      const content = choose(2) === 0 ? pick(sent) : undefined;
      const own = content ?? rows();
      sent.push(own);
      const work = await world.sendFile(own, choose(4) === 0 ? 1 : 0, choose(6) === 0);
      log.push(`${work.what} of ${JSON.stringify(own)}`);
      begin(work);
    },
    batch: async () => {
      const open = world.jobs.filter(({ isOpen, undone }) => isOpen && !undone);
      const own = rows();
      const course = pick(['stored', 'stored', 'parked', 'redriven'] as const) ?? 'stored';
      const job = pick(open) ?? (await world.openBatches());
      const work = world.sendBatch(own, job, course, choose(2) === 0);
      log.push(`${work.what}: ${JSON.stringify(own)}`);
      begin(work);
    },
    advance: () => advance(fateOf()),
    finish: async () => {
      const work = pick(underWay);
      for (let tries = 0; work && underWay.includes(work) && tries < 8; tries += 1)
        settle(work, await work.go());
    },
    thaw,
    repair: () => {
      begin(world.repair());
      return Promise.resolve();
    },
    again: async () => {
      // A file that only repeats the file before it leaves nothing in the undo logs.
      if (!isQuiet() || !world.isBeside) return;
      const own = Array.from({ length: PEOPLE }, (_, who) => sayOf(who)).map(withoutConsent);
      const sizes: number[] = [];
      for (let night = 0; night < 2; night += 1) {
        const work = await world.sendFile(own, 0);
        for (let step = 0; step < 4; step += 1) await work.go();
        sizes.push(await world.logged());
      }
      log.push(`twice ${JSON.stringify(own)}`);
      same('objects of undo logs', sizes[1], sizes[0]);
    },
    poll: async () => {
      const job = pick(world.jobs);
      if (job) await world.countsOf(job);
    },
    undo: async () => {
      const job = pick(world.jobs.filter(({ undone }) => !undone));
      const work = job && (await world.undo(job));
      if (job) log.push(`undo ${job.job}: ${work ? 'accepted' : 'refused'}`);
      if (work) begin(work);
    },
    enrich: () => {
      begin(world.askEnricher(choose(3) > 0));
      return Promise.resolve();
    },
    object: async () => {
      if (!isQuiet()) return;
      const who = anybody();
      const known = world.model.objections.get(who);
      const objections = new Map(world.model.objections);
      if (known === undefined) objections.set(who, await world.service.object({ unique_id: idOf(who) }));
      else {
        await world.service.endObjection(known);
        objections.delete(who);
      }
      world.model.objections = objections;
      log.push(`${known === undefined ? 'objects' : 'objects no more'} ${who}`);
    },
    rule: () => {
      if (!special) return Promise.resolve();
      // Whoever writes now may have read the earlier rule.
      world.service.useSpecial(choose(2) === 0);
      isRuled = false;
      log.push(`special categories: ${String(world.service.kept.rules.specialCategories)}`);
      begin(world.followRules());
      return Promise.resolve();
    },
    custom: async () => {
      if (!isQuiet()) return;
      const [jazz, opera] = await Promise.all(words.map((word) => world.service.segmentNamed(word)));
      if (jazz === 0 || opera === 0) return;
      await world.settled();
      const id = await world.makeCustom({ all: [jazz ?? 0, { not: opera ?? 0 }] });
      customs.push({
        id,
        membersOf: (shown) => {
          const others = taggedIn(shown, 'opera');
          return taggedIn(shown, 'jazz').filter((one) => !others.includes(one));
        },
      });
    },
    discard: async () => {
      // Deletes a custom segment, or else a segment of a value, if it is empty and nobody uses it.
      const custom = pick(customs);
      const id = custom?.id ?? (await world.service.segmentNamed('opera'));
      if (id === 0) return;
      const isGone = await world.deleteSegment(id);
      log.push(`deleted segment ${id}: ${isGone}`);
      if (isGone) customs.splice(0, customs.length, ...customs.filter((one) => one.id !== id));
    },
    brands: async () => {
      if (!likesBrands || underWay.some(({ what }) => what.startsWith('version'))) return;
      world.model.placements = pages.flatMap((page): readonly Placement[] =>
        choose(3) > 0 ? [[page, pick(brands) ?? '']] : [],
      );
      const work = await world.loadBrands(world.model.placements);
      log.push(work.what);
      begin(work);
    },
    backup: () => {
      if (isQuiet()) saved = { restore: world.backup(), customs: [...customs] };
      return Promise.resolve();
    },
    restore: async () => {
      if (!saved || !isQuiet()) return;
      // Whoever is seen now may be lost by the restore, but not the id.
      await world.compared();
      world = await protocolWorld(options, await saved.restore());
      customs.splice(0, customs.length, ...saved.customs);
      // What came after the backup is lost, so receivers of deltas start again.
      [saved, isRuled] = [undefined, false];
      watching.end();
      log.push('restored');
    },
    moment: watching.moment,
    delta: watching.delta,
  };
  const compare = async (): Promise<void> => {
    if (!isRuled) await world.service.followRules();
    isRuled = true;
    const { shown, wanted, membersOf, counts } = await world.compared();
    same('people', shown, wanted);
    const shownPeople = people();
    for (const word of words) same(word, membersOf(word), taggedIn(people(), word));
    for (const thing of [...brands, ...pages])
      same(thing, membersOf(thing), likingIn(shownPeople, thing, world.model.placements));
    const { specialCategories } = world.service.kept.rules;
    for (const [name, members] of demographicIn(shownPeople, specialCategories))
      same(name, membersOf(name), members);
    for (const { id, membersOf: wantedIn } of customs) {
      const found = (await world.service.membersOf(id)).map(({ unique_id }) => unique_id);
      same('a custom segment', found.sort(), wantedIn(shownPeople));
    }
    if (naming) await compareNames(world);
    same('conditions', await world.faultOfConditions(shownPeople), undefined);
    for (const state of ['given', 'withdrawn'])
      same(
        state,
        membersOf(`email: ${state}`),
        shownPeople.flatMap((one) => (one.consent === state ? [one.unique_id] : [])),
      );
    for (const { job, accepted, counts: found, countsAtUndo } of counts) {
      const { ingested, completed, failed, processing } = found;
      const shown = { job, ingested, stored: completed + failed, processing };
      same('counts of a job', shown, { job, ingested: accepted, stored: accepted, processing: 0 });
      // A request beside the undo may still add a batch, whose rows count as failed.
      if (countsAtUndo) same(`rows of ${job}, undone`, { completed, processing }, countsAtUndo);
    }
    await watching.compare();
  };

  /** Lets all work end. */
  const rest = async (): Promise<void> => {
    while (frozen.length > 0) {
      await thaw();
      await readers.look(world.table);
    }
    for (let left = 400; underWay.length > 0; left -= 1) {
      if (left === 0) throw new Error(`work does not end: ${underWay.map(({ what }) => what).join()}`);
      await advance(undefined);
      await readers.look(world.table);
    }
  };
  const resting = (): Promise<void> => rest().then(compare);
  const playable = conditioned ? { ...steps, ...conditions.steps, resting } : steps;

  try {
    const more = mixtureOf({ choose, likesBrands, consenting, special, conditioned, timed });
    const names = [...Object.keys(steps), ...more];
    for (let step = 0; step < STEPS; step += 1) {
      await playable[pick(names) ?? '']?.();
      await readers.look(world.table);
      if (isQuiet() && choose(6) === 0) await compare();
    }
    await rest();
    await compare();
    await world.prepared();
    await compare();
    same('left of conditions', await conditions.removeAll(), []);
    await world.forgetAll();
    same('people after all are forgotten', (await world.compared()).shown, []);
    same('pointers after all are forgotten', pointersIn(world), []);
  } catch (error) {
    if (error instanceof Error) error.message = `seed ${seed}: ${error.message}\n${log.join('\n')}`;
    throw error;
  }
};
