/** The screen "People": one box for any identity, and the person it finds. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useApp } from '../app-context.ts';
import { useLoad } from '../load.ts';
import { takeQuestion } from '../parts/frame.tsx';
import { Icon } from '../parts/icon.tsx';
import { Notice, Problem } from '../parts/notice.tsx';
import { Empty, Title } from '../parts/panel.tsx';
import { goTo, type Route } from '../route.ts';
import { findPerson, type Outcome } from './people/find.ts';
import type { Known } from './people/known.ts';
import { Person } from './people/person.tsx';
import { Receipt, type Forgotten } from './people/receipt.tsx';
import { NamedPeople, Several } from './people/several.tsx';

/** The place of a receipt. It is no UUID. */
const FORGOTTEN = 'forgotten';

/** What was found, with the text that was looked for. */
type Found = Exclude<Outcome, { readonly kind: 'person' }> & { readonly text: string };

/** What the reader looks for. The same text once more is another question. */
interface Question {
  readonly key: string;
  readonly text: string;
}

let questions = 0;

const questionOf = (text: string | undefined): Question | undefined => {
  if (text === undefined) return undefined;
  questions += 1;
  return { key: `question ${questions}`, text };
};

export const PeopleScreen = ({ route }: { readonly route: Route }) => {
  const { api, texts } = useApp();
  const [uuid, segment] = route.parts;
  const [question, setQuestion] = useState<Question | undefined>(() => questionOf(takeQuestion()));
  const [receipt, setReceipt] = useState<Forgotten | undefined>(undefined);
  const held = useRef<Known | undefined>(undefined);
  const text = question?.text ?? '';
  // A new search ends the earlier one, and so does leaving: a late answer opens nobody.
  const search = useLoad(question?.key, () => findPerson(api, text));
  useEffect(() => {
    const outcome = search.data;
    if (outcome === undefined) return;
    held.current = outcome.kind === 'person' ? outcome.known : undefined;
    goTo('people', outcome.kind === 'person' ? [outcome.known.profile.profile_uuid ?? ''] : []);
  }, [search.data]);
  const found: Found | undefined =
    search.data === undefined || search.data.kind === 'person' ? undefined : { ...search.data, text };
  const take = (wanted: string): Known | undefined => {
    const known = held.current;
    held.current = undefined;
    return known?.profile.profile_uuid === wanted ? known : undefined;
  };
  const onSearch = (asked: string): void => {
    setQuestion(questionOf(asked));
  };
  const onForgotten = (forgotten: Forgotten): void => {
    setReceipt(forgotten);
    setQuestion(undefined);
    goTo('people', [FORGOTTEN]);
  };
  const isReceipt = uuid === FORGOTTEN && receipt !== undefined;
  return (
    <>
      {(uuid === undefined || uuid === FORGOTTEN) && !isReceipt && (
        <Title class="unseen">{texts.people.title}</Title>
      )}
      <SearchBox text={text} onSearch={onSearch} />
      {search.waiting && <progress class="loading" aria-label={texts.parts.loading} />}
      <Problem error={search.problem} texts={texts} />
      {isReceipt && <Receipt forgotten={receipt} />}
      {uuid !== undefined && uuid !== FORGOTTEN && (
        <Person key={uuid} uuid={uuid} segment={segment} take={take} onForgotten={onForgotten} />
      )}
      {(uuid === undefined || (uuid === FORGOTTEN && !isReceipt)) && !search.waiting && (
        <Nothing found={found} />
      )}
    </>
  );
};

const SearchBox = (props: { readonly text: string; readonly onSearch: (text: string) => void }) => {
  const { texts, property } = useApp();
  const words = texts.people;
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const text = new FormData(event.currentTarget).get('q');
    if (typeof text === 'string' && text.trim() !== '') props.onSearch(text.trim());
  };
  return (
    <form class="search large" role="search" onSubmit={onSubmit}>
      <Icon name="search" />
      <input
        key={props.text}
        name="q"
        type="search"
        aria-label={words.findLabel(property.search_names)}
        placeholder={words.find(property.search_names)}
        defaultValue={props.text}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
      />
    </form>
  );
};

/** No person: what the search says, or how people are found. */
const Nothing = ({ found }: { readonly found: Found | undefined }) => {
  const { texts, property } = useApp();
  const words = texts.people;
  const findLine = words.findLine(property.search_names);
  if (found === undefined) {
    return (
      <Empty title={words.findTitle}>
        <p class="muted">{findLine}</p>
      </Empty>
    );
  }
  if (found.kind === 'several') return <Several uuids={found.uuids} />;
  if (found.kind === 'named') return <NamedPeople people={found.people} />;
  return (
    <Notice>
      <p>
        <b>
          {words.nobody[found.looksLike]}{' '}
          <q>
            <bdi>{found.text}</bdi>
          </q>
          {found.byName ? words.norName : '.'}
        </b>
      </p>
      <p>{found.needsCountry ? words.needsCountry : findLine}</p>
      {found.byName && found.advice !== null && <p class="small">{found.advice}</p>}
      {!found.byName && found.advice !== null && (
        <details class="small">
          <summary>{words.namesOff}</summary>
          {found.advice}
        </details>
      )}
    </Notice>
  );
};
