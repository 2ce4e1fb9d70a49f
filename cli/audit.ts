/** `npm run admin -- audit`: audits one window of a property after the other, and adds up the results. */
import * as v from 'valibot';
import type { Payload } from './admin-commands.ts';
import type { AdminAnswer } from './admin-service.ts';
import { count, step, type Step } from './terminal.ts';

const counts = { profiles: v.number(), chunks: v.number(), missing: v.number(), extra: v.number() };
const windowAnswer = v.looseObject({
  ...counts,
  ok: v.literal(true),
  end: v.number(),
  next: v.nullable(v.number()),
  directories: v.number(),
  busy: v.number(),
  repaired: v.number(),
  segments: v.array(
    v.looseObject({
      segment: v.number(),
      name: v.nullable(v.string()),
      missing: v.number(),
      extra: v.number(),
      samples: v.array(v.string()),
    }),
  ),
});
type WindowAnswer = v.InferOutput<typeof windowAnswer>;

const added = ['profiles', 'chunks', 'missing', 'extra', 'directories', 'busy', 'repaired'] as const;
type Totals = Record<(typeof added)[number], number>;

/** The segments with a difference in the summary. */
const SHOWN = 20;

/**
 * Audits a whole property. Returns the sums, and the differences in the segments that differ most. `quiet` shows no
 * progress, because a program reads the output.
 */
export const runAudit = async (
  payload: Payload,
  ask: (payload: Payload) => Promise<AdminAnswer>,
  quiet: boolean,
): Promise<AdminAnswer> => {
  const first = await ask(payload);
  if (!first.ok) return first;
  const work = (line?: Step) => walk(v.parse(windowAnswer, first), payload, { ask, line });
  if (quiet) return work();
  const title = `audit of property ${String(payload['property'])}`;
  return step(title, work, (answer) => (answer.ok ? 'done' : answer.error.message));
};

interface Walk {
  readonly ask: (payload: Payload) => Promise<AdminAnswer>;
  readonly line: Step | undefined;
}

const walk = async (first: WindowAnswer, payload: Payload, { ask, line }: Walk): Promise<AdminAnswer> => {
  const totals: Totals = {
    profiles: 0,
    chunks: 0,
    missing: 0,
    extra: 0,
    directories: 0,
    busy: 0,
    repaired: 0,
  };
  const segments = new Map<number, WindowAnswer['segments'][number]>();
  for (let window = first; ;) {
    for (const name of added) totals[name] += window[name];
    for (const one of window.segments) segments.set(one.segment, sum(segments.get(one.segment), one));
    if (window.next === null) return { ok: true, ...totals, differing: shown(segments) };
    line?.progress(window.next / window.end, `${count(totals.profiles)} profiles`);
    const answer = await ask({ ...payload, from: window.next });
    if (!answer.ok) return answer;
    window = v.parse(windowAnswer, answer);
  }
};

type SegmentFindings = WindowAnswer['segments'][number];

const sum = (known: SegmentFindings | undefined, one: SegmentFindings): SegmentFindings =>
  known ? { ...known, missing: known.missing + one.missing, extra: known.extra + one.extra } : { ...one };

const shown = (segments: ReadonlyMap<number, SegmentFindings>) =>
  [...segments.values()]
    .sort((a, b) => b.missing + b.extra - a.missing - a.extra)
    .slice(0, SHOWN)
    .map(({ segment, name, missing, extra, samples }) => ({
      segment,
      name,
      missing: `${count(missing)} missing`,
      extra: `${count(extra)} too many`,
      sample: samples[0] ?? null,
    }));
