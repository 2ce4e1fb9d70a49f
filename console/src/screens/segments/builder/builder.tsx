/** The builder: rules on the left, how many people they have on the right, while one types. */
import { useEffect, useState } from 'preact/hooks';
import { useApp } from '../../../app-context.ts';
import { keep, kept } from '../../../kept.ts';
import { useLoad } from '../../../load.ts';
import { Notice, Problem } from '../../../parts/notice.tsx';
import { Head, Loading, Panel } from '../../../parts/panel.tsx';
import { goTo, linkTo } from '../../../route.ts';
import type { Catalogue, Segment } from '../catalogue.ts';
import { channelsOf } from '../channels.ts';
import type { Count } from '../counts.ts';
import { idsIn } from '../definition.ts';
import { loadNamed } from '../definition-words.tsx';
import { PeopleTable } from '../members.tsx';
import { Figure } from '../figure.tsx';
import { nameOf } from '../../../segment-name.ts';
import { whereWords } from '../where-words.ts';
import {
  conditionOf,
  definitionOf,
  groupOf,
  incompleteIn,
  isDraft,
  newGroup,
  type Draft,
  type Group,
  type Part,
} from './draft.ts';
import { GroupBox } from './group-box.tsx';
import { Outcome } from './outcome.tsx';
import { useSave } from './save.ts';
import { offeredTypes, useOwnKeys } from './subjects.tsx';
import { useRuleCounts } from './rule-counts.ts';

/** Under this name the tab keeps what the reader was building, so that a look elsewhere or a reload loses nothing. */
const DRAFT = 'segment';

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

/** The button that saves, and what the tab keeps meanwhile. A save that was under way goes on. */
const useSubmit = (
  { edited, draft, onSaved }: Pick<Parameters<typeof Builder>[0], 'edited' | 'draft' | 'onSaved'>,
  { name, group }: Draft,
) => {
  const { property } = useApp();
  const keepDraft = (next: Draft | undefined): void => {
    const isEmpty = next?.name === '' && definitionOf(next.group) === undefined;
    if (edited === undefined) keep(property.id, DRAFT, isEmpty ? undefined : next);
  };
  const save = useSave(edited, (id, isShown) => {
    keepDraft(undefined);
    onSaved();
    if (isShown) goTo('segments', [id]);
  });
  const submit = (): void => {
    keepDraft({ name, group, saving: true });
    save.run(name, group);
  };
  useEffect(() => {
    if (save.isUnderWay || draft.saving === true) submit();
  }, []);
  useEffect(() => {
    if (save.problem !== undefined) keepDraft({ name, group });
  }, [save.problem]);
  return { save, submit, keepDraft };
};

const Builder = (props: {
  readonly catalogue: Catalogue;
  readonly edited: Segment | undefined;
  readonly draft: Draft;
  /** Begins again without the rules that the tab has kept, if there are any. */
  readonly onAnew: (() => void) | undefined;
  readonly onSaved: () => void;
}) => {
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

const Top = (props: {
  readonly edited: Segment | undefined;
  /** Undefined while the segment is being saved. */
  readonly onDiscard: (() => void) | undefined;
  /** Undefined while there is nothing to save. */
  readonly onSave: (() => void) | undefined;
}) => {
  const { texts } = useApp();
  const words = texts.segments.builder;
  const { edited } = props;
  return (
    <Head
      title={edited === undefined ? texts.segments.create : words.editTitle}
      crumb={<a href={linkTo('segments')}>{texts.segments.title}</a>}
    >
      {props.onDiscard && (
        <a
          class="button"
          href={linkTo('segments', edited === undefined ? [] : [edited.id])}
          onClick={props.onDiscard}
        >
          {words.discard}
        </a>
      )}
      <button
        type="button"
        class="button main"
        aria-disabled={props.onSave === undefined}
        onClick={props.onSave}
      >
        {words.save}
      </button>
    </Head>
  );
};

const Earlier = ({ onAnew }: { readonly onAnew: () => void }) => {
  const { texts } = useApp();
  const words = texts.segments.builder;
  return (
    <Notice
      actions={
        <button type="button" class="button small" onClick={onAnew}>
          {words.anew}
        </button>
      }
    >
      <p>{words.again}</p>
    </Notice>
  );
};

/** The name and the rules, and ten of the people. */
const Rules = (
  props: Draft & {
    readonly suggested: string;
    readonly catalogue: Catalogue;
    readonly total: Count | undefined;
    readonly counts: ReadonlyMap<number, Count>;
    readonly problem: unknown;
    readonly onChange: (draft: Draft) => void;
  },
) => {
  const { texts } = useApp();
  const words = texts.segments.builder;
  const keys = useOwnKeys();
  const { name, group, total, counts, onChange } = props;
  return (
    <div>
      <label class="field">
        <span class="label">{texts.segments.name}</span>
        <input
          type="text"
          value={name}
          maxLength={255}
          placeholder={props.suggested}
          onInput={({ currentTarget }) => onChange({ name: currentTarget.value, group })}
        />
      </label>
      <GroupBox
        group={group}
        place=""
        depth={0}
        around={{ segments: props.catalogue.segments, keys, counts }}
        onChange={(next) => onChange({ name, group: next ?? newGroup() })}
      />
      <Problem error={props.problem} texts={texts} />
      {total !== undefined && total.sample.length > 0 && (
        <Panel
          title={words.sample(total.sample.length, total.people)}
          {...(total.sample.length < total.people ? { footer: words.sampleRest } : {})}
        >
          <PeopleTable people={total.sample} columns={['name', 'city', 'birthday', 'email']} />
        </Panel>
      )}
    </div>
  );
};

/** A name for the rules, for who types none: Jazz, Age is under 65. */
const useSuggestion = (group: Group): string => {
  const { texts, format } = useApp();
  const wordsOf = (part: Part, negated: boolean): readonly string[] => {
    if (part.kind === 'group') {
      const turned = part.match === 'none' ? !negated : negated;
      return part.of.flatMap((one) => wordsOf(one, turned));
    }
    const where = conditionOf(part);
    const name = where ? whereWords(where, texts, format) : part.chosen && nameOf(part.chosen, texts);
    if (name === undefined) return [];
    return (part.op === 'is_not') === negated ? [name] : [texts.segments.builder.notNamed(name)];
  };
  const parts = wordsOf(group, false);
  return parts.join(', ').slice(0, 255);
};

const Preparing = ({ share }: { readonly share: number }) => {
  const { texts, format } = useApp();
  const words = texts.segments.builder;
  return (
    <Panel title={words.preparing} body>
      <progress {...(share > 0 ? { value: share } : {})} max={1} aria-label={words.preparing} />
      <p class="small muted" role="status">
        {words.preparingLine(format.percent(share, 1))}
      </p>
    </Panel>
  );
};
