/** The registers that a record adds to a profile, as far as they depend on what the profile has and who asked. */
import { describe, expect, it } from 'vitest';
import { contributionOf, type Asking } from '../../shared/profiles/contribution.ts';
import {
  directOrigin,
  importOrigin,
  stateOf,
  tagName,
  type LwwRegister,
} from '../../shared/profiles/profile-state.ts';
import type { ProfilePatch } from '../../shared/profiles/profile-patch.ts';
import { tiers, type Identity } from '../../shared/profiles/types.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';

const [SOURCE, OTHER] = [importOrigin(1, 1), importOrigin(2, 1)];
const [early, late, arrival] = ['2025-01-01 00:00:00', '2025-06-01 00:00:00', '2026-01-01 00:00:00'];

const patch = (more: Partial<ProfilePatch> = {}): ProfilePatch => ({
  ...{ tier: tiers.third_party, identities: [], attributes: {} },
  ...more,
});

describe('a tag without a time of its own', () => {
  const stored = (datetime: string, more: Partial<LwwRegister> = {}): LwwRegister => ({
    ...{ area: 'tag', tier: tiers.third_party, name: tagName(datetime, 'jazz'), value: true },
    ...{ stamp: stampOf(1), origin: SOURCE },
    ...more,
  });
  /** The names of the tags that a row of the next job of the source adds. */
  const namesBeside = (known: readonly LwwRegister[], tagsArrived = true): readonly string[] =>
    [
      ...contributionOf(
        {
          patch: patch({ tags: [{ datetime: arrival, tag: 'jazz' }], tagsArrived }),
          ...{ stamp: stampOf(9), origin: importOrigin(1, 2) },
        },
        [],
        stampOf(9),
        stateOf(known),
      ).values(),
    ].map(({ name }) => name);

  it('is the tag that the profile has from the same source', () => {
    expect(namesBeside([stored(early)])).toEqual([tagName(early, 'jazz')]);
  });

  it('is the earliest of several, in whatever order they are stored', () => {
    for (const known of [
      [early, late],
      [late, early],
    ])
      expect(namesBeside(known.map((datetime) => stored(datetime)))).toEqual([tagName(early, 'jazz')]);
  });

  it.each([
    ['another source', { origin: OTHER }],
    ['a call', { origin: directOrigin }],
    ['another trust', { tier: tiers.stated }],
    ['another area', { area: 'untagAt' as const }],
    ['another text', { name: tagName(early, 'jazzy') }],
  ])('is a new one beside that of %s', (_, more) => {
    expect(namesBeside([stored(early, more)])).toEqual([tagName(arrival, 'jazz')]);
  });

  it('is a new one on a profile without tags', () => {
    expect(namesBeside([])).toEqual([tagName(arrival, 'jazz')]);
  });

  it('keeps a time of its own', () => {
    expect(namesBeside([stored(early)], false)).toEqual([tagName(arrival, 'jazz')]);
  });
});

describe('the identities of an answer', () => {
  const email = (value: string): Identity => ({ kind: 'email', value });
  /** The source of each identity of an answer. */
  const originsOf = (identities: readonly Identity[], answers?: Asking) =>
    [
      ...contributionOf(
        { patch: patch(), stamp: stampOf(9), origin: 'enricher', ...(answers && { answers }) },
        identities,
        stampOf(9),
      ).values(),
    ].map(({ origin }) => origin);
  const answers: Asking = { identities: [email('a@x.org'), email('b@x.org')], origin: SOURCE };

  it('are statements of the record that was asked about, where it has them', () => {
    expect(originsOf([email('b@x.org')], answers)).toEqual([SOURCE]);
    expect(originsOf([email('c@x.org')], answers)).toEqual(['enricher']);
    expect(originsOf([{ kind: 'unique_id', value: 'a@x.org' }], answers)).toEqual(['enricher']);
  });

  it('are its own where nobody asked', () => {
    expect(originsOf([email('a@x.org')])).toEqual(['enricher']);
  });
});
