import type { AcceptedRecord } from '../../shared/profiles/contribution.ts';
import { forgetter, recordOf, writer, type Program, type When } from './claim-protocol-programs.ts';
import type { Scene } from './claim-protocol-scenes.ts';

/** Every set of identities that a record can have in a small scene. */
export const sets = ['u1', 'u2', 'e', 's', 'u1+e', 'u1+s', 'u2+e', 'u2+s', 'e+s', 'u1+e+s', 'u2+e+s'];
const pairs = sets.flatMap((one) => sets.map((other) => [one, other] as const));

/** Programs by their effect, so that all scenes share the learned steps. */
const programs = new Map<string, Program>();
const known = (name: string, make: () => Program): Program => {
  const program = programs.get(name) ?? make();
  programs.set(name, program);
  return program;
};

/** A writer of records in the notation `u1+e, s`; the first record is the `order`-th of its time. */
export const writes = (sent: string, order = 0, when: When = 'older'): Program =>
  known(`${sent} ${order} ${when}`, () =>
    writer(
      sent,
      sent.split(', ').map((one, at) => recordOf(one, order + at, when)),
    ),
  );

/** The same, without reading the claims first. */
const writesUnread = (sent: string, order = 0, when: When = 'older'): Program =>
  known(`${sent} ${order} ${when} unread`, () =>
    writer(
      `${sent} unread`,
      sent.split(', ').map((one, at) => recordOf(one, order + at, when)),
      { blind: true },
    ),
  );

/** A writer whose process remembers the first person of the scene by each identity, rightly or wrongly. */
const remembering = (sent: string, when: When = 'older'): Program =>
  known(`${sent} ${when} remembered`, () => writer(sent, [recordOf(sent, 0, when)], { remembers: true }));

/** A call whose record is stamped when it is applied. */
const calls = (sent: string): Program =>
  known(`call ${sent}`, () => writer(sent, [recordOf(sent, 0, 'older', { latest: true })]));

const forgets = forgetter();

/** The stored state before a scene. */
export const before = (sent: string): readonly AcceptedRecord[] => [recordOf(sent, 0, 'stored')];

/** Concurrent writers; their records are accepted in the given order. */
const together = (...sent: readonly string[]): Scene => ({
  programs: sent.map((one, at) => writes(one, at * 4)),
  crashes: 1,
});

/** Scenes in which the unchanged protocol must succeed, by their common traits. */
export const families: Readonly<Record<string, readonly Scene[]>> = {
  // Either record may be the older record, so each pair comes in both orders.
  'two writers': pairs.map(([one, other]) => together(one, other)),
  'the same record twice at once': sets.map((one) => ({ programs: [writes(one), writes(one)], crashes: 1 })),
  // One person has a unique id; the other person can still get any unique id.
  'two writers, a profile before': ['u1+e', 'e'].flatMap((first) =>
    pairs.map(([one, other]) => ({ ...together(one, other), stored: before(first) })),
  ),
  'three writers': [
    // One e-mail, several unique ids.
    together('u1+e', 'u2+e', 'u1'),
    together('u1+e', 'u2+e', 'e'),
    together('u1+e', 'u2+e', 'e+s'),
    // Bridges between two persons, over shared identities.
    together('u1', 'e', 'u1+e'),
    together('e+s', 'u1+s', 'u1+e'),
    together('u1+e', 'e+s', 'u1+s'),
    together('u1+s', 'e+s', 'u2+e'),
    together('u1+e+s', 'u2+f+s', 'e+f'),
    together('e', 's', 'e+s'),
    // No crash here: with a crash these two scenes would be as large as all others together.
    { ...together('u1+e', 'u2+e', 'u3+e'), crashes: 0 },
    { ...together('u1+e', 'u1+e', 'u1+e'), crashes: 0 },
  ],
  'a writer that reads no claims': ['', 'u1+e', 'e'].flatMap((first) =>
    pairs.map(([one, other]) => ({
      ...(first === '' ? {} : { stored: before(first) }),
      programs: [writesUnread(one), writes(other, 4)],
      crashes: 1,
    })),
  ),
  'two writers that read no claims': pairs.map(([one, other]) => ({
    programs: [writesUnread(one), writesUnread(other, 4)],
    crashes: 1,
  })),
  'a writer that reads no claims, and a forgetter': sets.flatMap((one) =>
    (['older', 'newer'] as const).map((when) => ({
      stored: before('u1+e'),
      programs: [writesUnread(one, 0, when), forgets],
      crashes: 1,
    })),
  ),
  'two batches': [
    together('u1, e', 'u1+e'),
    together('u1+e, u2+e', 'e'),
    together('u1+e, u2+e', 'u2+e'),
    together('u1+e, e+s', 'u2+s'),
    together('e, s', 'e+s'),
    together('e, s', 's, e'),
    together('e+s, u1+s', 'e, s'),
    together('e+s, u1+e', 'u2+s'),
    together('e, s', 'u1+e, u2+s'),
    together('u1+e, u2', 'u2+e'),
    together('u1+e, u2+e', 'u2+e, u1+e'),
    together('u1+e, u2+s', 'u2+s, u1+e'),
  ],
  // Records that close an ordinal for a stored profile, and records that then find the ordinal closed.
  'two batches, a profile before': [
    together('u1+s, u2+s', 's'),
    together('e+s, u2+s', 'u2+s'),
    together('u2+s, u1+s', 'u2+s'),
    together('u1+s, u2+s', 'u2+s, e+s'),
    together('u1+f, u2+s', 'f+s'),
  ].map((scene) => ({ ...scene, stored: before('u1+e') })),
  'a writer and a forgetter': sets.flatMap((one) =>
    ['u1+e', 'e', 'u1'].flatMap((first) =>
      [writes(one), writes(one, 0, 'newer'), calls(one)].map((program) => ({
        stored: before(first),
        programs: [program, forgets],
        crashes: 1,
      })),
    ),
  ),
  'one of two writers remembers': sets.flatMap((one) =>
    ['u1', 'e', 'u2+e', 'u1+s'].map((other) => ({
      stored: before('u1+e'),
      programs: [remembering(one), writes(other, 4)],
      crashes: 1,
    })),
  ),
  'a forgetter, a writer remembers': sets.flatMap((one) =>
    (['older', 'newer'] as const).map((when) => ({
      stored: before('u1+e'),
      programs: [remembering(one, when), forgets],
      crashes: 1,
    })),
  ),
  'a writer and two forgetters': ['u1', 'e', 'u2+e', 'u2+s'].map((one) => ({
    stored: before('u1+e'),
    programs: [writes(one), forgets, forgets],
    crashes: 1,
  })),
  'two writers and a forgetter': [
    ['u1', 'u1'],
    ['u1', 'e'],
    ['u1', 'u2+e'],
    ['u1', 'u1+e'],
    ['e', 'e'],
    ['e', 'u1+e'],
    ['e', 'u2+e'],
    ['e', 'e+s'],
    ['e', 's'],
    ['u1', 'e+s'],
    ['u2+e', 'u2+s'],
    ['u2+e', 'u1+s'],
    ['e+s', 's'],
    ['s', 'u1+e'],
  ].map(([one = '', other = '']) => ({
    stored: before('u1+e'),
    programs: [writes(one), writes(other, 4, 'newer'), forgets],
    crashes: 1,
  })),
};
