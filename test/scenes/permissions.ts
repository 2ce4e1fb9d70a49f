/** Permissions: plays the scenes and their extras, and sees which actions the functions use and are refused. */
import type { ResourceName } from '../../functions/entry.ts';
import type { Examples } from '../../functions/edge/openapi/examples.ts';
import { actionsOf, grantsOf, impliedBy, type Grant } from '../../functions/grants.ts';
import { manifest } from '../../functions/manifest.ts';
import type { Denial } from '../../local/core/types.ts';
import { unplacedIn } from '../places/unplaced.ts';
import { isFull } from '../support/scale.ts';
import { tableNames } from '../support/table-names.ts';
import { until } from '../support/until.ts';
import { openCast, type Extra } from './cast.ts';
import { examplesOf, extras, playScenes } from './catalogue.ts';
import { openStage } from './stage.ts';

/** An action of a function on a resource. */
export interface Permission {
  readonly name: string;
  readonly action: string;
  readonly to: ResourceName;
  /** The ARN of a table. A function may hold the same action on several tables; each table then has a case of its own. */
  readonly on: string | undefined;
}

const tableArn = (to: ResourceName): string | undefined => {
  const found = Object.entries(tableNames).find(([name]) => name === to);
  return found && `arn:aws:dynamodb:us-east-1:000000000000:table/${found[1]}`;
};

const keyOf = (name: string, action: string, resource: string | undefined): string =>
  `${name} ${action} ${resource}`;

const extrasOf = (name: string): readonly Extra[] => extras.filter(({ of }) => of.includes(name));

/** The place of a function's first extra. Functions without one come first, because the scenes use what they declare. */
const placeOf = ({ name }: Permission): number => extras.findIndex(({ of }) => of.includes(name));

const permissionsOf = (name: string, grants: readonly Grant[]): readonly Permission[] =>
  grants.flatMap(({ to, actions }) => actions.map((action) => ({ name, action, to, on: tableArn(to) })));

const entries = Object.entries(manifest);

/** What a trigger implies, in one function each: the wrapper that needs it is one code. */
const implied = new Map(
  entries.flatMap(([name, { trigger }]) =>
    permissionsOf(name, actionsOf(impliedBy(trigger))).map(
      (one) => [`${one.action} ${one.to}`, one] as const,
    ),
  ),
).values();

/** Each action that an entry declares or a trigger implies, once, in the order of the extras. */
export const declaredActions: readonly Permission[] = [
  ...new Map(
    [...entries.flatMap(([name, { access }]) => permissionsOf(name, actionsOf(access))), ...implied].map(
      (one) => [keyOf(one.name, one.action, one.on), one],
    ),
  ).values(),
].toSorted((one, other) => placeOf(one) - placeOf(other));

/** A running service on which the scenes were played, and the rights that its functions use. */
export interface Watched extends AsyncDisposable {
  /** The examples of the scenes. */
  readonly examples: Examples;
  /**
   * Waits until a permission was used: plays the extras of its function until then. One run may not be enough: another
   * function, such as a drain, may do their work first. Fails when the action is not used.
   */
  use(asked: Permission): Promise<void>;
  /** Plays the extras of a function without an action, until the call is refused. Returns the refusal. */
  refusal(name: string, action: string): Promise<Denial>;
  /** Plays the extras of a function that needs no action. */
  play(name: string): Promise<void>;
  /** Keys of items, by table, and of objects that the list of places does not have. */
  unplaced(): Promise<readonly string[]>;
  /** Advice about actions that functions were refused because no entry declares them. */
  undeclared(): readonly string[];
}

/** How often the extras of a function play, and how long a run may wait for the call before the next run begins. */
const RUNS = { most: 4, waitMs: 1_000 };

const advice =
  'make a scene or an extra of test/scenes use the action, or take the action out of the entry of the function';

/** Starts a service, watches which rights its functions use, and plays the scenes. */
export const openWatched = async (): Promise<Watched> => {
  await using parts = new AsyncDisposableStack();
  const stage = parts.use(await openStage());
  const { gateway, parts: cloud } = stage.service.cloud;
  const used = new Set<string>();
  parts.defer(
    gateway.observeUses(({ caller, action, resource }) => {
      used.add(keyOf(caller, action, undefined)).add(keyOf(caller, action, resource));
    }),
  );
  const advised = (work: Promise<void>): Promise<void> =>
    work.catch((cause: unknown) => {
      throw new Error([String(cause), ...undeclared(gateway.denials.list())].join('\n'), { cause });
    });
  await advised(playScenes(stage));
  const examples = examplesOf(stage);
  const cast = parts.use(await openCast(stage));
  const played = new Set<Extra>();
  const play = async (extra: Extra): Promise<void> => {
    // A used environment remembers values, and would not read them again.
    if (!played.has(extra)) for (const name of extra.of) cloud.runner.recycle(`tidemark-local-${name}`);
    played.add(extra);
    await extra.play(cast);
  };
  const playUntil = async <Fact>(
    name: string,
    what: string,
    find: () => Fact | undefined,
    once = play,
  ): Promise<Fact> => {
    for (let run = 1; ; run += 1) {
      for (const extra of extrasOf(name)) if (find() === undefined || isFull) await once(extra);
      const again = run < RUNS.most ? Date.now() + RUNS.waitMs : Infinity;
      const found = await until(what, () => find() ?? (Date.now() > again ? 'again' : undefined), 30_000);
      if (found !== 'again') return found;
    }
  };
  const owned = parts.move();
  return {
    examples,
    use: async ({ name, action, on }) => {
      const isUsed = (): true | undefined => used.has(keyOf(name, action, on)) || undefined;
      // In the sample, most extras need no run: others use what they use.
      const isPlayed = !isFull || extrasOf(name).every((extra) => played.has(extra));
      if (isPlayed && isUsed()) return;
      await advised(playUntil(name, `${name} using ${action}: ${advice}`, isUsed).then(() => undefined));
    },
    refusal: async (name, action) => {
      const restore = gateway.withoutAction(name, action);
      for (const extra of extrasOf(name)) played.delete(extra);
      const before = gateway.denials.list().length;
      const find = (): Denial | undefined =>
        gateway.denials
          .list()
          .slice(before)
          .find((each) => each.caller === name && each.action === action);
      try {
        return await playUntil(name, `${name} being refused ${action}`, find, (extra) =>
          // The refusal may end the extra.
          play(extra).catch(() => undefined),
        );
      } finally {
        restore();
      }
    },
    play: async (name) => {
      for (const extra of extrasOf(name)) await play(extra);
    },
    unplaced: () => unplacedIn(stage.service),
    undeclared: () => undeclared(gateway.denials.list()),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};

/**
 * Advice about actions that functions were refused because their entries do not declare the actions. S3 checks
 * `s3:ListBucket` when an object is missing, to choose between 404 and 403; functions do without it.
 */
const undeclared = (denials: readonly Denial[]): readonly string[] => {
  const granted = entries.flatMap(([name, entry]) => permissionsOf(name, grantsOf(entry)));
  const known = new Set(granted.map(({ name, action, on }) => keyOf(name, action, on)));
  const advice = denials
    .filter(({ caller, action }) => manifest[caller] !== undefined && action !== 's3:ListBucket')
    .filter(
      ({ caller, action, resource }) =>
        !known.has(keyOf(caller, action, undefined)) && !known.has(keyOf(caller, action, resource)),
    )
    .map(
      ({ caller, action, resource }) =>
        `Add ${action} on ${resource} to \`access\` of ${caller} in its entries.ts`,
    );
  return [...new Set(advice)];
};
