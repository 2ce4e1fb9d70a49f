/** The builder: rules on the left, how many people they have on the right, while one types. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useApp } from '../../../app-context.ts';
import { useLoad } from '../../../load.ts';
import { Notice, Problem } from '../../../parts/notice.tsx';
import { Loading } from '../../../parts/panel.tsx';
import { Preparing } from '../preparing.tsx';
import type { Texts } from '../../../texts/en.ts';
import { loadNamed, type Catalogue, type Named, type Segment } from '../catalogue.ts';
import { channelsOf } from '../channels.ts';
import { idsIn, type Definition } from '../definition.ts';
import { Figure } from '../figure.tsx';
import {
  definitionOf,
  groupOf,
  groupOfWords,
  idsAmong,
  lacksIn,
  newGroup,
  type Draft,
  type Lack,
} from './draft.ts';
import { keepDraft, keptDraft } from './kept-draft.ts';
import { Outcome } from './outcome.tsx';
import { useRuleCounts } from './rule-counts.ts';
import { Rules } from './rules.tsx';
import { savingName, savingsOf } from './save.ts';
import { useSuggestion } from './suggestion.ts';
import { Earlier, Top } from './top.tsx';
import { useSave, type Begun } from './use-save.ts';

/** The names of segments, and the rules of those that are conditions, which the list does not have. */
const useNames = (key: string, ids: readonly number[], { segments }: Catalogue) => {
  const { api } = useApp();
  const known = new Map(segments.filter(({ type }) => type !== 'condition').map((one) => [one.id, one]));
  return useLoad(key, (signal) => loadNamed(api, ids, known, signal));
};

interface New {
  readonly catalogue: Catalogue;
  readonly onSaved: () => void;
  /** What the address says of the people: ids of segments, and fields that are known. */
  readonly words: readonly string[];
}

/** Builds a new segment: from nothing, or from the people of a figure. */
export const NewSegment = (props: New) => {
  const { texts } = useApp();
  const words = [...new Set(props.words)];
  const ids = idsAmong(words) ?? [];
  const names = useNames(`new ${words.join(' ')}`, ids, props.catalogue);
  if (ids.length === 0) return <Begin {...props} words={words} names={new Map()} />;
  return (
    <Loading from={names} texts={texts}>
      {(found) => <Begin {...props} words={words} names={found} />}
    </Loading>
  );
};

/** Begins with what the tab has kept, which the reader may put away, and with nothing where the address cannot be read. */
const Begin = ({ words, names, ...props }: New & { readonly names: ReadonlyMap<number, Named> }) => {
  const { texts, property } = useApp();
  const [[round, draft], setBegun] = useState((): readonly [number, Draft | undefined] => [
    0,
    keptDraft(property.id),
  ]);
  const anew = (): void => {
    keepDraft(property.id, undefined);
    setBegun([round + 1, undefined]);
  };
  const addressed = groupOfWords(words, names);
  const unread = addressed === undefined && (
    <Notice kind="warn">
      <p>{texts.segments.builder.unread}</p>
    </Notice>
  );
  return (
    <Builder
      key={round}
      {...props}
      edited={undefined}
      stored={undefined}
      draft={draft ?? { name: '', group: addressed ?? newGroup() }}
      notice={
        draft ? <Earlier isInTheWay={words.length > 0 && addressed !== undefined} onAnew={anew} /> : unread
      }
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
  // What is being saved is shown as it was when the reader left.
  const under = savingsOf(api).get(savingName({ edited: segment, key: '' }));
  const names = useNames(`edit ${JSON.stringify(definition)}`, idsIn(definition), catalogue);
  return (
    <Loading from={names} texts={texts}>
      {(found) => {
        const stored = { name: segment.name, group: groupOf(definition, found) };
        return (
          <Builder
            key={[...found.keys()].join(' ')}
            {...props}
            edited={segment}
            stored={stored}
            draft={under?.draft ?? stored}
            notice={undefined}
          />
        );
      }}
    </Loading>
  );
};

/** Whether an edited segment has this name and this definition already. */
const isStored = (stored: Draft | undefined, name: string, definition: Definition | undefined): boolean =>
  name === stored?.name && JSON.stringify(definition) === JSON.stringify(definitionOf(stored.group));

/** What is missing, and that the numbers leave it out. Empty if nothing is. */
const missingWords = (lacks: readonly Lack[], counted: Definition | undefined, texts: Texts): string => {
  const words = texts.segments.builder;
  const sentences = lacks.map(({ lacks: what, place }) => words.lacks[what](place));
  return lacks.length === 0 || counted === undefined
    ? sentences.join(' ')
    : [...sentences, words.without(lacks.length)].join(' ');
};

const Builder = (
  props: Begun & {
    readonly catalogue: Catalogue;
    /** What the service has, of a segment that is edited. */
    readonly stored: Draft | undefined;
    /** What the reader has to know of the rules that are there at first. */
    readonly notice: ComponentChildren;
  },
) => {
  const { texts, property } = useApp();
  const words = texts.segments.builder;
  const { catalogue, edited, stored } = props;
  const [draft, setDraft] = useState(props.draft);
  const { name, group } = draft;
  const { total, counts, definition, problem } = useRuleCounts(group, catalogue.segments);
  const lacks = lacksIn(group);
  const missing = missingWords(lacks, definition, texts);
  const suggested = useSuggestion(group);
  const isSavable = definition !== undefined && lacks.length === 0 && !isStored(stored, name, definition);
  const save = useSave(props, draft, suggested);
  const keep = (next: Draft | undefined): void => {
    if (edited === undefined) keepDraft(property.id, next);
  };
  const change = (next: Draft): void => {
    setDraft(next);
    keep(next);
  };
  return (
    <>
      <Top
        edited={edited}
        onDiscard={save.running ? undefined : () => keep(undefined)}
        onSave={isSavable && !save.running ? save.submit : undefined}
      />
      {!save.running && props.notice}
      <Problem error={save.problem} texts={texts} title={words.notSaved} />
      {save.running && save.share !== undefined && <Preparing words={words} share={save.share} />}
      <p class="live">
        <b>
          <Figure of={total} /> {words.peopleWord(total?.people ?? 0)}
        </b>
        {missing !== '' && <small> {missing}</small>}
      </p>
      <div class="split">
        <Rules
          {...{ name, group, suggested, total, counts, problem }}
          catalogue={catalogue}
          locked={save.running}
          onChange={change}
        />
        <Outcome
          definition={definition}
          missing={missing}
          total={total}
          segments={catalogue.segments}
          channels={channelsOf(catalogue.segments)}
        />
      </div>
    </>
  );
};
