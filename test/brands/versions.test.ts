import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { readPointer } from '../../shared/catalogue/brand-pointer.ts';
import { Model, shown } from './model.ts';
import { BrandHarness, MARGIN_MS, type Placement, type Shown } from './harness.ts';
import { casesOf } from '../support/scale.ts';

const SEEDS = casesOf('BRAND_PLAYS', { full: 40, sample: 10 });
const pages = ['p1', 'p2', 'p3', 'p4', 'p5'];
const people = ['ann', 'ben', 'cy', 'di', 'ed'];
const brands = ['X', 'Y', 'Z'];
const categories = ['A', 'A > B', 'C', 'C > D > E'];

/** The play of one seed: people come and go during loads of catalogues, and any actor may be killed. */
class Play {
  readonly harness: BrandHarness;
  readonly model = new Model();
  /** All ids that the segment of a page, or of its brand, ever had, by page. */
  readonly issued = new Map<string, Set<number>>(pages.map((page) => [page, new Set()]));

  constructor(seed: number) {
    this.harness = new BrandHarness(seed);
  }

  async run(loads: number): Promise<void> {
    await this.harness.open();
    await this.harness.together([() => this.store(), () => this.store(), () => this.store()]);
    await this.harness.settle();
    await this.expectAlike();
    for (let load = 0; load < loads; load += 1) {
      const before = await this.byThing();
      const placements = this.drawn();
      await this.change(placements);
      const [old, next] = [new Model(), new Model()];
      [old.placements, next.placements] = [this.model.placements, placements];
      this.model.placements = placements;
      await this.expectAlike();
      await this.expectSameIds(before, old, next);
    }
  }

  pick<T>(values: readonly T[]): T {
    const value = values[this.harness.choose(values.length)];
    if (value === undefined) throw new Error('nothing to pick');
    return value;
  }

  drawn(): readonly Placement[] {
    const old = new Map(this.model.placements.map((one) => [one[0], one]));
    // Mostly as before, so that whole brands are renamed and moved too.
    const renamed = [this.pick(brands), this.pick([...brands, 'W']), this.pick(categories)] as const;
    return pages.flatMap((page): readonly Placement[] => {
      const was = old.get(page);
      const kind = this.harness.choose(6);
      if (kind === 0) return [];
      if (kind === 1) return [[page, this.pick(brands), this.pick(categories)]];
      if (!was) return kind < 4 ? [[page, this.pick(brands), this.pick(categories)]] : [];
      return was[1] === renamed[0] ? [[page, renamed[1], renamed[2]]] : [was];
    });
  }

  store(): Promise<void> {
    const { choose } = this.harness;
    const likes = pages.filter(() => choose(3) === 0);
    const index = choose(2) === 0 ? 'now' : 'later';
    return this.harness.store(this.pick(people), likes, index, choose(2) === 0);
  }

  actors(count: number): (() => Promise<unknown>)[] {
    const { choose } = this.harness;
    return Array.from({ length: count }, () => {
      const kind = choose(7);
      if (kind < 4) return () => this.store();
      return kind === 4 ? () => this.harness.forget(this.pick(people)) : () => this.harness.drain();
    });
  }

  /** Loads a catalogue and puts it in place, with other actors at work around each of its instants. */
  async change(placements: readonly Placement[]): Promise<void> {
    const { harness } = this;
    const deadly = 300;
    await harness.together([() => harness.load(placements), ...this.actors(3)]);
    harness.now += MARGIN_MS + limits.brands.refreshSeconds * 1000 - harness.choose(10_000);
    await harness.together([() => harness.advance(), ...this.actors(2)], deadly);
    await this.untilEffective();
    const { next } = await readPointer(harness.table);
    harness.now = (next?.effective ?? harness.now) - harness.choose(12_000);
    await harness.together(this.actors(5), deadly);
    harness.now += 3 * MARGIN_MS;
    await harness.together([() => harness.advance(), () => harness.advance(), ...this.actors(3)], deadly);
    await harness.settle();
  }

  async untilEffective(): Promise<void> {
    for (let tries = 0; tries < 10; tries += 1) {
      if (((await readPointer(this.harness.table)).next?.effective ?? null) !== null) return;
      this.harness.now += 2 * MARGIN_MS;
      await this.harness.advance();
    }
    throw new Error('the version is not prepared');
  }

  /** The index agrees with the model for everybody, and a retired segment leads to the segments of its people. */
  async expectAlike(): Promise<void> {
    const everybody = [...(await this.harness.people()).values()];
    const expected = new Map<string, string[]>();
    for (const { email, likes } of everybody)
      for (const name of this.model.segments(likes))
        expected.set(name, [...(expected.get(name) ?? []), email].sort());
    const found = (await this.harness.segments()).filter(({ segment }) => isOfBrands(segment));
    const live = found.filter(({ segment }) => !segment.retired && nameOf({ segment }) !== '');
    const index = new Map(live.filter(({ own }) => own.length > 0).map((one) => [nameOf(one), one.own]));
    expect(Object.fromEntries(index)).toEqual(Object.fromEntries(expected));
    expect(new Set(live.map(nameOf)).size).toBe(live.length);
    for (const { segment, own } of found) if (segment.retired) expect(own).toEqual([]);
    for (const page of pages) {
      const now = live.find((one) => nameOf(one) === this.model.thing(page));
      if (now) this.issued.get(page)?.add(now.segment.id);
    }
  }

  async byThing(): Promise<ReadonlyMap<string, Shown>> {
    const found = (await this.harness.segments()).filter(
      ({ segment }) => isOfBrands(segment) && !segment.retired,
    );
    return new Map(found.map((one) => [nameOf(one), one]));
  }

  /**
   * A brand keeps its id if its name is unchanged, or if it has exactly the pages of a retired brand. Every other id
   * leads to its people.
   */
  async expectSameIds(before: ReadonlyMap<string, Shown>, old: Model, next: Model): Promise<void> {
    const now = await this.byThing();
    const [former, things] = [old, next].map((model) => new Set(pages.map((page) => model.thing(page))));
    for (const page of pages) {
      const [was, is] = [before.get(old.thing(page)), now.get(next.thing(page))];
      if (!was) continue;
      const isKept = old.thing(page) === next.thing(page);
      const isRenamed =
        things?.has(old.thing(page)) === false &&
        former?.has(next.thing(page)) === false &&
        old.companions(page, pages).join() === next.companions(page, pages).join();
      if (isKept || isRenamed)
        expect(is?.segment.id, `${old.thing(page)} to ${next.thing(page)}`).toBe(was.segment.id);
    }
    const all = new Map((await this.harness.segments()).map((one) => [one.segment.id, one]));
    for (const id of new Set([...this.issued.values()].flatMap((ids) => [...ids]))) {
      const one = all.get(id);
      expect(one, `segment ${id}`).toBeDefined();
      if (one?.segment.retired?.mergedInto === undefined) continue;
      expect(one.members).toEqual(all.get(one.segment.retired.mergedInto)?.own);
    }
  }
}

const isOfBrands = ({ type }: Shown['segment']): boolean => type === 'brand' || type === 'CATEGORY';
const nameOf = ({ segment: { type, path, name } }: Pick<Shown, 'segment'>): string => shown(type, path, name);

describe('successive loads of catalogues, while people are stored, forgotten and indexed,', () => {
  it(`end with the index of the model and the promised ids, in ${SEEDS} plays with crashes`, async () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      try {
        await new Play(seed).run(3);
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error });
      }
    }
  }, 300_000);
});
