/** The builder: rules on the left, how many people they have on the right, while one types. */
import { useState } from 'preact/hooks';
import { useApp } from '../../../app-context.ts';
import { keep, kept } from '../../../kept.ts';
import { useLoad } from '../../../load.ts';
import { Problem } from '../../../parts/notice.tsx';
import { Loading } from '../../../parts/panel.tsx';
import type { Catalogue, Segment } from '../catalogue.ts';
import { channelsOf } from '../channels.ts';
import { idsIn } from '../definition.ts';
import { loadNamed } from '../definition-words.tsx';
import { Figure } from '../figure.tsx';
import { groupOf, incompleteIn, isDraft, newGroup, type Draft } from './draft.ts';
import { Outcome } from './outcome.tsx';
import { useRuleCounts } from './rule-counts.ts';
import { Rules } from './rules.tsx';
import { offeredTypes } from './subjects.tsx';
import { useSuggestion } from './suggestion.ts';
import { Earlier, Preparing, Top } from './top.tsx';
import { DRAFT, useSubmit, type Begun } from './use-submit.ts';

const empty = (): Draft => ({ name: '', group: newGroup() });

/** Builds a new segment. */
export const NewSegment = (props: { readonly catalogue: Catalogue; readonly onSaved: () => void }) => {
  const { property } = useApp();
  const [[round, draft], setBegun] = useState((): readonly [number, Draft | undefined] => {
    const earlier = kept(property.id, DRAFT);
    return [0, isDraft(earlier) ? earlier : undefined];
  });
  const anew = (): void => {
    keep(property.id, DRAFT, undefined);
    setBegun([round + 1, undefined]);
  };
  return (
    <Builder
      key={round}
      {...props}
      edited={undefined}
      draft={draft ?? empty()}
      onAnew={draft === undefined ? undefined : anew}
    />
  );
};

/** Changes the definition of a segment. */
export const EditSegment = (props: {
  readonly segment: Segment;
  readonly catalogue: Catalogue;
  readonly onSaved: () => void;
}) => {
  const { api, texts } = useApp();
  const { segment, catalogue } = props;
  const definition = segment.definition ?? segment.id;
  const known = new Map(catalogue.segments.map((one) => [one.id, one]));
  const names = useLoad(`edit ${segment.id}`, (signal) => loadNamed(api, idsIn(definition), known, signal));
  return (
    <Loading from={names} texts={texts}>
      {(found) => (
        <Builder
          {...props}
          edited={segment}
          draft={{ name: segment.name, group: groupOf(definition, found, offeredTypes) }}
          onAnew={undefined}
        />
      )}
    </Loading>
  );
};

const Builder = (
  props: Begun & {
    readonly catalogue: Catalogue;
    /** Begins again without the rules that the tab has kept, if there are any. */
    readonly onAnew: (() => void) | undefined;
  },
) => {
  const { texts } = useApp();
  const words = texts.segments.builder;
  const { catalogue, edited } = props;
  const [{ name, group }, setDraft] = useState(props.draft);
  const { total, counts, definition, problem } = useRuleCounts(group, catalogue.segments);
  const incomplete = incompleteIn(group);
  const suggested = useSuggestion(group);
  const { save, submit, keepDraft } = useSubmit(props, { name: name.trim() || suggested, group });
  const change = (draft: Draft): void => {
    setDraft(draft);
    keepDraft(draft);
  };
  return (
    <>
      <Top
        edited={edited}
        onDiscard={save.running ? undefined : () => keepDraft(undefined)}
        onSave={definition === undefined || incomplete > 0 || save.running ? undefined : submit}
      />
      {props.onAnew && !save.running && <Earlier onAnew={props.onAnew} />}
      <Problem error={save.problem} texts={texts} title={words.notSaved} />
      {save.running && save.share !== undefined && <Preparing share={save.share} />}
      <p class="live">
        <b>
          <Figure of={total} /> {words.peopleWord(total?.people ?? 0)}
        </b>
        {definition !== undefined && incomplete > 0 && <small> {words.without(incomplete)}</small>}
      </p>
      <div class="split">
        <Rules
          {...{ name, group, suggested, total, counts, problem }}
          catalogue={catalogue}
          onChange={change}
        />
        <Outcome
          definition={definition}
          incomplete={incomplete}
          total={total}
          segments={catalogue.segments}
          channels={channelsOf(catalogue.segments)}
        />
      </div>
    </>
  );
};
