/** What the rules of a builder come to: how many people, how many one can write to, and who they are. */
import { useApp } from '../../../app-context.ts';
import { Icon } from '../../../parts/icon.tsx';
import type { Sized } from '../catalogue.ts';
import { Breakdown } from '../breakdown.tsx';
import type { Channel } from '../channels.ts';
import type { Count } from '../counts.ts';
import type { Definition } from '../definition.ts';
import { Figure, Origin } from '../figure.tsx';
import { Reach } from '../reach.tsx';
import { fieldWords } from '../where-words.ts';
import { TYPING_MS } from './rule-counts.ts';

export const Outcome = (props: {
  readonly definition: Definition | undefined;
  /** What is missing, in words; empty if nothing is. */
  readonly missing: string;
  readonly total: Count | undefined;
  readonly segments: readonly Sized[];
  readonly channels: readonly Channel[];
}) => {
  const { texts } = useApp();
  const words = texts.segments.builder;
  const { definition, missing, total, segments, channels } = props;
  const waitsFor = definition === undefined ? missing || words.choosing : words.counting;
  // Conditions are counted by reading people, segments by looking at the index: only these are counted unasked.
  const cheap = !JSON.stringify(definition ?? 0).includes('"where"');
  return (
    <div>
      <section class="panel" aria-label={words.inIt}>
        <div class="body stack">
          <div role="status">
            <h2 class="small muted">{words.inIt}</h2>
            <p class="figure">
              <Figure of={total} />
            </p>
            <p class="small muted">{total === undefined ? waitsFor : <Origin of={total} />}</p>
            {definition !== undefined && missing !== '' && (
              <p class="doubt small">
                <Icon name="warn" small />
                {missing}
              </p>
            )}
          </div>
          {total && <Findings total={total} />}
          {definition !== undefined && (
            <Reach definition={definition} total={total} channels={channels} delayMs={TYPING_MS + 50} />
          )}
        </div>
      </section>
      {definition !== undefined && (
        <Breakdown
          key={cheap ? 'cheap' : 'dear'}
          definition={definition}
          total={total}
          segments={segments}
          first={cheap ? ['age', 'place'] : []}
          delayMs={TYPING_MS + 100}
        />
      )}
    </div>
  );
};

/** What conditions could not read: nobody has the field, or values of another kind. */
const Findings = ({ total }: { readonly total: Count }) => {
  const { texts, format } = useApp();
  const words = texts.segments.builder;
  const lines = total.findings.flatMap(({ where, with_value, unreadable }) => {
    const field = fieldWords(where.field, texts);
    if (with_value === 0) return [words.nobodyHas(field)];
    return unreadable > 0 ? [words.unreadable(field, format.number(unreadable))] : [];
  });
  return lines.length === 0 ? null : (
    <ul class="small muted">
      {lines.map((line) => (
        <li key={line}>
          <bdi>{line}</bdi>
        </li>
      ))}
    </ul>
  );
};
