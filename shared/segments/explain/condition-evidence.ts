/** Evidence about conditions: the values of a profile that a rule compares, with their sources. */
import type { Where } from '../../catalogue/conditions/shape.ts';
import { ruleOf, usedFrom } from '../../catalogue/conditions/rule.ts';
import type { Provenance } from '../../profiles/provenance-schema.ts';
import type { ResolvedProfile } from '../../profiles/types.ts';
import { isoTime } from '../../runtime/clock.ts';
import { utcDayOf } from '../../runtime/utc-days.ts';
import { visibleLine } from '../../runtime/visible-text.ts';
import { ageEvidence, surfaced } from './surfaced.ts';
import type { Evidence } from './schemas.ts';

/** A person, the sources of the values, and the time (epoch milliseconds). */
export interface Person {
  readonly profile: ResolvedProfile;
  readonly provenance: Provenance;
  readonly now: number;
}

/** The values that meet a condition, or the present values of its field where none does. */
export interface ConditionEvidence {
  readonly because: readonly Evidence[];
  readonly instead: readonly Evidence[];
}

/** A value of a field as rules compare it, and its evidence. */
interface Compared {
  readonly stored: string | number;
  readonly evidence: Evidence;
}

const EXTRA = 'extra_data.';

/** The evidence about a condition. A value that the property does not use is none. */
export const conditionEvidence = (person: Person, where: Where): ConditionEvidence => {
  const { profile, now } = person;
  const rule = ruleOf(where);
  if (utcDayOf(now) < usedFrom(rule.field, profile)) return { because: [], instead: [] };
  const present = valuesOf(person, where.field);
  const { values, until } = rule.compared(profile, now);
  const meeting = new Set(values);
  const because = present.filter(({ stored }) => meeting.has(stored));
  if (because.length === 0) return { because: [], instead: present.map(({ evidence }) => evidence) };
  return {
    because: because.map(({ evidence }) => ({ ...evidence, ...(rule.isTimed && { until }) })),
    instead: [],
  };
};

/** The present values of a field, with their sources. */
const valuesOf = (person: Person, field: Where['field']): readonly Compared[] => {
  const { profile, provenance, now } = person;
  const ofTags = provenance.tags.map(({ tag, datetime, ...mark }) => ({
    stored: tag,
    evidence: { field: 'tags', value: tag, datetime, ...mark },
  }));
  if (typeof field !== 'string') {
    const name = visibleLine(field.tag);
    const newest = ruleOf({ field, op: 'exists' }).field.valuesOf(profile);
    return ofTags
      .filter(({ stored, evidence }) => visibleLine(stored) === name && evidence.datetime === newest)
      .map(({ evidence }) => ({ stored: evidence.datetime, evidence }));
  }
  if (field.startsWith(EXTRA)) return extraValues(provenance, field);
  if (field === 'tag') return ofTags;
  if (field === 'age') return ageEvidence(profile, provenance, now).map(asStored);
  if (field === 'source')
    return provenance.sources.map(({ label, ...mark }) => asStored({ field, value: label, ...mark }));

  return field === 'created' ? createdOf(profile) : surfaced(provenance, field).map(asStored);
};

const asStored = (evidence: Evidence): Compared => ({ stored: evidence.value, evidence });

/** The values of a key that lookups show: one, or those of a list. */
const extraValues = ({ extra_data }: Provenance, field: string): readonly Compared[] => {
  const key = field.slice(EXTRA.length);
  const stored = Object.hasOwn(extra_data, key) ? extra_data[key] : undefined;
  return (stored ?? []).flatMap(({ value, won, ...mark }) =>
    won
      ? [value].flat().flatMap((one) => {
          if (one === null) return [];
          return [asStored({ field, value: typeof one === 'boolean' ? String(one) : one, ...mark })];
        })
      : [],
  );
};

/** The day on which the service stored the profile first. The service itself is the source. */
const createdOf = ({ created }: ResolvedProfile): readonly Compared[] => {
  if (created === null) return [];
  const stamp = isoTime(created);
  const value = stamp.slice(0, 'YYYY-MM-DD'.length);
  return [asStored({ field: 'created', value, tier: 'stated', source: 'service', job: null, stamp })];
};
